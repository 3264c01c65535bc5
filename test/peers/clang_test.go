package peers

import (
	"os"
	"slices"
	"sync/atomic"
	"testing"

	"opari/internal/expensive"
	"opari/test/corpus"
)

// leastClang is how many of the C and C++ programs each clang accepts, at least, for each
// version; the old ones lack directives.
const leastClang = 15

// miscompiled lists, by release, the programs that clang compiles wrongly without opari. For
// these the test expects the output of GCC's program.
var miscompiled = map[string]string{
	"19": "masked_taskloop.c", // its loop does not run; split by opari it does
}

// TestClang builds the C and C++ programs with clang. What it accepts plain must pass both ways.
// With OPARI_ALL it tries all installed releases, for each version of OpenMP that they know, else
// the newest for its own version.
func TestClang(t *testing.T) {
	expensive.Compilers(t)
	clangs, versions := corpus.Clangs(), []string{""}
	if len(clangs) == 0 {
		t.Skip("no clang is installed: make test installs one")
	}
	if os.Getenv("OPARI_ALL") == "" {
		clangs = clangs[len(clangs)-1:]
	} else {
		versions = append(versions, "45", "50", "51", "52", "60")
	}
	for _, c := range clangs {
		for _, version := range versions {
			var taken atomic.Int32
			t.Run("clang-"+c.Name+" "+version, func(t *testing.T) {
				for _, p := range programs(t) {
					names := map[string]string{"gcc": "clang-", "g++": "clang++-"}
					if names[p.compiler()] == "" {
						continue
					}
					p.other = slices.Concat([]string{names[p.compiler()] + c.Name}, c.Flags,
						[]string{"-Wno-unused-command-line-argument"})
					if version != "" {
						p.other = append(p.other, "-fopenmp-version="+version)
					}
					t.Run(p.name, func(t *testing.T) {
						t.Parallel()
						if why := p.plain(t); why != "" {
							t.Logf("not taken: %.200s", why)
							return
						}
						taken.Add(1)
						if miscompiled[c.Name] == p.name {
							gcc := p
							gcc.other = nil
							if why := gcc.plain(t); why != "" {
								t.Fatal(why)
							}
							p.output = gcc.output
						}
						p.wrapped(t)
						p.instrumented(t)
					})
				}
			})
			t.Logf("clang-%s %s takes %d programs", c.Name, version, taken.Load())
			if taken.Load() < leastClang {
				t.Errorf("clang-%s %s takes %d programs only", c.Name, version, taken.Load())
			}
		}
	}
}
