package analysis

import (
	"fmt"
	"strings"
)

// rank notes the rank of a process whose name says that it is a thread of a rank.
func (d *definitions) rank(process uint32, name string) {
	var rank, thread int
	if n, _ := fmt.Sscanf(name, "rank %d thread %d", &rank, &thread); n != 2 || rank < 0 ||
		rank > maxRank || !strings.HasPrefix(name, "rank ") {
		return
	}
	if d.rankOf == nil {
		d.rankOf, d.threadsOf = map[uint32]int{}, map[int][]uint32{}
	}
	d.rankOf[process] = rank
	d.threadsOf[rank] = append(d.threadsOf[rank], process)
}

// rankNumber returns the rank of a process, or -1 if it has none.
func (d *definitions) rankNumber(process uint32) int {
	if process < uint32(len(d.denseRanks)) {
		return int(d.denseRanks[process])
	}
	if rank, known := d.rankOf[process]; known {
		return rank
	}
	return -1
}

// numberRanks builds a table of ranks for processes with small numbers.
func (d *definitions) numberRanks() {
	for process := range d.rankOf {
		if int(process) < 4*len(d.rankOf) {
			for int(process) >= len(d.denseRanks) {
				d.denseRanks = append(d.denseRanks, -1)
			}
		}
	}
	for process, rank := range d.rankOf {
		if int(process) < len(d.denseRanks) {
			d.denseRanks[process] = int32(rank)
		}
	}
}

// maxRank is larger than any real rank. It bounds the rank that a process name can claim.
const maxRank = 1 << 27
