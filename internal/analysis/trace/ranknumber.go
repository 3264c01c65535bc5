package trace

import (
	"fmt"
	"strings"
)

// rank notes the rank of a process whose name says that it is a thread of a rank.
func (d *Definitions) rank(process uint32, name string) {
	var rank, thread int
	if n, _ := fmt.Sscanf(name, "rank %d thread %d", &rank, &thread); n != 2 || rank < 0 ||
		rank > maxRank || !strings.HasPrefix(name, "rank ") {
		return
	}
	if d.RankOf == nil {
		d.RankOf, d.ThreadsOf = map[uint32]int{}, map[int][]uint32{}
	}
	d.RankOf[process] = rank
	d.ThreadsOf[rank] = append(d.ThreadsOf[rank], process)
}

// RankNumber returns the rank of a process, or -1 if it has none.
func (d *Definitions) RankNumber(process uint32) int {
	if process < uint32(len(d.denseRanks)) {
		return int(d.denseRanks[process])
	}
	if rank, known := d.RankOf[process]; known {
		return rank
	}
	return -1
}

// NumberRanks builds a table of ranks for processes with small numbers.
func (d *Definitions) NumberRanks() {
	for process := range d.RankOf {
		if int(process) < 4*len(d.RankOf) {
			for int(process) >= len(d.denseRanks) {
				d.denseRanks = append(d.denseRanks, -1)
			}
		}
	}
	for process, rank := range d.RankOf {
		if int(process) < len(d.denseRanks) {
			d.denseRanks[process] = int32(rank)
		}
	}
}

// maxRank is larger than any real rank. It bounds the rank that a process name can claim.
const maxRank = 1 << 27

// OfRank returns what the trace of a rank alone would define, and the numbers of its threads in the
// trace of all ranks.
func (d *Definitions) OfRank(rank int) (own *Definitions, numbers []int) {
	one := *d
	one.Threads, one.ByProcess = nil, map[uint32]int{}
	for _, process := range d.ThreadsOf[rank] {
		one.ByProcess[process] = len(one.Threads)
		one.Threads = append(one.Threads, d.Threads[d.ByProcess[process]])
		numbers = append(numbers, d.ByProcess[process])
	}
	return &one, numbers
}
