package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/expensive"
	"opari/internal/report/fixture"
)

// both feeds a Perfetto and a Chrome.
type both struct {
	text, binary bytes.Buffer
	chrome       *Chrome
	perfetto     *Perfetto
}

func newBoth(from, to int64) *both {
	b := &both{}
	b.chrome, b.perfetto = NewChrome(&b.text), NewPerfetto(&b.binary)
	b.chrome.From, b.chrome.To, b.perfetto.From, b.perfetto.To = from, to, from, to
	return b
}

func (b *both) interval(i analysis.Interval) {
	b.chrome.Interval(i)
	b.perfetto.Interval(i)
}

func (b *both) message(m analysis.Message) {
	b.chrome.Message(m)
	b.perfetto.Message(m)
}

// compare checks that both files have the same slices, messages and names.
func (b *both) compare(t *testing.T, r *analysis.Result) *perfettoTrace {
	t.Helper()
	if err := b.chrome.Finish(r); err != nil {
		t.Fatal(err)
	}
	if err := b.perfetto.Finish(r); err != nil {
		t.Fatal(err)
	}
	if !Exported(b.binary.Bytes()) {
		t.Error("the file is not known as ours")
	}
	trace := readPerfetto(t, b.binary.Bytes())
	trace.checkNesting(t)
	var file struct {
		TraceEvents []struct {
			chromeEvent
			ID int64
		}
	}
	if err := json.Unmarshal(b.text.Bytes(), &file); err != nil {
		t.Fatal(err)
	}
	events, flows := map[int64][]string{}, map[string][2]string{}
	for _, e := range file.TraceEvents {
		track := int64(threadUUID(e.Thread - 1))
		var args map[string]any
		if e.Args != nil {
			if err := json.Unmarshal(e.Args, &args); err != nil {
				t.Fatal(err)
			}
		}
		switch e.Phase {
		case "B":
			text := fmt.Sprintf("%d begin %s (%s)", nanoseconds(t, e.Time), e.Name, e.Category)
			if args["file"] != nil {
				text += fmt.Sprintf(" %v:%v", args["file"], args["line"])
			}
			events[track] = append(events[track], text)
		case "E":
			events[track] = append(events[track], fmt.Sprintf("%d end", nanoseconds(t, e.Time)))
		case "s", "f":
			flow := flows[fmt.Sprint(e.ID)]
			flow[strings.Index("sf", e.Phase)] = fmt.Sprintf("%d on %d %s (%s) tag=%.0f bytes=%.0f",
				nanoseconds(t, e.Time), track, e.Name, e.Category, args["tag"], args["bytes"])
			flows[fmt.Sprint(e.ID)] = flow
		case "M":
			trace.compareName(t, e.chromeEvent, args)
		}
	}
	same := func(what string, got, want any) {
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s:\n%v\nJSON has\n%v", what, got, want)
		}
	}
	same("slices", trace.events, events)
	same("flows", trace.flows, flows)
	return trace
}

// compareName looks for what a metadata event says among the descriptors.
func (trace *perfettoTrace) compareName(t *testing.T, e chromeEvent, args map[string]any) {
	t.Helper()
	process, thread := trace.processes[int64(e.Process)],
		trace.tracks[int64(threadUUID(e.Thread-1))]
	var got string
	want := fmt.Sprint(args["name"])
	switch e.Name {
	case "process_name":
		got = process.text("process", "process_name")
	case "process_labels":
		got, want = process.text("process", "process_labels"), fmt.Sprint(args["labels"])
	case "process_sort_index":
		got, want = process.text("process", "legacy_sort_index"), fmt.Sprint(args["sort_index"])
	case "thread_name":
		got = thread.text("thread", "thread_name")
		if thread.text("thread", "pid") != fmt.Sprint(e.Process) ||
			thread.text("thread", "tid") != fmt.Sprint(e.Thread) ||
			thread.text("parent_uuid") != process.text("uuid") {
			t.Errorf("thread %d of process %d: %v", e.Thread, e.Process, thread)
		}
	case "thread_sort_index":
		got, want = thread.text("thread", "legacy_sort_index"), fmt.Sprint(args["sort_index"])
	}
	if got != want {
		t.Errorf("%s of %d: %q, JSON has %q", e.Name, e.Process, got, want)
	}
}

