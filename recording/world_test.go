package recording

import (
	"math"
	"slices"
	"testing"
)

func TestRanks(t *testing.T) {
	for text, want := range map[string][]int{
		"": nil, "0-3": {0, 1, 2, 3}, "5": {5}, "0-3,8,12-20:4": {0, 1, 2, 3, 8, 12, 16, 20}, "-1,2": {-1, 2}, "7-99": {-1}, "x": {-1},
	} {
		if got := ranks(text, 32); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// Two nodes whose clocks run apart: times are what rank 0's clock would have said.
func TestClocks(t *testing.T) {
	const second = uint64(1e9)
	near := &Process{mpi: &membership{Rank: 0, Size: 2, Node: 0}, tsc: true, start: reading{1000, 50 * second}, end: reading{1000 + 30*second, 60 * second}}
	// Its clock is 7 s behind at 2 s and 7.001 s at 10 s; ticks are ns.
	far := &Process{mpi: &membership{Rank: 1, Size: 2, Node: 1}, start: reading{44 * second, 44 * second}, end: reading{54 * second, 54 * second}}
	near.mpi.clocks = []clockOffset{{NS: 51e9}, {NS: 59e9}}
	far.mpi.clocks = []clockOffset{{NS: 45e9, Ahead: 7e9}, {NS: 53e9, Ahead: 7001e6}}
	w := &world{size: 2, processes: []*Process{near, far}}
	all := w.clocks()
	for _, c := range []struct {
		p     *Process
		ticks uint64
		want  float64 // ns since the first began: rank 0, at 50 s
	}{
		{near, 1000, 0},
		{near, 1000 + 3*second, 1e9},
		{near, 1000 + 30*second, 10e9},
		{far, 45 * second, 2e9},
		{far, 53 * second, 10.001e9},
		{far, 49 * second, 6.0005e9},
		{far, 54 * second, 11.001125e9},
	} {
		if got := float64(all[c.p].ns(c.ticks)); math.Abs(got-c.want) > 2000 {
			t.Errorf("rank %d at %d: %v ns, want %v", c.p.mpi.Rank, c.ticks, got, c.want)
		}
	}
}

// No receive comes before its send, what is late makes other things late, and what was lost stops nothing.
func TestFloors(t *testing.T) {
	there, back := channel{from: 0, to: 1}, channel{from: 1, to: 0}
	moved := floors([][]crossing{
		{{time: 100, channel: there}, {time: 130, channel: there}, {time: 140, channel: back, receive: true, index: 1}},
		{{time: 90, channel: there, receive: true, index: 1}, {time: 95, channel: back}, {time: 135, channel: there, receive: true, index: 2}},
		{{time: 50, channel: channel{from: 5, to: 2}, receive: true, index: 1}, {time: 60, channel: channel{from: 2, to: 3}}},
		{{time: 55, channel: channel{from: 2, to: 3}, receive: true, index: 1}},
	})
	for i, want := range []map[[2]int]uint64{nil, {{0, 1}: 101}, nil, {{0, 1}: 61}} {
		if len(moved[i]) != len(want) || moved[i][[2]int{0, 1}] != want[[2]int{0, 1}] {
			t.Errorf("rank %d: %v, want %v", i, moved[i], want)
		}
	}
	// A chain: the answer to a late message is late, too.
	moved = floors([][]crossing{
		{{time: 200, channel: there}, {time: 150 + 51, channel: back, receive: true, index: 1}},
		{{time: 100, channel: there, receive: true, index: 1}, {time: 110, channel: back}},
	})
	if moved[1][[2]int{0, 1}] != 201 || moved[0][[2]int{0, 1}] != 202 {
		t.Errorf("a chain: %v", moved)
	}
}
