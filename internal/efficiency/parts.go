package efficiency

import (
	"math/big"
	"strings"
)

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
	mpi, openmp := e.HasMPI(), e.HasOpenMP()
	var parts []Part
	for _, p := range e.all() {
		switch {
		case !p.Known():
		case !mpi && strings.HasPrefix(p.Key, "mpi"):
		case !openmp && strings.HasPrefix(p.Key, "openmp"):
		case !mpi && p.Key == "openmp": // it is the efficiency
		default:
			if p.Depth > 1 && !(mpi && openmp) && !strings.HasPrefix(p.Key, "mpi") {
				p.Depth = 1
			}
			parts = append(parts, p)
		}
	}
	return parts
}

// Find returns the factor of a key, whether the run has it or it is 1.
func (e *Efficiency) Find(key string) Factor {
	for _, p := range e.all() {
		if p.Key == key {
			return p.Factor
		}
	}
	return Factor{}
}

// all returns the factors of a hybrid program.
func (e *Efficiency) all() []Part {
	m, o := &e.MPI, &e.OpenMP
	parallel := m.Parallel.times(o.Serialisation)
	balanced := parallel.times(o.LoadBalance)
	computing := balanced.times(o.Scheduling)
	return []Part{
		{"parallel-efficiency", "efficiency", 0, e.Parallel, One()},
		{"mpi", "MPI", 1, m.Parallel, One()},
		{"mpi-load-balance", "load balance", 2, m.LoadBalance, m.Communication},
		{"mpi-communication", "communication", 2, m.Communication, One()},
		{"mpi-serialisation", "serialisation", 3, m.Serialisation, m.Transfer},
		{"mpi-transfer", "transfer", 3, m.Transfer, One()},
		{"openmp", "OpenMP", 1, o.Parallel, m.Parallel},
		{"openmp-load-balance", "load balance", 2, o.LoadBalance, parallel},
		{"openmp-serialisation", "serialisation", 2, o.Serialisation, m.Parallel},
		{"openmp-scheduling", "scheduling", 2, o.Scheduling, balanced},
		{"undisturbed", "undisturbed", 2, o.Undisturbed, computing},
	}
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
