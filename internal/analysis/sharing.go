package analysis

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// Limits of false sharing. A line of the cache counts if two threads have that many samples each
// at bytes of their own, and one of them has some that write.
const (
	ownSamples    = 20
	ownWrites     = 3
	ownPart       = 0.9  // of the samples at a byte are of the thread that owns it
	ownedPart     = 0.75 // of the samples of a line are of owners
	turnsAtLeast  = 0.25 // of what two threads that take turns at random have
	mostSpots     = 1 << 18
	mostLineCodes = 32 // stacks of a line that are kept
)

// Sharing is what samples say of false sharing in a path: several threads at different bytes of the
// same lines of the cache. It is a heuristic.
type Sharing struct {
	Threads []int
	Lines   int   // of the cache
	Apart   int   // bytes, the least between two threads
	Samples int64 // at the bytes that one thread owns
	Codes   []LineSamples
	stacks  map[int]int64 // samples
}

// spot is a byte of a line of the cache at which a thread's accesses begin.
type spot struct {
	thread int
	offset uint8
}

type spotSamples struct{ all, writes int64 }

// cacheLine has the samples of a line of the cache in a path.
type cacheLine struct {
	samples int64
	last    int   // the thread of the latest
	turns   int64 // how often that was another one than before
	spots   map[spot]*spotSamples
	stacks  map[int]int64
}

type lineKey struct {
	path *Path
	line uint64 // address / lineSize
}

// accesses are the samples of data that a replay has seen.
type accesses struct {
	lines map[lineKey]*cacheLine
	spots int
}

// standing is where a thread's latest sample stands, if it has worked there.
type standing struct {
	path  *Path // nil: it has not, or its access is known
	stack int
}

// accessed notes the access of the latest sample of a thread.
func (a *replay) accessed(t *thread, address uint64, write bool) {
	from := t.sample
	t.sample = standing{}
	if from.path == nil || a.result.measures(from.stack) {
		return
	}
	s := &a.accesses
	if s.lines == nil {
		s.lines = map[lineKey]*cacheLine{}
	}
	key := lineKey{from.path, address / lineSize}
	l := s.lines[key]
	if l == nil {
		l = &cacheLine{last: t.index, spots: map[spot]*spotSamples{}, stacks: map[int]int64{}}
		s.lines[key] = l
	}
	l.samples++
	if l.last != t.index {
		l.last = t.index
		l.turns++
	}
	if _, known := l.stacks[from.stack]; known || len(l.stacks) < mostLineCodes {
		l.stacks[from.stack]++
	}
	where := spot{t.index, uint8(address % lineSize)}
	here := l.spots[where]
	if here == nil {
		here = &spotSamples{}
		l.spots[where] = here
		s.spots++
	}
	here.all++
	if write {
		here.writes++
	}
	if s.spots > mostSpots {
		for least := int64(1); s.spots > mostSpots/2; least *= 2 {
			s.forget(least)
		}
	}
}

// forget drops lines of few samples.
func (s *accesses) forget(least int64) {
	for key, l := range s.lines {
		if l.samples <= least {
			s.spots -= len(l.spots)
			delete(s.lines, key)
		}
	}
}

// measures reports whether a stack is in opari's own code.
func (r *Result) measures(stack int) bool {
	for s := stack; s > 0 && s < len(r.Stacks); s = r.Stacks[s].Caller {
		if r.Stacks[s].Function == measuringCode {
			return true
		}
	}
	return false
}

// findSharing gives each path the false sharing in it.
func (a *replay) findSharing() {
	for key, l := range a.accesses.lines {
		if one := l.sharing(); one != nil {
			key.path.joinSharing(one, nil)
		}
	}
	a.accesses = accesses{}
}

// sharing says whether threads use bytes of their own in a line, one of them writes, and they do so
// at the same time; nil: no. Those that use the same bytes share data.
func (l *cacheLine) sharing() *Sharing {
	if l.samples < 2*ownSamples {
		return nil
	}
	var at [lineSize]int64
	for where, n := range l.spots {
		at[where.offset] += n.all
	}
	all, writes := map[int]int64{}, map[int]int64{}
	var owned int64
	for where, n := range l.spots {
		if float64(n.all) >= ownPart*float64(at[where.offset]) {
			all[where.thread] += n.all
			writes[where.thread] += n.writes
			owned += n.all
		}
	}
	s := &Sharing{Lines: 1, Samples: owned, Apart: lineSize, stacks: l.stacks}
	written := false
	var largest, sum int64
	for t, n := range all {
		if n >= ownSamples {
			s.Threads = append(s.Threads, t)
			written = written || writes[t] >= ownWrites
			largest, sum = max(largest, n), sum+n
		}
	}
	// Two threads that take turns at random do so 2pq times for each sample.
	other := float64(sum - largest)
	turns := 2 * float64(largest) * other / float64(max(1, sum))
	if len(s.Threads) < 2 || !written || float64(owned) < ownedPart*float64(l.samples) ||
		float64(l.turns) < turnsAtLeast*turns {
		return nil
	}
	slices.Sort(s.Threads)
	s.Apart = l.apart(s.Threads, at)
	return s
}

