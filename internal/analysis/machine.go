package analysis

import (
	"fmt"
	"strconv"
	"strings"

	"opari/internal/analysis/offcpu"
	"opari/internal/omp"
)

// Machine is what a trace says of the machine that a program ran on.
type Machine struct {
	Cores   int     // that were online; 0: unknown
	Allowed []int   // those that the program could use when it began
	Quota   float64 // of its control group: so many at a time; 0: no limit is known
	// Throttled is how long the control group paused for its quota while the program ran, and
	// Stolen how much of the cores' time a virtual machine's host gave to others, in ns.
	Throttled, Stolen int64
}

// processors returns how many processors a program can use; 0: unknown.
func (m *Machine) processors() int {
	if len(m.Allowed) > 0 {
		return len(m.Allowed)
	}
	return m.Cores
}

// shortage is why threads that could run had no processor.
type shortage struct {
	Kind       shortageKind
	threads    []int // that share the processors; of OtherPrograms: none
	processors []int // by number, if the trace has them
	count      int   // of processors
	quota      float64
}

type shortageKind uint8

const (
	OtherPrograms shortageKind = iota
	oneCore                    // threads are bound to the same processor
	moreThreads                // than processors that they may use
	limited                    // by a control group
)

// Shortage looks for the reason in the threads of a node. node may be "".
func (r *Result) Shortage(node string) shortage {
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
			s.Kind = oneCore
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
	switch s.Kind {
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

// Try says what to do against it.
func (s shortage) Try() string {
	switch s.Kind {
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

// WaitedForProcessors returns how long the threads were on processors, and how long they waited
// for one, if the trace does not say when.
func (r *Result) WaitedForProcessors() (used, waited int64) {
	if r.Scheduled {
		return 0, 0
	}
	for _, t := range r.Threads {
		used, waited = used+t.Used, waited+t.Waited
	}
	return used, waited
}

// ManyWaited reports whether threads waited so long for a processor that findings may be due to it.
func ManyWaited(used, waited int64) bool { return waited*50 >= used+waited && waited > 0 }

// processorNote says that threads waited for processors, and that the trace does not say when.
func (r *Result) processorNote() string {
	used, waited := r.WaitedForProcessors()
	if !ManyWaited(used, waited) {
		return ""
	}
	var longest Thread
	for _, t := range r.Threads {
		if t.Waited > longest.Waited {
			longest = t
		}
	}
	return WaitedNote(used, waited, r.Shortage(longest.Node).String())
}

// WaitedNote says that threads waited for processors; "" if they hardly did. The times are in ns,
// and why may be "".
func WaitedNote(used, waited int64, why string) string {
	if !ManyWaited(used, waited) {
		return ""
	}
	if why != "" {
		why = " (" + why + ")"
	}
	return fmt.Sprintf("threads waited %s for a processor%s and were %s on one: times contain "+
		"that; opari run --sample says where", Duration(waited), why, Duration(used))
}

// LeaveCPU counts that a thread left its processor at a path.
func (q *Path) LeaveCPU(thread int, state offcpu.State, n int64) {
	if n == 0 {
		return
	}
	if q.left == nil {
		q.left = make([]offCounts, len(q.Visits))
	}
	q.left[thread][state] += n
}

// offCounts says how often something happened in each state.
type offCounts [offcpu.NumStates]int64

// Left returns how often a thread left its processor at a path, for a state off the CPU.
func (q *Path) Left(thread int, state offcpu.State) int64 {
	if q.left == nil {
		return 0
	}
	return q.left[thread][state]
}

// joinLeft adds how often the threads of one rank left their processors.
func (q *Path) joinLeft(one *Path, numbers []int) {
	for i, counts := range one.left {
		for state := range counts {
			q.LeaveCPU(numbers[i], offcpu.State(state), counts[state])
		}
	}
}
