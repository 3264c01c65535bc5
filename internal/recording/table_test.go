package recording

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// manyDefinitions writes the recordings of ranks that have each met the same regions once, with
// or without a table of these.
func manyDefinitions(tb testing.TB, folder string, size, regions int, agreed bool) {
	tb.Helper()
	var rows, common strings.Builder
	var words []uint64
	for i := 1; i <= regions; i++ {
		text := fmt.Sprintf(
			`"name":"for","sub_name":"","directive":"for schedule(static)","file":"a/rather/long/name/of/a/folder/file%d.c","begin":[%d,%d],"end":[%d,%d]`, i%20, i, i, i+9, i+9)
		fmt.Fprintf(&rows, `{"region":%d,%s,"outer":0,"kind":"for","num_sections":0,"facts":0}`+
			"\n", i, text)
		fmt.Fprintf(&common, `{"region":%d,%s,"kind":"for","num_sections":0,"facts":0}`+
			"\n", i, text)
		words = append(words, uint64(10*i)<<timeShift|uint64(i)<<opBits|operation(work, false),
			uint64(10*i+5)<<timeShift|uint64(i)<<opBits|operation(work, true))
	}
	fmt.Fprintf(&common,
		`{"communicator":1,"members":"0-%d","remote":"","times":0,"name":"MPI_COMM_WORLD"}
{"table":"00c0ffee00c0ffee","regions":%d,"communicators":1}
`, size-1, regions)
	chunk := make([]byte, chunkBytes)
	for i, v := range []uint64{magic, 0, 1, 0, 0, uint64(len(words)), 1} {
		binary.LittleEndian.PutUint64(chunk[8*i:], v)
	}
	for i, v := range words {
		binary.LittleEndian.PutUint64(chunk[headerBytes+8*i:], v)
	}
	for rank := range size {
		stem := filepath.Join(folder, fmt.Sprint(100000+rank))
		meta := make([]byte, metaBytes)
		for i, v := range []uint64{magic, 1 << 22, 0, 1, 1, 100000, 100000, 0, 0, 1, 1} {
			binary.LittleEndian.PutUint64(meta[8*i:], v)
		}
		put(tb, stem+".meta", append(meta, rows.String()...))
		lines := fmt.Sprintf(
			`{"world":"w","rank":%d,"size":%d,"recorded":%d,"host":"n","node":0,"threads":0}
{"communicator":1,"members":"0-%d","remote":"","times":0,"name":"MPI_COMM_WORLD"}
`, rank, size, size, size-1)
		if agreed {
			lines += fmt.Sprintf(
				`{"table":"100000","hash":"00c0ffee00c0ffee","rows":%d,"regions":"1-%d","communicators":"1"}`+"\n", rows.Len(), regions)
		}
		put(tb, stem+".mpi", []byte(lines))
		put(tb, stem+".0", chunk)
	}
	if agreed {
		put(tb, filepath.Join(folder, "100000.table"), []byte(common.String()))
	}
}

// BenchmarkDefinitions makes the trace of ranks with many definitions and few events, with and
// without common numbers. Run it with: go test -run - -bench Definitions -benchtime 1x -count 3
// ./recording
func BenchmarkDefinitions(b *testing.B) {
	for _, agreed := range []bool{false, true} {
		b.Run(map[bool]string{false: "each", true: "table"}[agreed], func(b *testing.B) {
			var read, convert time.Duration
			for range b.N {
				folder := b.TempDir()
				manyDefinitions(b, folder, 1000, 500, agreed)
				start := time.Now()
				processes, _, err := Read(folder)
				if err != nil {
					b.Fatal(err)
				}
				if all := processes[0].mpi.rows > 0; all != agreed {
					b.Fatal("common numbers: ", all)
				}
				read += time.Since(start)
				start = time.Now()
				if _, err := recordings(processes)[0].convert(filepath.Join(folder, "trace"),
					nil); err != nil {
					b.Fatal(err)
				}
				convert += time.Since(start)
			}
			b.ReportMetric(float64(read.Milliseconds())/float64(b.N), "ms/read")
			b.ReportMetric(float64(convert.Milliseconds())/float64(b.N), "ms/convert")
		})
	}
}
