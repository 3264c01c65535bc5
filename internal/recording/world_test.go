package recording

import (
	"cmp"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRanks(t *testing.T) {
	for text, want := range map[string][]int{
		"": nil, "0-3": {0, 1, 2, 3}, "5": {5}, "0-3,8,12-20:4": {0, 1, 2, 3, 8, 12, 16, 20},
		"-1,2": {-1, 2}, "7-99": {-1}, "x": {-1},
	} {
		if got := ranks(text, 32); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// The clocks of two nodes drift apart: times are those of rank 0's clock.
func TestClocks(t *testing.T) {
	const second = uint64(1e9)
	near := &Process{
		mpi: &membership{Rank: 0, Size: 2, Node: 0}, tsc: true,
		start: reading{1000, 50 * second}, end: reading{1000 + 30*second, 60 * second},
	}
	// Its clock is 7 s behind at 2 s and 7.001 s at 10 s; ticks are ns.
	far := &Process{
		mpi:   &membership{Rank: 1, Size: 2, Node: 1},
		start: reading{44 * second, 44 * second}, end: reading{54 * second, 54 * second},
	}
	near.mpi.clocks = []clockOffset{{NS: 51e9}, {NS: 59e9}}
	far.mpi.clocks = []clockOffset{{NS: 45e9, Ahead: 7e9}, {NS: 53e9, Ahead: 7001e6}}
	w := &world{size: 2, processes: []*Process{near, far}}
	all := w.clocks()
	for _, c := range []struct {
		p     *Process
		ticks uint64
		want  float64 // ns since the first process began: rank 0, at 50 s
	}{
		{near, 1000, 0},
		{near, 1000 + 3*second, 1e9},
		{near, 1000 + 30*second, 10e9},
		{far, 45 * second, 2e9},
		{far, 53 * second, 10.001e9},
		{far, 49 * second, 6.0005e9},
		{far, 54 * second, 11.001125e9},
	} {
		k := all[c.p]
		if got := float64(k.ns(c.ticks)); math.Abs(got-c.want) > 2000 {
			t.Errorf("rank %d at %d: %v ns, want %v", c.p.mpi.Rank, c.ticks, got, c.want)
		}
	}
}

// moves runs ranks with these crossings, in the order of time. It returns the earliest times of
// the moved receives, by rank and index.
func moves(t *testing.T, ranks [][]crossing) map[[2]int]uint64 {
	t.Helper()
	moved := map[[2]int]uint64{}
	f := floors{moved: func(rank int, c *crossing, at uint64) error {
		moved[[2]int{rank, int(c.index)}] = at
		return nil
	}}
	for _, list := range ranks {
		f.ranks = append(f.ranks, &rankFlow{next: func() (*crossing, error) {
			if len(list) == 0 {
				return nil, nil
			}
			c := &list[0]
			list = list[1:]
			return c, nil
		}})
	}
	if err := f.run(); err != nil {
		t.Fatal(err)
	}
	return moved
}

// No receive precedes its send, a late event makes others late, and lost messages stop nothing.
func TestFloors(t *testing.T) {
	got := moves(t, [][]crossing{
		{{time: 100, peer: 1}, {time: 130, peer: 1}, {time: 140, peer: 1, receive: true, index: 1}},
		{
			{time: 90, peer: 0, receive: true, index: 1},
			{time: 95, peer: 0},
			{time: 135, peer: 0, receive: true, index: 2},
		},
		{{time: 50, peer: 5, receive: true, index: 1}, {time: 60, peer: 3}},
		{{time: 55, peer: 2, receive: true, index: 1}},
	})
	if want := (map[[2]int]uint64{{1, 1}: 101, {3, 1}: 61}); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	// The answer to a late message is late, too.
	got = moves(t, [][]crossing{
		{{time: 200, peer: 1}, {time: 150 + 51, peer: 1, receive: true, index: 1}},
		{{time: 100, peer: 0, receive: true, index: 1}, {time: 110, peer: 0}},
	})
	if want := (map[[2]int]uint64{{1, 1}: 201, {0, 1}: 202}); !maps.Equal(got, want) {
		t.Errorf("a chain: %v, want %v", got, want)
	}
}

// With random messages and clocks, and some messages lost, times equal those of a simple replay.
// The replay searches from the beginning each time for an event that can go on.
func TestFloorsRandom(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		ranks := make([][]crossing, 2+random.IntN(6))
		skew := make([]uint64, len(ranks))
		receives := make([]uint32, len(ranks))
		for i := range skew {
			skew[i] = 1000 + uint64(random.IntN(2000))
		}
		for now := uint64(0); now < 100_000; now += uint64(random.IntN(500)) {
			from, to := random.IntN(len(ranks)), random.IntN(len(ranks))
			c := crossing{tag: uint64(random.IntN(3)), time: now + skew[from], peer: uint32(to)}
			if random.IntN(50) > 0 {
				ranks[from] = append(ranks[from], c)
			}
			receives[to]++
			c.time, c.peer, c.receive, c.index = now+uint64(random.IntN(100))+
				skew[to], uint32(from), true, receives[to]
			if random.IntN(50) > 0 {
				ranks[to] = append(ranks[to], c)
			}
		}
		for _, list := range ranks {
			slices.SortStableFunc(list,
				func(a, b crossing) int { return cmp.Compare(a.time, b.time) })
		}
		got := moves(t, ranks)
		if want := plainMoves(ranks); !maps.Equal(got, want) {
			t.Errorf("seed %d: %d are moved, want %d", seed, len(got), len(want))
		}
	}
}

func plainMoves(ranks [][]crossing) map[[2]int]uint64 {
	moved, sends := map[[2]int]uint64{}, map[channel][]uint64{}
	next, now := make([]int, len(ranks)), make([]uint64, len(ranks))
	step := func(i int, lost bool) bool {
		if next[i] == len(ranks[i]) {
			return false
		}
		e := ranks[i][next[i]]
		at := max(e.time, now[i])
		if c := (channel{e.tag, e.group, uint32(i), e.peer}); !e.receive {
			sends[c] = append(sends[c], at)
		} else if c.from, c.to = c.to, c.from; len(sends[c]) > 0 {
			if sends[c][0] >= at {
				at = sends[c][0] + 1
				moved[[2]int{i, int(e.index)}] = at
			}
			sends[c] = sends[c][1:]
		} else if !lost {
			return false
		}
		now[i] = at
		next[i]++
		return true
	}
	for {
		progress := false
		for i := range ranks {
			for step(i, false) {
				progress = true
			}
		}
		for i := 0; i < len(ranks) && !progress; i++ {
			progress = step(i, true)
		}
		if !progress {
			return moved
		}
	}
}
