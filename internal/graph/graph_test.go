package graph

import (
	"math/rand/v2"
	"slices"
	"testing"

	"opari/internal/expensive"
)

// piece is a piece of a chain that is kept as it was.
type piece struct {
	number int
	Spent
}

// plain follows threads without merging anything.
type plain struct {
	chains [][]piece
	times  []int64
	pieces int
}

type plainPoint struct {
	chain []piece
	time  int64
}

func (p *plain) spend(thread int, place int32, now int64) {
	if now > p.times[thread] {
		p.pieces++
		p.chains[thread] = append(p.chains[thread],
			piece{p.pieces, Spent{place, int32(thread), now - p.times[thread]}})
		p.times[thread] = now
	}
}

func (p *plain) mark(thread int) plainPoint {
	return plainPoint{slices.Clone(p.chains[thread]), p.times[thread]}
}

func (p *plain) wait(thread int, now int64, on plainPoint, place int32) {
	if on.time > p.times[thread] {
		p.chains[thread], p.times[thread] = slices.Clone(on.chain), on.time
	}
	p.spend(thread, place, now)
}

func (p *plain) causes(thread int, on plainPoint) map[Spent]float64 {
	wait := float64(on.time - p.times[thread])
	own, other := p.chains[thread], on.chain
	for len(own) > 0 && len(other) > 0 && own[0].number == other[0].number {
		own, other = own[1:], other[1:]
	}
	excess, of := map[int32]float64{}, map[int32]float64{}
	for _, e := range other {
		excess[e.Place] += float64(e.Time)
		of[e.Place] += float64(e.Time)
	}
	for _, e := range own {
		excess[e.Place] -= float64(e.Time)
	}
	var more float64
	for _, time := range excess {
		more += max(0, time)
	}
	out := map[Spent]float64{}
	for _, e := range other {
		if x := excess[e.Place]; x > 0 {
			out[Spent{Place: e.Place, Thread: e.Thread}] += wait * x / more *
				float64(e.Time) / of[e.Place]
		}
	}
	return out
}

// TestPlain compares chains and causes of random runs with those of a replay that keeps every
// piece of every chain. Points are released at random.
func TestPlain(t *testing.T) {
	for seed := range expensive.Tries(uint64(300)) {
		random := rand.New(rand.NewPCG(seed, 2))
		threads := 1 + random.IntN(5)
		places := int32(1 + random.IntN(30)) // more than a vector without an index has
		g, p := New(threads, 100), &plain{
			chains: make([][]piece, threads), times: slices.Repeat([]int64{100}, threads),
		}
		var points []Point
		var plains []plainPoint
		now := int64(100)
		for range random.IntN(400) {
			now += random.Int64N(50)
			thread, place := random.IntN(threads), random.Int32N(places)
			switch n := random.IntN(10); {
			case n < 4 || len(points) == 0 && n > 6:
				g.Spend(thread, place, now)
				p.spend(thread, place, now)
			case n < 7:
				points = append(points, g.Mark(thread))
				plains = append(plains, p.mark(thread))
			case n < 8:
				i := random.IntN(len(points))
				g.Release(points[i])
				points = slices.Delete(points, i, i+1)
				plains = slices.Delete(plains, i, i+1)
			default:
				i := random.IntN(len(points))
				sameCauses(t, seed, g, p, thread, now, points[i], plains[i])
				g.Wait(thread, now, points[i], place)
				p.wait(thread, now, plains[i], place)
			}
			sameChain(t, seed, g, p, thread)
		}
		bounded(t, seed, g, len(points))
	}
}

func sameChain(t *testing.T, seed uint64, g *Graph, p *plain, thread int) {
	t.Helper()
	got, want := map[Spent]int64{}, map[Spent]int64{}
	var sum int64
	g.Chain(thread, func(e Spent) {
		sum += e.Time
		got[Spent{Place: e.Place, Thread: e.Thread}] += e.Time
	})
	for _, e := range p.chains[thread] {
		want[Spent{Place: e.Place, Thread: e.Thread}] += e.Time
	}
	if sum != p.times[thread]-100 {
		t.Fatalf("seed %d: a chain of %d ns after %d ns", seed, sum, p.times[thread]-100)
	}
	for k, time := range want {
		if got[k] != time {
			t.Fatalf("seed %d: %d ns at %v, want %d", seed, got[k], k, time)
		}
	}
}

func sameCauses(t *testing.T, seed uint64, g *Graph, p *plain, thread int, now int64, on Point,
	plain plainPoint,
) {
	t.Helper()
	got := map[Spent]int64{}
	var sum int64
	g.Causes(thread, now, on, func(e Spent) {
		sum += e.Time
		got[Spent{Place: e.Place, Thread: e.Thread}] += e.Time
	})
	if plain.time <= p.times[thread] {
		if sum != 0 {
			t.Fatalf("seed %d: causes of %d ns without a wait", seed, sum)
		}
		return
	}
	want := p.causes(thread, plain)
	if sum != plain.time-p.times[thread] {
		t.Fatalf("seed %d: causes of %d ns for a wait of %d", seed, sum, plain.time-p.times[thread])
	}
	for k, time := range want {
		if diff := float64(got[k]) - time; max(diff, -diff) > float64(len(want)+1) {
			t.Fatalf("seed %d: %d ns are blamed on %v, want %.1f", seed, got[k], k, time)
		}
	}
}

// bounded checks that there are not many more nodes than threads and points hold.
func bounded(t *testing.T, seed uint64, g *Graph, points int) {
	t.Helper()
	nodes := map[*node]bool{}
	for i := range g.threads {
		for n := g.threads[i].last; n != nil; n = n.prev {
			nodes[n] = true
		}
	}
	if limit := 2*(points+len(g.threads)) + 2; len(nodes) > limit {
		t.Fatalf("seed %d: %d nodes for %d threads and %d points", seed, len(nodes),
			len(g.threads), points)
	}
}

// TestExample checks the example of the package.
func TestExample(t *testing.T) {
	const loop, common, assemble, barrier = 1, 2, 3, 4
	g := New(2, 0)
	g.Spend(0, common, 300)
	g.Spend(0, assemble, 450)
	g.Spend(0, loop, 1000)
	g.Spend(1, common, 300)
	g.Spend(1, loop, 850)
	last := g.Mark(0)
	var got []Spent
	g.Causes(1, 1010, last, func(e Spent) { got = append(got, e) })
	if want := []Spent{{assemble, 0, 150}}; !slices.Equal(got, want) {
		t.Errorf("the wait is blamed on %v, want %v", got, want)
	}
	g.Wait(1, 1010, last, barrier)
	got = nil
	g.Chain(1, func(e Spent) { got = append(got, e) })
	want := []Spent{{barrier, 1, 10}, {common, 0, 300}, {assemble, 0, 150}, {loop, 0, 550}}
	if !slices.Equal(got, want) {
		t.Errorf("the chain is %v, want %v", got, want)
	}
}

// BenchmarkBarrier measures a meeting of four threads in each of which they do three things.
func BenchmarkBarrier(b *testing.B) {
	g := New(4, 0)
	now := int64(0)
	var last Point
	for b.Loop() {
		for thread := range 4 {
			for place := range int32(3) {
				now += 10
				g.Spend(thread, place, now)
			}
			g.Replace(&last, g.Mark(thread))
		}
		now += 5
		for thread := range 4 {
			g.Causes(thread, now, last, func(Spent) {})
			g.Wait(thread, now, last, 9)
		}
	}
}
