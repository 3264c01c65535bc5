package analysis

import (
	"fmt"
	"math"
	"math/bits"
)

// Chunks is what the threads of all executions of a loop got from the runtime.
type Chunks struct{ Number, Iterations int64 }

// dealt handles what the trace says of the chunks that a thread has got.
func (a *replay) dealt(t *thread, now int64, p point, value int64) {
	path := t.loop()
	if path == nil {
		return
	}
	switch p {
	case loopChunks:
		a.account(t, now)
		t.owed = a.cost
		path.Chunks.Number += value
	case loopIterations:
		path.Chunks.Iterations += value
	case chunkMeasuring:
		path.TakeFromWork(Measurement, t.index, value)
	case chunkDispatch:
		path.TakeFromWork(Dispatch, t.index, value)
	case beforeLast:
		t.chunk = gotLast{path: path, before: value, told: now}
	case inLast:
		if t.chunk.iterations = value; value == 0 { // others came while it had more chunks
			t.chunk.path = nil
		}
	}
}

// loop returns the path of the innermost loop that a thread is in, or nil.
func (t *thread) loop() *Path {
	for i := t.stack.len() - 1; i >= 0; i-- {
		if f := t.stack.at(i); f.region.Kind.SharesIterations() {
			return f.path
		}
	}
	return nil
}

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

// inChunks are the properties of the time that a thread spends in the iterations of a chunk.
var inChunks = []Property{Work, Mutex, Tasking, MPI}

// onePercent is how many times as long as its dispatch a chunk must be, for the dispatch to be 1 %
// of the loop.
const onePercent = 99

// dealtTo is what all threads got of the loop of a finding, over all paths.
type dealtTo struct {
	Chunks
	work  int64 // in the iterations
	loops int64 // executions of the loop
}

func (r *Result) dealtTo(g *Region) dealtTo {
	var d dealtTo
	for _, q := range r.Paths {
		if q.Region != g {
			continue
		}
		d.Number += q.Chunks.Number
		d.Iterations += q.Chunks.Iterations
		for _, p := range inChunks {
			d.work += q.Inclusive(p, -1)
		}
		var most int64
		for _, v := range q.Visits {
			most = max(most, v.Count)
		}
		d.loops += most
	}
	d.Number, d.Iterations, d.loops = max(1, d.Number), max(1, d.Iterations), max(1, d.loops)
	return d
}

// chunks says how many chunks there were, what was in them, and what they cost.
func (r *Result) chunks(f Finding) string {
	d := r.dealtTo(f.Region)
	return fmt.Sprintf("%d chunks of %s, with %s of work and %s of cost each", d.Number,
		iterations(d.Iterations, d.Number), short(d.work, d.Number), short(f.Time, d.Number))
}

// adviseDispatch says of how many iterations chunks would have to be for a cost of 1 %.
func (r *Result) adviseDispatch(f Finding) string {
	d := r.dealtTo(f.Region)
	size := chunkFor(float64(f.Time)/float64(d.Number), float64(d.work)/float64(d.Iterations))
	if team := int64(len(r.Threads)); size > d.Iterations/d.loops/team {
		return fmt.Sprintf("%s iterations are too few for chunks that make up for it: try "+
			"schedule(static)", Count(d.Iterations/d.loops))
	}
	return fmt.Sprintf("schedule(dynamic, %d) would make it 1 %% of the loop", size)
}

// measuring says what measuring a region was: mostly events, or mostly the counting of its chunks.
func (r *Result) measuring(f Finding) string {
	if !r.mostlyChunks(f.Region) {
		return r.Recording()
	}
	n := r.dealtTo(f.Region).Number
	return fmt.Sprintf("counting %d chunks, %s each", n, short(f.Time, n))
}

// mostlyChunks reports whether most of what measuring a region takes is counting its chunks.
func (r *Result) mostlyChunks(g *Region) bool {
	return r.dealtTo(g).Number > fewChunks*max(1, r.visits(g))
}

// fewChunks is the number of chunks in a visit up to which the events of the visit cost more than
// counting the chunks.
const fewChunks = 16

// chunkFor returns the number of iterations in a chunk that takes onePercent times as long as its
// dispatch, rounded up to a power of two.
func chunkFor(cost, iteration float64) int64 {
	const most = 1 << 40
	if size := onePercent * cost / max(iteration, 0.1); size < most {
		return 1 << bits.Len64(uint64(math.Ceil(max(size, 1)))-1)
	}
	return most
}

// iterations returns a mean number of iterations, with one digit after the point if it is not
// whole.
func iterations(sum, n int64) string {
	switch {
	case sum == n:
		return "1 iteration"
	case sum%n == 0:
		return fmt.Sprintf("%d iterations", sum/n)
	}
	return fmt.Sprintf("%.1f iterations", float64(sum)/float64(n))
}

// short returns a mean time, which may be some ns and a fraction.
func short(sum, n int64) string {
	if mean := float64(sum) / float64(n); mean < 99.95 {
		return fmt.Sprintf("%.1fns", mean)
	}
	return Duration(sum / n)
}
