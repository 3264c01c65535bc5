package analysis

import "opari/internal/omp"

// offState is whether a thread is on a processor, as the kernel noted it.
type offState uint8

const (
	onCPU     offState = iota // also where nothing is noted
	preempted                 // it could run
	blocked                   // it sleeps in the kernel, or has not got a processor since
	numOffStates
)

// offProperties are the properties of time in a state.
var offProperties = [numOffStates]Property{Work, Preempted, Blocked}

// wakeUp is how long a construct may take to get a sleeping thread going, in ns. What is longer
// is the lack of a processor.
const wakeUp = 100_000

// offTimes sums up when a thread was off the CPU. Times that a wait may explain go to waits until
// the wait has ended.
type offTimes struct {
	since int64 // when the thread got into its state
	lost  int64 // ns off the CPU, or waiting for a thread that was
	met   int64 // lost when the team last met
	late  int64 // the part of met that kept the thread from going on from that meeting
	waits offSums
	// begun is waits when the thread could first begin its next implicit task.
	begun  offSums
	joined int64 // when its last team ended
	mpi    offMPI
	// back is when the worker was back from its last team, if it was off the CPU until then.
	back  int64
	outer []offMark // of the enclosing implicit tasks
	asked []int64   // what each thread had lost when the thread asked to enter an ordered region
}

type offMark struct{ met, late int64 }

// offSums is time by state.
type offSums [numOffStates]int64

func (s *offSums) total() int64 { return s[preempted] + s[blocked] }

// sinceMet returns what the thread lost between the last meeting of its team and now.
func (o *offTimes) sinceMet() int64 { return o.lost - o.met + o.late }

// meet notes that the team has met. The thread went on only when late was over.
func (o *offTimes) meet(late int64) { o.met, o.late = o.lost, late }

// switched notes that a thread changes its state.
func (a *replay) switched(t *thread, now int64, value uint64) {
	a.account(t, now)
	state := onCPU
	if value < uint64(numOffStates) {
		state = offState(value)
	}
	if t.off != onCPU && t.offs.since < t.offs.joined {
		t.offs.back = now
	}
	top := t.top()
	if t.off != onCPU && top != nil && top.region.Kind == omp.KindMPI {
		t.offs.mpi.add(offSpan{t.offs.since, now, t.off})
	}
	if state != t.off && a.counts(now) && a.isOff(t, top, state) {
		switch {
		case top != nil:
			top.path.leaveCPU(t.index, state, 1)
		case t.index == 0:
			a.gap.left[state]++
		default:
			a.result.Paths[0].leaveCPU(t.index, state, 1)
		}
	}
	t.off, t.offs.since = state, now
}

// settle accounts for the time of a thread that is off the CPU, before another thread's event
// looks at its sums.
func (a *replay) settle(t *thread, now int64) {
	if t.off != onCPU {
		a.account(t, now)
	}
}

// isOff reports whether being in a state is a loss of its own, whatever the thread is in. In a
// wait it is not: threads sleep there, and one that is preempted would wait as long.
func (a *replay) isOff(t *thread, top *frame, state offState) bool {
	switch {
	case state == onCPU:
		return false
	case top == nil:
		return t.alive && !t.worker
	case top.region.Kind == omp.KindMPI:
		return false
	}
	switch top.role {
	case working:
		return state == preempted || !top.region.Kind.WaitsForDevice()
	case implicit, tasking, creating:
		return true
	case forking:
		return state == preempted && t.began < top.enter
	case allWaiting:
		return state == preempted
	}
	return false
}

// offTime assigns time in which a thread was off the CPU. It returns false where the time belongs
// to what the thread was in.
func (a *replay) offTime(t *thread, top *frame, time int64) bool {
	if !a.isOff(t, top, t.off) {
		t.offs.waits[t.off] += time
		return false
	}
	t.offs.lost += time
	path := a.result.Paths[0]
	if top != nil {
		path = top.path
	}
	for _, h := range t.holds {
		h.spent.add(path, time)
	}
	if a.alone(t) {
		a.gap.spent.add(path, time)
		a.gap.off.add(path, time)
	}
	if top == nil || top.role != forking { // join adds the time of the team
		t.since.add(path, time)
	}
	if top == nil && t.index == 0 {
		a.gap.lost[t.off] += time // closeGap knows the path
		return true
	}
	path.Visits[t.index].Excl += time
	path.Add(offProperties[t.off], t.index, time)
	return true
}

// offState corrects the state of an interval of a thread that is off the CPU.
func (a *replay) offState(t *thread, top *frame, i *Interval) {
	switch {
	case t.off == preempted && top != nil:
		i.State = StatePreempted
	case !a.isOff(t, top, t.off):
	case t.off == preempted:
		i.State = StatePreempted
	default:
		i.State = StateBlocked
	}
}

// move gives time of a thread at a path to another property, at most what the first one has. It
// returns how much that was.
func (a *replay) move(from, to Property, path *Path, t *thread, time int64) int64 {
	if path.severity[from] == nil {
		return 0
	}
	time = clamp(time, path.severity[from][t.index])
	path.Add(from, t.index, -time)
	path.Add(to, t.index, time)
	return time
}

// lose does the same with time that the thread lost.
func (a *replay) lose(from, to Property, path *Path, t *thread, time int64) {
	time = a.move(from, to, path, t, time)
	t.offs.lost += time
	if to == Preempted && time > 0 {
		path.leaveCPU(t.index, preempted, 1)
	}
}

// loseAt adds what a thread lost at a path: waiting for others, and being late itself.
func (a *replay) loseAt(path, at *Path, t *thread, wait, late int64) {
	path.Add(OffWait, t.index, wait)
	at.Add(Preempted, t.index, late)
	t.offs.lost += wait + late
	if late > 0 {
		at.leaveCPU(t.index, preempted, 1)
	}
}

// clamp returns time, but at least 0 and at most limit.
func clamp(time, limit int64) int64 { return max(0, min(time, limit)) }

// lateSince returns how long a thread was off the CPU although its wait was over, without the
// time that waking up takes. over is what waits was in total when the wait was over.
func (o *offTimes) lateSince(over int64) int64 { return o.waits.total() - over - wakeUp }
