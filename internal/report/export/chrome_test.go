package export

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"

	"opari/internal/analysis"
	"opari/internal/omp"
)

// chromeEvent is an event as a viewer reads it.
type chromeEvent struct {
	Phase    string          `json:"ph"`
	Process  int             `json:"pid"`
	Thread   int             `json:"tid"`
	Time     json.Number     `json:"ts"`
	Name     string          `json:"name"`
	Category string          `json:"cat"`
	Args     json.RawMessage `json:"args"`
}

// readChrome checks the form of a file: the times of a thread do not decrease, and each begin
// has its end. It returns the slices of each thread as text.
func readChrome(t *testing.T, text []byte) (map[int]string, []chromeEvent) {
	t.Helper()
	if err := validateTraceEvents(text); err != nil {
		t.Fatal(err)
	}
	var file struct {
		TraceEvents []chromeEvent `json:"traceEvents"`
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&file); err != nil {
		t.Fatal(err)
	}
	if d.More() {
		t.Fatal("there is more behind the end")
	}
	tracks, open, last := map[int]string{}, map[int][]string{}, map[int]float64{}
	for i, e := range file.TraceEvents {
		if e.Phase == "M" {
			continue
		}
		now, err := e.Time.Float64()
		if err != nil || now < last[e.Thread] {
			t.Fatalf("event %d: time %v after %v", i, e.Time, last[e.Thread])
		}
		last[e.Thread] = now
		switch e.Phase {
		case "B":
			if e.Name == "" || e.Category == "" {
				t.Fatalf("event %d: %+v", i, e)
			}
			open[e.Thread] = append(open[e.Thread], e.Name)
			tracks[e.Thread] += e.Time.String() + "(" + e.Name + " "
		case "E":
			of := open[e.Thread]
			if len(of) == 0 || of[len(of)-1] != e.Name {
				t.Fatalf("event %d ends %q, open are %q", i, e.Name, of)
			}
			open[e.Thread] = of[:len(of)-1]
			tracks[e.Thread] += e.Time.String() + ") "
		default:
			t.Fatalf("event %d has phase %q", i, e.Phase)
		}
	}
	for thread, of := range open {
		if len(of) != 0 {
			t.Fatalf("thread %d: %q are open at the end", thread, of)
		}
	}
	return tracks, file.TraceEvents
}

func TestChrome(t *testing.T) {
	r := plate()
	parallel, first, gate, other, twin := r.Paths[1], r.Paths[2], r.Paths[3], r.Paths[4], r.Paths[6]
	barrier := r.Child(parallel,
		&analysis.Region{Kind: omp.KindBarrier, Name: "barrier", File: "heat.c", Line: 8})
	var b bytes.Buffer
	c := NewChrome(&b)
	root := r.Paths[0]
	const from = 1<<53 + 7 // too large for the numbers of a viewer
	add := func(thread int, path *analysis.Path, state analysis.State, begin, end int64) {
		c.Interval(analysis.Interval{
			Thread: thread, Path: path, State: state, From: from + begin,
			To: from + end,
		})
	}
	add(0, root, analysis.StateSerial, 0, 1500)
	add(1, root, analysis.StateAbsent, 0, 2000)
	add(0, parallel, analysis.StateFork, 1500, 2001)
	add(0, parallel, analysis.StateWork, 2001, 3000)
	add(0, first, analysis.StateWork, 3000, 4000)
	add(0, gate, analysis.StateMutex, 4000, 4100)
	add(0, gate, analysis.StateWork, 4100, 4200)
	add(0, first, analysis.StateWork, 4200, 4300)
	add(0, first, analysis.StateBarrier, 4300, 5000)
	add(1, first, analysis.StateWork, 2000, 4999)
	add(1, first, analysis.StateBarrier, 4999, 5000)
	add(0, barrier, analysis.StateBarrier, 5000, 5100)
	add(0, twin, analysis.StateTask, 5100, 6000)
	add(1, root, analysis.StateIdle, 5000, 6000)
	_ = other
	if err := c.Finish(r); err != nil {
		t.Fatal(err)
	}
	if !Exported(b.Bytes()) {
		t.Error("the file is not known as ours")
	}
	tracks, events := readChrome(t, b.Bytes())
	want := map[int]string{
		1: "0(serial 1.500) 1.500(parallel heat.c:3 1.500(fork and join 2.001) 3(for heat.c:5 " +
			"4(critical(gate) heat.c:6 4(mutual exclusion 4.100) 4.200) " +
			"4.300(barrier 5) 5) 5(barrier heat.c:8 5.100) 5.100) 5.100(parallel heat.c:9 " +
			"5.100(for heat.c:5 6) 6) ",
		2: "2(parallel heat.c:3 2(for heat.c:5 4.999(barrier 5) 5) 5) 5(idle 6) ",
	}
	for thread, text := range want {
		if tracks[thread] != text {
			t.Errorf("thread %d:\n%s\nwant\n%s", thread, tracks[thread], text)
		}
	}
	names := map[string]bool{}
	var loop, wait bool
	for _, e := range events {
		if e.Phase == "M" {
			names[e.Name+string(e.Args)] = true
		}
		loop = loop || e.Name == "for heat.c:5" &&
			string(e.Args) == `{"file":"src/heat.c","line":5}` && e.Category == "work"
		wait = wait || e.Name == "barrier heat.c:8" && e.Args != nil && e.Category == "barrier"
	}
	if !names[`thread_name{"name":"thread 1 (worker)"}`] ||
		!names[`process_name{"name":"/home/me/heat"}`] || !loop || !wait {
		t.Errorf("%v %v %v", names, loop, wait)
	}
}

// TestChromeWindow checks that slices which cross an end of the window are open there.
func TestChromeWindow(t *testing.T) {
	r := plate()
	parallel, loop := r.Paths[1], r.Paths[2]
	var b bytes.Buffer
	c := NewChrome(&b)
	c.From, c.To = 2000, 5000
	for i, path := range []*analysis.Path{parallel, loop, parallel, loop, r.Paths[0]} {
		from := 900 + 1500*int64(i)
		c.Interval(analysis.Interval{
			Path: path, State: analysis.StateWork, From: from,
			To: from + 1500,
		})
	}
	if err := c.Finish(r); err != nil {
		t.Fatal(err)
	}
	tracks, _ := readChrome(t, b.Bytes())
	if want := "2(parallel heat.c:3 2(for heat.c:5 3) 4.500(for heat.c:5 5) 5) "; tracks[1] !=
		want {
		t.Errorf("%s\nwant\n%s", tracks[1], want)
	}
}

// TestChromeMemory checks that Chrome keeps nothing of past intervals.
func TestChromeMemory(t *testing.T) {
	r := plate()
	c := NewChrome(io.Discard)
	now := int64(1)
	n := testing.AllocsPerRun(10000, func() {
		for _, q := range r.Paths {
			for thread := range 2 {
				c.Interval(analysis.Interval{
					Thread: thread, Path: q, State: analysis.StateWork,
					From: now, To: now + 5,
				})
				c.Interval(analysis.Interval{
					Thread: thread, Path: q, State: analysis.StateBarrier,
					From: now + 5, To: now + 9,
				})
			}
			now += 9
		}
	})
	if n != 0 {
		t.Errorf("%v allocations for %d intervals", n, 4*len(r.Paths))
	}
}
