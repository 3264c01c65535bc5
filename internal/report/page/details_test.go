package page

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/expensive"
	"opari/internal/report/fixture"
)

// piece is an interval on a page: its path, its state, and its time since the start of the run.
type piece struct {
	path, state int
	from, to    int64
}

// detailsOf reads the details of a page, by thread.
func detailsOf(t *testing.T, page string, threads int) (*timelineJSON, [][]piece) {
	t.Helper()
	var data struct{ Timeline *timelineJSON }
	if err := json.Unmarshal([]byte(between(t, page, `id="data">`, "</script>")),
		&data); err != nil {
		t.Fatal(err)
	}
	tl := data.Timeline
	all := make([][]piece, threads)
	if tl.Details == nil {
		return tl, all
	}
	found := regexp.MustCompile(`id="block(\d+)">([^<]*)</script>`).FindAllStringSubmatch(page, -1)
	if len(found) != len(tl.Details.Blocks) {
		t.Fatalf("%d blocks, and %d are described", len(found), len(tl.Details.Blocks))
	}
	for i, f := range found {
		packed, err := base64.StdEncoding.DecodeString(f[2])
		if err != nil || f[1] != strconv.Itoa(i) {
			t.Fatal(f[1], err)
		}
		z, err := zlib.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(z)
		b := tl.Details.Blocks[i]
		if err != nil || len(raw) != b[5] {
			t.Fatalf("block %d: %d bytes, not %d: %v", i, len(raw), b[5], err)
		}
		r := bytes.NewReader(raw)
		next := func() int64 {
			v, err := binary.ReadUvarint(r)
			if err != nil {
				t.Fatal(err)
			}
			return int64(v)
		}
		spans := 0
		for range next() {
			thread, n := int(next()), int(next())
			from, err := binary.ReadVarint(r)
			if err != nil {
				t.Fatal(err)
			}
			if spans += n; thread < b[2] || thread > b[3] || from < int64(b[0]) {
				t.Errorf("block %d: thread %d from %d on is outside of %v", i, thread, from, b)
			}
			from += tl.Details.Base
			var keys []int64
			for range n {
				keys = append(keys, next())
			}
			for _, k := range keys {
				to := from + next()
				all[thread] = append(all[thread],
					piece{tl.Keys[k][0], tl.Keys[k][1], from, to})
				from = to
			}
			if from-tl.Details.Base > int64(b[1]) {
				t.Errorf("block %d ends at %d, and thread %d later: %v", i, from, thread, b)
			}
		}
		if spans != b[4] || r.Len() > 0 {
			t.Errorf("block %d: %d intervals, %d bytes are left, %v", i, spans, r.Len(), b)
		}
	}
	return tl, all
}

// random fills a timeline with intervals of random length, and returns them by thread. The threads
// are in groups, which arrive one after the other, as ranks do.
func random(r *analysis.Result, t *Timeline, groups, n int) [][]piece {
	random := rand.New(rand.NewPCG(7, 8))
	all := make([][]piece, len(r.Threads))
	now := make([]int64, len(r.Threads))
	each := len(r.Threads) / groups
	r.Wall = 0
	for thread := range now {
		now[thread] = int64(r.Start) + random.Int64N(1000)
		if thread == len(now)-1 {
			now[thread] = int64(r.Start) // the last one to arrive began first
		}
	}
	for k := range n * len(r.Threads) {
		thread := k / (n * each) * each
		thread += k % each
		q := r.Paths[1+random.IntN(4)]
		s := analysis.StateWork + analysis.State(random.IntN(3))
		to := now[thread] + 20 + random.Int64N(int64(20)<<random.IntN(8))
		t.Add(analysis.Interval{Thread: thread, Path: q, State: s, From: now[thread], To: to})
		one := piece{q.ID, int(s), now[thread] - int64(r.Start), to - int64(r.Start)}
		now[thread] = to
		r.Wall = max(r.Wall, one.to)
		list := &all[thread]
		if n := len(*list); n > 0 && (*list)[n-1].path == q.ID && (*list)[n-1].state == int(s) {
			(*list)[n-1].to = one.to
			continue
		}
		*list = append(*list, one)
	}
	return all
}

// neighbours joins adjacent intervals of one path and state, which the end of a block may divide.
func neighbours(list []piece) []piece {
	var out []piece
	for _, p := range list {
		if n := len(out); n > 0 && out[n-1].path == p.path && out[n-1].state == p.state &&
			out[n-1].to == p.from {
			out[n-1].to = p.to
		} else {
			out = append(out, p)
		}
	}
	return out
}

// TestDetailsWhole checks that the blocks have each interval, if there is room.
func TestDetailsWhole(t *testing.T) {
	for _, groups := range []int{1, 4} {
		r, _ := fixture.Heat()
		tl := NewTimeline(1024)
		tl.PageSize = 10e6
		want := random(r, tl, groups, 50_000)
		text := page(t, r, tl, nil)
		described, got := detailsOf(t, text, len(want))
		if described.Grain == 0 || described.Details == nil || described.Details.Grain != 0 ||
			len(described.Details.Blocks) < 4 {
			t.Fatalf("%d groups: %+v", groups, described)
		}
		for thread := range want {
			if !slices.Equal(neighbours(got[thread]), want[thread]) {
				t.Errorf("%d groups: thread %d has %d intervals, not %d, or others", groups,
					thread, len(got[thread]), len(want[thread]))
			}
		}
	}
}

