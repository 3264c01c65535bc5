package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Counts are what threads counted in a path while they were on a processor.
type Counts struct {
	Time    int64     // ns
	Samples int64     // moments with values at which a thread was there
	Values  []float64 // by Result.Counters
}

// Reading is what a counter has counted on a thread since the thread's beginning.
type Reading struct {
	Thread  int
	Counter string // as in Result.Counters
	Time    int64  // ns on the clock of the trace
	Value   uint64
}

// Counts of fewer samples or instructions are not trustworthy. Values between two samples are
// shared out by time, so a short path has its neighbours' values, too. Reading counters takes some
// thousand instructions of the kernel.
const (
	EnoughSamples      = 10
	EnoughInstructions = 400_000
)

// countKey says what counts of a path have in common. A thread that waits executes the runtime's
// code.
type countKey struct {
	thread int
	waits  bool
}

// CountsOf returns the counts of a thread in a path, of so many counters, while it waited there or
// worked. It begins them if there are none.
func (q *Path) CountsOf(thread int, waits bool, counters int) *Counts {
	key := countKey{thread, waits}
	c := q.counts[key]
	if c == nil {
		if q.counts == nil {
			q.counts = map[countKey]*Counts{}
		}
		c = &Counts{Values: make([]float64, counters)}
		q.counts[key] = c
	}
	return c
}

// MoveCounts moves what a thread counted while it worked in a path to another path.
func (q *Path) MoveCounts(thread int, to *Path) {
	key := countKey{thread: thread}
	if c := q.counts[key]; c != nil {
		to.CountsOf(thread, false, len(c.Values)).Add(c)
		delete(q.counts, key)
	}
}

// Add adds other counts of the same counters.
func (c *Counts) Add(other *Counts) {
	c.Time += other.Time
	c.Samples += other.Samples
	for i, v := range other.Values {
		c.Values[i] += v
	}
}

// joinCounts adds the counts of one rank.
func (q *Path) joinCounts(one *Path, numbers []int) {
	for key, c := range one.counts {
		q.CountsOf(numbers[key.thread], key.waits, len(c.Values)).Add(c)
	}
}

// Counted returns what threads counted in a path while they worked there; thread < 0 means all
// threads. It returns nil for nothing.
func (q *Path) Counted(thread int) *Counts { return q.CountedIn(thread, false) }

// CountedIn does the same for the time in which threads waited there, or worked.
func (q *Path) CountedIn(thread int, waits bool) *Counts {
	var sum *Counts
	for key, c := range q.counts {
		if key.waits != waits || thread >= 0 && key.thread != thread {
			continue
		}
		if sum == nil {
			sum = &Counts{Values: make([]float64, len(c.Values))}
		}
		sum.Add(c)
	}
	return sum
}

// Value returns the sum of a counter, and whether the run has counted it.
func (r *Result) Value(c *Counts, counter string) (float64, bool) {
	i := slices.Index(r.Counters, counter)
	if i < 0 || i >= len(c.Values) {
		return 0, false
	}
	return c.Values[i], true
}

// Trustworthy reports whether the counts have enough samples and instructions.
func (r *Result) Trustworthy(c *Counts) bool {
	instructions, known := r.Value(c, "instructions")
	return c.Samples >= EnoughSamples && (!known || instructions >= EnoughInstructions)
}

// Figure is what follows from counts. Its value is NaN where it would be a division by 0.
type Figure struct {
	Name  string
	Value float64
}

// LineSize is the size of a line of the cache, in bytes.
const LineSize = 64

// The names of figures.
const (
	FigureIPC       = "IPC"
	FigureMisses    = "llc-misses/1000"
	FigureBandwidth = "GB/s" // of a thread; an estimate: only what loads have missed
	FigureClock     = "GHz"
)

// Figures returns what follows from counts: always the same figures for a run.
func (r *Result) Figures(c *Counts) []Figure {
	var all []Figure
	add := func(name string, part, whole float64) {
		value := math.NaN()
		if whole > 0 {
			value = part / whole
		}
		all = append(all, Figure{name, value})
	}
	instructions, haveInstructions := r.Value(c, "instructions")
	cycles, haveCycles := r.Value(c, "cycles")
	if haveInstructions && haveCycles {
		add(FigureIPC, instructions, cycles)
	}
	for i, name := range r.Counters {
		if haveInstructions && strings.HasSuffix(name, "-misses") {
			add(name+"/1000", 1000*c.Values[i], instructions)
		}
	}
	if misses, have := r.Value(c, "llc-misses"); have {
		add(FigureBandwidth, LineSize*misses, float64(c.Time))
	}
	if haveCycles {
		time := float64(c.Time)
		if used, have := r.Value(c, "task-clock"); have && used > 0 {
			time = used
		}
		add(FigureClock, cycles, time)
	}
	return all
}

// Limits of MemoryBound. Programs that compute run at two instructions a cycle and more; one miss
// in a hundred instructions keeps a core waiting for most of the time.
const (
	lowIPC        = 1.0
	manyMisses    = 10.0 // in 1000 instructions
	someMisses    = 1.0
	nearBandwidth = 0.8 // of the largest of a path in the run
)

// MemoryBound says why work with these counts seems to wait for memory; "" if it does not, or if
// that is unknown. most is the largest bandwidth of a trustworthy path, as MostBandwidth has it.
func (r *Result) MemoryBound(c *Counts, most float64) string {
	if !r.Trustworthy(c) {
		return ""
	}
	ipc, misses, bandwidth := r.figure(c, FigureIPC), r.figure(c, FigureMisses),
		r.figure(c, FigureBandwidth)
	near := most > 0 && bandwidth >= nearBandwidth*most
	switch {
	case !(ipc < lowIPC) || !(misses >= someMisses): // NaN: unknown
		return ""
	case misses >= manyMisses:
		return fmt.Sprintf("memory bound, an estimate: %.2f instructions a cycle, %.1f LLC misses "+
			"in 1000 instructions", ipc, misses)
	case near:
		return fmt.Sprintf("memory bound, an estimate: %.2f instructions a cycle, %.1f GB/s a "+
			"thread, and the run's most is %.1f GB/s", ipc, bandwidth, most)
	}
	return ""
}

// MostBandwidth returns the largest bandwidth of a thread in a path that can be trusted; 0 if it is
// unknown.
func (r *Result) MostBandwidth() float64 {
	most := 0.0
	for _, q := range r.Paths {
		if c := q.Counted(-1); c != nil && r.Trustworthy(c) {
			if b := r.figure(c, FigureBandwidth); b > most {
				most = b
			}
		}
	}
	return most
}

// figure returns NaN for a figure that the run does not have.
func (r *Result) figure(c *Counts, name string) float64 {
	for _, f := range r.Figures(c) {
		if f.Name == name {
			return f.Value
		}
	}
	return math.NaN()
}

// MemoryAdvice says what to try where work is bound by memory.
const MemoryAdvice = "use what is in the cache before it leaves: loop in the order of addresses, " +
	"work in blocks that fit, join loops over the same data, take smaller types; on several " +
	"sockets let each thread initialise the data that it works on"
