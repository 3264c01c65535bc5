package finding

import (
	"fmt"

	"opari/internal/analysis"
)

// culprit is what most of a finding's time was waited for.
type culprit struct {
	region *analysis.Region // nil: unknown
	share  float64          // of the time whose cause is known
	thread int              // the thread that was there most of that; -1: unknown
	own    float64          // the thread's part of that
}

func (r run) culprit(f Finding) culprit {
	type key struct {
		region *analysis.Region
		thread int
	}
	var sum int64
	by := map[*analysis.Region]int64{}
	threads := map[key]int64{}
	for _, b := range r.Blame {
		if b.Property == f.Property && b.Waiter.Region == f.Region {
			sum += b.Time
			by[b.Cause.Region] += b.Time
			threads[key{b.Cause.Region, b.Thread}] += b.Time
		}
	}
	if sum == 0 {
		return culprit{thread: -1}
	}
	var most *analysis.Region
	for g, time := range by {
		if most == nil || time > by[most] || time == by[most] && g.String() < most.String() {
			most = g
		}
	}
	thread := -1
	for k, time := range threads {
		if k.region == most && (thread < 0 || time > threads[key{most, thread}] ||
			time == threads[key{most, thread}] && k.thread < thread) {
			thread = k.thread
		}
	}
	return culprit{
		most, float64(by[most]) / float64(sum), thread,
		float64(threads[key{most, thread}]) / float64(by[most]),
	}
}

// cause names the region and the thread that most of the time was waited for.
func (r run) cause(f Finding) string {
	c := r.culprit(f)
	if c.region == nil {
		return ""
	}
	text := fmt.Sprintf("%.0f %% of it caused in %s", 100*c.share, c.region)
	switch {
	case c.own > 0.75:
		text += ", by " + r.ThreadName(c.thread)
	case c.thread >= 0 && !f.Property.Of(analysis.Mutex): // holders has the threads
		text += fmt.Sprintf(", %.0f %% of that by %s", 100*c.own, r.ThreadName(c.thread))
	}
	return text
}
