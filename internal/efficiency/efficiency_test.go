package efficiency

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"opari/internal/analysis"
	"opari/internal/expensive"
	"opari/internal/omp"
)

// TestClasses checks that each property with times of its own has a class, and that others have
// none.
func TestClasses(t *testing.T) {
	g := &analysis.Region{Kind: omp.KindParallel}
	for p := range analysis.NumProperties {
		c := ClassOf(p, g)
		if p.Leaf() != (c != Unclassed) {
			t.Errorf("%s: class %d", p, c)
		}
		if (c == Useful || c == LeftOut) && p.Loss() {
			t.Errorf("%s is a loss, and its class is %d", p, c)
		}
		if p.Of(analysis.MPI) && p.Leaf() && c != InMPI {
			t.Errorf("%s is not in MPI", p)
		}
	}
	if ClassOf(analysis.Polling, &analysis.Region{Kind: omp.KindMPI}) != InMPI {
		t.Error("MPI_Test is not in MPI")
	}
}

// job returns a result of ranks with so many threads each.
func job(wall int64, threads ...int) *analysis.Result {
	var all []analysis.Thread
	for rank, n := range threads {
		for range n {
			all = append(all, analysis.Thread{Process: fmt.Sprintf("rank %d", rank)})
		}
	}
	return analysis.New("p", wall, all)
}

// hybrid is a job of two ranks with two threads for 1000 ns, which begin and end together.
//
//	rank 0: 100 in MPI_Init; 100 serial, 500 parallel, of which thread 1 waits 100; 200 in MPI
//	rank 1: 100 in MPI_Init; 100 serial, 300 parallel, all work; 500 in MPI
func hybrid() *analysis.Result {
	r := job(1000, 2, 2)
	root := r.Paths[0]
	begin := r.Child(root, &analysis.Region{Kind: omp.KindMPI, Name: "MPI_Init"})
	team := r.Child(root, &analysis.Region{Kind: omp.KindParallel, Name: "parallel"})
	reduce := r.Child(root, &analysis.Region{Kind: omp.KindMPI, Name: "MPI_Allreduce"})
	for i := range r.Threads {
		begin.Add(analysis.SetupMPI, i, 100)
		if i%2 == 0 {
			root.Add(analysis.Work, i, 200)
		} else {
			root.Add(analysis.IdleSerial, i, 200)
		}
		team.Visits[i].Count = 1
		if i == 1 {
			team.Add(analysis.ImbalanceParallel, i, 100)
			team.Add(analysis.Work, i, 400)
		} else {
			team.Add(analysis.Work, i, []int64{500, 0, 300, 300}[i])
		}
		reduce.Add([]analysis.Property{analysis.MPICall, analysis.IdleMPI}[i%2], i,
			[]int64{200, 200, 400, 400}[i])
	}
	return r
}

// TestHybrid compares the factors of a hybrid job with the published formulas, worked out by hand.
// Without MPI_Init the runtime is 900. Outside of MPI are 700 and 500 of it, 600 on average.
// Useful are 200 + 500 + 400 and 200 + 300 + 300 of 4 * 900.
func TestHybrid(t *testing.T) {
	r := hybrid()
	r.IdealWall = 900 // of 1000: 800 without MPI_Init
	e := Of(r)
	for key, want := range map[string]*big.Rat{
		"parallel-efficiency":  big.NewRat(1900, 3600),
		"mpi":                  big.NewRat(600, 900),
		"mpi-load-balance":     big.NewRat(600, 700),
		"mpi-communication":    big.NewRat(700, 900),
		"mpi-serialisation":    big.NewRat(700, 800),
		"mpi-transfer":         big.NewRat(800, 900),
		"openmp":               big.NewRat(1900, 2400),
		"openmp-serialisation": big.NewRat(2000, 2400),
		"openmp-load-balance":  big.NewRat(1900, 2000),
		"openmp-scheduling":    big.NewRat(1, 1),
		"undisturbed":          big.NewRat(1, 1),
	} {
		found := false
		for _, p := range e.Parts() {
			if p.Key != key {
				continue
			}
			found = true
			if p.Cmp(want) != 0 {
				t.Errorf("%s is %s, want %s", key, p.RatString(), want.RatString())
			}
		}
		if !found {
			t.Errorf("no factor %s", key)
		}
	}
	if len(e.Regions) != 1 || e.Regions[0].Parallel.Cmp(big.NewRat(1500, 1600)) != 0 {
		t.Errorf("regions: %+v", e.Regions)
	}
}

// TestIdealNetwork checks how the time on an ideal network divides what communication has lost:
// not at all if it is unknown or that of another part of the run, and within its bounds.
func TestIdealNetwork(t *testing.T) {
	for _, c := range []struct {
		ideal                   int64
		serialisation, transfer *big.Rat
	}{
		{0, nil, nil},
		{1000, big.NewRat(7, 9), big.NewRat(1, 1)},
		{950, big.NewRat(700, 850), big.NewRat(850, 900)},
		{800, big.NewRat(1, 1), big.NewRat(7, 9)},
		{1, big.NewRat(1, 1), big.NewRat(7, 9)},    // less than a rank was outside of MPI
		{2000, big.NewRat(7, 9), big.NewRat(1, 1)}, // more than the run took
	} {
		r := hybrid()
		r.IdealWall = c.ideal
		m := Of(r).MPI
		if (c.transfer != nil) != m.Transfer.Known() ||
			m.Serialisation.Known() != m.Transfer.Known() {
			t.Errorf("%d: %v, %v", c.ideal, m.Serialisation, m.Transfer)
		} else if c.transfer != nil &&
			(m.Serialisation.Cmp(c.serialisation) != 0 || m.Transfer.Cmp(c.transfer) != 0) {
			t.Errorf("%d: %s, %s", c.ideal, m.Serialisation.RatString(), m.Transfer.RatString())
		}
	}
	r := hybrid()
	r.IdealWall = 900
	if err := r.Within("parallel"); err != nil {
		t.Fatal(err)
	}
	if Of(r).MPI.Transfer.Known() {
		t.Error("the ideal time of the run divides what a region has lost")
	}
}

