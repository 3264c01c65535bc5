package report

import (
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"

	"opari/internal/analysis"
	"opari/internal/analysis/finding"
	"opari/internal/report/profile"
	"opari/internal/report/summary"
)

// These types are the JSON of a report, which contains everything known of a run. Times are in
// ns, and shares of the processor time range from 0 to 1.
type (
	runJSON struct {
		Version int              `json:"opari_report"`
		Program string           `json:"program"`
		Wall    int64            `json:"wall_ns"`
		Total   int64            `json:"processor_ns"`
		Events  uint64           `json:"events"`
		Lost    string           `json:"lost,omitempty"`
		LeftOut *profile.LeftOut `json:"left_out,omitempty"`
		// Lost and Notes are for people.
		Notes      []string  `json:"notes,omitempty"`
		NoCritical string    `json:"no_critical_path,omitempty"` // why there is none
		EventCost  int64     `json:"event_cost_ns"`
		Part       *partJSON `json:"part,omitempty"` // nil: all of the run
		// "measured" by the run, "assumed", or "given"
		CostSource string                 `json:"event_cost"`
		Threads    []threadJSON           `json:"threads"`
		Locations  []locationJSON         `json:"locations,omitempty"`
		Findings   []findingJSON          `json:"findings"`
		Groups     []groupJSON            `json:"groups"`
		Properties []propertyJSON         `json:"properties"`
		Efficiency summary.EfficiencyJSON `json:"efficiency"`
		WhatIf     []whatIfJSON           `json:"what_if,omitempty"`
		Paths      []pathJSON             `json:"paths"`
		Blame      []blameJSON            `json:"blame,omitempty"`
		Exclusions []exclusionJSON        `json:"exclusions,omitempty"`
		Starved    []starvedJSON          `json:"starved,omitempty"`
		Rate       int                    `json:"samples_per_second,omitempty"` // 0: no samples
		Stacks     []stackJSON            `json:"stacks,omitempty"`
		Counters   []string               `json:"counters,omitempty"`
	}
	// stackJSON is a place in the code. Its caller is an earlier one; 0 is unknown code.
	stackJSON struct {
		Caller   int    `json:"caller"`
		Function string `json:"function"`
		File     string `json:"file,omitempty"`
		Line     int    `json:"line,omitempty"`
	}
	// sampledJSON are samples of a path at which a thread worked.
	sampledJSON struct {
		Stack  int   `json:"stack"`
		Thread int   `json:"thread"`
		Count  int64 `json:"count"`
	}
	// partJSON is the part of the run that the report is of. Times count from the begin of the run.
	partJSON struct {
		From   int64  `json:"from_ns"`
		To     int64  `json:"to_ns,omitempty"` // 0: there is no window of time
		Length int64  `json:"run_ns,omitempty"`
		Cut    int64  `json:"cut_visits"`
		Region string `json:"within,omitempty"`
		All    int64  `json:"all_processor_ns,omitempty"` // without the region's limit
	}
	threadJSON struct {
		Name    string `json:"name"`
		Node    string `json:"node,omitempty"`
		Process string `json:"process,omitempty"`
		Begin   uint64 `json:"begin_ns"`
		End     uint64 `json:"end_ns"`
	}
	// locationJSON is the machine, a node or a process, for a run of several processes. Times
	// are sums over its threads.
	locationJSON struct {
		Name       string           `json:"name"`
		Kind       string           `json:"kind"`
		Parent     int              `json:"parent"`  // index in the list; -1 for the machine
		Threads    []int            `json:"threads"` // indices in the list of threads
		Severities map[string]int64 `json:"severities_ns"`
	}
	findingJSON struct {
		Property string  `json:"property"`
		Name     string  `json:"name"`
		File     string  `json:"file"`
		Line     int     `json:"line"`
		Time     int64   `json:"time_ns"`
		Share    float64 `json:"share"`
		Text     string  `json:"text"`
		Advice   string  `json:"advice"`
		Bound    bool    `json:"upper_bound,omitempty"` // most of it is the cost of measuring
		Recorded int64   `json:"recorded_ns,omitempty"` // the part of the time that measuring took
	}
	// groupJSON is what text shows as one finding: the losses by one property in several regions,
	// or in one. Regions of a group may be too small for a finding.
	groupJSON struct {
		Property string       `json:"property"`
		Time     int64        `json:"time_ns"`
		Share    float64      `json:"share"`
		Text     string       `json:"text"`
		Advice   string       `json:"advice"`
		Bound    bool         `json:"upper_bound,omitempty"`
		Regions  []regionJSON `json:"regions"`
	}
	regionJSON struct {
		Name string `json:"name"`
		File string `json:"file"`
		Line int    `json:"line"`
		Time int64  `json:"time_ns"`
	}
	propertyJSON struct {
		Key     string  `json:"key"`
		Name    string  `json:"name"`
		What    string  `json:"what"`
		Parent  string  `json:"parent,omitempty"`
		Time    int64   `json:"time_ns"`
		Threads []int64 `json:"threads_ns"`
	}
	pathJSON struct {
		ID         int                `json:"id"`
		Parent     int                `json:"parent"` // -1 for the root
		Kind       string             `json:"kind"`
		Name       string             `json:"name"`
		File       string             `json:"file"`
		Line       int                `json:"line"`
		Visits     []visitJSON        `json:"visits"`
		Severities map[string][]int64 `json:"severities_ns"` // by thread
		Critical   *int64             `json:"critical_ns,omitempty"`
		Samples    []sampledJSON      `json:"samples,omitempty"`
		Counters   []countsJSON       `json:"counters,omitempty"`
		Hint       string             `json:"memory_bound,omitempty"` // why it seems so
		Sharing    *sharingJSON       `json:"false_sharing,omitempty"`
		LastChunks []lastChunkJSON    `json:"last_chunks,omitempty"`
	}
	visitJSON struct {
		Count int64 `json:"count"`
		Incl  int64 `json:"incl_ns"`
		Excl  int64 `json:"excl_ns"`
		Min   int64 `json:"min_ns"`
		Max   int64 `json:"max_ns"`
	}
	blameJSON struct {
		Property string `json:"property"`
		Waiter   int    `json:"waiter"` // ID of a path
		Cause    int    `json:"cause"`  // ID of a path
		Thread   int    `json:"thread"` // index in the list of threads
		Name     string `json:"thread_name"`
		Time     int64  `json:"time_ns"`
	}
)

