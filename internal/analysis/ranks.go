package analysis

import (
	"errors"
	"maps"
	"math"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"opari/internal/spill"
	"opari/otf"
)

// ranks analyses an MPI program. It replays each rank separately, several at a time: a rank is a
// process with its own threads. On the way it gathers what the ranks need to know of each other's
// messages, and matches this after the replay. If the caller asked for intervals, messages or
// counters as they happen, it reads the ranks twice. Memory grows with the number of ranks, not
// with the number of events.
type ranks struct {
	*definitions
	trace    string
	master   *otf.MasterControl
	letters  *letters
	crossing *crossing
	logs     *spill.Lists // wait logs of ranks, by bucket of letters
	meetings meetingTable
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
func fromRanks(trace string, master *otf.MasterControl, d *definitions,
	o Options,
) (*Result, error) {
	w := &ranks{
		definitions: d, trace: trace, master: master, options: o,
		list:     slices.Sorted(maps.Keys(d.threadsOf)),
		meetings: meetingTable{groups: map[uint32][]meeting{}}, first: math.MaxUint64,
	}
	d.numberRanks()
	w.letters = newLetters(w.list[len(w.list)-1] + 1)
	w.crossing = newCrossing(len(w.list))
	result, err := w.analyse()
	return result, errors.Join(err, w.letters.lists.Close(), w.crossing.close())
}

func (w *ranks) analyse() (*Result, error) {
	onePass := w.options.Interval == nil && w.options.Message == nil && w.options.Counter == nil
	// The window depends on how long the run is, and the survey depends on the window.
	// What threads lost depends on when the run began.
	if onePass || w.options.Window != nil || w.kernel {
		err := atOnce(len(w.list), func(i int) error { return w.span(w.list[i]) })
		if err != nil {
			return nil, err
		}
		if !w.found {
			return nil, errNoEvents(w.trace)
		}
		if err := w.options.limit(w.definitions, w.first, w.last); err != nil {
			return nil, err
		}
	}
	w.ns = newReplay(w.definitions, 0, 0, w.options).ns
	if !onePass {
		err := atOnce(len(w.list), func(i int) error { return w.survey(w.list[i]) })
		if err != nil {
			return nil, err
		}
		if !w.found {
			return nil, errNoEvents(w.trace)
		}
	}
	all := newReplay(w.definitions, w.first, w.last, w.options).result
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
	sortBlame(all.Blame)
	sortExclusions(all.Exclusions)
	sortStarved(all.Starved)
	all.grain()
	return all, nil
}

// twice replays all ranks after their survey. The callbacks get one rank after another, and both
// ends of each message.
func (w *ranks) twice(all *Result) error {
	for bucket := range w.letters.count {
		results, err := w.replayBucket(bucket, all)
		if err != nil {
			return err
		}
		for _, r := range results {
			all.take(r)
			w.crossing.finished(r)
		}
	}
	return nil
}

// once surveys and replays all ranks in one pass. Afterwards it finds out from their logs what
// they waited for.
func (w *ranks) once(all *Result) error {
	w.logs = spill.New(w.letters.count, letterBlock, letterMemory)
	defer w.logs.Close()
	readers := map[int]*logReader{}
	logs := sync.Pool{New: func() any { return new(waitLog) }}
	// Results are joined in the order of ranks, whichever finishes first.
	for from := 0; from < len(w.list); from += atATime {
		some := make([]*rankResult, min(atATime, len(w.list)-from))
		routines := make([][]*Path, len(some))
		err := atOnce(len(some), func(i int) error {
			l := logs.Get().(*waitLog)
			defer logs.Put(l)
			l.begin()
			var err error
			some[i], err = w.replay(w.list[from+i], nil, l, all)
			routines[i] = l.paths
			return errors.Join(err, w.put(l, w.list[from+i], 1))
		})
		if err != nil {
			return err
		}
		for i, r := range some {
			all.take(r)
			w.crossing.finished(r)
			for k, q := range routines[i] {
				routines[i][k] = r.paths[q]
			}
			readers[w.list[from+i]] = &logReader{
				index: r.index, numbers: r.numbers, paths: routines[i],
				threads: make([]mpiWait, len(r.numbers)), off: w.kernel,
				surplus: make([]offSurplus, len(r.numbers)),
			}
		}
	}
	var lock sync.Mutex
	return atOnce(w.letters.count, func(i int) error { return w.readLogs(i, readers, &lock) })
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
	result  *Result
	index   int   // in the list of ranks
	numbers []int // of its threads in the trace of all ranks
	gaps    []*gapKind
	// paths maps paths of this result to paths of the joined result, as far as they were needed.
	paths map[*Path]*Path
}

// inBucket returns the ranks whose letters are in a bucket.
func (w *ranks) inBucket(bucket int) []int {
	from, _ := slices.BinarySearch(w.list, bucket*w.letters.width)
	to, _ := slices.BinarySearch(w.list, (bucket+1)*w.letters.width)
	return w.list[from:to]
}

// lettersTo splits the sorted list into the letters to a rank and the letters to later ranks.
func lettersTo(rank int, list []letter) (own, rest []letter) {
	n := 0
	for n < len(list) && int(list[n].to) <= rank { // earlier letters go to ranks without threads
		n++
	}
	own = list[:n]
	for len(own) > 0 && int(own[0].to) < rank {
		own = own[1:]
	}
	return own, list[n:]
}

// replayBucket replays the ranks of a bucket of letters.
func (w *ranks) replayBucket(bucket int, all *Result) ([]*rankResult, error) {
	list, err := w.letters.fetch(bucket)
	if err != nil {
		return nil, err
	}
	var results []*rankResult
	var mail inbox
	for _, rank := range w.inBucket(bucket) {
		var own []letter
		own, list = lettersTo(rank, list)
		mail.fill(own)
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
func (w *ranks) replay(rank int, mail *inbox, log *waitLog, all *Result) (*rankResult, error) {
	out := &rankResult{paths: map[*Path]*Path{}}
	a := w.single(rank, out)
	a.mail, a.log, a.meetings, a.met = mail, log, &w.meetings, map[uint32]uint32{}
	out.index, _ = slices.BinarySearch(w.list, rank)
	w.crossing.begin(a, out.index)
	if w.options.Interval != nil {
		a.options.Interval = func(i Interval) {
			i.Thread, i.Path = out.numbers[i.Thread], all.twin(i.Path, out.paths)
			w.options.Interval(i)
		}
	}
	if w.options.Message != nil {
		a.options.Message = func(m Message) {
			m.To = out.numbers[m.To]
			w.options.Message(m)
		}
	}
	if w.options.Counter != nil {
		a.options.Counter = func(r Reading) {
			r.Thread = out.numbers[r.Thread]
			w.options.Counter(r)
		}
	}
	events, err := w.events(a, rank)
	if err != nil {
		return nil, err
	}
	out.result, out.gaps = a.finish(), a.gaps
	out.result.Events = events
	return out, errors.Join(a.links.err, w.crossing.late.Append(out.index, a.links.late.text))
}

// single returns a replay of a rank that knows nothing of the others.
func (w *ranks) single(rank int, out *rankResult) *replay {
	own := *w.definitions
	own.threads, own.byProcess = nil, map[uint32]int{}
	for _, process := range w.threadsOf[rank] {
		own.byProcess[process] = len(own.threads)
		own.threads = append(own.threads, w.threads[w.byProcess[process]])
		out.numbers = append(out.numbers, w.byProcess[process])
	}
	options := w.options
	options.Interval, options.Message, options.Counter = nil, nil, nil
	a := newReplay(&own, w.first, w.last, options)
	a.rank = uint32(rank)
	return a
}

// events reads the events of a rank.
func (w *ranks) events(a *replay, rank int) (uint64, error) {
	r := w.open(rank)
	defer r.Close()
	handlers := a.handlers()
	if a.log == nil {
		return r.ReadEvents(handlers)
	}
	s := newSurveyor(w, rank, a)
	handlers = chained(handlers, s.handlers())
	leave := handlers.Leave
	handlers.Leave = func(time uint64, function, process, source uint32) error {
		if err := leave(time, function, process, source); err != nil {
			return err
		}
		return w.put(a.log, rank, logPiece)
	}
	n, err := r.ReadEvents(handlers)
	w.step()
	return n, errors.Join(err, s.end())
}

// take adds the result of one rank.
func (r *Result) take(one *rankResult) {
	r.Events += one.result.Events
	r.join(one.result, one.numbers, one.paths)
}

// join adds the result of one rank; numbers are its threads in r.
func (r *Result) join(one *Result, numbers []int, paths map[*Path]*Path) {
	for i, n := range numbers {
		r.Threads[n] = one.Threads[i]
	}
	if r.Part != nil {
		r.Part.Cut += one.Part.Cut
	}
	for _, q := range one.Paths {
		to := r.twin(q, paths)
		for p, time := range q.dense {
			to.dense[p] += time
		}
		to.Critical += q.Critical // zero if there are several ranks
		to.Team = max(to.Team, q.Team)
		to.Meetings += q.Meetings
		to.Between += q.Between
		to.Chunks.Number += q.Chunks.Number
		to.Chunks.Iterations += q.Chunks.Iterations
		for _, x := range q.LastChunks {
			to.lastChunk(x.Before, x.Iterations).take(x, numbers)
		}
		to.joinLeft(q, numbers)
		to.joinSamples(q, numbers)
		to.joinCounts(q, numbers)
		to.joinSharing(q.sharing, numbers)
		for i, n := range numbers {
			v := q.Visits[i]
			to.Visits[n] = v
			for leaf := range q.severity {
				if q.severity[leaf] != nil {
					to.Add(Property(leaf), n, q.severity[leaf][i])
				}
			}
		}
	}
	r.joinSerials(one)
	for _, b := range one.Blame {
		b.Waiter, b.Cause = r.twin(b.Waiter, paths), r.twin(b.Cause, paths)
		if b.Thread >= 0 {
			b.Thread = numbers[b.Thread]
		}
		r.Blame = append(r.Blame, b)
	}
	for _, s := range one.Starved {
		s.Waiter = r.twin(s.Waiter, paths)
		r.Starved = append(r.Starved, s)
	}
	for _, x := range one.Exclusions {
		held := make([]int64, len(r.Threads))
		for i, n := range numbers {
			held[n] = x.Held[i]
		}
		x.Held = held
		for i := range x.Waits {
			x.Waits[i].Path = r.twin(x.Waits[i].Path, paths)
		}
		r.Exclusions = append(r.Exclusions, x)
	}
}

// twin returns the path of r that corresponds to a path of one rank's result.
func (r *Result) twin(q *Path, paths map[*Path]*Path) *Path {
	if q == nil {
		return nil
	}
	if paths[q] == nil {
		if q.Parent == nil {
			paths[q] = r.Paths[0]
		} else {
			paths[q] = r.Child(r.twin(q.Parent, paths), q.Region)
		}
	}
	return paths[q]
}
