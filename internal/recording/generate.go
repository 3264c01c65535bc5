package recording

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Ring is a generated MPI program. In each round a rank executes a loop for 3 us, then sends to
// its right neighbour and receives from its left one. That makes six events of the trace and ten
// words of the recording. The clocks of nodes differ by up to 20 us and a message takes 1 us, so
// many receives seem to come before their sends.
type Ring struct{ Ranks, Rounds, PerNode int }

const (
	ringRound  = 10000 // ns
	ringOrigin = 1 << 40
	ringPID    = 1 << 22 // of rank 0; no process has such a number
	ringTag    = 5
	ringBytes  = 800
)

// Record writes the recordings that the library would write for the program. It serves benchmarks
// and tests of many ranks.
func (g Ring) Record(folder string) error {
	for rank := range g.Ranks {
		if err := g.process(folder, rank); err != nil {
			return err
		}
	}
	return nil
}

func (g Ring) process(folder string, rank int) error {
	const regions = `{"region":1,"name":"MPI_Sendrecv","sub_name":"","directive":"","file":"ring.c","begin":[7,7],"end":[0,0],"kind":"mpi"}` + "\n" +
		`{"region":2,"name":"for","sub_name":"","directive":"for","file":"ring.c","begin":[9,9],"end":[9,9],"kind":"for"}` + "\n"
	node := rank / g.PerNode * g.PerNode
	skew := uint64(rank/g.PerNode*7919%20000) + ringOrigin
	stem := filepath.Join(folder, fmt.Sprint(100000+rank))
	meta := make([]byte, metaBytes)
	end := skew + uint64(g.Rounds+2)*ringRound
	for i, v := range []uint64{magic, uint64(ringPID + rank), 0, skew, skew, end, end, 0, 0, 1, 1} {
		binary.LittleEndian.PutUint64(meta[8*i:], v)
	}
	membership := fmt.Sprintf(`{"world":"w","rank":%d,"size":%d,"host":"n%d","node":%d,"threads":0}
{"clock":"begin","ns":%d,"ahead":0,"error":20000}
{"communicator":1,"members":"0-%d","remote":"","times":0,"name":"MPI_COMM_WORLD"}
`, rank, g.Ranks, node, node, skew, g.Ranks-1)
	return errors.Join(
		os.WriteFile(stem+".meta", append(meta, regions...), 0o666),
		os.WriteFile(stem+".mpi", []byte(membership), 0o666),
		os.WriteFile(stem+".0", g.thread(rank, skew), 0o666),
	)
}

// thread returns the file of a rank's only thread. The first chunk in it is the newest.
func (g Ring) thread(rank int, skew uint64) []byte {
	words := []uint64{
		uint64(ringPID+rank)<<opBits | operation(data, false), // of the thread, too
		skew<<timeShift | 1<<opBits | operation(thread, false),
	}
	add := func(at uint64, w what, number int, leave bool) {
		words = append(words, at<<timeShift|uint64(number)<<opBits|operation(w, leave))
	}
	message := func(at uint64, w what, peer int) {
		words = append(words, (ringTag<<peerBits|uint64(peer))<<opBits|operation(data, false),
			ringBytes<<opBits|operation(data, false))
		add(at, w, 1, false)
	}
	for i := range g.Rounds {
		at := skew + uint64(i+1)*ringRound
		add(at, work, 2, false)
		add(at+3000, work, 2, true)
		add(at+4000, region, 1, false)
		message(at+4000, sent, (rank+1)%g.Ranks)
		message(at+5000, received, (rank+g.Ranks-1)%g.Ranks)
		add(at+5000, region, 1, true)
	}
	chunks := (len(words) + chunkWords - 1) / chunkWords
	file := make([]byte, chunks*chunkBytes)
	for sequence := range chunks {
		some := words[sequence*chunkWords : min((sequence+1)*chunkWords, len(words))]
		chunk := file[(sequence+1)%chunks*chunkBytes:]
		for i, v := range []uint64{magic, uint64(sequence), skew, 0, 0, uint64(len(some)), skew} {
			binary.LittleEndian.PutUint64(chunk[8*i:], v)
		}
		for i, v := range some {
			binary.LittleEndian.PutUint64(chunk[headerBytes+8*i:], v)
		}
	}
	return file
}

// operation returns the low bits of a record.
func operation(w what, leave bool) uint64 {
	op := uint64(w) << 1
	if leave {
		op |= 1
	}
	return op
}
