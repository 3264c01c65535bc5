package analysis

import (
	"encoding/binary"
	"errors"

	"opari/internal/graph"
	"opari/internal/omp"
	"opari/internal/spill"
	"opari/otf"
)

// links is what a rank notes of its chains for the critical path over all ranks.
type links struct {
	late lateNotes
	err  error
}

// linkage is what a thread in a routine of MPI may wait for.
type linkage struct {
	graph.Link
	meeting graph.Meeting
	entry   graph.Point
	used    bool // the routine had a message or a meeting
}

var needs = map[uint32]graph.Need{
	otf.CollectiveTypeBarrier: graph.NeedAll, otf.CollectiveTypeAll2All: graph.NeedAll,
	otf.CollectiveTypeOne2All: graph.NeedRoot, otf.CollectiveTypeAll2One: graph.NeedOthers,
}

// enterMPI notes that a thread enters a routine.
func (a *replay) enterMPI(t *thread, f *function) {
	a.graph.Replace(&t.link.entry, a.graph.Enter(t.index, f.receives))
	t.link.Link = graph.Link{Received: t.link.Received[:0]}
}

// linkSend notes that a thread sends a message in a routine.
func (a *replay) linkSend(t *thread, now int64, top *frame, c graph.Channel) {
	if t.link.entry.Known() {
		a.graph.Spend(t.index, int32(top.path.ID), now)
		a.graph.Send(t.index, &t.link.entry, c)
		t.link.Waits = t.link.Waits || top.sends
	}
}

// linkMeeting notes that a thread comes to a collective operation.
func (a *replay) linkMeeting(t *thread, now int64, m graph.Meeting) {
	if t.link.entry.Known() {
		a.graph.Spend(t.index, int32(t.top().path.ID), now)
		a.graph.Meet(t.index, &t.link.entry, m)
		t.link.meeting = m
		t.link.Met = &t.link.meeting
	}
}

// linkLeave notes that a thread leaves a routine.
func (a *replay) linkLeave(t *thread, now int64, top *frame) {
	if t.link.used {
		a.graph.Leave(t.index, &t.link.entry, int32(top.path.ID), now, t.link.Link)
	}
	a.graph.Replace(&t.link.entry, graph.Point{})
}

// lateNotes say for which threads' sends the receivers were late, and when these were ready.
type lateNotes struct {
	count uint64 // of routines with messages or meetings
	text  []byte
}

// note notes a routine that ends.
func (l *lateNotes) note(used bool, p *mpiParts, posted int64) {
	if !used {
		return
	}
	if l.count++; p.property == LateReceiver && p.waited+p.off > 0 {
		l.text = binary.AppendUvarint(l.text, l.count)
		l.text = binary.AppendUvarint(l.text, uint64(posted))
	}
}

// lateReader returns a function that says when the receiver was ready for whose sake the nth
// routine of a rank waited; 0: there is none. It gets ascending n.
func lateReader(next func() ([]byte, error)) func(n uint64) int64 {
	var text []byte
	var at, posted uint64
	return func(n uint64) int64 {
		for at < n {
			if len(text) == 0 {
				if text, _ = next(); len(text) == 0 {
					return 0
				}
			}
			var size int
			at, size = binary.Uvarint(text)
			text = text[size:]
			posted, size = binary.Uvarint(text)
			text = text[size:]
		}
		if at != n {
			return 0
		}
		return int64(posted)
	}
}

// crossing are the logs of all ranks for the critical path, by the index of the rank.
type crossing struct {
	logs, late *spill.Lists
	ranks      []*crossed
}

// crossed is what a finished rank says of its log.
type crossed struct {
	threads []int32
	paths   []int32     // paths of the joined result
	gaps    [][]pathFor // by kind of gap
}

type pathFor struct {
	path int32
	time int64
}