// TestProcesses checks a job whose ranks have different lifetimes and numbers of threads: a rank
// counts by its own time.
func TestProcesses(t *testing.T) {
	r := job(1000, 1, 3)
	root := r.Paths[0]
	root.Add(analysis.Absent, 0, 600)
	root.Add(analysis.Work, 0, 100)
	root.Add(analysis.LateSender, 0, 300)
	for i := 1; i < 4; i++ {
		root.Add(analysis.Work, i, 900)
		root.Add(analysis.MPICall, i, 100)
	}
	e := Of(r)
	if e.Parallel.Cmp(big.NewRat(2800, 3400)) != 0 ||
		e.MPI.Communication.Cmp(big.NewRat(9, 10)) != 0 ||
		e.MPI.LoadBalance.Cmp(big.NewRat(28000, 34*900)) != 0 {
		t.Errorf("%s, %s, %s", e.Parallel.RatString(), e.MPI.Communication.RatString(),
			e.MPI.LoadBalance.RatString())
	}
}

// random returns a result with random times at random properties, of which some are none at all.
func random(seed uint64) *analysis.Result {
	rnd := rand.New(rand.NewPCG(seed, 26))
	threads := make([]int, 1+rnd.IntN(4))
	for i := range threads {
		threads[i] = 1 + rnd.IntN(3)
	}
	r := job(1_000_000, threads...)
	paths := []*analysis.Path{r.Paths[0]}
	for range rnd.IntN(6) {
		kind := []omp.Kind{omp.KindParallel, omp.KindFor, omp.KindMPI}[rnd.IntN(3)]
		q := r.Child(paths[rnd.IntN(len(paths))], &analysis.Region{Kind: kind, Line: rnd.IntN(3)})
		q.Visits[0].Count = 1
		paths = append(paths, q)
	}
	kinds := 1 + rnd.IntN(int(analysis.NumProperties))
	for range rnd.IntN(40) {
		p := analysis.Property(rnd.IntN(kinds))
		if p.Leaf() {
			paths[rnd.IntN(len(paths))].Add(p, rnd.IntN(len(r.Threads)), rnd.Int64N(1<<40))
		}
	}
	if rnd.IntN(2) == 0 {
		r.IdealWall = rnd.Int64N(2_000_000)
	}
	return r
}

// TestIdentities checks random results: the times of classes are all of the time, each factor is
// exactly the product of its own, and all are from 0 to 1.
func TestIdentities(t *testing.T) {
	divided := 0
	for seed := range expensive.Tries(uint64(20_000)) {
		r := random(seed)
		run := Of(r)
		if want := r.Sum(analysis.Time, -1) - r.Sum(analysis.StartEnd, -1); run.Reserved != want {
			t.Fatalf("seed %d: classes of %d ns, the run has %d", seed, run.Reserved, want)
		}
		for i, e := range append(run.Regions, run.Efficiency) {
			if err := identities(&e); err != nil {
				t.Fatalf("seed %d, efficiency %d: %v", seed, i, err)
			}
			if e.MPI.Transfer.Known() && e.MPI.Transfer.Cmp(One().Rat) < 0 {
				divided++
			}
		}
	}
	if divided == 0 {
		t.Error("no run had a transfer efficiency below 1")
	}
}

func identities(e *Efficiency) error {
	if sum := e.Useful + e.InMPI + e.Serialised + e.Imbalance + e.Scheduling +
		e.Disturbed; sum != e.Reserved {
		return fmt.Errorf("classes of %d ns, not %d", sum, e.Reserved)
	}
	product := func(what string, is Factor, of ...Factor) error {
		all := One()
		for _, f := range of {
			if f.Sign() < 0 || f.Cmp(One().Rat) > 0 {
				return fmt.Errorf("a factor of %s is %s", what, f.RatString())
			}
			all = all.times(f)
		}
		if is.Cmp(all.Rat) != 0 {
			return fmt.Errorf("%s is %s, its factors are %s", what, is.RatString(), all.RatString())
		}
		return nil
	}
	m, o := e.MPI, e.OpenMP
	if m.Transfer.Known() {
		err := product("communication", m.Communication, m.Serialisation, m.Transfer)
		if err != nil {
			return err
		}
	}
	for _, p := range e.Parts() {
		whole, lost := e.Times(&p)
		if whole < 0 || whole > e.Reserved || lost < 0 || lost > whole {
			return fmt.Errorf("%s: %d of %d ns lost, of %d", p.Key, lost, whole, e.Reserved)
		}
	}
	for _, err := range []error{
		product("MPI", m.Parallel, m.LoadBalance, m.Communication),
		product("OpenMP", o.Parallel, o.Serialisation, o.LoadBalance, o.Scheduling, o.Undisturbed),
		product("parallel", e.Parallel, m.Parallel, o.Parallel),
	} {
		if err != nil {
			return err
		}
	}
	if !e.HasMPI() && m.Parallel.Cmp(One().Rat) != 0 ||
		!e.HasOpenMP() && o.Parallel.Cmp(o.Undisturbed.Rat) != 0 {
		return fmt.Errorf("a factor that is not shown is not 1")
	}
	return nil
}
