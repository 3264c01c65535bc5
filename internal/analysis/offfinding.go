package analysis

import (
	"fmt"
	"strconv"
	"strings"

	"opari/internal/omp"
)

// shortage is why threads that could run had no processor.
type shortage struct {
	kind       shortageKind
	threads    []int // that share the processors; of otherPrograms: none
	processors []int // by number, if the trace has them
	count      int   // of processors
	quota      float64
}

type shortageKind uint8

const (
	otherPrograms shortageKind = iota
	oneCore                    // threads are bound to the same processor
	moreThreads                // than processors that they may use
	limited                    // by a control group
)

// shortage looks for the reason in the threads of a node. node may be "".
func (r *Result) shortage(node string) shortage {
	var threads []int
	groups := map[string][]int{} // by the processors that they may use
	known := map[int]bool{}
	for i, t := range r.Threads {
		if t.Node != node || t.Type == omp.ThreadOther {
			continue
		}
		threads = append(threads, i)
		if len(t.Allowed) > 0 {
			key := processorList(t.Allowed)
			groups[key] = append(groups[key], i)
		}
		for _, p := range t.Allowed {
			known[p] = true
		}
	}
	var crowded []int
	for _, group := range groups {
		if len(group) > len(r.Threads[group[0]].Allowed) && (len(group) > len(crowded) ||
			len(group) == len(crowded) && group[0] < crowded[0]) {
			crowded = group
		}
	}
	if crowded != nil {
		allowed := r.Threads[crowded[0]].Allowed
		s := shortage{moreThreads, crowded, allowed, len(allowed), 0}
		if len(allowed) == 1 {
			s.kind = oneCore
		}
		return s
	}
	count, quota := len(known), 0.0
	if len(r.Machines) == 1 {
		if quota = r.Machines[0].Quota; count == 0 {
			count = r.Machines[0].processors()
		}
	}
	switch {
	case count > 0 && len(threads) > count:
		return shortage{moreThreads, threads, nil, count, 0}
	case quota > 0 && quota < float64(min(len(threads), max(count, len(threads)))) &&
		r.Machines[0].Throttled > 0:
		return shortage{limited, threads, nil, count, quota}
	}
	return shortage{}
}

// String names the shortage with its numbers.
func (s shortage) String() string {
	on := fmt.Sprintf("%d cores", s.count)
	if s.count == 1 {
		on = "1 core"
	}
	switch s.kind {
	case oneCore:
		return fmt.Sprintf("bound to one core: %s may run on processor %s alone",
			threadList(s.threads), processorList(s.processors))
	case moreThreads:
		return fmt.Sprintf("more threads than cores: %d threads on %s", len(s.threads), on)
	case limited:
		return fmt.Sprintf("limited by the control group: %d threads on %.3g processors",
			len(s.threads), s.quota)
	}
	return "preempted by other programs"
}

// try says what to do against it.
func (s shortage) try() string {
	switch s.kind {
	case oneCore:
		return "let each thread have a core of its own (taskset, OMP_PLACES, GOMP_CPU_AFFINITY)"
	case moreThreads:
		return fmt.Sprintf("have no more threads than cores (OMP_NUM_THREADS=%d), or use more "+
			"cores", s.count)
	case limited:
		return fmt.Sprintf("have %d threads, or raise the group's limit", max(1, int(s.quota)))
	}
	return "let no other program run on these cores, or leave one to the others"
}

// threadList names threads: "threads 0 and 1", "8 threads".
func threadList(threads []int) string {
	if len(threads) != 2 {
		return fmt.Sprintf("%d threads", len(threads))
	}
	return fmt.Sprintf("threads %d and %d", threads[0], threads[1])
}

func processorList(all []int) string {
	text := make([]string, len(all))
	for i, p := range all {
		text[i] = strconv.Itoa(p)
	}
	return strings.Join(text, ",")
}

