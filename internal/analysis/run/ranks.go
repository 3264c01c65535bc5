package run

import (
	"errors"
	"maps"
	"math"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"opari/internal/analysis"
	"opari/internal/analysis/mpiwait"
	"opari/internal/analysis/replay"
	"opari/internal/analysis/trace"
	"opari/internal/spill"
	"opari/otf"
)

// ranks analyses an MPI program. It replays each rank separately, several at a time: a rank is a
// process with its own threads. On the way it gathers what the ranks need to know of each other's
// messages, and matches this after the replay. If the caller asked for intervals, messages or
// counters as they happen, it reads the ranks twice. Memory grows with the number of ranks, not
// with the number of events.
type ranks struct {
	*trace.Definitions
	trace    string
	master   *otf.MasterControl
	letters  *mpiwait.Letters
	crossing *crossing
	logs     *spill.Lists // wait logs of ranks, by bucket of letters
	meetings *mpiwait.Meetings
	list     []int // ranks, ascending
	options  Options
	ns       func(uint64) int64

	lock        sync.Mutex
	first, last uint64
	found       bool
	done        int
}

// batch is how many times or meetings a rank gathers before it hands them over.
const batch = 4096

// fromRanks analyses the trace of an MPI program.
func fromRanks(trace string, master *otf.MasterControl, d *trace.Definitions,
	o Options,
) (*analysis.Result, error) {
	w := &ranks{
		Definitions: d, trace: trace, master: master, options: o,
		list:     slices.Sorted(maps.Keys(d.ThreadsOf)),
		meetings: mpiwait.NewMeetings(), first: math.MaxUint64,
	}
	d.NumberRanks()
	w.letters = mpiwait.NewLetters(w.list[len(w.list)-1] + 1)
	w.crossing = newCrossing(len(w.list))
	result, err := w.analyse()
	return result, errors.Join(err, w.letters.Lists.Close(), w.crossing.close())
}

func (w *ranks) analyse() (*analysis.Result, error) {
	onePass := w.options.Interval == nil && w.options.Message == nil && w.options.Counter == nil
	// The window depends on how long the run is, and the survey depends on the window.
	// What threads lost depends on when the run began.
	if onePass || w.options.Window != nil || w.Kernel {
		err := atOnce(len(w.list), func(i int) error { return w.span(w.list[i]) })
		if err != nil {
			return nil, err
		}
		if !w.found {
			return nil, errNoEvents(w.trace)
		}
		if err := w.options.Limit(w.Definitions, w.first, w.last); err != nil {
			return nil, err
		}
	}
	w.ns = w.options.Clock(w.Definitions)
	if !onePass {
		err := atOnce(len(w.list), func(i int) error { return w.survey(w.list[i]) })
		if err != nil {
			return nil, err
		}
		if !w.found {
			return nil, errNoEvents(w.trace)
		}
	}
	all := replay.New(w.Definitions, w.first, w.last, w.options).Result()
	var err error
	if onePass {
		err = w.once(all)
	} else {
		err = w.twice(all)
	}
	if err != nil {
		return nil, err
	}
	if err := w.crossing.join(w, all); err != nil {
		return nil, err
	}
	analysis.SortBlame(all.Blame)
	analysis.SortExclusions(all.Exclusions)
	analysis.SortStarved(all.Starved)
	all.Grain()
	return all, nil
}

// twice replays all ranks after their survey. The callbacks get one rank after another, and both
// ends of each message.
func (w *ranks) twice(all *analysis.Result) error {
	for bucket := range w.letters.Count {
		results, err := w.replayBucket(bucket, all)
		if err != nil {
			return err
		}
		for _, r := range results {
			all.Join(r.result, r.numbers, r.paths)
			w.crossing.finished(r)
		}
	}
	return nil
}

// once surveys and replays all ranks in one pass. Afterwards it finds out from their logs what
// they waited for.
func (w *ranks) once(all *analysis.Result) error {
	w.logs = spill.New(w.letters.Count, mpiwait.LetterBlock, mpiwait.LetterMemory)
	defer w.logs.Close()
	readers := map[int]*mpiwait.Reader{}
	logs := sync.Pool{New: func() any { return new(mpiwait.Log) }}
	// Results are joined in the order of ranks, whichever finishes first.
	for from := 0; from < len(w.list); from += atATime {
		some := make([]*rankResult, min(atATime, len(w.list)-from))
		routines := make([][]*analysis.Path, len(some))
		err := atOnce(len(some), func(i int) error {
			l := logs.Get().(*mpiwait.Log)
			defer logs.Put(l)
			l.Begin()
			var err error
			some[i], err = w.replay(w.list[from+i], nil, l, all)
			routines[i] = l.Paths
			return errors.Join(err, w.put(l, w.list[from+i], 1))
		})
		if err != nil {
			return err
		}
		for i, r := range some {
			all.Join(r.result, r.numbers, r.paths)
			w.crossing.finished(r)
			for k, q := range routines[i] {
				routines[i][k] = r.paths[q]
			}
			readers[w.list[from+i]] = mpiwait.NewReader(r.index, r.numbers, routines[i], w.Kernel)
		}
	}
	var lock sync.Mutex
	return atOnce(w.letters.Count, func(i int) error { return w.readLogs(i, readers, &lock) })
}

