package analysis

import (
	"cmp"
	"fmt"
	"slices"
)

// LastChunk is a chunk of a loop for whose end the other threads waited, when none was left for
// them. The runtime had handed it out before the first of them came.
type LastChunk struct {
	Before     int64 // iterations of the loop before it
	Iterations int64
	Waits      []int64 // ns that others waited, by the thread that executed it
	Longest    int64   // ns: so long it took at least
}

// gotLast is the last chunk that a thread got of a loop.
type gotLast struct {
	path               *Path // nil: of none since its team last met
	before, iterations int64
	told               int64 // when it asked for another one
}

// lastChunk returns the thread's last chunk since its team last met, and forgets it.
func (t *thread) lastChunk() *gotLast {
	if t.chunk.path == nil {
		return nil
	}
	c := t.chunk
	t.chunk.path = nil
	return &c
}

// mostLastChunks limits the last chunks of a loop. Where each is another one, no single one is to
// blame.
const mostLastChunks = 128

// waitedForChunk notes that a thread waited at a barrier for the last one's last chunk of a loop,
// if that is what it waited for. late is the time until the last one arrived.
func (a *replay) waitedForChunk(b *barrier, path *Path, came, late int64) {
	c := b.chunk
	if c == nil || c.path != path {
		return
	}
	time := min(late, c.told-came)
	if time <= 0 {
		return
	}
	x := path.lastChunk(c.before, c.iterations)
	x.Waits[b.last.index] += time
	x.Longest = max(x.Longest, c.told-b.first)
}

// lastChunk returns the record of a chunk.
func (q *Path) lastChunk(before, iterations int64) *LastChunk {
	for _, x := range q.LastChunks {
		if x.Before == before && x.Iterations == iterations {
			return x
		}
	}
	if len(q.LastChunks) >= mostLastChunks {
		slices.SortStableFunc(q.LastChunks, func(x, y *LastChunk) int {
			return cmp.Compare(y.waits(), x.waits())
		})
		q.LastChunks = q.LastChunks[:mostLastChunks/2]
	}
	x := &LastChunk{before, iterations, make([]int64, len(q.Visits)), 0}
	q.LastChunks = append(q.LastChunks, x)
	return x
}

func (x *LastChunk) waits() int64 {
	var sum int64
	for _, time := range x.Waits {
		sum += time
	}
	return sum
}

// take adds another one, of threads that have these numbers here.
func (x *LastChunk) take(other *LastChunk, numbers []int) {
	for i, n := range numbers {
		x.Waits[n] += other.Waits[i]
	}
	x.Longest = max(x.Longest, other.Longest)
}

// lastChunk returns the last chunk of a finding's loop for which threads mostly waited, the time of
// all waits for one, and nil if there is none.
func (r *Result) lastChunk(g *Region) (most *LastChunk, all int64) {
	sums := map[[2]int64]*LastChunk{}
	numbers := make([]int, len(r.Threads))
	for i := range numbers {
		numbers[i] = i
	}
	var longest int64
	for _, q := range r.Paths {
		if q.Region != g {
			continue
		}
		for _, x := range q.LastChunks {
			k := [2]int64{x.Before, x.Iterations}
			if sums[k] == nil {
				sums[k] = &LastChunk{x.Before, x.Iterations, make([]int64, len(r.Threads)), 0}
			}
			sums[k].take(x, numbers)
			all += x.waits()
			if sum := sums[k].waits(); sum > longest {
				most, longest = sums[k], sum
			}
		}
	}
	return most, all
}

// chunkAtEnd says for which last chunk of a loop threads waited; "" if that is less than half of
// the finding.
func (r *Result) chunkAtEnd(f Finding) string {
	x, all := r.lastChunk(f.Region)
	if x == nil || 2*all < f.Time {
		return ""
	}
	percent := func(part, whole int64) string {
		return fmt.Sprintf("%.0f %%", min(100, 100*float64(part)/float64(whole)))
	}
	d := r.dealtTo(f.Region)
	mean := fmt.Sprintf("the mean chunk takes %s", short(d.work, d.Number))
	if 2*x.waits() < f.Time {
		return fmt.Sprintf("%s of it until the last chunk is done, which differs each time; %s",
			percent(all, f.Time), mean)
	}
	most := 0
	for i, time := range x.Waits {
		if time > x.Waits[most] {
			most = i
		}
	}
	by := r.ThreadName(most)
	if part := x.Waits[most]; 4*part <= 3*x.waits() {
		by = fmt.Sprintf("%s and others", by)
	}
	return fmt.Sprintf("%s of it until the last chunk is done, %s, by %s: that takes %s or more, "+
		"%s", percent(x.waits(), f.Time), x, by, Duration(x.Longest), mean)
}

// String returns which iterations these are, counted from 0.
func (x *LastChunk) String() string {
	if x.Iterations == 1 {
		return fmt.Sprintf("iteration %d", x.Before)
	}
	return fmt.Sprintf("iterations %d to %d", x.Before, x.Before+x.Iterations-1)
}
