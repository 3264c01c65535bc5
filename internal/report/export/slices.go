package export

import (
	"fmt"
	"slices"
	"strings"

	"opari/internal/analysis"
	"opari/internal/omp"
)

// tracks turns what threads did into nested slices: the thread's regions, and inside them the
// states in which it waits. It works while the trace is being read and keeps only the open
// slices.
//
// Two visits of a region with no time between them are one slice. A task that a thread executes
// at a construct's barrier splits the construct's slice in two.
type tracks struct {
	From, To int64 // the range to write, in ns since the start of the trace; To 0: to its end

	out     sliceWriter
	started bool
	start   int64 // ns on the clock of the trace
	threads []openSlices
	chain   []slice
}

// sliceWriter writes slices in some format. Their times are those of the trace's clock.
type sliceWriter interface {
	begin(thread int, now int64, s slice, state analysis.State)
	end(thread int, now int64, s slice)
}

// slice is a region, or a state that belongs to no region.
type slice struct {
	path  *analysis.Path // nil for a state
	state analysis.State // for a state only
}

// openSlices is the state of a thread.
type openSlices struct {
	open []slice
	last int64
	rank int
}

// categories gives each state a name without a comma, which would separate two categories.
var categories = [analysis.NumStates]string{
	analysis.StateAbsent:  analysis.StateAbsent.String(),
	analysis.StateIdle:    analysis.StateIdle.String(),
	analysis.StateSerial:  analysis.StateSerial.String(),
	analysis.StateWork:    analysis.StateWork.String(),
	analysis.StateTask:    omp.KindTask.String(),
	analysis.StateFork:    "fork-join",
	analysis.StateBarrier: omp.KindBarrier.String(),
	analysis.StateMutex:   "mutex",
	analysis.StateTasks:   omp.KindTaskwait.String(),
	analysis.StateMPI:     omp.KindMPI.String(),

	analysis.StatePreempted: analysis.StatePreempted.String(),
	analysis.StateBlocked:   analysis.StateBlocked.String(),
}

// messageText is the name and the category of messages.
const messageText = "message"

// Interval writes the changes on a thread. It fits analysis.Options.Interval.
func (k *tracks) Interval(i analysis.Interval) {
	if !k.started {
		k.started, k.start = true, i.From
	}
	i.From = max(i.From, k.start+k.From)
	if k.To > 0 {
		i.To = min(i.To, k.start+k.To)
	}
	if i.From >= i.To {
		return
	}
	for len(k.threads) <= i.Thread {
		k.threads = append(k.threads, openSlices{})
	}
	t := &k.threads[i.Thread]
	t.rank = i.Rank
	chain := k.slices(i)
	same := 0
	for same < len(chain) && same < len(t.open) && chain[same] == t.open[same] {
		same++
	}
	k.close(i.Thread, same, i.From)
	t.open = append(t.open, chain[same:]...)
	for _, s := range chain[same:] {
		k.out.begin(i.Thread, i.From, s, i.State)
	}
	t.last = i.To
}

// slices returns the slices that are open during an interval, outermost first.
func (k *tracks) slices(i analysis.Interval) []slice {
	k.chain = k.chain[:0]
	if i.State == analysis.StateAbsent {
		return k.chain
	}
	for q := i.Path; q.Parent != nil; q = q.Parent {
		k.chain = append(k.chain, slice{path: q})
	}
	slices.Reverse(k.chain)
	switch i.State {
	case analysis.StateWork, analysis.StateTask, analysis.StateMPI:
	case analysis.StateSerial:
		if len(k.chain) == 0 {
			k.chain = append(k.chain, slice{state: i.State})
		}
	default:
		if !i.Path.OnlyWaits() || i.State == analysis.StatePreempted {
			k.chain = append(k.chain, slice{state: i.State})
		}
	}
	return k.chain
}

// close ends all slices of a thread except the outermost keep, innermost first.
func (k *tracks) close(thread, keep int, now int64) {
	t := &k.threads[thread]
	for _, s := range slices.Backward(t.open[keep:]) {
		k.out.end(thread, now, s)
	}
	t.open = t.open[:keep]
}

// closeAll ends what is open at the end of the trace.
func (k *tracks) closeAll() {
	for i := range k.threads {
		k.close(i, 0, k.threads[i].last)
	}
}

// within reports whether what goes on from one time to another is in the range to write.
func (k *tracks) within(from, to int64) bool {
	return k.started && from-k.start >= k.From && (k.To <= 0 || to-k.start <= k.To)
}

// category returns the state after which a region's slices are named, where state is what the
// thread does in it first.
func category(q *analysis.Path, state analysis.State) analysis.State {
	switch {
	case q.Kind == omp.KindMPI:
		return analysis.StateMPI
	case q.Kind == omp.KindTask:
		return analysis.StateTask
	case q.OnlyWaits():
		return state
	}
	return analysis.StateWork
}

// sliceName returns the name of a region's slices, such as "for heat.c:41".
func sliceName(g *analysis.Region) string {
	if place := g.Place(); place != "" {
		return g.Name + " " + place
	}
	return g.Name
}

// RankOf returns the rank of a thread. Without ranks, the single process is 0.
func rankOf(t *analysis.Thread) int {
	rank := 0
	_, _ = fmt.Sscanf(t.Process, "rank %d", &rank)
	return rank
}

// processName returns the name of the process of a thread.
func processName(r *analysis.Result, t *analysis.Thread) string {
	if t.Process == "" {
		return r.Program
	}
	name := r.Program[strings.LastIndexByte(r.Program, '/')+1:] + " " + t.Process
	if t.Node != "" {
		name += " (" + t.Node + ")"
	}
	return name
}
