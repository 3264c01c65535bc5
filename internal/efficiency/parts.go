package efficiency

import "math/big"

// Part is a factor with its name.
type Part struct {
	Key   string // in files
	Name  string // for people
	Depth int    // of the factors whose product a factor is
	Factor
	whole Factor // of the reserved time, what the factor is a part of
}

// Parts returns the factors that the run has, each followed by those whose product it is.
func (e *Efficiency) Parts() []Part {
	all := []Part{{"parallel-efficiency", "efficiency", 0, e.Parallel, one()}}
	if e.HasMPI() {
		m := &e.MPI
		all = append(
			all,
			Part{"mpi", "MPI", 1, m.Parallel, one()},
			Part{"mpi-load-balance", "load balance", 2, m.LoadBalance, m.Communication},
			Part{"mpi-communication", "communication", 2, m.Communication, one()},
		)
		if m.Transfer.Known() {
			all = append(
				all,
				Part{"mpi-serialisation", "serialisation", 3, m.Serialisation, m.Transfer},
				Part{"mpi-transfer", "transfer", 3, m.Transfer, one()},
			)
		}
	}
	o, whole := &e.OpenMP, e.MPI.Parallel
	parallel := whole.times(o.Serialisation)
	balanced := parallel.times(o.LoadBalance)
	computing := balanced.times(o.Scheduling)
	depth := 1
	if e.HasMPI() && e.HasOpenMP() {
		all = append(all, Part{"openmp", "OpenMP", 1, o.Parallel, whole})
		depth = 2
	}
	if e.HasOpenMP() {
		all = append(
			all,
			Part{"openmp-load-balance", "load balance", depth, o.LoadBalance, parallel},
			Part{"openmp-serialisation", "serialisation", depth, o.Serialisation, whole},
			Part{"openmp-scheduling", "scheduling", depth, o.Scheduling, balanced},
		)
	}
	return append(all, Part{"undisturbed", "undisturbed", depth, o.Undisturbed, computing})
}

func (f Factor) times(g Factor) Factor { return Factor{new(big.Rat).Mul(f.Rat, g.Rat)} }

// Times returns the processor time in ns that p is a part of, and how much of that is lost.
func (e *Efficiency) Times(p *Part) (whole, lost int64) {
	reserved := Factor{new(big.Rat).SetInt64(e.Reserved)}
	all := reserved.times(p.whole)
	return rounded(all), rounded(all) - rounded(all.times(p.Factor))
}

// rounded returns the nearest whole number of a fraction that is not negative.
func rounded(f Factor) int64 {
	twice := new(big.Int).Lsh(f.Num(), 1)
	twice.Add(twice, f.Denom())
	return twice.Quo(twice, new(big.Int).Lsh(f.Denom(), 1)).Int64()
}

// Shown reports whether a reader needs to see the factor: the last one says something only where
// measuring or the machine took part of the time.
func (p *Part) Shown() bool { return p.Key != "undisturbed" || p.String() != "1.00" }
