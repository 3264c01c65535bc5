package replay

import (
	"opari/internal/analysis"
	"opari/internal/analysis/offcpu"
	"opari/internal/analysis/trace"
	"opari/internal/omp"
	"opari/otf"
)

// Handlers returns the handlers of the threads' events.
func (a *Replay) Handlers() *otf.HandlerArray {
	on := a.finder()
	handlers := &otf.HandlerArray{
		Enter: func(time uint64, function, process, _ uint32) error {
			if t := on(process); t != nil {
				a.enter(t, a.now(time), a.definitions.Find(function))
			}
			return nil
		},
		Leave: func(time uint64, _, process, _ uint32) error {
			if t := on(process); t != nil {
				a.leave(t, a.now(time))
			}
			return nil
		},
		SendMsg: func(time uint64, process, receiver, group, tag, _, _ uint32) error {
			if t := on(process); t != nil {
				a.send(t, a.now(time), receiver, group, tag)
			}
			return nil
		},
		RecvMsg: func(time uint64, process, sender, group, tag, length, _ uint32) error {
			if t := on(process); t != nil {
				a.report(t, sender, a.receive(t, sender, group, tag), a.now(time), tag, length)
			}
			return nil
		},
		CollectiveOperation: func(
			time uint64, process, operation, group, root, _, _ uint32, _ uint64, _ uint32,
		) error {
			if t := on(process); t != nil {
				a.meet(t, a.now(time), process, group, root,
					a.definitions.Operations[operation])
			}
			return nil
		},
		BeginProcess: func(time uint64, process uint32) error {
			if t := on(process); t != nil {
				a.begin(t, a.now(time))
			}
			return nil
		},
		EndProcess: func(time uint64, process uint32) error {
			if t := on(process); t != nil {
				a.end(t, a.now(time))
			}
			return nil
		},
	}
	if len(a.definitions.Points)+len(a.definitions.CounterOf) > 0 {
		handlers.Counter = func(time uint64, process, counter uint32, value uint64) error {
			if p, known := a.definitions.Points[counter]; known {
				if t := on(process); t != nil {
					a.point(t, a.now(time), p, value)
				}
			} else if i, known := a.definitions.CounterOf[counter]; known {
				if t := on(process); t != nil {
					a.count(t, a.now(time), i, value)
				}
			}
			return nil
		}
	}
	return handlers
}

// finder returns a function that finds the thread of a process, or nil if the process is unknown.
// It keeps the last answer, because most events have the same process as the one before.
func (a *Replay) finder() func(process uint32) *thread {
	var last uint32
	var t *thread
	return func(process uint32) *thread {
		if process == last && t != nil {
			return t
		}
		i, known := a.definitions.ByProcess[process]
		if !known {
			return nil
		}
		last, t = process, a.threads[i]
		return t
	}
}

func (a *Replay) begin(t *thread, now int64) {
	t.absent = t.index == 0 && a.inJob() && a.result.Threads[0].Begin == 0 &&
		t.done == a.gap.start
	a.account(t, now)
	if t.counting != nil {
		t.counting.Begin(now)
	}
	t.alive, t.absent = true, false
	if r := &a.result.Threads[t.index]; r.Begin == 0 {
		r.Begin = uint64(now)
	}
}

func (a *Replay) end(t *thread, now int64) {
	for t.stack.len() > 0 {
		a.leave(t, now)
	}
	a.account(t, now)
	t.alive, t.absent = false, t.index == 0 && a.inJob()
	a.result.Threads[t.index].End = uint64(now)
}

var roleStates = [...]analysis.State{
	trace.Working: analysis.StateWork, trace.Forking: analysis.StateFork,
	trace.Implicit: analysis.StateWork, trace.Tasking: analysis.StateTask,
	trace.AtBarrier: analysis.StateBarrier, trace.ForMutex: analysis.StateMutex,
	trace.ForLock: analysis.StateMutex, trace.ForTasks: analysis.StateTasks,
	trace.AllWaiting: analysis.StateMutex, trace.Creating: analysis.StateFork,
}

// interval calls the Interval callback.
func (a *Replay) interval(t *thread, top *frame, from, to int64) {
	i := analysis.Interval{
		Thread: t.index, Rank: int(a.Rank), Path: a.result.Paths[0], From: from,
		To: to,
	}
	switch {
	case top != nil:
		i.Path, i.State = top.path, roleStates[top.Role]
		if top.Region.Kind == omp.KindMPI {
			i.State = analysis.StateMPI
		} else if i.State == analysis.StateWork && a.alone(t) {
			i.State = analysis.StateSerial
		}
	case !t.alive:
		i.State = analysis.StateAbsent
	case t.worker:
		i.State = analysis.StateIdle
	default:
		i.State = analysis.StateSerial
	}
	if t.offs.State != offcpu.OnCPU {
		a.offState(t, top, &i)
	}
	a.options.Interval(i)
}
