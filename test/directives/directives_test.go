// Package directives tests each directive of the dictionary in C and in Fortran, with the clauses
// that are easy to get wrong. It compares the coverage with the wanted one.
//
// It also checks that `opari cc` accepts everything that the compiler accepts at the requested
// version of OpenMP.
package directives

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"opari/internal/expensive"
	"opari/internal/omp"
	"opari/test/corpus"
)

const (
	limit = time.Minute // of each command; one takes a tenth of a second
	// plainLimit is for compilers alone: clang does not end on a directive that it knows only by
	// name. Directives that exceed it are not compared, so it must suffice on a busy machine.
	plainLimit = 20 * time.Second
	// leastTaken is the least number of directives that each of GCC 12's compilers accepts; they
	// accept 44 to 48. With fewer, hardly anything would be compared.
	leastTaken = 40
)

var opari string // the binary

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "opari-directives")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		opari = filepath.Join(dir, "opari")
		if testing.Short() {
			return m.Run()
		}
		if o := corpus.Execute(".", nil, 5*time.Minute, "go", "build", "-o", opari,
			"opari/cmd/opari"); !o.OK() {
			fmt.Fprintln(os.Stderr, o.Output)
			return 1
		}
		return m.Run()
	}())
}

// An entry is one of the files in testdata.
type entry struct {
	name   string
	file   bool // at file scope; in Fortran, in place of the program
	text   string
	wanted []coverage
}

type coverage struct {
	Directive, Reason string
	Instrumented      bool
}

func (c coverage) String() string { return c.Directive + " | " + c.Reason + ";" }

// fits reports whether got matches c, whose reason is only the start of the full one.
func (c coverage) fits(got coverage) bool {
	return c.Directive == got.Directive && c.Instrumented == got.Instrumented &&
		strings.HasPrefix(got.Reason, c.Reason) && (got.Reason == "") == c.Instrumented
}

// entries reads a file of testdata.
func entries(t *testing.T, file string) []entry {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	var all []entry
	for _, part := range strings.Split(string(text), "\n== ")[1:] {
		name, rest, _ := strings.Cut(part, "\n")
		body, wanted, is := strings.Cut(rest, "\n-- ")
		if !is {
			t.Fatalf("%s: %s: no line that begins with --", file, name)
		}
		e := entry{name: name}
		e.text, e.file = strings.CutPrefix(body, "file\n")
		for w := range strings.SplitSeq(strings.TrimSpace(wanted), "; ") {
			directive, reason, skipped := strings.Cut(w, " | ")
			e.wanted = append(e.wanted, coverage{directive, reason, !skipped})
		}
		all = append(all, e)
	}
	return all
}

// program returns the text of e in a language, by extension.
func (e *entry) program(ext string) string {
	switch {
	case ext == ".f90" && e.file:
		return e.text + "\n"
	case ext == ".f90":
		return "subroutine f(a, b, n)\nuse omp_lib\nimplicit none\ninteger :: a(n), b(n), n, i, " +
			"j, x, y\nexternal :: callee\n" + e.text + "\nend subroutine\n"
	}
	head := "#include <omp.h>\nextern int a[9], b[9], n, y;\nextern int callee(int);\nstatic int " +
		"tp;\n#pragma omp threadprivate(tp)\n"
	if e.file {
		return head + e.text + "\n"
	}
	return head + "void f(int x) {\n" + e.text + "\n}\n"
}

// want returns the wanted coverage of the program.
func (e *entry) want(ext string) []coverage {
	if ext == ".f90" {
		return e.wanted
	}
	return slices.Concat([]coverage{{"threadprivate", "declarative", false}}, e.wanted)
}

// A compiler supports some versions of OpenMP; versions is nil if it has no option for them.
type compiler struct {
	argv     []string
	ext      string
	versions []string
}

// clangVersions are the versions of OpenMP that clang knows.
var clangVersions = []string{"45", "50", "51", "52", "60"}

// compilers returns the compilers to test. Of clang it is the newest release, for the newest
// version and C++ alone, or all releases with OPARI_ALL.
func compilers(t *testing.T) []compiler {
	t.Helper()
	clangs, full := corpus.Clangs(), os.Getenv("OPARI_ALL") != ""
	all := []compiler{
		{[]string{"gcc"}, ".c", nil},
		{[]string{"g++"}, ".cc", nil},
		{[]string{"gfortran", "-ffree-line-length-none"}, ".f90", nil},
	}
	for i, c := range clangs {
		if full {
			all = append(all,
				compiler{append([]string{"clang-" + c.Name}, c.Flags...), ".c", clangVersions})
			all = append(all,
				compiler{append([]string{"clang++-" + c.Name}, c.Flags...), ".cc", clangVersions})
		} else if i == len(clangs)-1 {
			all = append(all, compiler{
				append([]string{"clang++-" + c.Name}, c.Flags...), ".cc",
				clangVersions[len(clangVersions)-1:],
			})
		}
	}
	if _, err := exec.LookPath("flang-new-19"); err == nil && full {
		all = append(all, compiler{[]string{"flang-new-19"}, ".f90", []string{"52"}})
	}
	if len(clangs) == 0 {
		t.Log("no clang is installed: GCC alone is asked")
	}
	return all
}

// flags returns the flags that select one version.
func (c *compiler) flags(version string) []string {
	flags := append(slices.Clone(c.argv[1:]), "-fopenmp")
	if c.versions == nil {
		flags = append(flags, "-Wunknown-pragmas")
	}
	if version != "" && c.ext != ".f90" {
		flags = append(flags, "-fopenmp-version="+version)
	}
	return flags
}

