package efficiency

import (
	"math/big"
	"strings"
)

// Part is a factor with its name.
type Part struct {
	Key   string // in files
	Name  string // for people
	What  string // is meant by it, in a few words
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

// Part returns the factor of a key as that of a hybrid program. It is 1 if the run does not have
// it.
func (e *Efficiency) Part(key string) Part {
	for _, p := range e.all() {
		if p.Key == key {
			return p
		}
	}
	return Part{}
}

// Find returns the factor of a key, whether the run has it or it is 1.
func (e *Efficiency) Find(key string) Factor { return e.Part(key).Factor }

// all returns the factors of a hybrid program.
func (e *Efficiency) all() []Part {
	m, o := &e.MPI, &e.OpenMP
	parallel := m.Parallel.times(o.Serialisation)
	balanced := parallel.times(o.LoadBalance)
	computing := balanced.times(o.Scheduling)
	return []Part{
		{
			"parallel-efficiency", "efficiency",
			"the part of the processor time in which threads did the program's own work",
			0, e.Parallel, One(),
		},
		{
			"mpi", "MPI", "the part of the processor time in which threads were outside of MPI",
			1, m.Parallel, One(),
		},
		{
			"mpi-load-balance", "load balance", "time of ranks outside of MPI: mean over largest",
			2, m.LoadBalance, m.Communication,
		},
		{
			"mpi-communication", "communication",
			"largest time of a rank outside of MPI, of the runtime",
			2, m.Communication, One(),
		},
		{
			"mpi-serialisation", "serialisation", "what ranks do not lose to waiting for others",
			3, m.Serialisation, m.Transfer,
		},
		{"mpi-transfer", "transfer", "what is not lost to the network", 3, m.Transfer, One()},
		{
			"openmp", "OpenMP",
			"the part of the time outside of MPI in which threads did the program's own work",
			1, o.Parallel, m.Parallel,
		},
		{
			"openmp-load-balance", "load balance", "what is not lost to uneven work of threads",
			2, o.LoadBalance, parallel,
		},
		{
			"openmp-serialisation", "serialisation",
			"what is not lost to serial code, exclusion and waiting for tasks",
			2, o.Serialisation, m.Parallel,
		},
		{
			"openmp-scheduling", "scheduling", "what is not lost to the runtime's own work",
			2, o.Scheduling, balanced,
		},
		{
			"undisturbed", "undisturbed", "what is not lost to measuring, or to being off the CPU",
			2, o.Undisturbed, computing,
		},
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