// offThread is the thread of a finding that has the largest part of it.
func (r *Result) offThread(f Finding) (thread int, share float64, count int64) {
	times := make([]int64, len(r.Threads))
	var sum int64
	for _, q := range r.Paths {
		if q.Region != f.Region {
			continue
		}
		for i, time := range q.severity[f.Property] {
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
func (r *Result) leaves(f Finding, thread int) int64 {
	state := preempted
	if f.Property == Blocked {
		state = blocked
	}
	var n int64
	for _, q := range r.Paths {
		if q.Region == f.Region && q.left != nil {
			n += q.left[thread][state]
		}
	}
	return n
}

// whyOff returns the cause of a finding about threads off the CPU.
func (r *Result) whyOff(f Finding) string {
	thread, share, count := r.offThread(f)
	often := ""
	if count > 0 {
		often = fmt.Sprintf("; %s, %s each", times(uint64(count)), Duration(f.Time/count))
	}
	switch f.Property {
	case Blocked:
		return fmt.Sprintf("%.0f %% of it in %s", 100*share, r.ThreadName(thread)) + often
	case OffWait:
		text := r.cause(f)
		why := r.shortage(r.Threads[thread].Node).String()
		if c := r.culprit(f); c.region != nil && r.sleeps(c) {
			why = "which was blocked in the kernel"
			if c.own <= 0.75 {
				why = "where threads were blocked in the kernel"
			}
			return text + ", " + why
		}
		return strings.TrimPrefix(text+"; "+why, "; ")
	}
	return r.shortage(r.Threads[thread].Node).String() + often
}

// sleeps reports whether what a finding waited for was off the CPU because it was blocked.
func (r *Result) sleeps(c culprit) bool {
	thread := -1
	if c.own > 0.75 {
		thread = c.thread
	}
	var slept, delayed int64
	for _, q := range r.Paths {
		if q.Region == c.region {
			slept += q.Inclusive(Blocked, thread)
			delayed += q.Inclusive(Preempted, thread)
		}
	}
	return slept > delayed
}

// adviseOff says what to try against threads that are off the CPU, or wait for one that is.
func (r *Result) adviseOff(f Finding) string {
	thread, _, _ := r.offThread(f)
	what := "a thread that could run is off the CPU for"
	if f.Property == OffWait {
		what = "threads wait"
		if c := r.culprit(f); c.region != nil && r.sleeps(c) {
			return r.each(f, what) + ": sleep, read and write where no thread waits for it"
		}
	}
	return r.each(f, what) + ": " + r.shortage(r.Threads[thread].Node).try()
}

// unsure is the note on a wait of which nothing says whether it was one for a thread that was off
// the CPU; "" where that is known or unlikely.
func (r *Result) unsure(f Finding) string {
	if r.Scheduled || !f.Property.Of(OpenMP) && !f.Property.Of(Idle) {
		return ""
	}
	seen := map[string]bool{}
	for _, t := range r.Threads {
		if seen[t.Node] {
			continue
		}
		seen[t.Node] = true
		if s := r.shortage(t.Node); s.kind != otherPrograms {
			return "unsure: " + s.String() + ", and the trace does not say when they were off it"
		}
	}
	if used, waited := r.waitedForProcessors(); manyWaited(used, waited) {
		return "unsure: threads waited " + Duration(waited) + " for a processor, and the trace " +
			"does not say when"
	}
	return ""
}

// waitedForProcessors returns how long the threads were on processors, and how long they waited
// for one, if the trace does not say when.
func (r *Result) waitedForProcessors() (used, waited int64) {
	if r.Scheduled {
		return 0, 0
	}
	for _, t := range r.Threads {
		used, waited = used+t.Used, waited+t.Waited
	}
	return used, waited
}

// manyWaited reports whether threads waited so long for a processor that findings may be due to it.
func manyWaited(used, waited int64) bool { return waited*50 >= used+waited && waited > 0 }

// processorNote says that threads waited for processors, and that the trace does not say when.
func (r *Result) processorNote() string {
	used, waited := r.waitedForProcessors()
	if !manyWaited(used, waited) {
		return ""
	}
	var longest Thread
	for _, t := range r.Threads {
		if t.Waited > longest.Waited {
			longest = t
		}
	}
	return WaitedNote(used, waited, r.shortage(longest.Node).String())
}

// WaitedNote says that threads waited for processors; "" if they hardly did. The times are in ns,
// and why may be "".
func WaitedNote(used, waited int64, why string) string {
	if !manyWaited(used, waited) {
		return ""
	}
	if why != "" {
		why = " (" + why + ")"
	}
	return fmt.Sprintf("threads waited %s for a processor%s and were %s on one: times contain "+
		"that; opari run --sample says where", Duration(waited), why, Duration(used))
}

// leaveCPU counts that a thread left its processor at a path.
func (q *Path) leaveCPU(thread int, state offState, n int64) {
	if n == 0 {
		return
	}
	if q.left == nil {
		q.left = make([]offCounts, len(q.Visits))
	}
	q.left[thread][state] += n
}

// offCounts says how often something happened in each state.
type offCounts [numOffStates]int64

// joinLeft adds how often the threads of one rank left their processors.
func (q *Path) joinLeft(one *Path, numbers []int) {
	for i, counts := range one.left {
		for state := range counts {
			q.leaveCPU(numbers[i], offState(state), counts[state])
		}
	}
}
