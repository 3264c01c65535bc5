package replay

import (
	"opari/internal/analysis"
	"opari/internal/analysis/trace"
)

// dealt handles what the trace says of the chunks that a thread has got.
func (a *Replay) dealt(t *thread, now int64, p trace.Point, value int64) {
	path := t.loop()
	if path == nil {
		return
	}
	switch p {
	case trace.LoopChunks:
		a.account(t, now)
		t.owed = a.cost
		path.Chunks.Number += value
	case trace.LoopIterations:
		path.Chunks.Iterations += value
	case trace.ChunkMeasuring:
		path.TakeFromWork(analysis.Measurement, t.index, value)
	case trace.ChunkDispatch:
		path.TakeFromWork(analysis.Dispatch, t.index, value)
	case trace.BeforeLast:
		t.chunk = gotLast{path: path, before: value, told: now}
	case trace.InLast:
		if t.chunk.iterations = value; value == 0 { // others came while it had more chunks
			t.chunk.path = nil
		}
	}
}

// loop returns the path of the innermost loop that a thread is in, or nil.
func (t *thread) loop() *analysis.Path {
	for i := t.stack.len() - 1; i >= 0; i-- {
		if f := t.stack.at(i); f.Region.Kind.SharesIterations() {
			return f.path
		}
	}
	return nil
}

// gotLast is the last chunk that a thread got of a loop.
type gotLast struct {
	path               *analysis.Path // nil: of none since its team last met
	before, iterations int64
	told               int64 // when it asked for another one
}

// LastChunk returns the thread's last chunk since its team last met, and forgets it.
func (t *thread) lastChunk() *gotLast {
	if t.chunk.path == nil {
		return nil
	}
	c := t.chunk
	t.chunk.path = nil
	return &c
}

// waitedForChunk notes that a thread waited at a barrier for the last one's last chunk of a loop,
// if that is what it waited for. late is the time until the last one arrived.
func (a *Replay) waitedForChunk(b *barrier, path *analysis.Path, came, late int64) {
	c := b.chunk
	if c == nil || c.path != path {
		return
	}
	time := min(late, c.told-came)
	if time <= 0 {
		return
	}
	x := path.LastChunk(c.before, c.iterations)
	x.Waits[b.last.index] += time
	x.Longest = max(x.Longest, c.told-b.first)
}
