// Package peers tests a program, in testdata, for each open issue of OPARI2 and for more that its
// users met. Each program must build through `opari cc` and `opari FILE`, and run as the plain
// one does. The coverage must have each directive, and the profile each instrumented one.
package peers

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"opari/internal/expensive"
	"opari/test/corpus"
)

var update = flag.Bool("update", false,
	"write docs/reference/opari2-issues.md anew, and measure OPARI2 for it where that is installed")

// the limit of each command, for one that hangs: without other load each takes a tenth of a
// second
const limit = 10 * time.Minute

var opari string // the binary

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "opari-peers")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		opari = filepath.Join(dir, "opari")
		if testing.Short() {
			return m.Run()
		}
		if o := corpus.Execute(".", nil, limit, "go", "build", "-o", opari,
			"opari/cmd/opari"); !o.OK() {
			fmt.Fprintln(os.Stderr, o.Output)
			return 1
		}
		return m.Run()
	}())
}

// A program is one of testdata, with the facts from its first comments.
type program struct {
	name  string
	issue string
	flags []string // of the compiler
	opari []string // of opari FILE
	check string   // what else is checked
	// directives in the order of the coverage; " skipped" follows one that is not instrumented
	wanted []string
	source []string // the same for opari FILE

	other            []string // the compiler with its flags, if it is not GCC
	messages, output string   // of the compiler, and of the program
}

// programs reads testdata.
func programs(t *testing.T) []program {
	t.Helper()
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	var all []program
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		text, err := os.ReadFile(filepath.Join("testdata", e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		p := program{name: e.Name()}
		for line := range strings.Lines(string(text)) {
			mark, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			key, value, is := strings.Cut(rest, ": ")
			if !slices.Contains([]string{"//", "!", "C"}, mark) || !is {
				break
			}
			switch key {
			case "issue":
				p.issue = value
			case "flags":
				p.flags = strings.Fields(value)
			case "opari":
				p.opari = strings.Fields(value)
			case "check":
				p.check = value
			case "coverage":
				p.wanted = strings.Split(value, "; ")
			case "source":
				p.source = strings.Split(value, "; ")
			}
		}
		if p.issue == "" {
			continue // part of another program
		}
		if p.source == nil {
			p.source = p.wanted
		}
		all = append(all, p)
	}
	return all
}

func (p *program) compiler() string {
	switch filepath.Ext(p.name) {
	case ".c":
		return "gcc"
	case ".cc":
		return "g++"
	}
	return "gfortran"
}

// build compiles and links in two steps; front precedes the compiler, libs follows the objects.
func (p *program) build(dir string, front []string, cflags []string, file string,
	libs []string,
) corpus.Outcome {
	base := append(append(slices.Clone(front), p.compiler()), "-fopenmp")
	if p.other != nil {
		base = slices.Concat(front, p.other, []string{"-fopenmp"})
	}
	o := corpus.Execute(dir, nil, limit,
		slices.Concat(base, p.flags, cflags, []string{"-c", file, "-o", "o.o"})...)
	if o.OK() {
		link := corpus.Execute(dir, nil, limit,
			slices.Concat(base, p.flags, []string{"o.o", "-o", "program"}, libs)...)
		link.Output = o.Output + link.Output
		return link
	}
	return o
}

// run runs the program that build made.
func run(dir string) corpus.Outcome {
	return corpus.Execute(dir, []string{
		"OMP_NUM_THREADS=4", "OMP_DYNAMIC=false",
		"OPARI_PROFILE=profile",
	}, limit, "./program")
}

// folder returns a copy of testdata.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestPrograms(t *testing.T) {
	expensive.Compilers(t)
	for _, p := range programs(t) {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			if why := p.plain(t); why != "" {
				t.Fatalf("plain: %s", why)
			}
			p.wrapped(t)
			p.instrumented(t)
		})
	}
}

// plain builds p without opari, keeps the messages of the compiler and the program, and returns
// what fails.
func (p *program) plain(t *testing.T) string {
	dir := folder(t)
	built := p.build(dir, nil, nil, p.name, nil)
	if !built.OK() {
		return built.Output
	}
	plain := run(dir)
	if !plain.OK() || plain.Output == "" {
		return fmt.Sprintf("exit %d: %s", plain.Code, plain.Output)
	}
	p.messages, p.output = built.Output, plain.Output
	return ""
}

