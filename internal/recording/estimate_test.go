package recording

import (
	"os"
	"path/filepath"
	"testing"

	"opari/internal/report/profile"
	"opari/internal/sampling"
)

// Samples do not take more than was estimated, nor far less.
func TestEstimateSamples(t *testing.T) {
	for _, counters := range [][]string{nil, {"cycles"}, {"cycles", "instructions"}} {
		size := func(o Options) int64 {
			folder := t.TempDir()
			var h handmade
			h.write(t, folder, chunkOf(0, 1000, append(numbered(77, 0), word(100, 1, work, false),
				1e9<<opBits|operation(pause, true), word(0, 1, work, true))...))
			recovered(t, folder, o)
			is, err := os.Stat(filepath.Join(folder, "trace.1.events"))
			if err != nil {
				t.Fatal(err)
			}
			return is.Size()
		}
		r := &sampling.Record{Rate: 1000, Counters: counters}
		th := sampling.Thread{PID: 1, TID: 77}
		for i := range uint64(1000) {
			th.Samples = append(th.Samples, sampling.Sample{
				Time: 1500 + i*1e6, Stack: -1, Access: sampling.Access{Address: 0x7f0012345678},
				Values: []uint64{i * 3e6, i * 5e6}[:len(counters)],
			})
		}
		r.Threads = []sampling.Thread{th}
		got := size(Options{Kernel: r}) - size(Options{})
		e := Predict(&profile.Profile{Wall: 1e9, Threads: 1}, &Filter{},
			Sampling{Rate: 1000, Counters: len(counters)})
		if e.Samples != 1000 {
			t.Errorf("%d samples", e.Samples)
		}
		if ratio := float64(got) / float64(e.SampleBytes); ratio > 1 || ratio < 0.7 {
			t.Errorf("%v: %d bytes, estimated %d", counters, got, e.SampleBytes)
		}
	}
}
