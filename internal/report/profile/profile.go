package profile

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"opari/internal/analysis"
	"opari/internal/omp"
)

// Profile is the recording of one process: a header, its regions, its call paths, and the time
// of every thread in each path. All times are in nanoseconds.
type Profile struct {
	Program string   `json:"program"`
	PID     int      `json:"pid"`
	Wall    int64    `json:"wall_ns"`         // from the start of measuring to its end
	Threads int      `json:"threads"`         // threads that took part in any region
	Ranks   int      `json:"ranks,omitempty"` // of an MPI program; 0 for a single process
	Lost    int64    `json:"lost_records"`
	Clock   string   `json:"clock"`                   // "tsc" or "monotonic"
	Cost    int64    `json:"event_cost_ns,omitempty"` // of recording one event; 0 if unknown
	LeftOut *LeftOut `json:"left_out,omitempty"`

	Processors *Processors `json:"processors,omitempty"`

	Regions []*Region `json:"regions"`
	Paths   []*Path   `json:"-"` // parents before children
	members []member  // the processes of an MPI program, by rank
	rank    int       // of a single process
	world   int       // number of ranks of the program; 0 if unknown
}

// Path is a region with its chain of enclosing regions. A region nested in itself counts for
// the outer one.
type Path struct {
	ID      int
	Parent  *Path // nil if no region encloses this one
	Region  *Region
	Samples []Sample // by thread, ascending
}

// Region is a region with its samples.
type Region struct {
	ID        int    `json:"id"`
	Name      string `json:"name"`     // of the leaf directive: "for"
	SubName   string `json:"sub_name"` // of a critical, of a user region, of a lock routine
	Directive string `json:"directive"`
	File      string `json:"file"`
	Begin     [2]int `json:"begin"` // first and last line of the opening directive
	End       [2]int `json:"end"`   // of the end directive or the end of the block
	Outer     int    `json:"outer"` // ID of the lexically enclosing region, 0 for none
	KindName  string `json:"kind"`  // as the library writes it

	NumSections int       `json:"num_sections"`
	Facts       omp.Facts `json:"facts"`

	Kind    omp.Kind `json:"-"`       // KindNone if the name is unknown
	Samples []Sample `json:"threads"` // by thread, ascending; over all paths
	// For an MPI program: the index of each rank's first sample, for ranks that have some; see
	// Ranks.
	ranks []int
	// What is known of a target region beyond its time, over all paths and threads.
	Target *Target `json:"target,omitempty"`
}

// Target is what target regions moved and executed.
type Target struct {
	Kernels int64 `json:"kernels"`
	Kernel  int64 `json:"kernel_ns"` // executing them, where the device is the host
	// Bytes that map clauses and routines asked to copy to devices.
	To   int64 `json:"to"`
	From int64 `json:"from"` // bytes to copy back
	// Bytes of To and From that needed no copy, since host and device share storage.
	InPlace int64 `json:"in_place"`
	Moving  int64 `json:"moving_ns"` // copying the other bytes
}

// Sample is the time that one thread spent in one path, or in one region.
type Sample struct {
	Thread  int   `json:"thread"` // 0 is the initial thread
	Count   int64 `json:"count"`
	Incl    int64 `json:"incl_ns"`
	Excl    int64 `json:"excl_ns"`
	Min     int64 `json:"min_ns"` // shortest and longest visit, inclusive
	Max     int64 `json:"max_ns"`
	Body    int64 `json:"body_ns"`    // begin to end, or the work without its barrier
	Barrier int64 `json:"barrier_ns"` // waiting in the region's barrier
	// Waiting to enter a critical, ordered, lock or atomic; waiting for tasks.
	Wait int64 `json:"wait_ns"`
	Hold int64 `json:"hold_ns"` // a critical or a lock held

	Chunks // of a loop whose chunks the runtime handed out
}

// maxThreads is more than a process can have. Reports allocate memory for each thread, and a
// damaged profile may contain any number.
const maxThreads = 1 << 18

// A profile has these kinds of line.
type headerLine struct {
	Version int         `json:"opari_profile"`
	Program string      `json:"program"`
	PID     int         `json:"pid"`
	Wall    int64       `json:"wall_ns"`
	Threads int         `json:"threads"`
	Lost    int64       `json:"lost"`
	Clock   string      `json:"clock"`
	Cost    int64       `json:"event_cost"`
	LeftOut leftOutLine `json:"left_out"`
	Rank    int         `json:"rank"`  // of an MPI program; opari run adds rank and ranks
	Ranks   int         `json:"ranks"` // 0 for a single process

	Processors *Processors `json:"processors"`
}

type regionLine struct {
	Region      int    `json:"region"`
	Name        string `json:"name"`
	SubName     string `json:"sub_name"`
	Directive   string `json:"directive"`
	File        string `json:"file"`
	Begin       [2]int `json:"begin"`
	End         [2]int `json:"end"`
	Outer       int    `json:"outer"`
	Kind        string `json:"kind"`
	NumSections int    `json:"num_sections"`
	Facts       uint32 `json:"facts"`
}

