package analysis

import (
	"cmp"
	"slices"
)

// Exclusion is something by which threads of a process exclude each other, and for which some have
// waited: the critical constructs of a name, an ordered construct, or a lock.
type Exclusion struct {
	Name   string // "critical(gate)", "ordered", "lock 4711"
	Held   []int64
	Waits  []WaitFor
	Period int64 // ns: in each parallel region from its first to its last use, in sum

	phase       int   // the parallel region, or what is between two, of the last use
	first, last int64 // its first and its last use there
}

// NewExclusion returns an exclusion of so many threads without uses.
func NewExclusion(name string, threads int) *Exclusion {
	return &Exclusion{Name: name, Held: make([]int64, threads), phase: -1}
}

// WaitFor is the time that threads waited for something at a path.
type WaitFor struct {
	Path *Path
	Time int64
}

// Use notes a use.
func (x *Exclusion) Use(phase int, now int64) {
	if x.phase != phase {
		x.Period += x.last - x.first
		x.phase, x.first, x.last = phase, now, now
	}
	x.last = max(x.last, now)
}

// Hold notes that a thread was inside.
func (x *Exclusion) Hold(thread int, start, end int64) {
	x.last = max(x.last, end)
	x.Held[thread] += end - start
}

// Since notes that the use at hand began no later than that.
func (x *Exclusion) Since(start int64) { x.first = min(x.first, start) }

// End ends the last period.
func (x *Exclusion) End() { x.Period += x.last - x.first }

// Wait notes a wait.
func (x *Exclusion) Wait(q *Path, time int64) {
	for i := range x.Waits {
		if x.Waits[i].Path == q {
			x.Waits[i].Time += time
			return
		}
	}
	x.Waits = append(x.Waits, WaitFor{q, time})
}

// Waited returns the time of all waits.
func (x *Exclusion) Waited() int64 {
	var sum int64
	for _, w := range x.Waits {
		sum += w.Time
	}
	return sum
}

// At returns the time of the waits in a region.
func (x *Exclusion) At(g *Region) int64 {
	var sum int64
	for _, w := range x.Waits {
		if w.Path.Region == g {
			sum += w.Time
		}
	}
	return sum
}

func SortExclusions(all []*Exclusion) {
	slices.SortStableFunc(all, func(x, y *Exclusion) int {
		return cmp.Compare(y.Waited(), x.Waited())
	})
}

// Starved is time that threads had nothing to do while tasks could not begin, or be created.
type Starved struct {
	Waiter *Path   // where they starved
	By     *Region // a task whose depend clauses order its tasks, or a wait for tasks
	Time   int64   // of all threads
}

func SortStarved(all []Starved) {
	slices.SortFunc(all, func(x, y Starved) int {
		return cmp.Or(cmp.Compare(y.Time, x.Time), cmp.Compare(x.Waiter.ID, y.Waiter.ID),
			cmp.Compare(x.By.File, y.By.File), cmp.Compare(x.By.Line, y.By.Line),
			cmp.Compare(x.By.Name, y.By.Name))
	})
}
