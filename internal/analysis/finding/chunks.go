package finding

import (
	"fmt"
	"math"
	"math/bits"

	"opari/internal/analysis"
)

// inChunks are the properties of the time that a thread spends in the iterations of a chunk.
var inChunks = []analysis.Property{analysis.Work, analysis.Mutex, analysis.Tasking, analysis.MPI}

// onePercent is how many times as long as its dispatch a chunk must be, for the dispatch to be 1 %
// of the loop.
const onePercent = 99

// dealtTo is what all threads got of the loop of a finding, over all paths.
type dealtTo struct {
	analysis.Chunks
	work  int64 // in the iterations
	loops int64 // executions of the loop
}

func (r run) dealtTo(g *analysis.Region) dealtTo {
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
func (r run) chunks(f Finding) string {
	d := r.dealtTo(f.Region)
	return fmt.Sprintf("%d chunks of %s, with %s of work and %s of cost each", d.Number,
		iterations(d.Iterations, d.Number), short(d.work, d.Number), short(f.Time, d.Number))
}

// adviseDispatch says of how many iterations chunks would have to be for a cost of 1 %.
func (r run) adviseDispatch(f Finding) string {
	d := r.dealtTo(f.Region)
	size := chunkFor(float64(f.Time)/float64(d.Number), float64(d.work)/float64(d.Iterations))
	if team := int64(len(r.Threads)); size > d.Iterations/d.loops/team {
		return fmt.Sprintf("%s iterations are too few for chunks that make up for it: try "+
			"schedule(static)", analysis.Count(d.Iterations/d.loops))
	}
	return fmt.Sprintf("schedule(dynamic, %d) would make it 1 %% of the loop", size)
}

// measuring says what measuring a region was: mostly events, or mostly the counting of its chunks.
func (r run) measuring(f Finding) string {
	if !r.mostlyChunks(f.Region) {
		return r.Recording()
	}
	n := r.dealtTo(f.Region).Number
	return fmt.Sprintf("counting %d chunks, %s each", n, short(f.Time, n))
}

// mostlyChunks reports whether most of what measuring a region takes is counting its chunks.
func (r run) mostlyChunks(g *analysis.Region) bool {
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
	return analysis.Duration(sum / n)
}

// LastChunk returns the last chunk of a finding's loop for which threads mostly waited, the time of
// all waits for one, and nil if there is none.
func (r run) lastChunk(g *analysis.Region) (most *analysis.LastChunk, all int64) {
	sums := map[[2]int64]*analysis.LastChunk{}
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
				sums[k] = &analysis.LastChunk{
					Before: x.Before, Iterations: x.Iterations,
					Waits: make([]int64, len(r.Threads)),
				}
			}
			sums[k].Take(x, numbers)
			all += x.Waited()
			if sum := sums[k].Waited(); sum > longest {
				most, longest = sums[k], sum
			}
		}
	}
	return most, all
}

// chunkAtEnd says for which last chunk of a loop threads waited; "" if that is less than half of
// the finding.
func (r run) chunkAtEnd(f Finding) string {
	x, all := r.lastChunk(f.Region)
	if x == nil || 2*all < f.Time {
		return ""
	}
	percent := func(part, whole int64) string {
		return fmt.Sprintf("%.0f %%", min(100, 100*float64(part)/float64(whole)))
	}
	d := r.dealtTo(f.Region)
	mean := fmt.Sprintf("the mean chunk takes %s", short(d.work, d.Number))
	if 2*x.Waited() < f.Time {
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
	if part := x.Waits[most]; 4*part <= 3*x.Waited() {
		by = fmt.Sprintf("%s and others", by)
	}
	return fmt.Sprintf("%s of it until the last chunk is done, %s, by %s: that takes %s or more, "+
		"%s", percent(x.Waited(), f.Time), x, by, analysis.Duration(x.Longest), mean)
}
