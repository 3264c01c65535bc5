package page

import (
	"bufio"
	"embed"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"opari/internal/analysis"
	"opari/internal/analysis/finding"
	"opari/internal/report"
)

// These are the parts of the page: one style sheet, and one script made of the listed files in
// this order.
//
//go:embed browser
var pageFiles embed.FS

var scripts = []string{
	"basics.js",
	"model.js", "trees.js", "findings.js", "samples.js", "efficiency.js",
	"counters.js", "source.js",
	"pixels.js", "timeline.js", "details.js", "messages.js", "steer.js", "flame.js", "main.js",
}

// PageShare is the smallest part of the processor time that makes a loss a finding.
const PageShare = 0.001

// pageJSON is everything that a page shows except the intervals. Times are in ns.
type pageJSON struct {
	Program    string         `json:"program"`
	Wall       int64          `json:"wall"`
	Total      int64          `json:"total"`
	Events     uint64         `json:"events"`
	Notes      []string       `json:"notes"`                // what the run's data lack
	NoCritical string         `json:"noCritical,omitempty"` // why there is no critical path
	Threads    []pageThread   `json:"threads"`
	Properties []pageProperty `json:"properties"`
	Paths      []pagePath     `json:"paths"`
	Findings   []pageFinding  `json:"findings"`
	Groups     []pageGroup    `json:"groups"`
	// Each entry has property, waiting path, blamed path, blamed thread and time.
	Blame    [][5]int64                    `json:"blame"`
	Sources  map[string]*report.SourceJSON `json:"sources"`
	Timeline *timelineJSON                 `json:"timeline"`
	Rate     int                           `json:"rate,omitempty"` // samples per second; 0: none
	Codes    []pageCode                    `json:"codes,omitempty"`
	// Measuring is the function by which Codes call opari's library.
	Measuring string      `json:"measuring,omitempty"`
	Hints     []pageHint  `json:"hints"` // they follow the findings
	Counts    *pageCounts `json:"counts,omitempty"`
	// Efficiency is nil for a run of one thread.
	Efficiency *pageEfficiency `json:"efficiency,omitempty"`
}

type pageThread struct {
	Name    string `json:"name"`
	Node    string `json:"node,omitempty"`
	Process string `json:"process,omitempty"`
}

type pageProperty struct {
	Parent int    `json:"parent"` // -1 for the root
	Key    string `json:"key"`
	Name   string `json:"name"`
	What   string `json:"what"`
	Loss   bool   `json:"loss"`
}

type pagePath struct {
	Parent int    `json:"parent"` // -1 for the root
	Kind   string `json:"kind"`
	Name   string `json:"name"`
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	// Last line of the construct, if it is known and differs from Line.
	End      int             `json:"end,omitempty"`
	Critical int64           `json:"critical,omitempty"`
	Severity map[int][]int64 `json:"severity,omitempty"` // by property, then thread
	// By thread: count, time, time outside nested regions, shortest, longest.
	Visits [][5]int64 `json:"visits,omitempty"`
	// Stacks of samples, those with most samples first.
	Stacks []pageStack `json:"stacks,omitempty"`
}

type pageFinding struct {
	Property int     `json:"property"`
	Path     int     `json:"path"`
	Time     int64   `json:"time"`
	Share    float64 `json:"share"`
	Place    string  `json:"place"`
	Region   string  `json:"region"`
	What     string  `json:"what"` // what costs the time
	Why      string  `json:"why"`
	Text     string  `json:"text"`
	Advice   string  `json:"advice"`
	// What would remedy it, and wall times from none of it to all of it, at equal steps.
	Remedy string  `json:"remedy,omitempty"`
	Walls  []int64 `json:"walls,omitempty"`
}

// pageGroup is a loss in several regions, or in one.
type pageGroup struct {
	Time     int64   `json:"time"`
	Share    float64 `json:"share"`
	Text     string  `json:"text"`
	Advice   string  `json:"advice"`
	Findings []int   `json:"findings"` // indices in the list of findings
}

// mostBlame is the largest number of pairs of waiting and cause on the page, by time.
const mostBlame = 5000

// Write writes a result as one self-contained HTML file. It shows findings with their source,
// the three linked trees, the timeline and the call paths. A profile has no timeline, so t may
// be nil.
func Write(w io.Writer, r *analysis.Result, t *Timeline, find report.SourceFinder) error {
	data := pageData(r, find)
	if t == nil || t.kept == 0 {
		return writePage(w, r, data, nil)
	}
	start := int64(r.Start)
	var tables counting
	if err := writePage(&tables, r, data, nil); err != nil {
		return err
	}
	room := t.PageSize - int64(tables)
	tl, err := t.packWithin(start, room)
	if err != nil {
		return err
	}
	data.Timeline = tl
	room -= int64(len(tl.Data))
	if t.PageSize > 0 && room < 0 {
		data.Notes = append(data.Notes, fmt.Sprintf("this page is larger than --page-size: "+
			"%.1f MB are the least that its tables and sources need", float64(tables)/1e6))
	}
	if t.details == nil {
		return writePage(w, r, data, nil)
	}
	if err := t.details.finish(room); err != nil {
		_ = t.details.remove()
		data.Notes = append(data.Notes,
			fmt.Sprintf("narrow views of the timeline have no details: %v", err))
		return writePage(w, r, data, nil)
	}
	tl.Details = t.details.json(start, t.PageSize)
	return errors.Join(writePage(w, r, data, t.details), t.details.remove())
}