type pathLine struct {
	Path   int `json:"path"`
	Parent int `json:"parent"`
	Region int `json:"region"`
}

type sampleLine struct {
	Path    int   `json:"path"`
	Thread  int   `json:"thread"`
	Count   int64 `json:"count"`
	Incl    int64 `json:"incl"`
	Excl    int64 `json:"excl"`
	Min     int64 `json:"min"`
	Max     int64 `json:"max"`
	Body    int64 `json:"body"`
	Barrier int64 `json:"barrier"`
	Wait    int64 `json:"wait"`
	Hold    int64 `json:"hold"`
}

type targetLine struct {
	Path    int   `json:"path"`
	Thread  int   `json:"thread"`
	Kernels int64 `json:"kernels"`
	Kernel  int64 `json:"kernel"`
	To      int64 `json:"to"`
	From    int64 `json:"from"`
	InPlace int64 `json:"in_place"`
	Moving  int64 `json:"moving"`
}

// version is the version of the profile format that this package reads.
const version = 2

// Read reads a profile. Errors have the form "name:line: error: what". A file that breaks the
// format anywhere gives an error and no profile, because half a profile would mislead. Read
// makes all names printable.
func Read(name string, r io.Reader) (*Profile, error) {
	b := bufio.NewReaderSize(r, 1<<16)
	var p *Profile
	rd := reader{regions: map[int]*Region{}, paths: map[int]*Path{}, unmet: map[*Region]bool{}}
	for n := 1; ; n++ {
		line, err := b.ReadBytes('\n')
		if err == io.EOF {
			if len(line) > 0 {
				return nil, fmt.Errorf("%s:%d: error: the last line is not complete: the program "+
					"was stopped while it wrote the profile", name, n)
			}
			if p == nil {
				return nil, fmt.Errorf("%s:1: error: the profile is empty", name)
			}
			return rd.finish(p), nil
		} else if err != nil {
			return nil, fmt.Errorf("%s:%d: error: %w", name, n, err)
		}
		if n == 1 {
			p, err = readHeader(line)
		} else {
			err = rd.line(line)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: error: %w", name, n, err)
		}
	}
}

func readHeader(line []byte) (*Profile, error) {
	var h headerLine
	if err := strict(line, &h); err != nil {
		return nil, fmt.Errorf("this is no profile of opari run: %w", err)
	}
	switch {
	case h.Version == 0:
		return nil, fmt.Errorf("this is no profile of opari run: the first line has no " +
			"opari_profile")
	case h.Version != version:
		return nil, fmt.Errorf("profile format %d; this opari reads format %d", h.Version, version)
	case h.Wall < 0 || h.Threads < 0 || h.Lost < 0 || h.Cost < 0 || h.Rank < 0 || h.Ranks < 0 ||
		h.Ranks > 0 && h.Rank >= h.Ranks:
		return nil, fmt.Errorf("a negative number")
	case h.Processors != nil && min(h.Processors.Used, h.Processors.Waited) < 0:
		return nil, fmt.Errorf("a negative number")
	case h.Threads > maxThreads:
		return nil, fmt.Errorf("%d threads, more than %d", h.Threads, maxThreads)
	}
	p := &Profile{
		Program: analysis.Printable(h.Program), PID: h.PID, Wall: h.Wall, Threads: h.Threads,
		Lost: h.Lost, Clock: analysis.Printable(h.Clock),
		Cost: min(h.Cost, 1e9), LeftOut: h.LeftOut.read(), rank: h.Rank, world: h.Ranks,
		Processors: h.Processors,
	}
	return p, nil
}

// reader gathers regions, paths and samples. A profile describes each of them before any line
// refers to it.
type reader struct {
	regions map[int]*Region
	paths   map[int]*Path
	order   []*Region
	listed  []*Path
	leftOut LeftOut // its functions
	unmet   map[*Region]bool
}

func (rd *reader) line(line []byte) error {
	var kind struct {
		Region *int             `json:"region"`
		Path   *int             `json:"path"`
		Thread *json.RawMessage `json:"thread"`
		Kernel *json.RawMessage `json:"kernels"`
		Chunks *json.RawMessage `json:"chunks"`
		Off    *json.RawMessage `json:"off"`
	}
	if err := json.Unmarshal(line, &kind); err != nil {
		return jsonError(err)
	}
	switch {
	case kind.Off != nil:
		return rd.off(line)
	case kind.Path != nil && *kind.Path <= 0:
		return fmt.Errorf("path %d: paths count from 1", *kind.Path)
	case kind.Path != nil && kind.Kernel != nil:
		return rd.target(line)
	case kind.Path != nil && kind.Chunks != nil:
		return rd.chunks(line)
	case kind.Path != nil && kind.Thread != nil:
		return rd.sample(line)
	case kind.Region == nil:
		return fmt.Errorf("the line has no region")
	case *kind.Region <= 0:
		return fmt.Errorf("region %d: regions count from 1", *kind.Region)
	case kind.Path != nil:
		return rd.path(line)
	default:
		return rd.region(line)
	}
}

