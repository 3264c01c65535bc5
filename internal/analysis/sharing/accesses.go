package sharing

import (
	"slices"

	"opari/internal/analysis"
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
	path *analysis.Path
	line uint64 // address / LineSize
}

// Accesses are samples of accesses to data.
type Accesses struct {
	lines map[lineKey]*cacheLine
	spots int
}

// Add adds an access of a thread, at a stack in a path.
func (s *Accesses) Add(path *analysis.Path, stack, thread int, address uint64, write bool) {
	if s.lines == nil {
		s.lines = map[lineKey]*cacheLine{}
	}
	key := lineKey{path, address / analysis.LineSize}
	l := s.lines[key]
	if l == nil {
		l = &cacheLine{last: thread, spots: map[spot]*spotSamples{}, stacks: map[int]int64{}}
		s.lines[key] = l
	}
	l.samples++
	if l.last != thread {
		l.last = thread
		l.turns++
	}
	if _, known := l.stacks[stack]; known || len(l.stacks) < mostLineCodes {
		l.stacks[stack]++
	}
	where := spot{thread, uint8(address % analysis.LineSize)}
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
func (s *Accesses) forget(least int64) {
	for key, l := range s.lines {
		if l.samples <= least {
			s.spots -= len(l.spots)
			delete(s.lines, key)
		}
	}
}

// Find gives each path the false sharing in it, and forgets the accesses.
func (s *Accesses) Find() {
	for key, l := range s.lines {
		if one := l.sharing(); one != nil {
			key.path.JoinSharing(one, nil)
		}
	}
	*s = Accesses{}
}

// sharing says whether threads use bytes of their own in a line, one of them writes, and they do so
// at the same time; nil: no. Those that use the same bytes share data.
func (l *cacheLine) sharing() *analysis.Sharing {
	if l.samples < 2*ownSamples {
		return nil
	}
	var at [analysis.LineSize]int64
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
	s := &analysis.Sharing{Lines: 1, Samples: owned, Apart: analysis.LineSize, Stacks: l.stacks}
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
func (l *cacheLine) apart(threads []int, at [analysis.LineSize]int64) int {
	least, last, owner := analysis.LineSize, -1, -1
	var owners [analysis.LineSize]int
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
