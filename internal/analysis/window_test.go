package analysis

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"opari/internal/expensive"
)

func edge(t *testing.T, text string) Edge {
	t.Helper()
	e, err := ParseEdge(text)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// parts divides a run at random places.
func parts(t *testing.T, seed uint64) []*Window {
	first := edge(t, fmt.Sprintf("%d%%", 1+seed%60))
	second := edge(t, fmt.Sprintf("%dns", 65_000+seed%7919))
	if seed%2 == 1 { // the times of these runs are a thousand times as long
		second = edge(t, fmt.Sprintf("%dus", 65_000+seed%7919))
	}
	return []*Window{{To: first}, {From: first, To: second}, {From: second}}
}

// TestWindowSums divides random runs into windows. Each window has its processor time, by thread;
// together that is the run's. No time is negative.
func TestWindowSums(t *testing.T) {
	for seed := range expensive.Tries(uint64(800)) {
		whole := play(seed)
		var wall, work int64
		for _, w := range parts(t, seed) {
			r := playIn(seed, w)
			wall += r.Wall
			work += r.Sum(Execution, -1)
			for i := range r.Threads {
				var excl int64
				for _, q := range r.Paths {
					excl += q.Visits[i].Excl
				}
				if got := r.Sum(Time, i); got != r.Wall || excl != r.Wall {
					t.Fatalf("seed %d, %+v: thread %d has %d ns of %d, and %d in paths", seed, w,
						i, got, r.Wall, excl)
				}
			}
			for _, q := range r.Paths {
				for p := range NumProperties {
					if len(q.severity[p]) > 0 && slices.Min(q.severity[p]) < 0 {
						t.Fatalf("seed %d, %+v: %s in %s: %v", seed, w, p, q.Name, q.severity[p])
					}
				}
			}
			if r.Part.Length != whole.Wall || r.Part.To-r.Part.From != r.Wall {
				t.Fatalf("seed %d: %+v of %d ns", seed, *r.Part, whole.Wall)
			}
			for _, f := range r.Findings(0) {
				_ = f.Advice(r)
			}
		}
		if wall != whole.Wall {
			t.Fatalf("seed %d: windows of %d ns in all, the run has %d", seed, wall, whole.Wall)
		}
		// Where nobody is taken off the processor, work is what is between two events, and an edge
		// can only move the cost of an event.
		const edges = 2
		moved := work - whole.Sum(Execution, -1)
		if most := edges * int64(len(whole.Threads)) * whole.EventCost; seed%2 == 0 &&
			(moved < -most || moved > most) {
			t.Fatalf("seed %d: %d ns of work in windows, the run has %d", seed, work,
				whole.Sum(Execution, -1))
		}
	}
}

// TestWholeWindow checks that a window of all of the run changes nothing.
func TestWholeWindow(t *testing.T) {
	for seed := range expensive.Tries(uint64(500)) {
		all := playIn(seed, &Window{From: edge(t, "0%"), To: edge(t, "100%")})
		if all.Part.Cut != 0 {
			t.Fatalf("seed %d: %d visits are cut", seed, all.Part.Cut)
		}
		sameResults(t, play(seed), all)
	}
}

// windowsOfRanks checks the sums of windows of a job, and that it does not matter whether the
// ranks are read once or twice.
func windowsOfRanks(t *testing.T, trace string, whole *Result) {
	t.Helper()
	var wall, setup int64
	half := edge(t, "50%")
	for _, w := range []*Window{{To: half}, {From: half}} {
		r, err := FromTrace(trace, Options{Window: w})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := r.Sum(Time, -1), r.Total(); got != want {
			t.Errorf("%+v: %d ns of %d", w, got, want)
		}
		wall += r.Wall
		setup += r.Sum(StartEnd, -1)
		twice, err := FromTrace(trace, Options{Window: w, Message: func(m Message) {
			if from, to := int64(r.Start), int64(r.Start)+r.Wall; m.Sent < from || m.Received > to {
				t.Errorf("a message from %d to %d in %d to %d", m.Sent, m.Received, from, to)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		sameResults(t, r, twice)
	}
	if wall != whole.Wall || setup != whole.Sum(StartEnd, -1) {
		t.Errorf("windows of %d ns, %d of start and end; the run has %d and %d", wall, setup,
			whole.Wall, whole.Sum(StartEnd, -1))
	}
}

func TestEdges(t *testing.T) {
	for text, want := range map[string]int64{
		"0s": 0, "1.5s": 1_500_000_000, "20ms": 20_000_000, "25%": 2_500_000_000, "100%": 1e10,
		"1m": 60_000_000_000, " 50 %": -1, "5": -1, "0": -1, "-1s": -1, "101%": -1, "-5%": -1,
		"NaN%": -1, "%": -1, "": -1, "1.5 s": -1, "soon": -1,
	} {
		e, err := ParseEdge(text)
		if (err != nil) != (want < 0) && text != " 50 %" {
			t.Errorf("%q: %v", text, err)
		} else if err == nil && text != " 50 %" && e.at(1e10) != want {
			t.Errorf("%q is %d ns, not %d", text, e.at(1e10), want)
		}
	}
	for _, c := range []struct{ from, to, want string }{
		{"5s", "", "the window begins at 5.00s, and the run ends at 2.00s"},
		{"100%", "", "the window begins at 2.00s, and the run ends at 2.00s"},
		{"1s", "500ms", "the window begins at 1.00s and ends at 500ms: there is nothing in it"},
		{"50%", "50%", "the window begins at 1.00s and ends at 1.00s: there is nothing in it"},
		{"50%", "9s", ""},
		{"", "1ms", ""},
	} {
		var w Window
		if c.from != "" {
			w.From = edge(t, c.from)
		}
		if c.to != "" {
			w.To = edge(t, c.to)
		}
		s, err := w.span(7, 2_000_000_007)
		var wrong *WindowError
		if (err != nil) != (c.want != "") || err != nil && (!errors.As(err, &wrong) ||
			err.Error() != c.want) || err == nil && (s.from < 7 || s.to > 2_000_000_007) {
			t.Errorf("%s to %s: %v, %v", c.from, c.to, s, err)
		}
	}
}

// TestWithin checks that what is within a region and what is outside are the whole, by property
// and thread, for each region of random runs.
func TestWithin(t *testing.T) {
	limited := 0
	for seed := range expensive.Tries(uint64(40)) {
		whole := play(seed)
		for _, g := range whole.Paths[1:] {
			r, name := play(seed), g.Region.String()
			err := r.Within(name)
			inside := make([]bool, len(whole.Paths))
			for i, q := range whole.Paths {
				inside[i] = q.Region == g.Region || q.Parent != nil && inside[q.Parent.ID]
			}
			var all int64
			for p := range NumProperties {
				for thread := range whole.Threads {
					var within int64
					for i, q := range whole.Paths {
						if inside[i] {
							within += q.Severity(p, thread)
						}
					}
					if p == Time {
						all += within
					}
					if err == nil && r.Sum(p, thread) != within {
						t.Fatalf("seed %d, %s: %s of thread %d is %d ns, not %d", seed, name, p,
							thread, r.Sum(p, thread), within)
					}
				}
			}
			if (err != nil) != (all == 0) {
				t.Fatalf("seed %d, %s has %d ns: %v", seed, name, all, err)
			}
			if err == nil {
				limited++
				if r.Total() != all || r.Part.All != whole.Total() {
					t.Fatalf("seed %d, %s: %d ns of %d, not %d of %d", seed, name, r.Total(),
						r.Part.All, all, whole.Total())
				}
			}
		}
	}
	if limited < expensive.Tries(200) {
		t.Errorf("%d regions only", limited)
	}
	r := play(1)
	if err := r.Within("nothing"); err == nil || !strings.Contains(err.Error(),
		`no region is called "nothing" or is at that place; those with most time are: `) {
		t.Error(err)
	}
}

func TestRegionNames(t *testing.T) {
	g := &Region{Name: "critical(a b)", File: "src/x/a.c", Line: 12}
	for name, want := range map[string]bool{
		"critical(a b)": true, "a.c:12": true, "x/a.c:12": true, "src/x/a.c:12": true,
		"a.c:12 critical(a b)": true, "x/a.c:12 critical(a b)": true, "a.c:13": false,
		"b/a.c:12": false, "c:12": false, "a.c": false, "a.c:12 for": false, ":12": false,
		"a.c:": false, "": false,
	} {
		if got := g.is(name); got != want {
			t.Errorf("%q: %t", name, got)
		}
	}
	serial := &Region{Word: wordSerial, Name: "serial code before for", File: "a.c", Line: 12}
	if serial.is("a.c:12") || !serial.is("a.c:12 serial code before for") {
		t.Error("serial code is called by its name alone")
	}
}
