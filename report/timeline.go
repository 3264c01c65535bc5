package report

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"slices"

	"opari/analysis"
)

// TimelineLimit is the number of intervals that a page shows at most.
const TimelineLimit = 1 << 20

// Timeline gathers what the threads of a run did, in bounded memory. What is too much is summed up: of a thread, the intervals that lie in
// one cell of Grain ns become one, which shows the path and state that most of the time was spent with. Grain doubles until there is room.
type Timeline struct {
	Grain int64  // ns; 0 while each interval is kept
	Read  uint64 // intervals that were added

	limit   int
	kept    int
	start   int64
	keys    []timelineKey
	numbers map[timelineKey]uint32
	threads []*lane
}

// timelineKey is what a thread does in an interval.
type timelineKey struct {
	path  *analysis.Path
	state analysis.State
}

// lane is a thread: each interval ends where the next one begins, the last one at end.
type lane struct {
	spans []span
	end   int64
}

// span is an interval from a time on. Most is the part of it, in ns, that was spent as key says: all where nothing was summed up.
type span struct {
	from, most int64
	key        uint32
}

// NewTimeline is an empty timeline that keeps at most limit intervals of a thread and all others together.
func NewTimeline(limit int) *Timeline {
	return &Timeline{limit: max(limit, 1024), numbers: map[timelineKey]uint32{}}
}

// Add adds an interval: those of a thread come in the order of time. It is what analysis.Options.Interval asks for.
func (t *Timeline) Add(i analysis.Interval) {
	t.Read++
	if i.To <= i.From {
		return
	}
	for len(t.threads) <= i.Thread {
		t.threads = append(t.threads, &lane{})
	}
	l := t.threads[i.Thread]
	if len(l.spans) == 0 {
		l.end = i.From
		if t.kept == 0 || i.From < t.start {
			t.start = i.From
		}
	}
	if i.From > l.end {
		t.append(l, timelineKey{}, l.end, i.From)
	}
	t.append(l, timelineKey{i.Path, i.State}, max(i.From, l.end), i.To)
	for t.kept > t.limit {
		t.coarsen()
	}
}

func (t *Timeline) append(l *lane, key timelineKey, from, to int64) {
	if to <= from {
		return
	}
	number, known := t.numbers[key]
	if !known {
		number = uint32(len(t.keys))
		t.numbers[key] = number
		t.keys = append(t.keys, key)
	}
	l.end = to
	if n := len(l.spans); n > 0 && l.spans[n-1].key == number {
		l.spans[n-1].most += to - from
		return
	}
	l.spans = append(l.spans, span{from, to - from, number})
	t.kept++
}

// coarsen doubles the grain, or begins with one of which half of the limit is left, and sums up.
func (t *Timeline) coarsen() {
	if t.Grain == 0 {
		var total int64
		for _, l := range t.threads {
			total += l.end - t.start
		}
		t.Grain = 1
		for t.Grain < total/int64(t.limit)/8 {
			t.Grain *= 2
		}
	} else {
		t.Grain *= 2
	}
	t.kept = 0
	for _, l := range t.threads {
		l.sum(t.start, t.Grain)
		t.kept += len(l.spans)
	}
}

// sum makes one interval of those that lie in one cell. One that reaches over a cell's end stays.
func (l *lane) sum(start, grain int64) {
	out := l.spans[:0]
	var parts []span // of the cell, by key
	for i := 0; i < len(l.spans); {
		cell := (l.spans[i].from - start) / grain
		end := start + (cell+1)*grain
		from := l.spans[i].from
		parts = parts[:0]
		first := i
		for ; i < len(l.spans) && l.to(i) <= end; i++ {
			s := l.spans[i]
			at := slices.IndexFunc(parts, func(p span) bool { return p.key == s.key })
			if at < 0 {
				parts = append(parts, s)
			} else {
				parts[at].most += s.most
			}
		}
		if i == first {
			out = join(out, l.spans[i])
			i++
			continue
		}
		best := parts[0]
		for _, p := range parts[1:] {
			if p.most > best.most {
				best = p
			}
		}
		best.from = from
		out = join(out, best)
	}
	l.spans = out
}

// join appends an interval; one as the last is part of it.
func join(spans []span, s span) []span {
	if n := len(spans); n > 0 && spans[n-1].key == s.key {
		spans[n-1].most += s.most
		return spans
	}
	return append(spans, s)
}

func (l *lane) to(i int) int64 {
	if i+1 < len(l.spans) {
		return l.spans[i+1].from
	}
	return l.end
}

// Kept is the number of intervals that a page shows.
func (t *Timeline) Kept() int { return t.kept }

// timelineJSON is what the page is told of the timeline beside the packed intervals.
type timelineJSON struct {
	Read   uint64   `json:"read"`
	Kept   int      `json:"kept"`
	Grain  int64    `json:"grain"`
	Keys   [][2]int `json:"keys"`   // number of the path, or -1, and state
	Counts []int    `json:"counts"` // intervals by thread
	Starts []int64  `json:"starts"` // of the first interval, by thread, from the begin of the run
	Raw    int      `json:"raw"`    // bytes that Data inflates to
	States []string `json:"states"`
	Data   string   `json:"-"`
}

// pack renders the intervals: base64 of a zlib stream of unsigned varints, thread by thread three columns: the keys, the durations, and, where
// intervals were summed up, the share of the key in percent.
func (t *Timeline) pack(start int64) (*timelineJSON, error) {
	if t.Grain > 0 { // the last ones are as coarse as the first
		t.kept = 0
		for _, l := range t.threads {
			l.sum(t.start, t.Grain)
			t.kept += len(l.spans)
		}
	}
	out := &timelineJSON{Read: t.Read, Kept: t.kept, Grain: t.Grain}
	for s := range analysis.NumStates {
		out.States = append(out.States, s.String())
	}
	for _, k := range t.keys {
		id := -1
		if k.path != nil {
			id = k.path.ID
		}
		out.Keys = append(out.Keys, [2]int{id, int(k.state)})
	}
	var raw []byte
	for _, l := range t.threads {
		first := start
		if len(l.spans) > 0 {
			first = l.spans[0].from
		}
		out.Counts = append(out.Counts, len(l.spans))
		out.Starts = append(out.Starts, first-start)
		for _, s := range l.spans {
			raw = binary.AppendUvarint(raw, uint64(s.key))
		}
		for i, s := range l.spans {
			raw = binary.AppendUvarint(raw, uint64(l.to(i)-s.from))
		}
		if t.Grain > 0 {
			for i, s := range l.spans {
				raw = binary.AppendUvarint(raw, uint64(100*float64(s.most)/float64(l.to(i)-s.from)+0.5))
			}
		}
	}
	out.Raw = len(raw)
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	if _, err := z.Write(raw); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	out.Data = base64.StdEncoding.EncodeToString(b.Bytes())
	return out, nil
}