// spentUntil returns the time of a state before some moment.
func spentUntil(list []piece, state int, moment int64) (sum int64) {
	for _, p := range list {
		if p.state == state && p.from < moment {
			sum += min(p.to, moment) - p.from
		}
	}
	return sum
}

// TestDetailsBound checks that a page is as small as it is to be, that what is left out makes the
// grain coarser, and that the time of each state is right up to any moment but for the grain.
func TestDetailsBound(t *testing.T) {
	r, _ := fixture.Heat()
	empty := len(page(t, r, nil, nil))
	rooms := []int{300e3, 1e6, 50e3, 5e3}
	for _, room := range rooms[:expensive.Tries(len(rooms))] {
		for _, groups := range []int{1, 4} {
			r, _ := fixture.Heat()
			tl := NewTimeline(1 << 14)
			tl.PageSize = int64(empty + room)
			want := random(r, tl, groups, 200_000)
			text := page(t, r, tl, nil)
			described, got := detailsOf(t, text, len(want))
			if len(text) > empty+room {
				t.Errorf("%d groups: %d bytes of %d", groups, len(text), empty+room)
			}
			d := described.Details
			switch {
			case d == nil:
				t.Fatalf("%d groups, %d bytes: no details", groups, room)
			case len(d.Blocks) == 0 && room > 5e3, d.Grain == 0, room > 5e3 && d.Grain >
				described.Grain:
				t.Errorf("%d groups, %d bytes: %d blocks, grain %d of %d", groups, room,
					len(d.Blocks), d.Grain, described.Grain)
			case room >= 300e3 && len(text) < empty+room/3:
				t.Errorf("%d groups: only %d bytes of %d", groups, len(text)-empty, room)
			}
			if len(d.Blocks) == 0 {
				continue
			}
			for thread := range want {
				for part := int64(1); part <= 16; part++ {
					moment := r.Wall * part / 16
					for s := analysis.StateWork; s <= analysis.StateFork; s++ {
						has := spentUntil(got[thread], int(s), moment)
						is := spentUntil(want[thread], int(s), moment)
						if max(has-is, is-has) > 2*d.Grain {
							t.Errorf("%d groups, %d bytes, thread %d: %d ns of %v before %d, not "+
								"%d; grain %d", groups, room, thread, has, s, moment, is, d.Grain)
						}
					}
				}
			}
		}
	}
}

// TestDetailsNone checks that a page has no details where the timeline has each interval, and that
// it says so if it is larger than it is to be.
func TestDetailsNone(t *testing.T) {
	r, _ := fixture.Heat()
	tl := heatTimeline(r, 100, TimelineLimit)
	tl.PageSize = 10e6
	text := page(t, r, tl, nil)
	if described, _ := detailsOf(t, text, 0); described.Details != nil || described.Grain != 0 ||
		strings.Contains(text, "larger than --page-size") {
		t.Errorf("%+v", described)
	}
	tl = heatTimeline(r, 100, TimelineLimit)
	tl.PageSize = 1000
	text = page(t, r, tl, nil)
	described, _ := detailsOf(t, text, 0)
	if described.Grain == 0 || len(described.Details.Blocks) > 0 ||
		!strings.Contains(text, "larger than --page-size") {
		t.Errorf("a page of 1000 bytes: %+v", described.Details)
	}
}

// TestDetailsMemory checks that most of the details are not in memory while they are gathered.
func TestDetailsMemory(t *testing.T) {
	r, _ := fixture.Heat()
	tl := NewTimeline(1 << 12)
	tl.PageSize = 3e6
	used := func() int64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := used()
	draw := rand.New(rand.NewPCG(1, 2))
	var now [4]int64
	for k := range 4_000_000 {
		thread := k % 4
		to := now[thread] + 1 + draw.Int64N(1000)
		tl.Add(analysis.Interval{
			Thread: thread, Path: r.Paths[1+draw.IntN(4)], State: analysis.StateWork,
			From: now[thread], To: to,
		})
		now[thread] = to
	}
	if grown := used() - before; grown > 16<<20 {
		t.Errorf("%d MB of memory for 4 million intervals", grown>>20)
	}
	if tl.details.grain == 0 || tl.details.size > 3*tl.PageSize {
		t.Errorf("grain %d, %d bytes are stored", tl.details.grain, tl.details.size)
	}
	r.Wall = now[0]
	if text := page(t, r, tl, nil); len(text) > 3e6 {
		t.Errorf("a page of %d bytes", len(text))
	}
}

// TestDetailsNoFile checks that a page without room for temporary files has a note, and all but the
// details.
func TestDetailsNoFile(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "nowhere"))
	r, _ := fixture.Heat()
	tl := NewTimeline(1 << 12)
	tl.PageSize = 20e6
	random(r, tl, 1, 800_000)
	text := page(t, r, tl, nil)
	if described, _ := detailsOf(t, text, 0); described.Details != nil || described.Kept < 100 ||
		!strings.Contains(text, "narrow views of the timeline have no details: ") {
		t.Errorf("%d intervals, details %v", described.Kept, described.Details)
	}
}
