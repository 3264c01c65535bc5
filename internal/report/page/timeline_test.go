package page

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"opari/internal/analysis"
	"opari/internal/report/fixture"
)

// unpack decodes the output of pack: keys and durations by thread.
func unpack(t *testing.T, p *timelineJSON) (out [][2][]uint64) {
	t.Helper()
	packed, err := base64.StdEncoding.DecodeString(p.Data)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(z)
	if err != nil || len(raw) != p.Raw {
		t.Fatalf("%d bytes, not %d: %v", len(raw), p.Raw, err)
	}
	for _, n := range p.Counts {
		var lane [2][]uint64
		for c := range lane {
			for range n {
				v, size := binary.Uvarint(raw)
				if size <= 0 {
					t.Fatal("the stream ends early")
				}
				raw = raw[size:]
				lane[c] = append(lane[c], v)
			}
		}
		out = append(out, lane)
	}
	if len(raw) > 0 {
		t.Fatalf("%d bytes are left", len(raw))
	}
	return out
}

// TestTimelinePack checks that intervals survive packing. A gap becomes time in which the
// thread is absent.
func TestTimelinePack(t *testing.T) {
	r, paths := fixture.Heat()
	tl := NewTimeline(TimelineLimit)
	start := int64(r.Start)
	tl.Add(analysis.Interval{
		Thread: 1, Path: paths[3], State: analysis.StateWork, From: start + 10,
		To: start + 20,
	})
	tl.Add(analysis.Interval{
		Thread: 1, Path: paths[3], State: analysis.StateBarrier,
		From: start + 30, To: start + 300_000,
	})
	tl.Add(analysis.Interval{
		Thread: 1, Path: paths[3], State: analysis.StateBarrier,
		From: start + 300_000, To: start + 300_001,
	})
	tl.Add(analysis.Interval{
		Thread: 1, Path: paths[4], State: analysis.StateMutex,
		From: start + 300_001, To: start + 300_001,
	})
	tl.Add(analysis.Interval{
		Thread: 1, Path: paths[4], State: analysis.StateWork,
		From: start + 300_001, To: start + 300_003,
	})
	p, err := tl.pack(start)
	if err != nil {
		t.Fatal(err)
	}
	if p.Kept != 4 || p.Grain != 0 || p.Counts[0] != 0 || p.Counts[1] != 4 || p.Starts[1] != 10 {
		t.Fatalf("%+v", p)
	}
	lane := unpack(t, p)[1]
	want := []struct {
		path  int
		state analysis.State
		time  uint64
	}{{3, analysis.StateWork, 10}, {-1, analysis.StateAbsent, 10}, {
		3, analysis.StateBarrier,
		299_971,
	}, {4, analysis.StateWork, 2}}
	for i, w := range want {
		key := p.Keys[lane[0][i]]
		if key[0] != w.path || key[1] != int(w.state) || lane[1][i] != w.time {
			t.Errorf("%d: path %d, state %d, %d ns; not %+v", i, key[0], key[1], lane[1][i], w)
		}
	}
}

// TestTimelineBound checks that a timeline keeps at most its limit and loses no time. Each
// state keeps its time, everywhere in the run.
func TestTimelineBound(t *testing.T) {
	const limit = 4096
	r, _ := fixture.Heat()
	tl := NewTimeline(limit)
	start := int64(r.Start)
	const threads, each = 4, 50_000
	kept := 0
	now := start
	for k := range int64(each) {
		for i := range threads {
			q, s := r.Paths[3], analysis.StateWork
			if k%2 == 1 {
				q, s = r.Paths[4], analysis.StateMutex
			}
			from := now
			tl.Add(analysis.Interval{
				Thread: i, Path: q, State: s, From: from,
				To: from + 30 - 20*(k%2),
			})
			kept = max(kept, tl.Kept())
		}
		now += 30 - 20*(k%2)
	}
	p, err := tl.pack(start)
	if err != nil {
		t.Fatal(err)
	}
	if kept > limit || p.Kept > limit || p.Grain == 0 || p.Read != threads*each {
		t.Fatalf("%d kept, %d at last, grain %d, %d read", kept, p.Kept, p.Grain, p.Read)
	}
	if p.Kept < limit/64 {
		t.Errorf("only %d of %d are kept", p.Kept, limit)
	}
	for i, lane := range unpack(t, p) {
		var sum, work uint64
		checked := 0
		for k, time := range lane[1] {
			sum += time
			if p.Keys[lane[0][k]][1] == int(analysis.StateWork) {
				work += time
			}
			if sum < 100*uint64(p.Grain) {
				continue
			}
			if share := float64(work) / float64(sum); share < 0.74 || share > 0.76 {
				// Threads work three quarters of the time, up to every moment.
				t.Fatalf("thread %d: %.3f work in the first %d ns", i, share, sum)
			}
			checked++
		}
		if sum != uint64(now-start) || work != each/2*30 || checked < 100 {
			t.Errorf("thread %d: %d ns of %d, %d of work, %d moments", i, sum, now-start,
				work, checked)
		}
	}
}

// TestTimelineLong checks that an interval longer than the grain keeps its ends.
func TestTimelineLong(t *testing.T) {
	r, _ := fixture.Heat()
	tl := NewTimeline(1024)
	start := int64(r.Start)
	now := start
	add := func(q *analysis.Path, s analysis.State, time int64) {
		tl.Add(analysis.Interval{Path: q, State: s, From: now, To: now + time})
		now += time
	}
	for range 20_000 {
		add(r.Paths[3], analysis.StateWork, 3)
		add(r.Paths[4], analysis.StateMutex, 2)
	}
	from := now
	add(r.Paths[3], analysis.StateBarrier, 123_456)
	for range 20_000 {
		add(r.Paths[3], analysis.StateWork, 3)
		add(r.Paths[4], analysis.StateMutex, 2)
	}
	p, err := tl.pack(start)
	if err != nil {
		t.Fatal(err)
	}
	lane := unpack(t, p)[0]
	at := uint64(0)
	for k, time := range lane[1] {
		if p.Keys[lane[0][k]][1] == int(analysis.StateBarrier) {
			if at != uint64(from-start) || time != 123_456 {
				t.Errorf("from %d for %d ns; not from %d", at, time, from-start)
			}
			return
		}
		at += time
	}
	t.Error("the barrier is gone")
}

// BenchmarkTimeline measures the cost of an interval, including the merging of twenty times as
// many as the timeline keeps, without details and with them.
func BenchmarkTimeline(b *testing.B) {
	for _, size := range []int64{0, PageSize} {
		b.Run(fmt.Sprint(size), func(b *testing.B) { benchmarkTimeline(b, size) })
	}
}

func benchmarkTimeline(b *testing.B, size int64) {
	r, _ := fixture.Heat()
	tl := NewTimeline(TimelineLimit)
	tl.PageSize = size
	random := rand.New(rand.NewPCG(1, 2))
	var now [16]int64
	b.ReportAllocs()
	for k := range b.N {
		i, time := k%16, int64(100)<<random.IntN(10)
		tl.Add(analysis.Interval{
			Thread: i, Path: r.Paths[k/16%5],
			State: analysis.State(1 + k/16%7), From: now[i], To: now[i] + time,
		})
		now[i] += time
	}
	b.ReportMetric(float64(tl.Kept()), "kept")
}
