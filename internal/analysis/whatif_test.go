package analysis

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"opari/internal/expensive"
	"opari/internal/omp"
)

// whatIfOf reads a change.
func whatIfOf(t *testing.T, text string) *WhatIf {
	t.Helper()
	w, err := ParseWhatIf(text)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// same is a change that changes nothing.
const same = "scale work of program by 1"

// unchanged checks that a run is as long as it was if nothing changes.
func unchanged(t *testing.T, trace string, r *Result) {
	t.Helper()
	p, err := Predict(trace, r, whatIfOf(t, same), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if p.Wall != r.Wall {
		t.Errorf("the run takes %d ns, and %d if nothing changes", r.Wall, p.Wall)
	}
}

// TestChangedPlay replays random events with changes. One that changes nothing gives the time of
// the run, and the critical path is always as long as the run would be.
func TestChangedPlay(t *testing.T) {
	shorter := map[string]int{}
	for seed := range expensive.Tries(uint64(2_000)) {
		r := play(seed)
		for _, text := range []string{
			same, "halve work of program", "balance f.c:2",
			"no lock f.c:3 and no lock f.c:10",
			"threads 8", "balance f.c:1 and scale work of f.c:6 by 0",
		} {
			with := playWith(seed, Options{change: newChange(whatIfOf(t, text), r)})
			var critical int64
			for _, q := range with.Paths {
				critical += q.Critical
			}
			switch {
			case critical != with.predicted:
				t.Fatalf("seed %d, %s: the critical path is %d ns, the run %d", seed, text,
					critical, with.predicted)
			case text == same && with.predicted != r.Wall:
				t.Fatalf("seed %d: the run takes %d ns, and %d if nothing changes", seed, r.Wall,
					with.predicted)
			case with.predicted < 0 || with.predicted > r.Wall:
				t.Fatalf("seed %d, %s: the run takes %d ns, and would take %d", seed, text, r.Wall,
					with.predicted)
			case with.predicted < r.Wall:
				shorter[text]++
			}
		}
	}
	if len(shorter) < 3 { // loops with a barrier are rare, and full teams
		t.Errorf("runs that would be shorter, by change: %v", shorter)
	}
}

// TestParseWhatIf checks what is a change, and what messages say of all else.
func TestParseWhatIf(t *testing.T) {
	for text, want := range map[string]string{
		"balance a.c:1 for":                  "",
		" halve work of  f and threads 8":    "",
		"scale work of a.c:1 by 0":           "",
		"scale work of serial by hand by 2":  "",
		"no lock gate and no lock a.c:3":     "",
		"":                                   `"" is no change: write "balance PLACE"`,
		"balance":                            `"balance" is no change`,
		"double work of a.c:1":               `is no change`,
		"threads":                            `is no change`,
		"threads 0":                          `"0" is no number of threads`,
		"threads many":                       `"many" is no number of threads`,
		"balance a.c:1 and":                  ``,
		"balance a.c:1 and ":                 `"" is no change`,
		"scale work of a.c:1":                `by how much?`,
		"scale work of a.c:1 by NaN":         `"NaN" is no factor from 0 to 1000`,
		"scale work of a.c:1 by -1":          `"-1" is no factor`,
		"halve work of a.c:1 and scale it 3": `"scale it 3" is no change`,
	} {
		_, err := ParseWhatIf(text)
		switch {
		case want == "" && err != nil:
			t.Errorf("%q: %v", text, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, not %q", text, err, want)
		}
	}
}

// TestNoPlace checks the messages for places where a change would change nothing.
func TestNoPlace(t *testing.T) {
	r := New("program", 100, []Thread{{Name: "thread 0 (initial)"}})
	add := func(q *Path, kind omp.Kind, name string, line int) *Path {
		return r.Child(q, &Region{Kind: kind, Name: name, File: "src/f.c", Line: line})
	}
	team := add(r.Paths[0], omp.KindParallel, "parallel", 10)
	loop := add(team, omp.KindFor, "for", 11)
	add(team, omp.KindBarrier, "barrier", 20)
	task := add(team, omp.KindTask, "task", 30)
	add(task, omp.KindCritical, "critical(gate)", 31)
	add(loop, omp.KindRegion, "hot", 12)
	add(r.Paths[0], omp.KindRegion, "read", 90)
	for text, want := range map[string]string{
		"balance f.c:13":                  "are: f.c:12 hot, f.c:11 for, f.c:10 parallel",
		"balance f.c:14":                  `no region is called "f.c:14" or is at that place`,
		"balance src/f.c:11":              "",
		"balance hot":                     "",
		"balance f.c:30":                  "threads of a team share no work there",
		"balance read":                    "threads of a team share no work there",
		"balance f.c:20":                  "threads of a team share no work there",
		"no lock f.c:11":                  "no thread waits there to exclude others; the nearest",
		"no lock gate":                    "",
		"no lock f.c:30":                  "",
		"no lock door":                    `no region is called "door"`,
		"halve work of f.c:20":            "there is only waiting",
		"halve work of f.c:88":            "are: f.c:90 read, f.c:31 critical(gate), f.c:30",
		"halve work of g.c:88":            "no region is called",
		"halve work of hot and no lock x": `is called "x"`,
		"threads 4":                       "",
	} {
		err := whatIfOf(t, text).check(r)
		switch {
		case want == "" && err != nil:
			t.Errorf("%q: %v", text, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, not %q", text, err, want)
		}
	}
}

// TestWhatIf runs programs of bench/whatif, predicts what they would take with a change, and runs
// them with the change. They sleep, so a busy machine disturbs them little; still each has some
// tries, of which one must be within 10 % of the saving.
func TestWhatIf(t *testing.T) {
	expensive.Compilers(t)
	for _, name := range []string{"loop", "single", "critical", "ordered", "chain"} {
		t.Run(name, func(t *testing.T) {
			source := "../../bench/whatif/" + name + ".c"
			text, err := os.ReadFile(source)
			if err != nil {
				t.Fatal(err)
			}
			change := changeOf(string(text), name+".c")
			program := build(t, source)
			changed := filepath.Join(t.TempDir(), "changed")
			out, err := exec.Command("gcc", "-fopenmp", "-O1", "-DCHANGED", source, "-o",
				changed).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			tries(t, func() string {
				folder := filepath.Join(t.TempDir(), "trace")
				if out, err := exec.Command(opari(t), "run", "--trace="+folder,
					program).CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				trace := filepath.Join(folder, "trace")
				r, err := FromTrace(trace, Options{})
				if err != nil {
					t.Fatal(err)
				}
				unchanged(t, trace, r)
				remedied(t, trace, r)
				p, err := Predict(trace, r, whatIfOf(t, change), Options{})
				if err != nil {
					t.Fatal(err)
				}
				saving := elapsed(t, program) - elapsed(t, changed)
				if math.Abs(float64(p.Saving()-saving)) > 0.1*float64(saving) {
					return fmt.Sprintf("%s would save %d ns, and saves %d", change, p.Saving(),
						saving)
				}
				return ""
			})
		})
	}
}

// remedied checks that remedies begin with the run as it was, and end with what is predicted for
// the change that they name.
func remedied(t *testing.T, trace string, r *Result) {
	t.Helper()
	if err := r.AddRemedies(trace, r.Findings(0.1), Options{}); err != nil {
		t.Fatal(err)
	}
	if len(r.Remedies) == 0 {
		t.Fatal("no finding has a remedy")
	}
	for _, x := range r.Remedies {
		text := x.What
		if place, is := strings.CutPrefix(text, "less work in "); is {
			text = "scale work of " + place + " by 0"
		}
		p, err := Predict(trace, r, whatIfOf(t, text), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if last := x.Walls[len(x.Walls)-1]; x.Walls[0] != r.Wall || last != p.Wall {
			t.Errorf("%s: from %d to %d ns, want from %d to %d", x.What, x.Walls[0], last, r.Wall,
				p.Wall)
		}
		for i := range x.Walls[1:] {
			if x.Walls[i+1] > x.Walls[i] {
				t.Errorf("%s: %d ns", x.What, x.Walls)
			}
		}
	}
}

// changeOf returns the change that the first line of a program names. HERE stands for the line
// that has it in a comment.
func changeOf(text, file string) string {
	first, _, _ := strings.Cut(text, "\n")
	before, _, _ := strings.Cut(text, "/* HERE */")
	return strings.ReplaceAll(strings.TrimPrefix(first, "// "), "HERE",
		fmt.Sprintf("%s:%d", file, 1+strings.Count(before, "\n")))
}

// elapsed returns how long a program takes, in ns.
func elapsed(t *testing.T, program string) int64 {
	t.Helper()
	var errs bytes.Buffer
	cmd := exec.Command(program)
	cmd.Stderr = &errs
	start := time.Now()
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, &errs)
	}
	return int64(time.Since(start))
}
