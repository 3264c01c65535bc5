package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"opari/otf"
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

// counted is time of a thread at a path.
type counted struct {
	path  *Path
	waits bool
	time  int64
}

// counting is what is known of a thread since the latest values of its counters.
type counting struct {
	until int64     // the time up to here is in since
	at    int64     // time of the latest values
	since []counted // after those values
	batch []counted // before them, back to the values before
	last  []uint64  // by Result.Counters
}

// counterDefinition notes a counter of the group counters.
func (d *definitions) counterDefinition(number uint32, name string, properties uint32) {
	name, is := strings.CutPrefix(name, "counter ")
	if !is ||
		properties&(otf.CounterTypeAbs|otf.CounterScopeNext) !=
			otf.CounterTypeAcc|otf.CounterScopeStart {
		return
	}
	name = Printable(name)
	i := slices.Index(d.counters, name)
	if i < 0 {
		i, d.counters = len(d.counters), append(d.counters, name)
	}
	d.counterOf[number] = i
}

// place returns where a thread's counts belong. What the initial thread does outside of regions
// belongs to the root until closeGap finds its path.
func (a *replay) place(t *thread) counted {
	top := t.top()
	if top == nil {
		return counted{path: a.result.Paths[0], waits: t.worker}
	}
	switch top.role {
	case working, implicit, tasking:
		return counted{path: top.path}
	}
	return counted{path: top.path, waits: true}
}

// countTime notes where the thread was until now, if it was on a processor.
func (a *replay) countTime(t *thread, now int64) {
	c := t.counting
	time := now - c.until
	c.until = now
	if time <= 0 || t.off != onCPU || t.absent {
		return
	}
	at := a.place(t)
	for i := range c.since {
		if s := &c.since[i]; s.path == at.path && s.waits == at.waits {
			s.time += time
			return
		}
	}
	at.time = time
	c.since = append(c.since, at)
}

// startCounting prepares for the counters of the trace, if it has any.
func (a *replay) startCounting(now int64) {
	a.result.Counters = slices.Clip(a.definitions.counters)
	if n := len(a.result.Counters); n > 0 {
		for _, t := range a.threads {
			t.counting = &counting{until: now, at: -1, last: make([]uint64, n)}
		}
	}
}

// beginCounting forgets the values of the thread that had the number before.
func (t *thread) beginCounting(now int64) {
	c := t.counting
	if c == nil {
		return
	}
	c.until, c.at, c.since, c.batch = now, -1, c.since[:0], c.batch[:0]
	clear(c.last)
}

// count takes a value of a counter. Its increase since the value before is shared out among the
// paths in which the thread has been since, by time. All values of a sample have one time. A window
// has the increases whose second value is inside.
func (a *replay) count(t *thread, now int64, counter int, value uint64) {
	c, inside := t.counting, a.counts(now)
	if a.options.Counter != nil && inside {
		a.options.Counter(Reading{t.index, a.result.Counters[counter], now, value})
	}
	if now != c.at {
		a.countTime(t, now)
		c.batch, c.since, c.at = c.since, c.batch[:0], now
		at := a.place(t)
		if len(c.batch) == 0 {
			c.batch = append(c.batch, at)
		}
		if inside {
			a.countsAt(at, t).Samples++
			for _, s := range c.batch {
				a.countsAt(s, t).Time += s.time
			}
		}
	}
	if value <= c.last[counter] {
		return // what is scaled may seem to run backwards
	}
	increase := float64(value - c.last[counter])
	c.last[counter] = value
	if !inside {
		return
	}
	var total int64
	for _, s := range c.batch {
		total += s.time
	}
	for _, s := range c.batch {
		part := 1 / float64(len(c.batch))
		if total > 0 {
			part = float64(s.time) / float64(total)
		}
		a.countsAt(s, t).Values[counter] += part * increase
	}
}

func (a *replay) countsAt(at counted, t *thread) *Counts {
	return at.path.countsOf(countKey{t.index, at.waits}, len(a.result.Counters))
}

func (q *Path) countsOf(key countKey, counters int) *Counts {
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

// moveCounts moves what the initial thread counted outside of regions to the path that this turned
// out to be.
func (a *replay) moveCounts(to *Path) {
	t, root := a.threads[0], a.result.Paths[0]
	if t.counting == nil {
		return
	}
	for _, list := range [][]counted{t.counting.since, t.counting.batch} {
		for i := range list {
			if list[i].path == root {
				list[i].path = to
			}
		}
	}
	key := countKey{thread: t.index}
	if c := root.counts[key]; c != nil {
		to.countsOf(key, len(c.Values)).Add(c)
		delete(root.counts, key)
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
		key.thread = numbers[key.thread]
		q.countsOf(key, len(c.Values)).Add(c)
	}
}

// Counted returns what threads counted in a path while they worked there; thread < 0 means all
// threads. It returns nil for nothing.
func (q *Path) Counted(thread int) *Counts {
	var sum *Counts
	for key, c := range q.counts {
		if key.waits || thread >= 0 && key.thread != thread {
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

// lineSize is the size of a line of the cache, in bytes.
const lineSize = 64

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
		add(FigureBandwidth, lineSize*misses, float64(c.Time))
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