// atATime is how many results are kept until all results before them are joined.
const atATime = 64

// atOnce calls do for 0 to n-1, as many at once as there are processors. The error joins all
// errors in their order.
func atOnce(n int, do func(i int) error) error {
	var some errgroup.Group
	some.SetLimit(runtime.GOMAXPROCS(0))
	errs := make([]error, n)
	for i := range n {
		some.Go(func() error {
			errs[i] = do(i)
			return nil
		})
	}
	_ = some.Wait()
	return errors.Join(errs...)
}

// step reports progress: a rank was surveyed, replayed or matched.
func (w *ranks) step() {
	w.lock.Lock()
	defer w.lock.Unlock()
	if w.done++; w.options.Progress != nil {
		w.options.Progress(int64(w.done), int64(2*len(w.list)))
	}
}

// rankResult is the result of one rank.
type rankResult struct {
	result  *analysis.Result
	index   int   // in the list of ranks
	numbers []int // of its threads in the trace of all ranks
	gaps    []*replay.GapKind
	// paths maps paths of this result to paths of the joined result, as far as they were needed.
	paths map[*analysis.Path]*analysis.Path
}

// inBucket returns the ranks whose letters are in a bucket.
func (w *ranks) inBucket(bucket int) []int {
	from, _ := slices.BinarySearch(w.list, bucket*w.letters.Width)
	to, _ := slices.BinarySearch(w.list, (bucket+1)*w.letters.Width)
	return w.list[from:to]
}

// replayBucket replays the ranks of a bucket of letters.
func (w *ranks) replayBucket(bucket int, all *analysis.Result) ([]*rankResult, error) {
	list, err := w.letters.Fetch(bucket)
	if err != nil {
		return nil, err
	}
	var results []*rankResult
	var mail mpiwait.Inbox
	for _, rank := range w.inBucket(bucket) {
		var own []mpiwait.Letter
		own, list = mpiwait.LettersTo(rank, list)
		mail.Fill(own)
		r, err := w.replay(rank, &mail, nil, all)
		if err != nil {
			return nil, err
		}
		results = append(results, r)
		w.step()
	}
	return results, nil
}

// replay analyses a rank. mail holds what other ranks noted for it. Where that is not known yet,
// mail is nil: the rank is then surveyed as well, and log gets the waits that need other ranks.
func (w *ranks) replay(rank int, mail *mpiwait.Inbox, log *mpiwait.Log,
	all *analysis.Result,
) (*rankResult, error) {
	out := &rankResult{paths: map[*analysis.Path]*analysis.Path{}}
	options := w.options
	if w.options.Interval != nil {
		options.Interval = func(i analysis.Interval) {
			i.Thread, i.Path = out.numbers[i.Thread], all.Twin(i.Path, out.paths)
			w.options.Interval(i)
		}
	}
	if w.options.Message != nil {
		options.Message = func(m analysis.Message) {
			m.To = out.numbers[m.To]
			w.options.Message(m)
		}
	}
	if w.options.Counter != nil {
		options.Counter = func(r analysis.Reading) {
			r.Thread = out.numbers[r.Thread]
			w.options.Counter(r)
		}
	}
	a := w.single(rank, out, options)
	a.Mail, a.Log, a.Meetings = mail, log, w.meetings
	out.index, _ = slices.BinarySearch(w.list, rank)
	w.crossing.begin(a, out.index)
	events, err := w.events(a, rank)
	if err != nil {
		return nil, err
	}
	out.result, out.gaps = a.Finish(), a.Gaps()
	out.result.Events = events
	late, err := a.Late()
	return out, errors.Join(err, w.crossing.late.Append(out.index, late))
}

// single returns a replay of a rank that knows nothing of the others.
func (w *ranks) single(rank int, out *rankResult, o Options) *replay.Replay {
	var own *trace.Definitions
	own, out.numbers = w.OfRank(rank)
	a := replay.New(own, w.first, w.last, o)
	a.Rank = uint32(rank)
	return a
}

// events reads the events of a rank.
func (w *ranks) events(a *replay.Replay, rank int) (uint64, error) {
	r := w.open(rank)
	defer r.Close()
	handlers := a.Handlers()
	if a.Log == nil {
		return r.ReadEvents(handlers)
	}
	s := newSurveyor(w, rank, a)
	handlers = chained(handlers, s.handlers())
	leave := handlers.Leave
	handlers.Leave = func(time uint64, function, process, source uint32) error {
		if err := leave(time, function, process, source); err != nil {
			return err
		}
		return w.put(a.Log, rank, mpiwait.LogPiece)
	}
	n, err := r.ReadEvents(handlers)
	w.step()
	return n, errors.Join(err, s.end())
}
