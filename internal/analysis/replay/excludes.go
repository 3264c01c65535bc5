package replay

import (
	"fmt"
	"slices"

	"opari/internal/analysis"
)

// exclusion returns what is counted of something new.
func (a *Replay) exclusion(name string) *analysis.Exclusion {
	x := analysis.NewExclusion(name, len(a.threads))
	a.exclusions = append(a.exclusions, x)
	return x
}

// excludes returns what is counted of the construct that a thread enters. An ordered construct has
// a mutex for each team.
func (a *Replay) excludes(m *mutex, g *analysis.Region) *analysis.Exclusion {
	if m.property == analysis.CriticalWait {
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
func (a *Replay) contended(m *mutex, w *lockWait, number uint64) {
	if m.use != nil {
		return
	}
	m.use = a.exclusion(fmt.Sprintf("lock %d", number))
	m.use.Use(a.phase, w.end)
	for i := range m.before {
		if h := &m.before[i]; h.end > w.start {
			m.use.Since(h.start)
			h.count(m.use)
		}
	}
	if m.now.thread != nil {
		m.use.Since(m.now.start)
		m.now.count(m.use)
	}
}

// endExclusions returns what threads have waited for, the longest waits first.
func (a *Replay) endExclusions() []*analysis.Exclusion {
	all := slices.DeleteFunc(a.exclusions, func(x *analysis.Exclusion) bool {
		return x.Waited() ==
			0
	})
	for _, x := range all {
		x.End()
	}
	analysis.SortExclusions(all)
	return all
}

// count counts a holding that has ended.
func (h *holding) count(x *analysis.Exclusion) { x.Hold(h.thread.index, h.start, h.end) }
