package page

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/omp"
	"opari/internal/report"
	"opari/internal/report/fixture"
	"opari/internal/report/profile"
)

// bar is the page's overview bar: the widths of its parts, the width of the bar without the
// gaps, the percentages of its legend, and the names.
type bar struct {
	Parts   []float64 `json:"parts"`
	Whole   float64   `json:"whole"`
	Percent []float64 `json:"percent"`
	Names   []string  `json:"names"`
	Painted []string  `json:"painted"` // the backgrounds, as the browser knows them
	MPI     string    `json:"mpi"`     // the colour of MPI's state in the timeline
}

// TestShares checks that the parts of the overview bar add up to the processor time. It covers
// programs in OpenMP, in MPI and in both, each leaf of the properties, and time that is
// unknown.
func TestShares(t *testing.T) {
	openmp, _ := fixture.Heat()
	hybrid, _, _ := fixture.Ring(2)
	pure := analysis.New("pure", 1000, fixture.Processes(8, 1))
	call := pure.Child(pure.Paths[0],
		&analysis.Region{Kind: omp.KindMPI, Name: "MPI_Recv", File: "pure.c", Line: 3})
	for i := range pure.Threads {
		pure.Paths[0].Add(analysis.Work, i, 100)
		call.Add(analysis.MPICall, i, 300)
		call.Add(analysis.LateSender, i, 600)
	}
	every := analysis.New("every", int64(len(analysis.Leaves))*1000, fixture.Processes(2, 2))
	for _, p := range analysis.Leaves {
		for i := range every.Threads {
			every.Paths[0].Add(p, i, 1000)
		}
	}
	part := analysis.New("part", 1000, fixture.Processes(1, 2))
	part.Paths[0].Add(analysis.Work, 0, 1000)
	more := analysis.New("more", 1000, fixture.Processes(1, 1))
	more.Paths[0].Add(analysis.Work, 0, 900)
	more.Paths[0].Add(analysis.IdleSerial, 0, 120)
	for _, c := range []struct {
		result *analysis.Result
		names  string // "": not checked
	}{
		{openmp, ""},
		{hybrid, "work MPI"},
		{pure, "work MPI"},
		{every, ""},
		{part, "work not known"},
		{more, "work idle threads"},
	} {
		p := open(t, c.result, nil)
		b := eval[bar](t, p, `(() => {
			const width = (e) => e.getBoundingClientRect().width;
			const bar = document.querySelector("#shares");
			const legend = [...document.querySelectorAll("#sharelegend li")].map((e) => e.textContent.match(/^(.*) ([\d.]+) %%$/));
			return {
				parts: [...bar.children].map(width), whole: width(bar) - (bar.children.length - 1) * parseFloat(getComputedStyle(bar).columnGap),
				percent: legend.map((m) => Number(m[2])), names: legend.map((m) => m[1]),
				painted: [...bar.children].map((e) => getComputedStyle(e).backgroundColor + getComputedStyle(e).backgroundImage),
				mpi: (() => { const e = document.body.appendChild(document.createElement("i")); e.style.background = "var(--mpi)"; return getComputedStyle(e).backgroundColor + "none"; })(),
			};
		})()`)
		var width, percent float64
		for i := range b.Parts {
			width += b.Parts[i]
			percent += b.Percent[i]
			if got := 100 * b.Parts[i] / b.Whole; math.Abs(got-b.Percent[i]) > 0.2 {
				t.Errorf("%s: %s is %.1f %% of the bar, and %.1f %% are written", c.result.Program,
					b.Names[i], got, b.Percent[i])
			}
		}
		if names := strings.Join(b.Names, " "); c.names != "" && names != c.names ||
			c.result == every && strings.Contains(names, "not known") {
			t.Errorf("%s: %s", c.result.Program, names)
		}
		for i, painted := range b.Painted {
			if at := slices.Index(b.Painted, painted); at != i {
				t.Errorf("%s: %s and %s look alike: %s", c.result.Program, b.Names[at], b.Names[i],
					painted)
			}
			if (b.Names[i] == "MPI") != (painted == b.MPI) {
				t.Errorf("%s: %s has %s, and MPI is %s", c.result.Program, b.Names[i], painted,
					b.MPI)
			}
		}
		if math.Abs(width-b.Whole) > 0.5 ||
			math.Abs(percent-100) > 0.05*float64(len(b.Percent))+1e-9 {
			t.Errorf("%s: the parts are %.1f of %.1f pixels, %.1f %%: %v", c.result.Program, width,
				b.Whole, percent, b)
		}
	}
}

