package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
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

// WaitFor is the time that threads waited for something at a path.
type WaitFor struct {
	Path *Path
	Time int64
}

// exclusion returns what is counted of something new.
func (a *replay) exclusion(name string) *Exclusion {
	x := &Exclusion{Name: name, Held: make([]int64, len(a.threads)), phase: -1}
	a.exclusions = append(a.exclusions, x)
	return x
}

// excludes returns what is counted of the construct that a thread enters. An ordered construct has
// a mutex for each team.
func (a *replay) excludes(m *mutex, g *Region) *Exclusion {
	if m.property == CriticalWait {
		if m.use == nil {
			m.use = a.exclusion(g.Name)
		}
		return m.use
	}
	if m.use == nil || m.of != g {
		m.of, m.use = g, a.ordered[g]
		if m.use == nil {
			m.use = a.exclusion(g.Name)
			a.ordered[g] = m.use
		}
	}
	return m.use
}

// contended begins to count a lock for which a thread has waited, with what its holders held it
// meanwhile.
func (a *replay) contended(m *mutex, w *lockWait, number uint64) {
	if m.use != nil {
		return
	}
	m.use = a.exclusion(fmt.Sprintf("lock %d", number))
	m.use.used(a.phase, w.end)
	for i := range m.before {
		if h := &m.before[i]; h.end > w.start {
			m.use.first = min(m.use.first, h.start)
			m.use.held(h)
		}
	}
	if m.now.thread != nil {
		m.use.first = min(m.use.first, m.now.start)
		m.use.held(&m.now)
	}
}

// used notes a use.
func (x *Exclusion) used(phase int, now int64) {
	if x.phase != phase {
		x.Period += x.last - x.first
		x.phase, x.first, x.last = phase, now, now
	}
	x.last = max(x.last, now)
}

// held notes a holding that has ended.
func (x *Exclusion) held(h *holding) {
	x.last = max(x.last, h.end)
	x.Held[h.thread.index] += h.end - h.start
}

// waited notes a wait.
func (x *Exclusion) waited(q *Path, time int64) {
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

// at returns the time of the waits in a region.
func (x *Exclusion) at(g *Region) int64 {
	var sum int64
	for _, w := range x.Waits {
		if w.Path.Region == g {
			sum += w.Time
		}
	}
	return sum
}

// endExclusions returns what threads have waited for, the longest waits first.
func (a *replay) endExclusions() []*Exclusion {
	all := slices.DeleteFunc(a.exclusions, func(x *Exclusion) bool { return x.Waited() == 0 })
	for _, x := range all {
		x.Period += x.last - x.first
	}
	sortExclusions(all)
	return all
}

func sortExclusions(all []*Exclusion) {
	slices.SortStableFunc(all, func(x, y *Exclusion) int {
		return cmp.Compare(y.Waited(), x.Waited())
	})
}

// mostHolders is how many threads a finding names.
const mostHolders = 3

// holders says what threads of a finding mostly waited for, and which threads were inside for how
// much of the time.
func (r *Result) holders(f Finding) string {
	var most *Exclusion
	var all, longest int64
	for _, x := range r.Exclusions {
		time := x.at(f.Region)
		if all += time; time > longest {
			most, longest = x, time
		}
	}
	if most == nil || most.Period <= 0 {
		return ""
	}
	var threads []int
	var held int64
	for i, time := range most.Held {
		if held += time; 200*time >= most.Period { // what is more than 0 %
			threads = append(threads, i)
		}
	}
	slices.SortStableFunc(threads, func(i, k int) int {
		return cmp.Compare(most.Held[k], most.Held[i])
	})
	percent := func(time int64) string {
		return fmt.Sprintf("%.0f %%", min(100, 100*float64(time)/float64(most.Period)))
	}
	name := most.Name
	if float64(longest) < 0.99*float64(all) {
		name += fmt.Sprintf(", %.0f %% of it,", 100*float64(longest)/float64(all))
	}
	var by []string
	for _, i := range threads[:min(len(threads), mostHolders)] {
		by = append(by, percent(most.Held[i])+" by "+r.ThreadName(i))
	}
	if n := len(threads) - len(by); n > 0 {
		by = append(by, fmt.Sprintf("the rest by %d more", n))
	}
	verb := "is occupied"
	if f.Property == LockWait {
		verb = "is held"
	}
	return fmt.Sprintf("%s %s %s of %s: %s", name, verb, percent(held), Duration(most.Period),
		strings.Join(by, ", "))
}
