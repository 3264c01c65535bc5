package corpus

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// linkWithInitFile links a program as scripts for OPARI2 do: with the initialization file of its
// objects, and the library that OPARI2 has for examples.
const linkWithInitFile = `#!/bin/sh
set -e
here=$(dirname "$0")
objects=
for word; do
	case $word in
	o[0-9].o) objects="$objects $word" ;;
	esac
done
$("$here/opari2-config" --nm) $objects | $("$here/opari2-config" --region-initialization) >init.c
gcc -w -c init.c $("$here/opari2-config" --cflags)
exec "$@" init.o -lpomp -lm
`

// asOPARI2 instruments by OPARI2's command line.
func asOPARI2(t *testing.T, cc string) *Way {
	prefix := t.TempDir()
	o := Execute(prefix, nil, buildLimit, opariBinary, "pomp2", "--prefix="+prefix)
	if !o.OK() {
		t.Fatal(o.Output)
	}
	bin := filepath.Join(prefix, "bin")
	link := filepath.Join(bin, "link")
	if err := os.WriteFile(link, []byte(linkWithInitFile), 0o777); err != nil {
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

// TestAsOPARI2: what passes plain passes by OPARI2's command lines, too, with its library. Every
// 40th program does without OPARI_ALL; the library prints each event, which takes most of the
// time.
func TestAsOPARI2(t *testing.T) {
	expensive.Need(t, "nm", "awk")
	if _, err := os.Stat("/usr/lib/libpomp.a"); err != nil {
		t.Skip("OPARI2's library is not there: make test installs libpomp2-dev")
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
				// Neither initialization file nor library is for a shared library.
				return slices.Contains(p.Flags, "-shared")
			})
			programs = some(programs, 40)
			for class, n := range conformance(t, asOPARI2(t, s.cc), programs) {
				if class != Pass {
					t.Errorf("%d of %d: %s", n, len(programs), class)
				}
			}
		})
	}
}
