package page

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"slices"

	"opari/internal/analysis"
)

// TimelineLimit is the largest number of intervals of a timeline as a whole.
const TimelineLimit = 1 << 20

// PageSize is the usual bound of a page in bytes.
const PageSize = 32_000_000

// Timeline gathers the intervals of a run's threads in bounded memory. If there are too many,
// it merges those of one thread, path and state within one cell of Grain ns. The merged
// intervals keep the order of their first appearance. So the times of every cell are exact, and
// only alternations within a cell disappear. Grain doubles until there is room.
type Timeline struct {
	Grain int64  // ns; 0 while Timeline keeps each interval
	Read  uint64 // number of intervals added
	// PageSize is the bound of the page in bytes. If there are too many intervals, what room there
	// is takes the details of narrow views. With 0 there is no bound, and no details.
	PageSize int64

	limit   int
	kept    int
	start   int64
	keys    []timelineKey
	numbers []uint32 // by path and state: index in keys plus one; 0: none yet
	threads []*lane

	details  *details // nil while spans has each interval
	messages messages
}

// timelineKey is what a thread does in an interval.
type timelineKey struct {
	path  *analysis.Path
	state analysis.State
}

// lane holds the intervals of a thread. Each ends where the next begins, and the last at end.
type lane struct {
	spans []span
	end   int64
}

// span is an interval that begins at from.
type span struct {
	from int64
	key  uint32
}

// NewTimeline returns an empty timeline that keeps at most limit intervals, over all threads
// together.
func NewTimeline(limit int) *Timeline {
	return &Timeline{limit: max(limit, 1024)}
}

// Add adds an interval. The intervals of a thread arrive in the order of time. Add fits
// analysis.Options.Interval.
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
		t.append(i.Thread, timelineKey{}, l.end, i.From)
	}
	t.append(i.Thread, timelineKey{i.Path, i.State}, max(i.From, l.end), i.To)
	if t.kept > t.limit {
		t.coarsen(t.limit / 4 * 3)
	}
}

func (t *Timeline) append(thread int, key timelineKey, from, to int64) {
	if to <= from {
		return
	}
	l, number := t.threads[thread], t.number(key)
	l.end = to
	if t.details != nil {
		t.details.add(thread, number, from, to)
	}
	if n := len(l.spans); n > 0 && l.spans[n-1].key == number {
		return
	}
	l.spans = append(l.spans, span{from, number})
	t.kept++
}

// number returns the index of a key in keys, and adds the key if it is new.
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

// coarsen merges intervals until there are at most so many. It first keeps the grain, because the
// intervals since the last call are not merged yet. Add frees a quarter of the limit, so that this
// does not run too often. The grain never exceeds the run's length: then each thread has one
// interval of each kind.
func (t *Timeline) coarsen(most int) {
	if t.details == nil && t.PageSize > 0 {
		t.startDetails()
	}
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
	for t.sum(); t.kept > most && t.Grain < longest; t.sum() {
		t.Grain *= 2
	}
}

// sum merges the intervals of all threads.
func (t *Timeline) sum() {
	t.kept = 0
	for _, l := range t.threads {
		l.sum(t.start, t.Grain)
		t.kept += len(l.spans)
	}
}

// sum merges the intervals that lie in one cell and have the same key. An interval that crosses
// the end of a cell stays as it is.
func (l *lane) sum(start, grain int64) {
	type part struct {
		key  uint32
		time int64
	}
	out := l.spans[:0] // never overtakes the reading index
	var parts []part
	for i := 0; i < len(l.spans); {
		from := l.spans[i].from
		end := from + grain - ((from-start)%grain+grain)%grain // also where from is before start
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

// Kept returns the number of intervals that a page shows.
func (t *Timeline) Kept() int { return t.kept }

// timelineJSON describes the timeline to the page, beside the packed intervals.
type timelineJSON struct {
	Read   uint64   `json:"read"`
	Kept   int      `json:"kept"`
	Grain  int64    `json:"grain"`
	Keys   [][2]int `json:"keys"`   // ID of the path, or -1, and state
	Counts []int    `json:"counts"` // number of intervals, by thread
	Starts []int64  `json:"starts"` // of each thread's first interval, since the start of the run
	Raw    int      `json:"raw"`    // bytes of Data after inflation
	States []string `json:"states"`

	Details  *detailsJSON  `json:"details,omitempty"`
	Messages *messagesJSON `json:"messages,omitempty"`
	Data     string        `json:"-"`
}

// startDetails gives the details what there is so far. It goes by windows of time, so that a block
// is of a short time of all threads.
func (t *Timeline) startDetails() {
	t.details = newDetails(t.start, t.PageSize)
	var longest int64
	for _, l := range t.threads {
		longest = max(longest, l.end-t.start)
	}
	next := make([]int, len(t.threads)) // of each thread's spans
	windows := int64(4*(t.kept/blockSpans) + 1)
	for w := range windows {
		until := t.start + (longest/windows+1)*(w+1)
		for thread, l := range t.threads {
			at := next[thread]
			for ; at < len(l.spans) && l.spans[at].from < until; at++ {
				t.details.add(thread, l.spans[at].key, l.spans[at].from, l.to(at))
			}
			next[thread] = at
		}
	}
}

// packWithin is pack with at most so many bytes for the intervals, as far as possible. If there are
// details, they get half of these bytes.
func (t *Timeline) packWithin(start, room int64) (*timelineJSON, error) {
	for {
		out, err := t.pack(start)
		if err != nil || t.PageSize == 0 {
			return out, err
		}
		most := room
		if t.details != nil {
			most /= 2
		}
		size, before := int64(len(out.Data)), t.Grain
		if size <= most {
			return out, nil
		}
		t.coarsen(int(float64(t.kept) * 0.9 * float64(max(0, most)) / float64(size)))
		if t.Grain == before {
			return out, nil // nothing is left to merge
		}
	}
}

// pack encodes the intervals as base64 of a zlib stream of unsigned varints. Each thread has
// two columns: the keys and the durations. The messages follow after all threads.
func (t *Timeline) pack(start int64) (*timelineJSON, error) {
	if t.Grain > 0 { // the newest intervals become as coarse as the others
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
