package report

import "opari/internal/analysis"

type (
	// exclusionJSON is something for which threads waited to enter or to acquire it, and who had
	// it.
	exclusionJSON struct {
		Name   string     `json:"name"`
		Period int64      `json:"period_ns"` // in parallel regions from its first to its last use
		Held   []int64    `json:"held_ns"`   // by thread
		Waits  []waitJSON `json:"waits"`
	}
	// lastChunkJSON is a chunk of a loop for whose end others waited.
	lastChunkJSON struct {
		Before     int64   `json:"before"` // iterations of the loop before it
		Iterations int64   `json:"iterations"`
		Waits      []int64 `json:"waits_ns"`   // by the thread that executed it
		Longest    int64   `json:"longest_ns"` // so long it took at least
	}
	waitJSON struct {
		Path int   `json:"path"` // ID
		Time int64 `json:"time_ns"`
	}
	// starvedJSON is time that threads starved because of tasks with dependences, or of a wait for
	// tasks.
	starvedJSON struct {
		Waiter int    `json:"waiter"` // ID of a path
		Name   string `json:"name"`
		File   string `json:"file"`
		Line   int    `json:"line"`
		Time   int64  `json:"time_ns"`
	}
)

// mostExclusions limits the locks in a document: a program may have one for each of its data.
const mostExclusions = 100

// causesToJSON adds what threads waited for apart from code.
func (out *runJSON) causesToJSON(r *analysis.Result) {
	for _, x := range r.Exclusions[:min(len(r.Exclusions), mostExclusions)] {
		j := exclusionJSON{Name: x.Name, Period: x.Period, Held: x.Held}
		for _, w := range x.Waits {
			j.Waits = append(j.Waits, waitJSON{w.Path.ID, w.Time})
		}
		out.Exclusions = append(out.Exclusions, j)
	}
	for _, s := range r.Starved {
		out.Starved = append(out.Starved, starvedJSON{
			s.Waiter.ID, s.By.Name, s.By.File, s.By.Line, s.Time,
		})
	}
}
