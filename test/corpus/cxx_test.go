package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"opari/pomp"
)

// cxxSourceGoal is the share of programs that `opari FILE` must instrument correctly. It may
// refuse the rest, with a message.
const cxxSourceGoal = 0.97

// cxxPrograms returns the C++ programs that pass plain: a sample, or all with OPARI_ALL=1.
func cxxPrograms(t *testing.T) []Program {
	t.Helper()
	return suiteCxx.goodPrograms(t)
}

// TestCxxWrapper checks that each program that passes plain passes through `opari cc g++`. It
// also passes while the library measures, and under the tool that checks the protocol of OMPT,
// which must find nothing.
func TestCxxWrapper(t *testing.T) {
	programs := cxxPrograms(t)
	checker, err := pomp.BuildTool(pomp.ToolCheck, []string{"gcc"}, "")
	if err != nil {
		t.Fatal(err)
	}
	profiles := t.TempDir()
	w := Wrapper(opariBinary, "g++", os.DevNull)
	measured, checked := *w, *w
	measured.Name, measured.Env = "opari cc, measured",
		[]string{"OPARI_PROFILE=" + profiles + "/profile"}
	checked.Name = "opari cc, checked"
	all := verdicts{verdicts: make([]verdict, len(programs))}
	tally := map[Class]int{}
	results := make([]Result, len(programs))
	each(t, len(programs), func(i int, dir string) {
		p := &programs[i]
		results[i] = tryAgain(w, p, dir, w.Try(p, dir))
		if results[i].Class != Pass || p.Kind != "run" {
			return
		}
		if results[i] = tryAgain(&measured, p, dir,
			measured.Run(p, dir)); results[i].Class != Pass || p.Lang != "" {
			return // TestProtocol checks the programs that C has, too
		}
		local := checked
		file := filepath.Join(dir, "violations")
		local.Env = append(checkerEnv(file), "OMP_TOOL_LIBRARIES="+checker)
		all.verdicts[i] = verdict{id: p.ID, result: local.Run(p, dir), counts: map[string]int{}}
		if text, err := os.ReadFile(file); err == nil {
			all.verdicts[i].read(string(text))
		}
	})
	for i, r := range results {
		tally[r.Class]++
		if r.Class != Pass {
			t.Errorf("%s %s: %.300s", r.Class, programs[i].ID, r.Why)
		}
	}
	t.Logf("%s, measured too: %s", w.Name, summary(tally, len(programs)))
	logCoverage(t, w.Coverage)
	all.verdicts = slices.DeleteFunc(all.verdicts, func(v verdict) bool { return v.id == "" })
	all.count()
	all.report(t, checked.Name)
	if all.started < len(all.verdicts)/2 && os.Getenv("OPARI_ONLY") == "" {
		t.Errorf("only %d of %d programs started the checker", all.started, len(all.verdicts))
	}
	all.complain(t)
	if written, _ := filepath.Glob(profiles + "/profile.*"); len(written) < len(programs)/2 &&
		os.Getenv("OPARI_ONLY") == "" {
		t.Errorf("only %d profiles from %d programs", len(written), len(programs))
	}
}

// TestCxxSourceMode checks that `opari FILE` instruments nearly all programs, gives a reason for
// the rest, and breaks none.
func TestCxxSourceMode(t *testing.T) {
	programs := cxxPrograms(t)
	tally := conformance(t, SourceMode(opariBinary, "g++", config(t, "--cflags"),
		config(t, "--libs"), config(t, "--libs", "--shared")), programs)
	for class, n := range tally {
		if class != Pass && class != Refused {
			t.Errorf("%d of %d: %s", n, len(programs), class)
		}
	}
	if share := float64(tally[Pass]) / float64(max(1, len(programs))); share < cxxSourceGoal {
		t.Errorf("%.1f %% pass, the goal is %.0f %%", 100*share, 100*cxxSourceGoal)
	}
}

