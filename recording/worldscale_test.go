package recording

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"opari/otf"
)

// generated writes the recordings of a ring of ranks, 16 on each node, that send to their right neighbours so many times. The clocks of nodes differ by
// up to 20 us and a message takes 1 us, so that many receives seem to come before their sends.
func generated(tb testing.TB, folder string, size, rounds int) {
	tb.Helper()
	const (
		perNode = 16
		round   = 10000 // ns
		origin  = 1 << 40
	)
	regions := `{"region":1,"name":"MPI_Sendrecv","sub_name":"","directive":"","file":"ring.c","begin":[7,7],"end":[0,0],"kind":"mpi"}` + "\n" +
		`{"region":2,"name":"for","sub_name":"","directive":"for","file":"ring.c","begin":[9,9],"end":[9,9],"kind":"for"}` + "\n"
	for rank := range size {
		node := rank / perNode * perNode
		skew := uint64(rank/perNode*7919%20000) + origin
		stem := filepath.Join(folder, fmt.Sprint(100000+rank))
		meta := make([]byte, metaBytes)
		end := skew + uint64(rounds+2)*round
		for i, v := range []uint64{magic, 1 << 22, 0, skew, skew, end, end, 0, 0, 1, 1} {
			binary.LittleEndian.PutUint64(meta[8*i:], v)
		}
		put(tb, stem+".meta", append(meta, regions...))
		put(tb, stem+".mpi", fmt.Appendf(nil, `{"world":"w","rank":%d,"size":%d,"host":"n%d","node":%d,"threads":0}
{"clock":"begin","ns":%d,"ahead":0,"error":20000}
{"communicator":1,"members":"0-%d","remote":"","times":0,"name":"MPI_COMM_WORLD"}
`, rank, size, node, node, skew, size-1))
		var words []uint64
		add := func(at uint64, w what, number int, leave bool) {
			words = append(words, at<<timeShift|uint64(number)<<opBits|operation(w, leave))
		}
		message := func(at uint64, w what, peer int) {
			words = append(words, (5<<peerBits|uint64(peer))<<opBits|operation(data, false), 800<<opBits|operation(data, false))
			add(at, w, 1, false)
		}
		add(skew, thread, 1, false)
		for i := range rounds {
			at := skew + uint64(i+1)*round
			add(at, work, 2, false)
			add(at+3000, work, 2, true)
			add(at+4000, region, 1, false)
			message(at+4000, sent, (rank+1)%size)
			message(at+5000, received, (rank+size-1)%size)
			add(at+5000, region, 1, true)
		}
		chunk := make([]byte, chunkBytes)
		if len(words) > chunkWords {
			tb.Fatalf("%d words", len(words))
		}
		for i, v := range []uint64{magic, 0, skew, 0, 0, uint64(len(words)), skew} {
			binary.LittleEndian.PutUint64(chunk[8*i:], v)
		}
		for i, v := range words {
			binary.LittleEndian.PutUint64(chunk[headerBytes+8*i:], v)
		}
		put(tb, stem+".0", chunk)
	}
}

// The trace of many ranks has all messages, none is received before it is sent, and it is the same whoever is first.
func TestManyRanks(t *testing.T) {
	const size, rounds = 100, 20
	var first map[string][]byte
	for _, processors := range []int{1, 4} {
		folder := t.TempDir()
		generated(t, folder, size, rounds)
		was := runtime.GOMAXPROCS(processors)
		traces, _, err := ConvertAll(folder, folder, nil)
		runtime.GOMAXPROCS(was)
		if err != nil || len(traces) != 1 || traces[0].Ranks != size || traces[0].Threads != size {
			t.Fatalf("%v %v", traces, err)
		}
		files := map[string][]byte{}
		list, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range list {
			if files[f.Name()], err = os.ReadFile(filepath.Join(folder, f.Name())); err != nil {
				t.Fatal(err)
			}
			if first != nil && !bytes.Equal(first[f.Name()], files[f.Name()]) {
				t.Errorf("%s is another one with %d processors", f.Name(), processors)
			}
		}
		if first = files; len(files) != size+2 {
			t.Errorf("%d files", len(files))
		}
		x := exchanged(t, filepath.Join(folder, "trace"), size)
		if x.early > 0 {
			t.Errorf("%d messages are received before they are sent", x.early)
		}
		want := map[end]int{}
		for r := range uint32(size) {
			want[end{r, (r + 1) % size, "MPI_COMM_WORLD", 5, 800}] = rounds
		}
		if d := differences(x.sent, want) + differences(x.received, want); d != "" {
			t.Error(d)
		}
	}
}

// BenchmarkRanks makes the trace of generated ranks: time and memory for an event. go test -run - -bench Ranks -benchtime 1x ./recording
func BenchmarkRanks(b *testing.B) {
	for _, size := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			var spent time.Duration
			var events, most uint64
			for range b.N {
				folder := b.TempDir()
				generated(b, folder, size, 100)
				done := make(chan struct{})
				peak := make(chan uint64)
				go func() {
					var m runtime.MemStats
					var high uint64
					for {
						select {
						case <-done:
							peak <- high
							return
						case <-time.After(20 * time.Millisecond):
							runtime.ReadMemStats(&m)
							high = max(high, m.HeapInuse)
						}
					}
				}()
				start := time.Now()
				traces, _, err := ConvertAll(folder, folder, nil)
				spent += time.Since(start)
				close(done)
				most = max(most, <-peak)
				if err != nil || len(traces) != 1 {
					b.Fatal(err)
				}
				events += traces[0].Events
				if _, err := otf.OpenReader(traces[0].Path, otf.NewFileManager(50)); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(spent.Nanoseconds())/float64(events), "ns/event")
			b.ReportMetric(float64(most)/1e6, "MB")
			b.ReportMetric(float64(events)/float64(b.N), "events")
		})
	}
}
