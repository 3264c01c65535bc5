package summary

import (
	"slices"
	"strings"

	"opari/internal/analysis"
	"opari/internal/efficiency"
)

// EfficiencyLine returns the factors of the parallel efficiency in one line, and "" for a run of
// one thread.
func EfficiencyLine(r *analysis.Result) string {
	run := efficiency.Of(r)
	if !run.Several() {
		return ""
	}
	var shown []efficiency.Part
	for _, p := range run.Parts() {
		if p.Shown() {
			shown = append(shown, p)
		}
	}
	return shown[0].Name + " " + shown[0].String() + " = " + productOf(shown[1:], 1)
}

// productOf writes factors of a depth as a product. Each is followed by those whose product it is,
// unless they are all 1.
func productOf(parts []efficiency.Part, depth int) string {
	var factors []string
	for i := 0; i < len(parts) && parts[i].Depth >= depth; i++ {
		if parts[i].Depth > depth {
			continue
		}
		text := parts[i].Name + " " + parts[i].String()
		if inner := productOf(parts[i+1:], depth+1); inner != "" && parts[i].String() != "1.00" {
			text += " (" + inner + ")"
		}
		factors = append(factors, text)
	}
	return strings.Join(factors, " x ")
}

// ShownParts returns the run's factors that are to be seen in any of the given efficiencies.
func ShownParts(run *efficiency.Run, of []efficiency.Efficiency) []efficiency.Part {
	shown := map[string]bool{}
	for i := range of {
		for _, p := range of[i].Parts() {
			shown[p.Key] = shown[p.Key] || p.Shown()
		}
	}
	return slices.DeleteFunc(run.Parts(), func(p efficiency.Part) bool { return !shown[p.Key] })
}

// LongName tells the factors of MPI from those of OpenMP.
func LongName(p *efficiency.Part) string {
	if strings.HasPrefix(p.Key, "mpi-") {
		return "MPI " + p.Name
	}
	return p.Name
}

// EfficiencyOf names what an efficiency is of.
func EfficiencyOf(r *analysis.Result, e *efficiency.Efficiency) string {
	switch {
	case e.Region != nil:
		return e.Region.String()
	case r.Part != nil && r.Part.Region != "":
		return r.Part.Region
	}
	return "the whole program"
}

type (
	// EfficiencyJSON are the factors of the run or of a region, from 0 to 1, and the times that
	// they come from.
	EfficiencyJSON struct {
		Name       string           `json:"name,omitempty"` // "": the run
		File       string           `json:"file,omitempty"`
		Line       int              `json:"line,omitempty"`
		Parallel   float64          `json:"parallel"`      // mpi times openmp
		MPI        *mpiJSON         `json:"mpi,omitempty"` // nil: the run has no MPI
		OpenMP     openmpJSON       `json:"openmp"`
		Reserved   int64            `json:"reserved_ns"` // the sum of those below
		Useful     int64            `json:"useful_ns"`
		InMPI      int64            `json:"mpi_ns"`
		Serialised int64            `json:"serialised_ns"`
		Imbalance  int64            `json:"imbalance_ns"`
		Scheduling int64            `json:"scheduling_ns"`
		Disturbed  int64            `json:"disturbed_ns"`
		Regions    []EfficiencyJSON `json:"regions,omitempty"`
	}
	mpiJSON struct {
		Parallel      float64  `json:"parallel"` // load_balance times communication
		LoadBalance   float64  `json:"load_balance"`
		Communication float64  `json:"communication"`
		Serialisation *float64 `json:"serialisation,omitempty"` // nil: unknown
		Transfer      *float64 `json:"transfer,omitempty"`
	}
	openmpJSON struct {
		Parallel      float64 `json:"parallel"` // the product of those below
		LoadBalance   float64 `json:"load_balance"`
		Serialisation float64 `json:"serialisation"`
		Scheduling    float64 `json:"scheduling"`
		Undisturbed   float64 `json:"undisturbed"`
	}
)

func EfficiencyToJSON(r *analysis.Result) EfficiencyJSON {
	run := efficiency.Of(r)
	out := factorsToJSON(&run.Efficiency)
	for i := range run.Regions {
		e := &run.Regions[i]
		j := factorsToJSON(e)
		j.Name, j.File, j.Line = e.Region.Name, e.Region.File, e.Region.Line
		out.Regions = append(out.Regions, j)
	}
	return out
}

func factorsToJSON(e *efficiency.Efficiency) EfficiencyJSON {
	m, o := &e.MPI, &e.OpenMP
	out := EfficiencyJSON{
		Parallel: e.Parallel.Float(),
		OpenMP: openmpJSON{
			o.Parallel.Float(), o.LoadBalance.Float(), o.Serialisation.Float(),
			o.Scheduling.Float(), o.Undisturbed.Float(),
		},
		Reserved: e.Reserved, Useful: e.Useful, InMPI: e.InMPI, Serialised: e.Serialised,
		Imbalance: e.Imbalance, Scheduling: e.Scheduling, Disturbed: e.Disturbed,
	}
	if !e.HasMPI() {
		return out
	}
	out.MPI = &mpiJSON{
		Parallel: m.Parallel.Float(), LoadBalance: m.LoadBalance.Float(),
		Communication: m.Communication.Float(),
	}
	if m.Transfer.Known() {
		serialisation, transfer := m.Serialisation.Float(), m.Transfer.Float()
		out.MPI.Serialisation, out.MPI.Transfer = &serialisation, &transfer
	}
	return out
}