// apart returns the least distance between bytes that two of the threads own.
func (l *cacheLine) apart(threads []int, at [lineSize]int64) int {
	least, last, owner := lineSize, -1, -1
	var owners [lineSize]int
	for where, n := range l.spots {
		if slices.Contains(threads, where.thread) &&
			float64(n.all) >= ownPart*float64(at[where.offset]) {
			owners[where.offset] = where.thread + 1
		}
	}
	for offset, thread := range owners {
		if thread == 0 {
			continue
		}
		if last >= 0 && thread != owner {
			least = min(least, offset-last)
		}
		last, owner = offset, thread
	}
	return least
}

// joinSharing adds false sharing to that of a path; numbers are other numbers of its threads.
func (q *Path) joinSharing(one *Sharing, numbers []int) {
	if one == nil {
		return
	}
	if q.sharing == nil {
		q.sharing = &Sharing{Apart: lineSize, stacks: map[int]int64{}}
	}
	s := q.sharing
	s.Lines += one.Lines
	s.Samples += one.Samples
	s.Apart = min(s.Apart, one.Apart)
	for stack, n := range one.stacks {
		s.stacks[stack] += n
	}
	for _, t := range one.Threads {
		if numbers != nil {
			t = numbers[t]
		}
		if at, known := slices.BinarySearch(s.Threads, t); !known {
			s.Threads = slices.Insert(s.Threads, at, t)
		}
	}
}

// Sharing returns the false sharing in a path; nil: samples show none.
func (r *Result) Sharing(q *Path) *Sharing {
	if q.sharing == nil {
		return nil
	}
	s := *q.sharing
	for _, stack := range slices.Sorted(maps.Keys(s.stacks)) {
		chain := r.Below(q, stack)
		if len(chain) == 0 {
			continue
		}
		code, n := chain[self(chain)], s.stacks[stack]
		i := slices.IndexFunc(s.Codes, func(c LineSamples) bool {
			return c.File == code.File && c.Line == code.Line &&
				(c.Line > 0 || c.Function == code.Function)
		})
		if i < 0 {
			i, s.Codes = len(s.Codes), append(s.Codes, LineSamples{Code: code})
		}
		s.Codes[i].Self += n
		s.Codes[i].All += n
	}
	slices.SortStableFunc(s.Codes, func(x, y LineSamples) int {
		return cmp.Compare(y.Self, x.Self)
	})
	return &s
}

// namedCodes and namedThreads are how many the text of a finding names.
const (
	namedCodes   = 3
	namedThreads = 4
)

// Describe says what threads do to each other.
func (s *Sharing) Describe(r *Result) string {
	var who []string
	for _, t := range s.Threads {
		who = append(who, r.ThreadName(t))
	}
	if n := len(who); n > namedThreads {
		who = append(who[:namedThreads-1], fmt.Sprintf("%d more", n-namedThreads+1))
	}
	n := len(who) - 1
	text := "false sharing, a heuristic from samples: " + strings.Join(who[:n], ", ") + " and " +
		who[n] + " use data "
	if s.Lines == 1 {
		text += fmt.Sprintf("%d bytes apart in one line of the cache", s.Apart)
	} else {
		text += fmt.Sprintf("as near as %d bytes in %d lines of the cache", s.Apart, s.Lines)
	}
	for i, c := range s.Codes {
		if i == namedCodes || 10*c.Self < s.Codes[0].Self {
			break
		}
		joint := " at "
		if i > 0 {
			joint = ", "
		}
		text += joint + c.place()
	}
	return text
}

func (c Code) place() string {
	if c.Line == 0 {
		return c.Function
	}
	return fmt.Sprintf("%s:%d", filepath.Base(c.File), c.Line)
}

// Time returns the processor time for which the samples stand, in ns.
func (s *Sharing) Time(r *Result) int64 { return r.Samples.Time(s.Samples) }

// SharingAdvice says what to try against false sharing.
const SharingAdvice = "give each thread's data 64 bytes of its own (alignas(64), or padding), or " +
	"add up in a local variable and write the result once"
