package finding

import (
	"fmt"
	"strings"

	"opari/internal/analysis"
	"opari/internal/analysis/offcpu"
)

// offThread is the thread of a finding that has the largest part of it.
func (r run) offThread(f Finding) (thread int, share float64, count int64) {
	times := make([]int64, len(r.Threads))
	var sum int64
	for _, q := range r.Paths {
		if q.Region != f.Region {
			continue
		}
		for i, time := range q.Times(f.Property) {
			times[i] += time
			sum += time
		}
	}
	for i := range times {
		if times[i] > times[thread] {
			thread = i
		}
		count += r.leaves(f, i)
	}
	if sum == 0 {
		return 0, 0, 0
	}
	return thread, float64(times[thread]) / float64(sum), count
}

// leaves returns how often a thread left its processor in the region of a finding.
func (r run) leaves(f Finding, thread int) int64 {
	state := offcpu.Preempted
	if f.Property == analysis.Blocked {
		state = offcpu.Blocked
	}
	var n int64
	for _, q := range r.Paths {
		if q.Region == f.Region {
			n += q.Left(thread, state)
		}
	}
	return n
}

// whyOff returns the cause of a finding about threads off the CPU.
func (r run) whyOff(f Finding) string {
	thread, share, count := r.offThread(f)
	often := ""
	if count > 0 {
		often = fmt.Sprintf("; %s, %s each", analysis.Often(uint64(count)),
			analysis.Duration(f.Time/count))
	}
	switch f.Property {
	case analysis.Blocked:
		return fmt.Sprintf("%.0f %% of it in %s", 100*share, r.ThreadName(thread)) + often
	case analysis.OffWait:
		text := r.cause(f)
		why := r.Shortage(r.Threads[thread].Node).String()
		if c := r.culprit(f); c.region != nil && r.sleeps(c) {
			why = "which was blocked in the kernel"
			if c.own <= 0.75 {
				why = "where threads were blocked in the kernel"
			}
			return text + ", " + why
		}
		return strings.TrimPrefix(text+"; "+why, "; ")
	}
	return r.Shortage(r.Threads[thread].Node).String() + often
}

// sleeps reports whether what a finding waited for was off the CPU because it was blocked.
func (r run) sleeps(c culprit) bool {
	thread := -1
	if c.own > 0.75 {
		thread = c.thread
	}
	var slept, delayed int64
	for _, q := range r.Paths {
		if q.Region == c.region {
			slept += q.Inclusive(analysis.Blocked, thread)
			delayed += q.Inclusive(analysis.Preempted, thread)
		}
	}
	return slept > delayed
}

// adviseOff says what to try against threads that are off the CPU, or wait for one that is.
func (r run) adviseOff(f Finding) string {
	thread, _, _ := r.offThread(f)
	what := "a thread that could run is off the CPU for"
	if f.Property == analysis.OffWait {
		what = "threads wait"
		if c := r.culprit(f); c.region != nil && r.sleeps(c) {
			return r.each(f, what) + ": sleep, read and write where no thread waits for it"
		}
	}
	return r.each(f, what) + ": " + r.Shortage(r.Threads[thread].Node).Try()
}

// unsure is the note on a wait of which nothing says whether it was one for a thread that was off
// the CPU; "" where that is known or unlikely.
func (r run) unsure(f Finding) string {
	if r.Scheduled || !f.Property.Of(analysis.OpenMP) && !f.Property.Of(analysis.Idle) {
		return ""
	}
	seen := map[string]bool{}
	for _, t := range r.Threads {
		if seen[t.Node] {
			continue
		}
		seen[t.Node] = true
		if s := r.Shortage(t.Node); s.Kind != analysis.OtherPrograms {
			return "unsure: " + s.String() + ", and the trace does not say when they were off it"
		}
	}
	if used, waited := r.WaitedForProcessors(); analysis.ManyWaited(used, waited) {
		return "unsure: threads waited " + analysis.Duration(waited) + " for a processor, and " +
			"the trace " +
			"does not say when"
	}
	return ""
}
