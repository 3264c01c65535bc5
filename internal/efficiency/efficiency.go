package efficiency

import (
	"cmp"
	"math/big"
	"math/bits"
	"slices"

	"opari/internal/analysis"
)

// Factor is an exact fraction from 0 to 1. Its Rat is nil where it is unknown.
type Factor struct{ *big.Rat }

// Known reports whether the factor has a value.
func (f Factor) Known() bool { return f.Rat != nil }

// Float returns the nearest float, and 0 for what is unknown.
func (f Factor) Float() float64 {
	if f.Rat == nil {
		return 0
	}
	x, _ := f.Float64()
	return x
}

// String returns the factor with two digits after the point, or "-".
func (f Factor) String() string {
	if f.Rat == nil {
		return "-"
	}
	return f.FloatString(2)
}

// ratio returns part of whole. Where there is nothing, nothing is lost.
func ratio(part, whole int64) Factor {
	if whole == 0 {
		return One()
	}
	return Factor{big.NewRat(part, whole)}
}

// One is the factor of what loses nothing.
func One() Factor { return Factor{big.NewRat(1, 1)} }

// over returns how much larger g must become to be f.
func (f Factor) over(g Factor) Factor {
	if g.Sign() == 0 {
		return One()
	}
	return Factor{new(big.Rat).Quo(f.Rat, g.Rat)}
}

// Efficiency has the factors of a run or of a region. Times are in ns, summed over all threads.
type Efficiency struct {
	Region *analysis.Region // nil: the run
	// Reserved is the processor time without the start and the end of a job. It is the sum of the
	// times below.
	Reserved                                                    int64
	Useful, InMPI, Serialised, Imbalance, Scheduling, Disturbed int64

	Parallel Factor // MPI x OpenMP
	MPI      MPI
	OpenMP   OpenMP

	processes, threads int
}

// MPI has the factors of processes. Without MPI they are 1.
type MPI struct {
	Parallel      Factor // LoadBalance x Communication
	LoadBalance   Factor
	Communication Factor
	// Communication is Serialisation x Transfer. Both are unknown unless the result has IdealWall.
	Serialisation, Transfer Factor
}

// OpenMP has the factors of what happens outside of MPI.
type OpenMP struct {
	Parallel      Factor // Serialisation x LoadBalance x Scheduling x Undisturbed
	Serialisation Factor
	LoadBalance   Factor
	Scheduling    Factor
	Undisturbed   Factor
}

// Run has the efficiencies of a result: of all of it, or of the part that it is limited to, and of
// its parallel regions, those with most time first.
type Run struct {
	Efficiency
	Regions []Efficiency
}

// Of returns the efficiencies of a result.
func Of(r *analysis.Result) Run {
	s := summarise(r)
	run := Run{Efficiency: s.of(s.run, r)}
	if !s.within {
		run.idealNetwork(r)
	}
	for _, g := range s.order {
		if g.whole() > 0 {
			run.Regions = append(run.Regions, s.of(g, r))
		}
	}
	slices.SortStableFunc(run.Regions,
		func(a, b Efficiency) int { return cmp.Compare(b.Reserved, a.Reserved) })
	return run
}

// of computes the factors from sums. Each loss is taken from what the losses before it have left.
func (s *summary) of(g *sums, r *analysis.Result) Efficiency {
	e := Efficiency{
		Region: g.region, Reserved: g.whole(), Useful: g.by[Useful], InMPI: g.by[InMPI],
		Serialised: g.by[Serialised], Imbalance: g.by[Imbalance], Scheduling: g.by[Scheduling],
		Disturbed: g.by[Disturbed], processes: s.processes, threads: len(r.Threads),
	}
	outside := e.Reserved - e.InMPI
	parallel := outside - e.Serialised
	balanced := parallel - e.Imbalance
	computing := balanced - e.Scheduling
	e.Parallel = ratio(e.Useful, e.Reserved)
	e.OpenMP = OpenMP{
		Parallel:      ratio(e.Useful, outside),
		Serialisation: ratio(parallel, outside),
		LoadBalance:   ratio(balanced, parallel),
		Scheduling:    ratio(computing, balanced),
		Undisturbed:   ratio(e.Useful, computing),
	}
	e.MPI.Parallel = ratio(outside, e.Reserved)
	e.MPI.Communication = g.mostOutside()
	e.MPI.LoadBalance = e.MPI.Parallel.over(e.MPI.Communication)
	return e
}

// mostOutside returns the largest part of its time that a process was outside of MPI.
func (s *sums) mostOutside() Factor {
	var part, whole int64 // of the process with the largest part so far
	for i, reserved := range s.reserved {
		outside := reserved - s.inMPI[i]
		if reserved > 0 && (whole == 0 || larger(outside, reserved, part, whole)) {
			part, whole = outside, reserved
		}
	}
	return ratio(part, whole)
}

// larger reports whether a/b is larger than c/d; none is negative.
func larger(a, b, c, d int64) bool {
	left, leftLow := bits.Mul64(uint64(a), uint64(d))
	right, rightLow := bits.Mul64(uint64(c), uint64(b))
	return left > right || left == right && leftLow > rightLow
}

// idealNetwork divides what communication has lost of the run, if the result says how long the run
// would have taken on an ideal network. That time saves each thread as much. It is never less than
// the longest time that a process was outside of MPI, and never more than the runtime.
func (e *Efficiency) idealNetwork(r *analysis.Result) {
	if r.IdealWall <= 0 || e.Reserved == 0 {
		return
	}
	saved := big.NewInt(r.Wall - r.IdealWall)
	saved.Mul(saved, big.NewInt(int64(e.threads)))
	left := saved.Sub(big.NewInt(e.Reserved), saved)
	transfer := Factor{new(big.Rat).SetFrac(left, big.NewInt(e.Reserved))}
	if transfer.Cmp(e.MPI.Communication.Rat) < 0 {
		transfer = e.MPI.Communication
	}
	if transfer.Cmp(One().Rat) > 0 {
		transfer = One()
	}
	e.MPI.Transfer = transfer
	e.MPI.Serialisation = e.MPI.Communication.over(transfer)
}

// HasMPI reports whether the run is of several processes, or has called MPI.
func (e *Efficiency) HasMPI() bool { return e.processes > 1 || e.InMPI > 0 }

// HasOpenMP reports whether a process of the run has several threads, or lost time to OpenMP.
func (e *Efficiency) HasOpenMP() bool {
	return e.threads > e.processes || e.Serialised+e.Imbalance+e.Scheduling > 0
}

// Several reports whether there is more than one thread, so that the factors say something.
func (e *Efficiency) Several() bool { return e.threads > 1 && e.Reserved > 0 }
