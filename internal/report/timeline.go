package report

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"slices"

	"opari/internal/analysis"
)

// TimelineLimit is the number of intervals that a page shows at most.
const TimelineLimit = 1 << 20

// Timeline gathers what the threads of a run did, in bounded memory. What is too much is summed up:
// of a thread, the intervals of one path and state that lie in one cell of Grain ns become one, in
// the order in which they first appear. So every cell has the right times, and only what alternates
// within one is not seen. Grain doubles until there is room.
type Timeline struct {
	Grain int64  // ns; 0 while each interval is kept
	Read  uint64 // intervals that were added

	limit   int
	kept    int
	start   int64
	keys    []timelineKey
	numbers []uint32 // by path and state: one more than the place in keys
	threads []*lane

	messages messages
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

// span is an interval from a time on.
type span struct {
	from int64
	key  uint32
}

// NewTimeline is an empty timeline that keeps at most limit intervals of a thread and all others
// together.
func NewTimeline(limit int) *Timeline {
	return &Timeline{limit: max(limit, 1024)}
}

// Add adds an interval: those of a thread come in the order of time. It is what
// analysis.Options.Interval asks for.
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
	if t.kept > t.limit {
		t.coarsen()
	}
}

func (t *Timeline) append(l *lane, key timelineKey, from, to int64) {
	if to <= from {
		return
	}
	number := t.number(key)
	l.end = to
	if n := len(l.spans); n > 0 && l.spans[n-1].key == number {
		return
	}
	l.spans = append(l.spans, span{from, number})
	t.kept++
}

// number is the place of a key in keys.
func (t *Timeline) number(key timelineKey) uint32 {
	at := int(key.state)
	if key.path != nil {
		at += (key.path.ID + 1) * int(analysis.NumStates)
	}
	for at >= len(t.numbers) {
		t.numbers = append(t.numbers, 0)
	}
	if t.numbers[at] == 0 {
		t.keys = append(t.keys, key)
		t.numbers[at] = uint32(len(t.keys))
	}
	return t.numbers[at] - 1
}

// coarsen sums up, with the grain as it is where that is enough: what was added since the last time
// was not yet. A quarter of the limit is to be free afterwards, so that it is not done too often. A
// grain as long as the run ends it: then each thread has an interval of each kind.
func (t *Timeline) coarsen() {
	var longest, total int64
	for _, l := range t.threads {
		longest = max(longest, l.end-t.start)
		total += l.end - t.start
	}
	if t.Grain == 0 {
		t.Grain = 1
		for t.Grain < total/int64(t.limit)/8 {
			t.Grain *= 2
		}
	}
	for t.sum(); t.kept > t.limit/4*3 && t.Grain < longest; t.sum() {
		t.Grain *= 2
	}
}

// sum sums up all threads.
func (t *Timeline) sum() {
	t.kept = 0
	for _, l := range t.threads {
		l.sum(t.start, t.Grain)
		t.kept += len(l.spans)
	}
}

// sum makes those that lie in one cell and have one key one. One that reaches over a cell's end
// stays.
func (l *lane) sum(start, grain int64) {
	type part struct {
		key  uint32
		time int64
	}
	out := l.spans[:0] // never longer than what was read
	var parts []part
	for i := 0; i < len(l.spans); {
		from := l.spans[i].from
		end := start + ((from-start)/grain+1)*grain
		parts = parts[:0]
		for ; i < len(l.spans) && l.to(i) <= end; i++ {
			key, time := l.spans[i].key, l.to(i)-l.spans[i].from
			if at := slices.IndexFunc(parts, func(p part) bool { return p.key == key }); at >= 0 {
				parts[at].time += time
			} else {
				parts = append(parts, part{key, time})
			}
		}
		if len(parts) == 0 {
			parts = append(parts, part{l.spans[i].key, l.to(i) - from})
			i++
		}
		for _, p := range parts {
			if n := len(out); n == 0 || out[n-1].key != p.key {
				out = append(out, span{from, p.key})
			}
			from += p.time
		}
	}
	l.spans = out
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

	Messages *messagesJSON `json:"messages,omitempty"`
	Data     string        `json:"-"`
}

// pack renders the intervals: base64 of a zlib stream of unsigned varints, thread by thread two
// columns: the keys and the durations; behind all threads the messages.
func (t *Timeline) pack(start int64) (*timelineJSON, error) {
	if t.Grain > 0 { // the last ones are as coarse as the first
		t.sum()
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
	}
	raw, out.Messages = t.messages.pack(raw, start)
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