func newCrossing(n int) *crossing {
	block := max(512, min(letterBlock, letterMemory/n))
	return &crossing{
		logs: spill.New(n, block, letterMemory), late: spill.New(n, block, letterMemory/4),
		ranks: make([]*crossed, n),
	}
}

func (c *crossing) close() error { return errors.Join(c.logs.Close(), c.late.Close()) }

// begin links the replay of a rank with those of the others.
func (c *crossing) begin(a *replay, number int) {
	a.links = &links{}
	a.graph.Link(func(text []byte) error { return c.logs.Append(number, text) })
}

// end ends the log of a rank.
func (l *links) end(a *replay) { l.err = a.graph.End(0) }

// finished notes how the numbers in the log of a rank translate.
func (c *crossing) finished(one *rankResult) {
	x := &crossed{paths: make([]int32, len(one.result.Paths))}
	for _, n := range one.numbers {
		x.threads = append(x.threads, int32(n))
	}
	for i, q := range one.result.Paths {
		x.paths[i] = int32(one.paths[q].ID)
	}
	for _, k := range one.gaps {
		var list []pathFor
		for _, e := range k.spent {
			list = append(list, pathFor{x.paths[e.path.ID], e.time})
		}
		x.gaps = append(x.gaps, list)
	}
	c.ranks[one.index] = x
}

// at gives the time at a place of the log to paths.
func (x *crossed) at(place int32, time int64, do func(path int32, time int64)) {
	if place >= 0 {
		do(x.paths[place], time)
		return
	}
	list := x.gaps[-1-place]
	var total int64
	for _, e := range list {
		total += e.time
	}
	left := time
	for i, e := range list {
		part := left
		if i < len(list)-1 {
			part = int64(float64(time) * float64(e.time) / float64(total))
		}
		left -= part
		do(e.path, part)
	}
	if len(list) == 0 {
		do(0, time)
	}
}

// reasons are the properties of waits for other ranks.
var reasons = map[graph.Reason]Property{
	graph.ForMessage: LateSender, graph.ForReceiver: LateReceiver, graph.ForAll: CollectiveWait,
	graph.ForRoot: LateBroadcast, graph.ForOthers: EarlyReduce,
}

// join finds the critical path over all ranks and the causes of their waits for each other.
func (c *crossing) join(w *ranks, all *Result) error {
	sums := map[Blame]int64{}
	run := &graph.Run{
		Start: int64(all.Start),
		Members: func(group uint32) int {
			if n := w.members[group]; n > 0 {
				return n
			}
			return len(w.list)
		},
		Blame: func(x *graph.Wait, cause graph.Spent) {
			sums[Blame{
				Property: reasons[x.For], Waiter: all.Paths[x.Place],
				Cause: all.Paths[cause.Place], Thread: int(cause.Thread),
			}] += cause.Time
		},
	}
	run.Transfers = func(place int32) bool {
		q := all.Paths[place]
		return q.Kind == omp.KindMPI && !q.SetsUpMPI()
	}
	var end uint64
	for i, x := range c.ranks {
		if last := all.Threads[x.threads[0]].End; last > end {
			run.Last, end = i, last
		}
		run.Processes = append(run.Processes, graph.Process{
			Number: uint32(w.list[i]), Threads: x.threads, Place: x.at,
			Next: c.logs.Pieces(i), Ready: lateReader(c.late.Pieces(i)),
		})
	}
	run.Changed = w.options.change != nil
	critical, err := run.Join()
	if err != nil {
		return err
	}
	all.predicted = run.Latest - run.Start + int64(all.Start) + all.Wall - int64(end)
	all.IdealWall = min(all.Wall, run.Ideal-run.Start)
	all.CriticalThreads = make([]int64, len(all.Threads))
	for _, e := range critical {
		if all.Paths[e.Place].Critical += e.Time; e.Thread != graph.AnyThread {
			all.CriticalThreads[e.Thread] += e.Time
		}
	}
	all.Blame = append(all.Blame, listed(sums)...)
	return nil
}
