package corpus

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// TestSameCalls compares what OPARI2's library prints of programs that OPARI2 instruments
// correctly, with opari in its place: how often it hears each call.
func TestSameCalls(t *testing.T) {
	expensive.Need(t, "opari2", "nm", "awk")
	bin := installedAsOPARI2(t)
	theirs, err := exec.LookPath("opari2")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []struct {
		cc       string
		programs func(t *testing.T) []Program
	}{
		{"gcc", suiteC.goodPrograms},
		{"g++", cxxPrograms},
		{"gfortran", suiteFortran.goodPrograms},
	} {
		t.Run(s.cc, func(t *testing.T) {
			programs := slices.DeleteFunc(slices.Clone(s.programs(t)), func(p Program) bool {
				return p.Kind != "run" || slices.Contains(p.Flags, "-shared")
			})
			programs = some(programs, 50)
			a := asOPARI2(t, filepath.Dir(theirs), s.cc, "-lpomp")
			b := asOPARI2(t, bin, s.cc, "-lpomp")
			results := make([]string, len(programs))
			each(t, len(programs), func(i int, dir string) {
				results[i] = compareCalls(&programs[i], a, b, dir)
			})
			tally := map[string]int{}
			for i, r := range results {
				kind, calls, _ := strings.Cut(r, ": ")
				if kind == differ {
					if why := reason(t, &programs[i], calls); why != "" {
						kind += " because of " + why
					} else {
						t.Errorf("%s: %s", programs[i].ID, r)
					}
				}
				tally[kind]++
			}
			for _, k := range slices.Sorted(maps.Keys(tally)) {
				t.Logf("%d of %d: %s", tally[k], len(programs), k)
			}
		})
	}
}

const differ = "other calls"

// reasons are the directives of programs whose calls differ, docs/reference/pomp2.md and
// docs/howto/opari2.md. OPARI2 knows none of them, or takes them for others.
var reasons = regexp.MustCompile(`(?i)\bomp\b[^\n]*?\b(target|cancel|taskgroup|taskloop|masked|scope|` +
	`loop|teams|depend|doacross|inscan|simd)\b`)

// others are programs whose calls differ for other reasons.
var others = map[string]string{
	"lastprivate-conditional-6.c": "first sections without directives, and a barrier that stays " +
		"implicit",
	"alloc-comp-3.f90":  "an empty last section: opari does not split the construct",
	"pr27916-2.f90":     "default(private) in Fortran: opari does not split the construct",
	"task1.f90":         "the if of a task in Fortran, whose value opari does not pass",
	"task-detach-5.f90": "untied tasks in Fortran, which OPARI2 takes for tied ones",
	"task-detach-7.f90": "untied tasks in Fortran, which OPARI2 takes for tied ones",
}

// reason says why a program may have other calls than with OPARI2, or "".
func reason(t *testing.T, p *Program, calls string) string {
	t.Helper()
	if onlySections.MatchString(calls) {
		return "a first section without a directive"
	}
	if why := others[filepath.Base(p.Path)]; why != "" {
		return why
	}
	for _, path := range append([]string{p.Path}, p.Extra...) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if m := reasons.FindSubmatch(text); m != nil {
			return strings.ToLower(string(m[1]))
		}
	}
	return ""
}

// onlySections matches differences in sections alone.
var onlySections = regexp.MustCompile(`^(( |^)(begin|end) section \d+, not \d+;)+$`)

// compareCalls says how the calls differ of a program that is built in two ways.
func compareCalls(p *Program, theirs, ours *Way, dir string) string {
	var counts [2][]map[string]int
	for i, w := range []*Way{theirs, ours} {
		own := filepath.Join(dir, fmt.Sprint(i))
		if err := os.Mkdir(own, 0o755); err != nil {
			return err.Error()
		}
		if r := w.Try(p, own); r.Class != Pass {
			if i == 0 {
				return "OPARI2 fails"
			}
			return differ + ": " + r.Why
		}
		for range 3 {
			counts[i] = append(counts[i], countCalls(p, own))
		}
	}
	for _, a := range counts[0] {
		for _, b := range counts[1] {
			if maps.Equal(a, b) {
				return "the same calls"
			}
		}
	}
	if !maps.Equal(counts[0][0], counts[0][1]) || !maps.Equal(counts[0][0], counts[0][2]) {
		return "calls that vary from run to run"
	}
	a, b, why := counts[0][0], counts[1][0], differ+":"
	for _, call := range slices.Sorted(maps.Keys(a)) {
		if a[call] != b[call] {
			why += fmt.Sprintf(" %s %d, not %d;", call, b[call], a[call])
		}
	}
	for _, call := range slices.Sorted(maps.Keys(b)) {
		if a[call] == 0 {
			why += fmt.Sprintf(" %s %d, not 0;", call, b[call])
		}
	}
	return why
}

var (
	printedCall = regexp.MustCompile(`(?m)^ *\d+: (.*)$`)
	printedTask = regexp.MustCompile(`:? -?\d+|\(.*\)`)
)

// countCalls runs a program and returns how often the library prints each call.
func countCalls(p *Program, dir string) map[string]int {
	env := append([]string{"OMP_NUM_THREADS=1"}, p.Env...)
	Execute(dir, env, runLimit, "sh", "-c", "./program 2>calls")
	text, err := os.ReadFile(filepath.Join(dir, "calls"))
	counts := map[string]int{}
	if err != nil {
		return counts
	}
	for _, m := range printedCall.FindAllStringSubmatch(string(text), -1) {
		counts[printedTask.ReplaceAllString(strings.Join(strings.Fields(m[1]), " "), "")]++
	}
	return counts
}
