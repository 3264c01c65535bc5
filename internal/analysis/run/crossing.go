package run

import (
	"errors"

	"opari/internal/analysis"
	"opari/internal/analysis/mpiwait"
	"opari/internal/analysis/replay"
	"opari/internal/graph"
	"opari/internal/omp"
	"opari/internal/spill"
)

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
	block := max(512, min(mpiwait.LetterBlock, mpiwait.LetterMemory/n))
	return &crossing{
		logs: spill.New(n, block, mpiwait.LetterMemory), late: spill.New(n, block,
			mpiwait.LetterMemory/4),
		ranks: make([]*crossed, n),
	}
}

func (c *crossing) close() error { return errors.Join(c.logs.Close(), c.late.Close()) }

// begin links the replay of a rank with those of the others.
func (c *crossing) begin(a *replay.Replay, number int) {
	a.Link(func(text []byte) error { return c.logs.Append(number, text) })
}

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
		k.Each(func(path *analysis.Path, time int64) {
			list = append(list, pathFor{x.paths[path.ID], time})
		})
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
var reasons = map[graph.Reason]analysis.Property{
	graph.ForMessage: analysis.LateSender, graph.ForReceiver: analysis.LateReceiver,
	graph.ForAll:  analysis.CollectiveWait,
	graph.ForRoot: analysis.LateBroadcast, graph.ForOthers: analysis.EarlyReduce,
}

// join finds the critical path over all ranks and the causes of their waits for each other.
func (c *crossing) join(w *ranks, all *analysis.Result) error {
	sums := map[analysis.Blame]int64{}
	run := &graph.Run{
		Start: int64(all.Start),
		Members: func(group uint32) int {
			if n := w.Members[group]; n > 0 {
				return n
			}
			return len(w.list)
		},
		Blame: func(x *graph.Wait, cause graph.Spent) {
			sums[analysis.Blame{
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
			Next: c.logs.Pieces(i), Ready: mpiwait.LateReader(c.late.Pieces(i)),
		})
	}
	run.Changed = w.options.Changes()
	critical, err := run.Join()
	if err != nil {
		return err
	}
	all.Predicted = run.Latest - run.Start + int64(all.Start) + all.Wall - int64(end)
	all.IdealWall = min(all.Wall, run.Ideal-run.Start)
	all.CriticalThreads = make([]int64, len(all.Threads))
	for _, e := range critical {
		if all.Paths[e.Place].Critical += e.Time; e.Thread != graph.AnyThread {
			all.CriticalThreads[e.Thread] += e.Time
		}
	}
	all.Blame = append(all.Blame, analysis.BlameOf(sums)...)
	return nil
}
