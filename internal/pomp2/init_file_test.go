package pomp2

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"opari/internal/expensive"
	"opari/pomp"
)

// TestWarnings compiles the file as strictly as the library's own code, and as users' compilers do
// by default, which may take it for C++.
func TestWarnings(t *testing.T) {
	strict := []string{"-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror", "-O2", "-c"}
	compilers := [][]string{
		{"gcc", "-std=c11", "-Wpedantic", "-Wstrict-prototypes"},
		{"g++", "-std=c++11", "-x", "c++"},
	}
	if !testing.Short() {
		expensive.Compilers(t, "clang-19")
		compilers = append(compilers, []string{"clang-19", "-std=c11"}, []string{"clang-19"})
	}
	units := [][]Unit{
		nil,
		{{Symbol: "one_1", Regions: 1, Own: true, Tpd: "pomp_tpd_", Locks: true}},
		{
			{Symbol: "one_1", Regions: 1, Own: true, Tpd: "pomp_tpd"},
			{Symbol: "two_2", Regions: 2, User: true, Own: true, Tpd: "pomp_tpd_"},
			{Symbol: "of_opari2_3", Regions: 3},
			{Symbol: "of_opari2_4", Regions: 4, User: true},
		},
	}
	dir := t.TempDir()
	for _, u := range units {
		path := writeInitFile(t, dir, u)
		for _, c := range compilers {
			run(t, dir, nil, append(append(c, strict...), path)...)
		}
	}
}

// TestEveryCall checks that the file defines all that a unit may refer to. A unit does so weakly,
// so that the linker would not miss it.
func TestEveryCall(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, nil, "gcc", "-c", writeInitFile(t, dir, nil))
	defined := map[string]bool{}
	symbol := regexp.MustCompile(` [TDB] (\w+)`)
	for _, m := range symbol.FindAllStringSubmatch(run(t, dir, nil, "nm", "init.o"), -1) {
		defined[m[1]] = true
	}
	header, err := pomp.Header("pomp_events.h")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range regexp.MustCompile(`X\((\w+), (\w+), [A-Z_]+\)`).
		FindAllStringSubmatch(string(header), -1) {
		switch name := "POMP_" + m[1]; {
		case m[1] == "NAME": // a comment
		case strings.HasPrefix(m[2], "omp_"):
			names = append(names, name)
		case m[2] != strings.ToUpper(m[2]):
			names = append(names, name+"_"+m[2])
		}
	}
	if len(names) < 80 {
		t.Fatalf("only %d calls are found in the header", len(names))
	}
	lib, err := pomp.Header("pomp_lib.h")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^extern .*?\*?((?:POMP|pomp)_\w+)\(`).
		FindAllStringSubmatch(string(lib), -1) {
		names = append(names, m[1])
	}
	for _, name := range append(names, "pomp_fortran_1") {
		if !defined[name] {
			t.Errorf("%s is not defined", name)
		}
	}
}

// TestDocument compares the reference's table with that of the C code.
func TestDocument(t *testing.T) {
	code, err := sources.ReadFile("src/kinds.h")
	if err != nil {
		t.Fatal(err)
	}
	document, err := os.ReadFile("../../docs/reference/pomp2.md")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, m := range regexp.MustCompile(`X\((\w+), "(\w+)", "(\w+)"\)`).
		FindAllStringSubmatch(string(code), -1) {
		want = append(want, strings.ToLower(m[1])+" "+m[2]+" "+m[3])
	}
	for _, m := range regexp.MustCompile(`(?m)^\| (\w+) \| (\w+) \| (same|nearest) \|$`).
		FindAllStringSubmatch(string(document), -1) {
		got = append(got, m[1]+" "+m[2]+" "+m[3])
	}
	if len(want) == 0 || !slices.Equal(want, got) {
		t.Errorf("the document has\n%q\nand the code\n%q", got, want)
	}
}

// TestSameAsOPARI2 checks that OPARI2's library prints the same calls for each thread, whether
// opari or OPARI2 has instrumented a program.
func TestSameAsOPARI2(t *testing.T) {
	expensive.Compilers(t, "opari2", "gfortran")
	for _, source := range []string{"every.c", "every.f90"} {
		for _, threads := range []string{"1", "2"} {
			t.Run(source+" "+threads, func(t *testing.T) {
				t.Parallel()
				environment := []string{"OMP_NUM_THREADS=" + threads, "OMP_DYNAMIC=false"}
				dir := t.TempDir()
				ours := run(t, dir, environment, build(t, "testdata/"+source, "-lpomp"))
				theirs := run(t, dir, environment, buildOPARI2(t, "testdata/"+source, "-lpomp"))
				if filepath.Ext(source) == ".f90" { // tasks of one construct may be exchanged
					ours, theirs = taskNumber.ReplaceAllString(ours, "task"),
						taskNumber.ReplaceAllString(theirs, "task")
				}
				compareThreads(t, ours, theirs)
			})
		}
	}
}

var taskNumber = regexp.MustCompile(`task:? \d+`)

// buildOPARI2 does the same as build by OPARI2.
func buildOPARI2(t *testing.T, source string, library ...string) string {
	t.Helper()
	return buildByScript(t, theirs(t), nil, source, library...)
}

// theirs returns the folder of OPARI2's programs.
func theirs(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("opari2")
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Dir(path)
}

// buildByScript builds a program as scripts for OPARI2 do, by the opari2 in a folder.
func buildByScript(t *testing.T, bin string, options []string, source string,
	library ...string,
) string {
	t.Helper()
	dir := t.TempDir()
	ext := filepath.Ext(source)
	copyFile(t, source, filepath.Join(dir, "p"+ext))
	command := []string{filepath.Join(bin, "opari2"), "--omp-task-untied=keep", "--nosrc"}
	run(t, dir, nil, append(append(command, options...), "p"+ext, "p.mod"+ext)...)
	cc := compiler(source)
	run(t, dir, nil, cc, "-fopenmp", "-c", "p.mod"+ext, "-o", "p.o")
	config := filepath.Join(bin, "opari2-config")
	run(t, dir, nil, "sh", "-c", "`"+config+" --nm` p.o | "+
		"`"+config+" --region-initialization` > init.c && gcc -c init.c")
	link := []string{cc, "-fopenmp", "p.o", "init.o", "-o", "p"}
	run(t, dir, nil, append(link, library...)...)
	return filepath.Join(dir, "p")
}

// compareThreads compares what each thread has printed. The library's prefix is the thread's
// number.
func compareThreads(t *testing.T, ours, theirs string) {
	t.Helper()
	a, b := byThread(ours), byThread(theirs)
	if len(a) < 1 || len(a) != len(b) {
		t.Errorf("%d threads, and %d with OPARI2", len(a), len(b))
	}
	for thread, lines := range b {
		own := a[thread]
		for i := range max(len(own), len(lines)) {
			if i >= len(own) || i >= len(lines) || own[i] != lines[i] {
				t.Errorf("thread %s differs from call %d:\n%q\nwith OPARI2:\n%q", thread, i,
					own[i:min(len(own), i+8)], lines[i:min(len(lines), i+8)])
				break
			}
		}
	}
}

func byThread(output string) map[string][]string {
	threads := map[string][]string{}
	for line := range strings.Lines(output) {
		if thread, call, is := strings.Cut(line, ": "); is {
			thread = strings.TrimSpace(thread)
			threads[thread] = append(threads[thread], strings.TrimSpace(call))
		}
	}
	return threads
}