// counting is a writer that counts bytes.
type counting int64

func (c *counting) Write(p []byte) (int, error) {
	*c += counting(len(p))
	return len(p), nil
}

func pageData(r *analysis.Result, find report.SourceFinder) *pageJSON {
	p := &pageJSON{
		Program: r.Program, Wall: r.Wall, Total: r.Total(), Events: r.Events,
		Notes: append([]string{}, r.Notes()...), NoCritical: r.NoCritical(),
		Sources:  report.Excerpts(r.Paths, find),
		Findings: []pageFinding{}, Groups: []pageGroup{}, Blame: [][5]int64{},
		Hints: []pageHint{},
	}
	for _, t := range r.Threads {
		p.Threads = append(p.Threads, pageThread{t.Name, t.Node, t.Process})
	}
	for q := range analysis.NumProperties {
		row := pageProperty{
			int(q.Parent()), q.Key(), r.PropertyName(q),
			r.PropertyWhat(q), q.Loss(),
		}
		if q == analysis.Time {
			row.Parent = -1
		}
		p.Properties = append(p.Properties, row)
	}
	for _, q := range r.Paths {
		p.Paths = append(p.Paths, pathData(r, q))
	}
	p.addSamples(r, find)
	p.addCounts(r)
	p.Efficiency = efficiencyOnPage(r)
	p.addHints(r, find)
	for _, g := range finding.Groups(r, PageShare) {
		group := pageGroup{g.Time, g.Share, g.String(r), g.Advice(r), nil}
		for _, f := range g.Findings {
			group.Findings = append(group.Findings, len(p.Findings))
			p.Findings = append(p.Findings, findingData(r, f))
		}
		p.Groups = append(p.Groups, group)
	}
	for _, b := range r.Blame[:min(len(r.Blame), mostBlame)] {
		p.Blame = append(p.Blame, [5]int64{
			int64(b.Property), int64(b.Waiter.ID), int64(b.Cause.ID),
			int64(b.Thread), b.Time,
		})
	}
	return p
}

func pathData(r *analysis.Result, q *analysis.Path) pagePath {
	out := pagePath{
		Parent: -1, Kind: q.KindName(), Name: q.Name, File: q.File, Line: q.Line,
		Critical: q.Critical,
	}
	if q.End > q.Line {
		out.End = q.End
	}
	if q.Parent != nil {
		out.Parent = q.Parent.ID
	}
	for p := range analysis.NumProperties {
		if !p.Leaf() || q.Severity(p, -1) == 0 {
			continue
		}
		if out.Severity == nil {
			out.Severity = map[int][]int64{}
		}
		for t := range r.Threads {
			out.Severity[int(p)] = append(out.Severity[int(p)], q.Severity(p, t))
		}
	}
	if slices.ContainsFunc(q.Visits,
		func(v analysis.Visit) bool { return v.Count > 0 || v.Excl > 0 }) {
		for _, v := range q.Visits {
			out.Visits = append(out.Visits, [5]int64{v.Count, v.Incl, v.Excl, v.Min, v.Max})
		}
	}
	return out
}

// findingData converts a finding, with the call path that has most of its time.
func findingData(r *analysis.Result, f finding.Finding) pageFinding {
	out := pageFinding{
		Property: int(f.Property), Time: f.Time, Share: f.Share, Place: f.Region.Place(),
		Region: f.Region.Name, Why: f.Why, Text: f.String(r), Advice: f.Advice(r),
	}
	for _, x := range r.Remedies {
		if x.Property == f.Property && x.Region == f.Region {
			out.Remedy, out.Walls = x.What, x.Walls
		}
	}
	out.What, _, _ = strings.Cut(strings.TrimPrefix(out.Text, f.Region.String()+": "), " costs ")
	var most int64 = -1
	for _, q := range r.Paths {
		if q.Region == f.Region {
			if time := q.Severity(f.Property, -1); time > most {
				out.Path, most = q.ID, time
			}
		}
	}
	return out
}

// writePage writes the page. Its policy allows only the style and the script that it contains.
func writePage(w io.Writer, r *analysis.Result, data *pageJSON, d *details) error {
	name := filepath.Base(r.Program)
	if r.Program == "" {
		name = "opari"
	}
	page := document{
		title: name + ": where the threads lost time", styles: []string{"page.css"},
		body: "page.html", scripts: scripts, data: data,
	}
	page.before = func(b *bufio.Writer) error {
		packed := ""
		if data.Timeline != nil {
			packed = data.Timeline.Data
		}
		_, err := fmt.Fprintf(b,
			"<script type=\"application/octet-stream\" id=\"intervals\">%s</script>\n", packed)
		return err
	}
	if d != nil { // behind the script, so that the page need not wait for them
		page.behind = d.write
	}
	return page.write(w)
}