// wrapped builds p through opari cc.
func (p *program) wrapped(t *testing.T) {
	dir := folder(t)
	front := []string{"env", "OPARI_COVERAGE=coverage", opari, "cc", "--on-error=fail"}
	o := p.build(dir, front, nil, p.name, nil)
	if !o.OK() || o.Output != p.messages {
		t.Errorf("opari cc: exit %d: %s", o.Code, o.Output)
		return
	}
	var seen []entry
	text, _ := os.ReadFile(filepath.Join(dir, "coverage"))
	for line := range strings.Lines(string(text)) {
		var e entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if e.Reason != "in a system header" { // clang's omp.h holds some
			seen = append(seen, e)
		}
	}
	p.look(t, "opari cc", dir, seen, p.wanted)
	switch p.check {
	case "dependencies":
		p.dependencies(t, dir)
	case "filter":
		p.filtered(t)
	}
}

// instrumented builds p by opari FILE.
func (p *program) instrumented(t *testing.T) {
	dir := folder(t)
	ext := filepath.Ext(p.name)
	out := strings.TrimSuffix(p.name, ext) + ".mod" + ext
	if o := corpus.Execute(dir, nil, limit,
		slices.Concat([]string{opari}, p.opari, []string{p.name, out})...); !o.OK() {
		t.Errorf("opari FILE: exit %d: %s", o.Code, o.Output)
		return
	}
	libs := []string{"--libs"}
	switch {
	case p.compiler() == "gfortran":
		libs = append(libs, "--fortran")
	case p.other != nil:
		libs = append(libs, "--cc="+strings.Replace(p.other[0], "clang++", "clang", 1))
	}
	if o := p.build(dir, nil, config(t, "--cflags"), out, config(t, libs...)); !o.OK() ||
		o.Output != p.messages {
		t.Errorf("opari FILE: exit %d: %s", o.Code, o.Output)
		return
	}
	o := corpus.Execute(dir, nil, limit, slices.Concat([]string{
		opari, "regions", "--coverage",
		"--format=json",
	}, p.opari, []string{p.name})...)
	var files []struct{ Coverage []entry }
	if i := strings.Index(o.Output, "["); i < 0 ||
		json.Unmarshal([]byte(o.Output[i:]), &files) != nil || len(files) != 1 {
		t.Fatalf("opari regions: exit %d: %s", o.Code, o.Output)
	}
	p.look(t, "opari FILE", dir, files[0].Coverage, p.source)
}

// config returns the flags for builds by hand, as opari prints them.
func config(t *testing.T, flags ...string) []string {
	t.Helper()
	o := corpus.Execute(t.TempDir(), nil, limit, append([]string{opari, "config"}, flags...)...)
	if !o.OK() {
		t.Fatalf("opari config %v: %s", flags, o.Output)
	}
	return strings.Fields(o.Output)
}

// An entry is a line of the coverage.
type entry struct {
	Directive, Reason string
	Line              int
	Instrumented      bool
}

// look runs the program in dir and compares the output, the coverage and the profile with the
// wanted ones.
func (p *program) look(t *testing.T, way, dir string, seen []entry, wanted []string) {
	t.Helper()
	var got []string
	counted := executed(t, dir, func() {
		if o := run(dir); !o.OK() || o.Output != p.output {
			t.Errorf("%s: exit %d:\n%s, plain:\n%s", way, o.Code, o.Output, p.output)
		}
	}, p.check == "small profile")
	for _, e := range seen {
		if !e.Instrumented {
			got = append(got, e.Directive+" skipped")
			if e.Reason == "" {
				t.Errorf("%s: line %d: %s is skipped, and nobody says why", way, e.Line,
					e.Directive)
			}
			continue
		}
		got = append(got, e.Directive)
		if !counted[e.Line] && p.check != "not all are executed" {
			t.Errorf("%s: %s of line %d was never measured", way, e.Directive, e.Line)
		}
	}
	if !slices.Equal(got, wanted) {
		t.Errorf("%s: coverage is\n%s, wanted\n%s", way, strings.Join(got, "; "),
			strings.Join(wanted, "; "))
	}
}