func (rd *reader) path(line []byte) error {
	var l pathLine
	if err := strict(line, &l); err != nil {
		return err
	}
	r, parent := rd.regions[l.Region], rd.paths[l.Parent]
	switch {
	case rd.paths[l.Path] != nil:
		return fmt.Errorf("path %d is described twice", l.Path)
	case r == nil:
		return fmt.Errorf("path %d is of region %d, which is not described before",
			l.Path, l.Region)
	case parent == nil && l.Parent != 0:
		return fmt.Errorf("path %d is in path %d, which is not described before", l.Path, l.Parent)
	}
	p := &Path{ID: l.Path, Parent: parent, Region: r}
	rd.paths[l.Path] = p
	rd.listed = append(rd.listed, p)
	return nil
}

func (rd *reader) region(line []byte) error {
	var l regionLine
	if err := strict(line, &l); err != nil {
		return err
	}
	if rd.regions[l.Region] != nil {
		return fmt.Errorf("region %d is described twice", l.Region)
	}
	r := &Region{
		ID: l.Region, Name: analysis.Printable(l.Name), SubName: analysis.Printable(l.SubName),
		Directive: analysis.Printable(l.Directive), File: analysis.Printable(l.File),
		Begin: l.Begin, End: l.End,
		Outer: l.Outer, KindName: analysis.Printable(l.Kind), NumSections: l.NumSections,
		Facts: omp.Facts(l.Facts),
	}
	r.Kind = omp.KindNamed(r.KindName)
	rd.regions[l.Region] = r
	rd.order = append(rd.order, r)
	return nil
}

func (rd *reader) sample(line []byte) error {
	var l sampleLine
	if err := strict(line, &l); err != nil {
		return err
	}
	p := rd.paths[l.Path]
	if p == nil {
		return fmt.Errorf("path %d has a thread before it is described", l.Path)
	}
	for _, v := range []int64{
		int64(l.Thread), l.Count, l.Incl, l.Excl, l.Min, l.Max, l.Body,
		l.Barrier, l.Wait, l.Hold,
	} {
		if v < 0 {
			return fmt.Errorf("path %d, thread %d: a negative number", l.Path, l.Thread)
		}
	}
	if l.Thread >= maxThreads {
		return fmt.Errorf("path %d, thread %d: threads count to %d", l.Path, l.Thread, maxThreads)
	}
	p.Samples = addSampleTo(p.Samples, Sample{
		Thread: l.Thread, Count: l.Count, Incl: l.Incl, Excl: l.Excl, Min: l.Min, Max: l.Max,
		Body: l.Body, Barrier: l.Barrier, Wait: l.Wait, Hold: l.Hold,
	})
	return nil
}

func (rd *reader) target(line []byte) error {
	var l targetLine
	if err := strict(line, &l); err != nil {
		return err
	}
	p := rd.paths[l.Path]
	if p == nil {
		return fmt.Errorf("path %d has kernels before it is described", l.Path)
	}
	for _, v := range []int64{
		int64(l.Thread), l.Kernels, l.Kernel, l.To, l.From,
		l.InPlace, l.Moving,
	} {
		if v < 0 {
			return fmt.Errorf("path %d, thread %d: a negative number", l.Path, l.Thread)
		}
	}
	if l.Thread >= maxThreads {
		return fmt.Errorf("path %d, thread %d: threads count to %d", l.Path, l.Thread, maxThreads)
	}
	if p.Region.Target == nil {
		p.Region.Target = &Target{}
	}
	t := p.Region.Target
	t.Kernels += l.Kernels
	t.Kernel += l.Kernel
	t.To += l.To
	t.From += l.From
	t.InPlace += l.InPlace
	t.Moving += l.Moving
	return nil
}

func (rd *reader) finish(p *Profile) *Profile {
	for _, q := range rd.listed {
		for _, s := range q.Samples {
			q.Region.Samples = addSampleTo(q.Region.Samples, s)
		}
		slices.SortFunc(q.Samples, func(a, b Sample) int { return a.Thread - b.Thread })
	}
	for _, r := range rd.order {
		slices.SortFunc(r.Samples, func(a, b Sample) int { return a.Thread - b.Thread })
	}
	rd.leaveOut(p)
	p.Regions, p.Paths = rd.order, rd.listed
	return p
}

// strict decodes one line and rejects unknown fields.
func strict(line []byte, v any) error {
	d := json.NewDecoder(strings.NewReader(string(line)))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return jsonError(err)
	}
	if d.More() {
		return fmt.Errorf("more than one value on the line")
	}
	return nil
}

func jsonError(err error) error {
	return fmt.Errorf("%s", strings.TrimPrefix(err.Error(), "json: "))
}
