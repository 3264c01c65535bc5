package corpus

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// linkWithInitFile links a program as scripts for OPARI2 do: with the initialization file of its
// objects, and a library.
const linkWithInitFile = `#!/bin/sh
set -e
here=BIN
objects=
for word; do
	case $word in
	o[0-9].o) objects="$objects $word" ;;
	esac
done
$("$here/opari2-config" --nm) $objects | $("$here/opari2-config" --region-initialization) >init.c
gcc -w -c init.c $("$here/opari2-config" --cflags)
exec "$@" init.o LIBRARY -lm
`

// installedAsOPARI2 returns the folder of opari by OPARI2's names.
func installedAsOPARI2(t *testing.T) string {
	t.Helper()
	prefix := t.TempDir()
	o := Execute(prefix, nil, buildLimit, opariBinary, "pomp2", "--prefix="+prefix)
	if !o.OK() {
		t.Fatal(o.Output)
	}
	return filepath.Join(prefix, "bin")
}

// asOPARI2 instruments by OPARI2's command line, with the program in bin, and links with a library.
func asOPARI2(t *testing.T, bin, cc, library string) *Way {
	link := filepath.Join(t.TempDir(), "link")
	text := strings.NewReplacer("BIN", bin, "LIBRARY", library).Replace(linkWithInitFile)
	if err := os.WriteFile(link, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
	options := strings.NewReplacer("--form=fixed", "--fix-form", "--form=free", "--free-form",
		"--lang=", "--")
	return &Way{
		Name: "opari2, " + cc,
		Compile: func(dir string, p *Program, source, object string) Result {
			name := filepath.Base(source)
			if err := os.Symlink(source, filepath.Join(dir, name)); err != nil {
				return Result{Class: Crashed, Why: err.Error()}
			}
			flags := slices.Clone(p.FormFlags())
			for i, f := range flags {
				flags[i] = options.Replace(f)
			}
			ext := filepath.Ext(name)
			out := strings.TrimSuffix(name, ext) + ".mod" + strings.Replace(ext, ".f", ".F", 1)
			o := Execute(dir, nil, runLimit, slices.Concat([]string{
				filepath.Join(bin, "opari2"), "--omp-task-untied=keep",
			}, flags, []string{name, out})...)
			if !o.OK() {
				return Result{Class: Refused, Why: FirstDiagnostic(o.Output)}
			}
			return compile(dir, []string{cc}, p, source, out, object)
		},
		Link: []string{link, cc},
	}
}

// TestAsOPARI2: what passes plain passes by OPARI2's command lines, too, with the library that
// OPARI2 has for examples. Every 40th program does without OPARI_ALL; the library prints each
// event, which takes most of the time.
func TestAsOPARI2(t *testing.T) {
	expensive.Need(t, "nm", "awk")
	if _, err := os.Stat("/usr/lib/libpomp.a"); err != nil {
		t.Skip("OPARI2's library is not there: make test installs libpomp2-dev")
	}
	withLibrary(t, "-lpomp", func(*Program) {})
}

// TestStrictly does the same with the library that checks each call and aborts at a mistake.
func TestStrictly(t *testing.T) {
	expensive.Need(t, "nm", "awk", "ar")
	corpusDir(t) // without the corpus, there is no binary
	dir := t.TempDir()
	object, library := filepath.Join(dir, "strict.o"), filepath.Join(dir, "libstrict.a")
	for _, words := range [][]string{
		{opariBinary, "pomp2", "--prefix=" + dir},
		{
			"gcc", "-fopenmp", "-O1", "-I" + filepath.Join(dir, "include"), "-c",
			"../../internal/pomp2/testdata/strict.c", "-o", object,
		},
		{"ar", "rc", library, object}, // a program without OpenMP takes nothing from it
	} {
		if o := Execute(".", nil, buildLimit, words...); !o.OK() {
			t.Fatal(o.Output)
		}
	}
	withLibrary(t, library, func(p *Program) {
		text, err := os.ReadFile(p.Path)
		if err != nil {
			t.Fatal(err)
		}
		if leavesTasks.Match(text) || slices.Contains(exiting, filepath.Base(p.Path)) {
			p.Env = append(slices.Clone(p.Env), "STRICT_OPEN=1")
		}
	})
}

// Nobody hears that the other threads leave a cancelled region, or that tasks end because the
// program does. Those that end the program in a task or a section are exiting.
var (
	leavesTasks = regexp.MustCompile(`(?i)\bomp cancel parallel`)
	exiting     = []string{"pr66133.c", "sections-2.c"}
)

// withLibrary runs the programs of the three corpora, linked with a library for POMP2. prepare may
// change them.
func withLibrary(t *testing.T, library string, prepare func(*Program)) {
	bin := installedAsOPARI2(t)
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
				// Neither initialization file nor library is for a shared library.
				return slices.Contains(p.Flags, "-shared")
			})
			programs = some(programs, 40)
			for i := range programs {
				prepare(&programs[i])
			}
			for class, n := range conformance(t, asOPARI2(t, bin, s.cc, library), programs) {
				if class != Pass {
					t.Errorf("%d of %d: %s", n, len(programs), class)
				}
			}
		})
	}
}