// TestNoCritical checks that page and JSON have a critical path for one process. For several
// processes they have none, and state the reason.
func TestNoCritical(t *testing.T) {
	several, _, _ := fixture.Ring(1)
	one, _ := fixture.Heat()
	for _, c := range []struct {
		result *analysis.Result
		want   bool
	}{{several, false}, {one, true}} {
		var b bytes.Buffer
		if err := (&report.Run{}).JSON(&b, c.result); err != nil {
			t.Fatal(err)
		}
		var out struct {
			Why   string `json:"no_critical_path"`
			Paths []struct {
				Critical *int64 `json:"critical_ns"`
			}
		}
		if err := json.Unmarshal(b.Bytes(), &out); err != nil {
			t.Fatal(err)
		}
		if (out.Paths[1].Critical != nil) != c.want || (out.Why == "") != c.want {
			t.Errorf("JSON of %s: %v, %q", c.result.Program, out.Paths[1].Critical, out.Why)
		}
		p := open(t, c.result, nil)
		text := eval[string](t, p,
			`document.querySelector("#figures").textContent + document.querySelector("#properties").textContent + document.querySelector("#facts").textContent`)
		if strings.Contains(text, "critical path") != c.want {
			t.Errorf("page of %s: %q", c.result.Program, text)
		}
		if note := eval[string](t, p,
			`document.querySelector("#trees-note").textContent`); strings.Contains(note,
			"critical path") == c.want {
			t.Errorf("page of %s: %q", c.result.Program, note)
		}
	}
}

// TestMissing checks that the head of the page lists what the recording omits or lost, one line
// each, and that the page does not call that work. A complete recording has no such head.
func TestMissing(t *testing.T) {
	complete, _ := fixture.Heat()
	p := open(t, complete, nil)
	if hidden := eval[bool](t, p, `document.querySelector("#warning").hidden`); !hidden {
		t.Error("there is a warning without a reason")
	}
	part, _ := fixture.Heat()
	part.LeftOut = profile.LeftOut{
		Filter:   &profile.Filter{Rules: 3, Regions: 2, ID: "1"},
		Disabled: []string{"--disable=atomic"}, Off: 1, OffTime: 1000,
	}
	part.Lost = []string{analysis.LostNote(5, "file too large")}
	p = open(t, part, nil)
	lines := eval[[]string](t, p,
		`[...document.querySelectorAll("#warning > *")].filter((e) => e.getBoundingClientRect().height > 0).map((e) => e.textContent)`)
	if want := part.Notes(); !slices.Equal(lines, want) || len(want) != 4 {
		t.Errorf("%q, not %q", lines, want)
	}
	for _, place := range []string{"#properties", "#sharelegend"} {
		if text := eval[string](t, p, `document.querySelector(%q).textContent`,
			place); !strings.Contains(text, "work, and what was left out") {
			t.Errorf("%s: %q", place, text)
		}
	}
}

// TestEnteredRanks checks that the page counts only the threads and ranks that visited a
// region.
func TestEnteredRanks(t *testing.T) {
	r := profile.Ranks(fixture.ThreeRanks(t)).Result()
	p := open(t, r, nil)
	showZeros(t, p)
	for i, q := range r.Paths {
		want := map[int]string{
			10: "Entered 23 times by 4 of 7 threads in 1 of 3 ranks: ",
			5:  "Entered 3 times by 1 of 7 threads in 1 of 3 ranks: ",
			20: "Entered 26 times by 2 of 7 threads in 1 of 3 ranks: ",
		}[q.Line]
		click(t, p, "paths", i, "label")
		if text := eval[string](t, p,
			`document.querySelector("#facts").textContent`); !strings.Contains(text, want) {
			t.Errorf("line %d: %q", q.Line, text)
		}
	}
	if text := eval[string](t, p,
		`document.querySelector("#findings").textContent`); !strings.Contains(text,
		"rank 2 thread 1 has 83 % of the work") {
		t.Errorf("findings: %q", text)
	}
}
