package whatif

import "opari/internal/analysis"

// Prediction is what a run would be with a change.
type Prediction struct {
	Change   string
	Measured int64 // ns, wall time of the run
	Wall     int64 // ns, with the change
	Critical []Critical
	Notes    []string // what is unsure
}

// Saving returns by how much the run would be shorter, in ns.
func (p *Prediction) Saving() int64 { return p.Measured - p.Wall }

// Critical is the time of a region on the critical path.
type Critical struct {
	Region *analysis.Region
	Was    int64 // ns, in the run
	Time   int64 // ns, with the change
}
