package otf2

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"opari/internal/expensive"
)

func allRecords(*RecordKind) bool { return true }

// TestSameBytes writes random traces with our writer and with the C library. All files must be
// equal.
func TestSameBytes(t *testing.T) {
	for seed := range expensive.Tries(uint64(30)) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		records := randomTrace(rnd, 1+rnd.IntN(4), 600, 1+rnd.Uint64N(1<<rnd.IntN(40)), allRecords)
		theirs, ours := t.TempDir(), t.TempDir()
		writeTheirs(t, theirs, smallestChunk, records)
		writeOurs(t, ours, smallestChunk, records)
		sameFiles(t, ours, theirs)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestSameChunks does the same with files of several chunks, whose ends are met in all ways.
func TestSameChunks(t *testing.T) {
	for seed := range expensive.Tries(uint64(12)) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		of := [][]RecordType{
			{EnterRecord, LeaveRecord, MetricRecord},
			{GroupRecord, StringRecord, RegionRecord, MappingTableRecord},
		}[seed%2]
		records := randomTrace(rnd, 1, 60000, 3, func(k *RecordKind) bool {
			return slices.Contains(of, k.Type)
		})
		if seed%2 == 1 { // records that are longer than what is in memory at a time
			long, many := record(StringRecord.Info(), Undefined, 0), record(GroupRecord.Info(),
				Undefined, 0)
			long.Texts[0] = strings.Repeat("long ", 30000)
			for i := range uint64(30000) {
				many.Lists[0] = append(many.Lists[0], 1<<16+i)
			}
			records = slices.Insert(records, len(records)/2, long, many, long)
			location := record(LocationRecord.Info(), Undefined, 0)
			location.Values[3] = 1
			records = slices.Insert(records, 0, record(EnterRecord.Info(), 0, 1), location)
		}
		records = slices.Insert(records, 0, record(StringRecord.Info(), 0, 0))
		theirs, ours := t.TempDir(), t.TempDir()
		writeTheirs(t, theirs, smallestChunk, records)
		writeOurs(t, ours, smallestChunk, records)
		sameFiles(t, ours, theirs)
		path := filepath.Join(ours, "t.otf2")
		sameLines(t, dumpOurs(t, path), run(t, "", oracle(t, "dump"), path))
		if err := Check(path, func(p Problem) {
			if strings.Contains(p.What, "its head says") {
				t.Error(p.Error.Error())
			}
		}, nil); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}