// TestPerfetto compares random runs with what Chrome makes of them.
func TestPerfetto(t *testing.T) {
	for seed := range expensive.Tries(uint64(60)) {
		random := rand.New(rand.NewPCG(seed, 9))
		r := plate()
		for len(r.Threads) < 5 {
			r.Threads = append(r.Threads,
				analysis.Thread{Name: fmt.Sprintf("thread %d (\"it's ü\\\")", len(r.Threads))})
		}
		from, to := int64(0), int64(0)
		if seed%3 == 0 {
			from, to = random.Int64N(2000), 2000+random.Int64N(5000)
		}
		b := newBoth(from, to)
		times := make([]int64, len(r.Threads))
		for range random.IntN(500) {
			thread := random.IntN(len(times))
			begin := times[thread]
			times[thread] += random.Int64N(1 << random.IntN(40))
			b.interval(analysis.Interval{
				Thread: thread, Path: r.Paths[random.IntN(len(r.Paths))],
				State: analysis.State(random.IntN(int(analysis.NumStates))),
				From:  1_000 + begin, To: 1_000 + times[thread],
			})
		}
		b.compare(t, r)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// TestPerfettoBlocks writes more than is compressed at once.
func TestPerfettoBlocks(t *testing.T) {
	r := plate()
	b := newBoth(0, 0)
	random := rand.New(rand.NewPCG(1, 2))
	now := int64(0)
	for i := range 40_000 {
		to := now + 1 + random.Int64N(1<<20)
		b.interval(analysis.Interval{
			Thread: i / 2 % 2, Path: r.Paths[random.IntN(len(r.Paths))], State: analysis.StateWork,
			From: now, To: to,
		})
		if i%2 == 1 {
			now = to
		}
	}
	b.compare(t, r)
	if n := bytes.Count(b.binary.Bytes(), []byte("\x78\x01")); n < 3 {
		t.Errorf("%d blocks", n)
	}
}

// TestPerfettoOfRanks checks that each rank is a process, and messages are flows between them.
func TestPerfettoOfRanks(t *testing.T) {
	r, _, messages := fixture.Ring(3)
	b := newBoth(0, 0)
	for i := range r.Threads {
		b.interval(analysis.Interval{
			Thread: i, Rank: i / 2, Path: r.Paths[1],
			State: analysis.StateMPI, From: 0, To: r.Wall,
		})
	}
	for _, m := range messages {
		m.Sender, m.Target = m.From/2, m.To/2
		b.message(m)
	}
	trace := b.compare(t, r)
	if len(trace.flows) != 12 || len(trace.processes) != 4 {
		t.Errorf("%d flows, %d processes", len(trace.flows), len(trace.processes))
	}
}

// TestPerfettoCounters checks that each counter of a thread has a track below that of the thread.
func TestPerfettoCounters(t *testing.T) {
	r := plate()
	b := newBoth(0, 300)
	for thread := range 2 {
		b.interval(analysis.Interval{
			Thread: thread, Path: r.Paths[1], State: analysis.StateWork, From: 50, To: 500,
		})
	}
	for i := range int64(4) {
		for thread := range 2 {
			for _, name := range []string{"cycles", "llc-misses"} {
				b.perfetto.Counter(analysis.Reading{
					Thread: thread, Counter: name, Time: 60 + 100*i,
					Value: uint64(i) << 40 * uint64(thread),
				})
			}
		}
	}
	got := b.compare(t, r).counters
	want := "110 llc-misses of 4, unit UNIT_COUNT: 1099511627776"
	if len(got) != 12 || !slices.Contains(got, want) { // one of four is past the end
		t.Errorf("no %q in %d:\n%s", want, len(got), strings.Join(got, "\n"))
	}
}

// TestPerfettoMemory checks that Perfetto keeps nothing of past intervals.
func TestPerfettoMemory(t *testing.T) {
	r := plate()
	p := NewPerfetto(io.Discard)
	now := int64(1)
	step := func() {
		for _, q := range r.Paths {
			for thread := range 2 {
				p.Interval(analysis.Interval{
					Thread: thread, Path: q, State: analysis.StateWork, From: now, To: now + 5,
				})
			}
			now += 5
		}
	}
	for range 20_000 {
		step()
	}
	if n := testing.AllocsPerRun(10_000, step); n != 0 {
		t.Errorf("%v allocations for %d intervals", n, 2*len(r.Paths))
	}
}
