package graph

import (
	"math/rand/v2"
	"testing"

	"opari/internal/expensive"
)

// halved is a change that halves the time at every second place.
var halved = &Change{Scale: func(_ int, place int32) float64 {
	return 1 / float64(1+place%2)
}}

// TestChanged compares what a random run would be with a replay of the times alone, and with its
// chains. With a change that changes nothing it is what it was.
func TestChanged(t *testing.T) {
	type point struct {
		Point
		real, time int64
	}
	for seed := range expensive.Tries(uint64(300)) {
		random := rand.New(rand.NewPCG(seed, 4))
		threads := 1 + random.IntN(5)
		change := &Change{}
		if seed%2 == 0 {
			change = halved
		}
		g := New(threads, 100)
		g.Change(change)
		real, time := make([]int64, threads), make([]int64, threads)
		for i := range threads {
			real[i], time[i] = 100, 100
		}
		var points []point
		now := int64(100)
		for range random.IntN(400) {
			now += 2 * random.Int64N(25)
			thread, place := random.IntN(threads), random.Int32N(9)
			switch n := random.IntN(10); {
			case n < 4 || len(points) == 0 && n > 6:
				g.Spend(thread, place, now)
				spent := now - real[thread]
				if change == halved && place%2 == 1 {
					spent /= 2
				}
				real[thread], time[thread] = now, time[thread]+spent
			case n < 7:
				points = append(points, point{g.Mark(thread), real[thread], time[thread]})
			default:
				on := points[random.IntN(len(points))]
				if n == 7 {
					g.Skip(thread, now)
					real[thread] = now
					break
				}
				g.Wait(thread, now, on.Point, place)
				time[thread] = max(time[thread], on.time)
				real[thread] = max(real[thread], on.real)
				real[thread], time[thread] = now, time[thread]+now-real[thread]
			}
			var sum int64
			g.Chain(thread, func(e Spent) { sum += e.Time })
			if got := g.Elapsed(thread); got != time[thread] || got != sum+100 {
				t.Fatalf("seed %d: thread %d would be at %d, want %d; its chain is %d long", seed,
					thread, got, time[thread], sum)
			}
		}
		bounded(t, seed, g, len(points))
	}
}

// TestSame checks that a change that changes nothing leaves random runs of one and of several
// processes as they were.
func TestSame(t *testing.T) {
	for seed := range expensive.Tries(uint64(200)) {
		w := newWorld(seed, 1+int(seed%4))
		w.change(&Change{Scale: func(int, int32) float64 { return 1 }})
		w.play(120, true)
		if r := w.joined(t, 0); r.Latest != w.now {
			t.Fatalf("seed %d: the run ends at %d, and at %d if nothing changes", seed, w.now,
				r.Latest)
		}
		for p := range w.parts {
			if got := w.whole.Elapsed(2 * p); got != w.now {
				t.Fatalf("seed %d: process %d ends at %d, want %d", seed, p, got, w.now)
			}
		}
	}
}

// TestChangedJoin compares what random runs of several processes would be with what they would be
// in one graph of all threads. Threads of one process do not wait for each other.
func TestChangedJoin(t *testing.T) {
	for seed := range expensive.Tries(uint64(200)) {
		w := newWorld(seed, 1+int(seed%4))
		w.change(halved)
		w.play(120, false)
		r := w.joined(t, 0)
		var want int64
		for p := range w.parts {
			want = max(want, w.whole.Elapsed(2*p))
		}
		if r.Latest != want {
			t.Fatalf("seed %d: the run would end at %d, want %d", seed, r.Latest, want)
		}
	}
}

// TestBalanced lets three threads meet whose loops take different times, and one of which does
// something else before it.
func TestBalanced(t *testing.T) {
	const loop, other, barrier = 1, 2, 3
	// The loop takes 600, 200 and 600 ns, and threads 0 and 1 have 100 ns more. If thread 2 has
	// other work for 600 ns after it, the others can take all of the loop that they need.
	for _, c := range []struct {
		degree float64
		after  int64
		want   int64
	}{
		{1, 0, (1400 + 200) / 3},
		{0.5, 0, 616},
		{0, 0, 700},
		{1, 600, (1400 + 200 + 600) / 3},
		{1, 1100, 1100},
		{0, 1100, 1700},
	} {
		g := New(3, 0)
		g.Change(&Change{
			Balance: func(place int32) bool { return place == loop }, Degree: c.degree,
		})
		g.Spend(0, loop, 100)
		g.Spend(1, other, 100)
		g.Spend(1, loop, 300)
		g.Spend(2, loop, 600)
		g.Spend(2, other, 600+c.after)
		g.Spend(0, other, 200)
		g.Spend(0, loop, 700)
		var m Gathering
		g.Gather(&m, 1)
		g.Gather(&m, 2)
		g.Gather(&m, 0)
		point := g.Gathered(&m)
		for thread := range 3 {
			g.GoOn(thread, point.Time()+10, point, barrier)
			var sum int64
			g.Chain(thread, func(e Spent) { sum += e.Time })
			if got := g.Elapsed(thread); got != c.want+10 || sum != got {
				t.Errorf("degree %v: thread %d would have met the others at %d, want %d; its "+
					"chain is %d long", c.degree, thread, got-10, c.want, sum)
			}
		}
		g.Release(point)
	}
}
