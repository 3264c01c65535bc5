package analysis

import (
	"cmp"
	"fmt"
	"slices"
)

// Chunks is what the threads of all executions of a loop got from the runtime.
type Chunks struct{ Number, Iterations int64 }

// TakeFromWork moves time of a thread from Work to another property. There may be less work than
// that, because times of chunks are estimated from a part of them.
func (q *Path) TakeFromWork(p Property, thread int, time int64) {
	if q.severity[Work] == nil {
		return
	}
	time = min(time, q.severity[Work][thread])
	q.Add(Work, thread, -time)
	q.Add(p, thread, time)
}

// LastChunk is a chunk of a loop for whose end the other threads waited, when none was left for
// them. The runtime had handed it out before the first of them came.
type LastChunk struct {
	Before     int64 // iterations of the loop before it
	Iterations int64
	Waits      []int64 // ns that others waited, by the thread that executed it
	Longest    int64   // ns: so long it took at least
}

// mostLastChunks limits the last chunks of a loop. Where each is another one, no single one is to
// blame.
const mostLastChunks = 128

// LastChunk returns the record of a chunk.
func (q *Path) LastChunk(before, iterations int64) *LastChunk {
	for _, x := range q.LastChunks {
		if x.Before == before && x.Iterations == iterations {
			return x
		}
	}
	if len(q.LastChunks) >= mostLastChunks {
		slices.SortStableFunc(q.LastChunks, func(x, y *LastChunk) int {
			return cmp.Compare(y.Waited(), x.Waited())
		})
		q.LastChunks = q.LastChunks[:mostLastChunks/2]
	}
	x := &LastChunk{before, iterations, make([]int64, len(q.Visits)), 0}
	q.LastChunks = append(q.LastChunks, x)
	return x
}

func (x *LastChunk) Waited() int64 {
	var sum int64
	for _, time := range x.Waits {
		sum += time
	}
	return sum
}

// Take adds another one, of threads that have these numbers here.
func (x *LastChunk) Take(other *LastChunk, numbers []int) {
	for i, n := range numbers {
		x.Waits[n] += other.Waits[i]
	}
	x.Longest = max(x.Longest, other.Longest)
}

// String returns which iterations these are, counted from 0.
func (x *LastChunk) String() string {
	if x.Iterations == 1 {
		return fmt.Sprintf("iteration %d", x.Before)
	}
	return fmt.Sprintf("iterations %d to %d", x.Before, x.Before+x.Iterations-1)
}