// TestEach checks that `opari regions` gives each directive the wanted coverage, and so does
// `opari cc` with each compiler that accepts the directive.
func TestEach(t *testing.T) {
	expensive.Compilers(t)
	all := compilers(t)
	for file, exts := range map[string][]string{"c.txt": {".c", ".cc"}, "fortran.txt": {".f90"}} {
		t.Run(file, func(t *testing.T) {
			for _, e := range entries(t, file) {
				t.Run(e.name, func(t *testing.T) {
					t.Parallel()
					for _, ext := range exts {
						e.each(t, ext, all)
					}
				})
			}
		})
	}
	takers := map[string]int{}
	for _, directive := range slices.Sorted(maps.Keys(taken)) {
		by := slices.Sorted(maps.Keys(taken[directive]))
		for _, name := range by {
			takers[name]++
		}
		t.Logf("%s: taken by %s", directive, strings.Join(by, ", "))
	}
	some := strings.Contains(flag.Lookup("test.run").Value.String(), "/")
	for _, name := range []string{"gcc", "g++", "gfortran"} {
		if !some && takers[name] < leastTaken {
			t.Errorf("%s takes only %d directives, at least %d were expected", name,
				takers[name], leastTaken)
		}
	}
}

// each runs opari and the compilers on the program in one language.
func (e *entry) each(t *testing.T, ext string, all []compiler) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "f"+ext), []byte(e.program(ext)), 0o644); err != nil {
		t.Fatal(err)
	}
	e.regions(t, dir, ext)
	for _, w := range e.wanted {
		lock.Lock()
		if taken[w.Directive] == nil {
			taken[w.Directive] = map[string]bool{}
		}
		lock.Unlock()
	}
	for i := range all {
		if all[i].ext == ext {
			e.compiled(t, dir, &all[i])
		}
	}
}

// regions compares the output of `opari regions` with the wanted coverage.
func (e *entry) regions(t *testing.T, dir, ext string) {
	o := corpus.Execute(dir, nil, limit, opari, "regions", "--coverage", "--format=json", "f"+ext)
	var files []struct {
		Coverage []coverage
		Total    struct{ Directives, Instrumented, Skipped int }
	}
	i := strings.Index(o.Output, "[\n")
	if i < 0 || json.Unmarshal([]byte(o.Output[i:]), &files) != nil || len(files) != 1 {
		t.Errorf("opari regions f%s: exit %d: %s", ext, o.Code, o.Output)
		return
	}
	e.hold(t, "opari regions f"+ext, ext, files[0].Coverage)
	if n := files[0].Total; n.Directives != len(files[0].Coverage) ||
		n.Instrumented+n.Skipped != n.Directives {
		t.Errorf("opari regions f%s: %d directives, the total says %v", ext,
			len(files[0].Coverage), n)
	}
}

func (e *entry) hold(t *testing.T, way, ext string, got []coverage) {
	t.Helper()
	if want := e.want(ext); !slices.EqualFunc(want, got, coverage.fits) {
		t.Errorf("%s: coverage is\n%v\nwanted\n%v", way, got, want)
	}
}

var (
	lock  sync.Mutex
	taken = map[string]map[string]bool{} // by directive, the compilers that accept it
)

// compiled compiles the program with c, bare and through `opari cc`.
func (e *entry) compiled(t *testing.T, dir string, c *compiler) {
	for _, version := range append(slices.Clone(c.versions), "")[:max(1, len(c.versions))] {
		argv := slices.Concat(c.argv[:1], c.flags(version),
			[]string{"-c", "f" + c.ext, "-o", "f.o"})
		plain := corpus.Execute(dir, nil, plainLimit, argv...)
		if !plain.OK() {
			continue
		}
		name := strings.TrimSpace(c.argv[0] + " " + version)
		lock.Lock()
		for _, w := range e.wanted {
			if strings.Contains(plain.Output, "ignoring '#pragma omp") {
				break // it accepts what it does not know
			}
			taken[w.Directive][name] = true
		}
		lock.Unlock()
		_ = os.Remove(filepath.Join(dir, "coverage"))
		front := []string{"env", "OPARI_COVERAGE=coverage", opari, "cc", "--on-error=fail"}
		if o := corpus.Execute(dir, nil, limit, slices.Concat(front, argv)...); !o.OK() {
			t.Errorf("%s: opari cc: exit %d: %s", name, o.Code, o.Output)
			continue
		}
		text, _ := os.ReadFile(filepath.Join(dir, "coverage"))
		var got []coverage
		for line := range strings.Lines(string(text)) {
			var one coverage
			if err := json.Unmarshal([]byte(line), &one); err != nil {
				t.Fatal(err)
			}
			if one.Reason != "in a system header" { // clang's omp.h holds some
				got = append(got, one)
			}
		}
		e.hold(t, name+": opari cc", c.ext, got)
	}
}

// TestTable checks that testdata has each leaf of the dictionary, in each language that has it.
func TestTable(t *testing.T) {
	for file, lang := range map[string]omp.Language{"c.txt": omp.C, "fortran.txt": omp.Fortran} {
		seen := map[string]bool{}
		for _, e := range entries(t, file) {
			for _, w := range e.wanted {
				name, n := omp.Lookup(lang, strings.Fields(w.Directive)...)
				if n != len(strings.Fields(w.Directive)) {
					continue // the one that nobody knows
				}
				for _, leaf := range name.Leaves {
					seen[leaf.Name] = true
				}
			}
		}
		for i := range omp.Directives {
			if d := &omp.Directives[i]; d.Langs&lang != 0 && !seen[d.Name] {
				t.Errorf("%s: no entry has %s", file, d.NameIn(lang))
			}
		}
	}
}