// TestCxxBalance checks that each begin has its end, as TestBalance does, which covers the
// programs that C has, too.
func TestCxxBalance(t *testing.T) {
	programs := slices.DeleteFunc(slices.Clone(cxxPrograms(t)), func(p Program) bool {
		return p.Kind != "run" || !strings.HasPrefix(p.ID, "libgomp.c++/")
	})
	checker := balanceChecker(t, "balance.c")
	for _, w := range []*Way{
		Wrapper(opariBinary, "g++", os.DevNull),
		SourceMode(opariBinary, "g++", config(t, "--cflags"), nil, nil),
	} {
		w.Link, w.Libs = []string{"g++"}, []string{checker, "-lpthread"}
		balance(t, w, programs, 100)
	}
}

// TestCxxStandards builds our own programs, each for one aspect of C++, for every standard that
// the first line names. It builds them bare, through the wrapper and by `opari FILE`. They must
// print the same, without a new warning.
func TestCxxStandards(t *testing.T) {
	corpusDir(t)
	folder, err := filepath.Abs("testdata/cxx")
	if err != nil {
		t.Fatal(err)
	}
	var tests []Program
	var newest []bool // clang++ gets the newest standard only, except with OPARI_ALL
	paths, _ := filepath.Glob(filepath.Join(folder, "*.cc"))
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		line, _, _ := strings.Cut(string(text), "\n")
		standards, is := strings.CutPrefix(line, "// std: ")
		if !is {
			if !strings.HasSuffix(path, ".more.cc") { // an additional source of another program
				t.Errorf("%s does not say for which standards it is", path)
			}
			continue
		}
		all := strings.Fields(standards)
		if os.Getenv("OPARI_ALL") == "" {
			all = slices.Compact([]string{all[0], all[len(all)-1]})
		}
		for i, s := range all {
			p := Program{
				Path: path, ID: filepath.Base(path) + " C++" + s, Kind: "run",
				Flags: []string{"-std=c++" + s, "-Wall", "-Wextra", "-Wshadow"},
			}
			if more := strings.TrimSuffix(path, ".cc") + ".more.cc"; exists(more) {
				p.Extra = []string{more}
			}
			if only(t, p.ID) {
				tests, newest = append(tests, p), append(newest, i+1 == len(all) ||
					os.Getenv("OPARI_ALL") != "")
			}
		}
	}
	libs, cflags := config(t, "--libs"), config(t, "--cflags")
	each(t, len(tests), func(i int, dir string) {
		for _, cc := range []string{"g++", "clang++-19"} {
			if cc != "g++" && !newest[i] {
				continue
			}
			bare := standard(Plain(cc), &tests[i], filepath.Join(dir, cc, "bare"))
			if bare == "" && cc == "g++" {
				t.Errorf("%s: %s does not take it", tests[i].ID, cc)
			}
			if bare == "" {
				continue // that compiler lacks the standard
			}
			for _, w := range []*Way{
				Wrapper(opariBinary, cc, os.DevNull),
				SourceMode(opariBinary, cc, cflags, libs, nil),
			} {
				w.Env = []string{"OPARI_PROFILE=" + filepath.Join(dir, "profile")}
				if got := standard(w, &tests[i],
					filepath.Join(dir, cc, fmt.Sprintf("%p", w))); got != bare {
					t.Errorf("%s: %s %s: %.300s\nbare: %.300s", tests[i].ID, w.Name, cc, got, bare)
				}
			}
		}
	})
}

// standard builds p one way, runs it, and returns its output and the new warnings, or "" if the
// build fails.
func standard(w *Way, p *Program, dir string) string {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err.Error()
	}
	if r := w.Try(p, dir); r.Class != Pass {
		if w.Name == "plain" {
			return ""
		}
		return string(r.Class) + ": " + r.Why
	}
	return Execute(dir, []string{"OMP_NUM_THREADS=4"}, runLimit, "./program").Output
}