// JSON writes everything known of a run.
func (o *Run) JSON(w io.Writer, r *analysis.Result) error {
	out := runJSON{
		Version: 1, Program: r.Program, Wall: r.Wall, Total: r.Total(), Events: r.Events,
		Lost: strings.Join(r.Lost, "; "), Notes: r.Notes(), NoCritical: r.NoCritical(),
		EventCost: r.EventCost, CostSource: r.CostSource,
		Threads: []threadJSON{}, Findings: []findingJSON{}, Groups: []groupJSON{},
		Paths: []pathJSON{},
	}
	for _, t := range r.Threads {
		out.Threads = append(out.Threads, threadJSON{t.Name, t.Node, t.Process, t.Begin, t.End})
	}
	if r.Part != nil {
		part := partJSON(*r.Part)
		out.Part = &part
	}
	if !r.LeftOut.IsZero() {
		out.LeftOut = &r.LeftOut
	}
	out.Locations = locationsToJSON(r)
	for _, f := range finding.Of(r, o.Share) {
		out.Findings = append(out.Findings, findingJSON{
			f.Property.Key(), f.Region.Name,
			f.Region.File, f.Region.Line, f.Time, f.Share, f.String(r), f.Advice(r), f.UpperBound,
			f.Recorded,
		})
	}
	for _, g := range finding.Groups(r, o.Share) {
		out.Groups = append(out.Groups, groupToJSON(r, &g))
	}
	for p := range analysis.NumProperties {
		j := propertyJSON{
			Key: p.Key(), Name: r.PropertyName(p), What: r.PropertyWhat(p),
			Time: r.Sum(p, -1),
		}
		if p != analysis.Time {
			j.Parent = p.Parent().Key()
		}
		for i := range r.Threads {
			j.Threads = append(j.Threads, r.Sum(p, i))
		}
		out.Properties = append(out.Properties, j)
	}
	out.Efficiency, out.WhatIf = summary.EfficiencyToJSON(r), o.whatIfsToJSON()
	most := r.MostBandwidth()
	for _, q := range r.Paths {
		out.Paths = append(out.Paths, pathToJSON(r, q, most))
	}
	for _, b := range r.Blame {
		out.Blame = append(out.Blame, blameJSON{
			b.Property.Key(), b.Waiter.ID, b.Cause.ID, b.Thread,
			r.ThreadName(b.Thread), b.Time,
		})
	}
	out.causesToJSON(r)
	out.Rate, out.Counters = r.Rate, r.Counters
	for _, s := range r.Stacks {
		out.Stacks = append(out.Stacks, stackJSON{s.Caller, s.Function, s.File, s.Line})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(out)
}

// samplesToJSON returns the samples of a path by thread and stack.
func samplesToJSON(r *analysis.Result, q *analysis.Path) []sampledJSON {
	var all []sampledJSON
	for i := range r.Threads {
		counts := q.Sampled(i)
		for _, stack := range slices.Sorted(maps.Keys(counts)) {
			all = append(all, sampledJSON{stack, i, counts[stack]})
		}
	}
	return all
}

func groupToJSON(r *analysis.Result, g *finding.Group) groupJSON {
	j := groupJSON{
		Property: g.Property.Key(), Time: g.Time, Share: g.Share, Text: g.String(r),
		Advice: g.Advice(r), Bound: g.UpperBound(),
	}
	for _, f := range g.Findings {
		g := f.Region
		j.Regions = append(j.Regions, regionJSON{g.Name, g.File, g.Line, f.Time})
	}
	return j
}

// locationsToJSON returns the locations around the threads, and nil for a single process.
func locationsToJSON(r *analysis.Result) []locationJSON {
	var out []locationJSON
	number := map[int]int{-1: -1}
	for i, l := range r.Locations() {
		if l.Kind == "thread" {
			continue
		}
		number[i] = len(out)
		j := locationJSON{
			Name: l.Name, Kind: l.Kind, Parent: number[l.Parent], Threads: l.Threads,
			Severities: map[string]int64{},
		}
		for p := range analysis.NumProperties {
			if time := r.SumAt(p, &l); time != 0 && p.Leaf() {
				j.Severities[p.Key()] = time
			}
		}
		out = append(out, j)
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// pathToJSON gets the largest bandwidth of the run's paths, see MemoryBound.
func pathToJSON(r *analysis.Result, q *analysis.Path, most float64) pathJSON {
	j := pathJSON{
		ID: q.ID, Parent: -1, Kind: q.KindName(), Name: q.Name, File: q.File,
		Line: q.Line, Severities: map[string][]int64{},
	}
	if r.NoCritical() == "" {
		j.Critical = &q.Critical
	}
	if q.Parent != nil {
		j.Parent = q.Parent.ID
	}
	for _, v := range q.Visits {
		j.Visits = append(j.Visits, visitJSON{v.Count, v.Incl, v.Excl, v.Min, v.Max})
	}
	for p := range analysis.NumProperties {
		if !p.Leaf() || q.Severity(p, -1) == 0 {
			continue
		}
		times := make([]int64, len(r.Threads))
		for i := range times {
			times[i] = q.Severity(p, i)
		}
		j.Severities[p.Key()] = times
	}
	j.Samples, j.Counters = samplesToJSON(r, q), countsToJSON(r, q)
	if c := q.Counted(-1); c != nil {
		j.Hint = r.MemoryBound(c, most)
	}
	j.Sharing = sharingToJSON(r, q)
	for _, x := range q.LastChunks {
		j.LastChunks = append(j.LastChunks, lastChunkJSON(*x))
	}
	return j
}
