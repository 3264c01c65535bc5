package compare

import (
	"fmt"

	"opari/internal/noise"
	"opari/internal/scaling"
)

// ScalingChange is what a comparison of runs with different numbers of threads is of. Speedup is
// the wall time before over that after, and efficiency the same of the processor time.
type ScalingChange struct {
	Before     scaling.Count    `json:"before"`
	After      scaling.Count    `json:"after"`
	Speedup    scaling.Estimate `json:"speedup"`
	Efficiency scaling.Estimate `json:"efficiency"`
}

// scaled notes that the two sides have different numbers of threads, and gives the regions that
// both have their efficiency: processor time before over that after.
func (c *Comparison) scaled(before, after []RunTimes) {
	from, to := before[0].Count, after[0].Count
	if from == to {
		return
	}
	wall, _ := values(before, func(r *RunTimes) int64 { return r.Wall })
	less, _ := values(after, func(r *RunTimes) int64 { return r.Wall })
	speedup := scaling.Ratio(wall, less)
	if speedup == nil {
		return
	}
	part := float64(from.Processors()) / float64(to.Processors())
	c.Scaling = &ScalingChange{
		Before: from, After: to, Speedup: *speedup, Efficiency: speedup.Times(part),
	}
	for i := range c.Lines {
		if l := &c.Lines[i]; l.Of == "region" && l.Before > 0 && l.After > 0 {
			efficiency := l.Before / l.After
			l.Efficiency = &efficiency
		}
	}
}

// String returns the note on different numbers of threads.
func (s *ScalingChange) String() string {
	text := fmt.Sprintf("the runs differ in their threads: %s before, %s after, %s times as fast, "+
		"efficiency %s", s.Before.Words(), s.After.Words(), s.Speedup, s.Efficiency)
	if s.Efficiency.Low != nil {
		text += fmt.Sprintf(" (with %.0f %% confidence %.2f to %.2f)", 100*noise.Confidence,
			*s.Efficiency.Low, *s.Efficiency.High)
	}
	return text + "; opari scale compares several numbers"
}
