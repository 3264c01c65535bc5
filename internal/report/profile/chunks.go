package profile

import (
	"fmt"

	"opari/internal/analysis"
)

// Chunks is what a thread got of loops whose chunks the runtime handed out.
type Chunks struct {
	Number     int64 `json:"chunks,omitempty"`
	Iterations int64 `json:"iterations,omitempty"`
	Dispatch   int64 `json:"dispatch_ns,omitempty"`         // in the runtime
	Measuring  int64 `json:"measuring_chunks_ns,omitempty"` // counting the chunks
}

type chunksLine struct {
	Path       int   `json:"path"`
	Thread     int   `json:"thread"`
	Chunks     int64 `json:"chunks"`
	Iterations int64 `json:"iterations"`
	Dispatch   int64 `json:"dispatch"`
	Measuring  int64 `json:"measuring"`
}

func (c *Chunks) add(d Chunks) {
	c.Number += d.Number
	c.Iterations += d.Iterations
	c.Dispatch += d.Dispatch
	c.Measuring += d.Measuring
}

func (rd *reader) chunks(line []byte) error {
	var l chunksLine
	if err := strict(line, &l); err != nil {
		return err
	}
	p := rd.paths[l.Path]
	if p == nil {
		return fmt.Errorf("path %d has chunks before it is described", l.Path)
	}
	for _, v := range []int64{int64(l.Thread), l.Chunks, l.Iterations, l.Dispatch, l.Measuring} {
		if v < 0 {
			return fmt.Errorf("path %d, thread %d: a negative number", l.Path, l.Thread)
		}
	}
	if l.Thread >= maxThreads {
		return fmt.Errorf("path %d, thread %d: threads count to %d", l.Path, l.Thread, maxThreads)
	}
	p.Samples = addSampleTo(p.Samples, Sample{
		Thread: l.Thread,
		Chunks: Chunks{l.Chunks, l.Iterations, l.Dispatch, l.Measuring},
	})
	return nil
}

// addTo gives the thread's time to the properties of the path.
func (c *Chunks) addTo(q *analysis.Path, thread int) {
	q.Chunks.Number += c.Number
	q.Chunks.Iterations += c.Iterations
	q.TakeFromWork(analysis.Measurement, thread, c.Measuring)
	q.TakeFromWork(analysis.Dispatch, thread, c.Dispatch)
}
