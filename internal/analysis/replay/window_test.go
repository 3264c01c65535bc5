package replay

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/analysis/finding"
	"opari/internal/expensive"
)

func edge(t *testing.T, text string) analysis.Edge {
	t.Helper()
	e, err := analysis.ParseEdge(text)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// parts divides a run at random places.
func parts(t *testing.T, seed uint64) []*analysis.Window {
	first := edge(t, fmt.Sprintf("%d%%", 1+seed%60))
	second := edge(t, fmt.Sprintf("%dns", 65_000+seed%7919))
	if seed%2 == 1 { // the times of these runs are a thousand times as long
		second = edge(t, fmt.Sprintf("%dus", 65_000+seed%7919))
	}
	return []*analysis.Window{{To: first}, {From: first, To: second}, {From: second}}
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
			work += r.Sum(analysis.Execution, -1)
			for i := range r.Threads {
				var excl int64
				for _, q := range r.Paths {
					excl += q.Visits[i].Excl
				}
				if got := r.Sum(analysis.Time, i); got != r.Wall || excl != r.Wall {
					t.Fatalf("seed %d, %+v: thread %d has %d ns of %d, and %d in paths", seed, w,
						i, got, r.Wall, excl)
				}
			}
			for _, q := range r.Paths {
				for p := range analysis.NumProperties {
					if len(q.Times(p)) > 0 && slices.Min(q.Times(p)) < 0 {
						t.Fatalf("seed %d, %+v: %s in %s: %v", seed, w, p, q.Name, q.Times(p))
					}
				}
			}
			if r.Part.Length != whole.Wall || r.Part.To-r.Part.From != r.Wall {
				t.Fatalf("seed %d: %+v of %d ns", seed, *r.Part, whole.Wall)
			}
			for _, f := range finding.Of(r, 0) {
				_ = f.Advice(r)
			}
		}
		if wall != whole.Wall {
			t.Fatalf("seed %d: windows of %d ns in all, the run has %d", seed, wall, whole.Wall)
		}
		// Where nobody is taken off the processor, work is what is between two events, and an edge
		// can only move the cost of an event.
		const edges = 2
		moved := work - whole.Sum(analysis.Execution, -1)
		if most := edges * int64(len(whole.Threads)) * whole.EventCost; seed%2 == 0 &&
			(moved < -most || moved > most) {
			t.Fatalf("seed %d: %d ns of work in windows, the run has %d", seed, work,
				whole.Sum(analysis.Execution, -1))
		}
	}
}

// TestWholeWindow checks that a window of all of the run changes nothing.
func TestWholeWindow(t *testing.T) {
	for seed := range expensive.Tries(uint64(500)) {
		all := playIn(seed, &analysis.Window{From: edge(t, "0%"), To: edge(t, "100%")})
		if all.Part.Cut != 0 {
			t.Fatalf("seed %d: %d visits are cut", seed, all.Part.Cut)
		}
		if all.Part = nil; !reflect.DeepEqual(all, play(seed)) {
			t.Fatalf("seed %d: the window of all of the run is another run", seed)
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
			for p := range analysis.NumProperties {
				for thread := range whole.Threads {
					var within int64
					for i, q := range whole.Paths {
						if inside[i] {
							within += q.Severity(p, thread)
						}
					}
					if p == analysis.Time {
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
