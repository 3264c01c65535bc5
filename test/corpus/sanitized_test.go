package corpus

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"opari/pomp"
)

// A sanitizer is a build of the library under one: the flags, and the environment of the runs.
//
// The programs and GCC's runtime are built without it, so their own faults stay unnoticed.
// ThreadSanitizer distinguishes modules by how they were built, so it needs the library as a
// shared one.
type sanitizer struct {
	name, flags string
	shared      bool
	env         []string

	once sync.Once
	lib  pomp.Lib
	err  error
}

var sanitizers = []*sanitizer{
	{
		name: "address", flags: "-fsanitize=address,undefined -fno-sanitize-recover=all",
		env: []string{"ASAN_OPTIONS=detect_leaks=0:halt_on_error=1:allocator_may_return_null=1"},
	},
	{
		name: "thread", flags: "-fsanitize=thread", shared: true,
		env: []string{"TSAN_OPTIONS=ignore_noninstrumented_modules=1:report_signal_unsafe=0:" +
			"die_after_fork=0:halt_on_error=1:allocator_may_return_null=1"},
	},
}

// library builds the library under the sanitizer once for all suites. pomp.Build would build two
// more forms of it, which nothing here links, in some twenty seconds each. The linker's arguments
// come from plain.
func (s *sanitizer) library(plain pomp.Lib) (pomp.Lib, error) {
	s.once.Do(func() {
		s.lib = pomp.Lib{Dir: filepath.Join(objects, s.name)}
		const list = "lib/pomp.list"
		text, err := os.ReadFile(filepath.Join(plain.Dir, list))
		s.err = errors.Join(err, os.MkdirAll(filepath.Join(s.lib.Dir, "lib"), 0o755))
		if s.err == nil {
			s.err = os.WriteFile(filepath.Join(s.lib.Dir, list), text, 0o644)
		}
		if s.err != nil {
			return
		}
		object := filepath.Join(s.lib.Dir, "pomp.o")
		argv := strings.Fields("-g -O2 -fno-tree-slp-vectorize -std=c11 -fvisibility=hidden " +
			"-fPIC " +
			"-pthread -w -DPOMP_INTERPOSE ../../pomp/src/pomp.c " + s.flags)
		if s.shared {
			argv = append(argv, "-DOPARI_SHARED", "-shared", "-Wl,-soname,libpomp.so",
				"-Wl,-z,nodelete",
				"-Wl,-z,start-stop-visibility=hidden", "-o", s.lib.Shared())
			s.err = finished(exec.Command("gcc", argv...))
			return
		}
		s.err = finished(exec.Command("gcc", append(argv, "-c", "-o", object)...))
		if s.err == nil {
			s.err = finished(exec.Command("ar", "rcs", s.lib.Interposing(), object))
		}
	})
	return s.lib, s.err
}

// finished runs a command without a time limit, and returns its output as the error.
func finished(cmd *exec.Cmd) error {
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	return nil
}

// TestSanitized runs every ninth program, or all with OPARI_ALL, with a library built under a
// sanitizer. The library writes a profile and feeds the checker of OMPT's protocol. No sanitizer
// may find anything in the library.
func TestSanitized(t *testing.T) { sanitized(t, suiteC, 9) }

func sanitized(t *testing.T, s *suite, nth int) {
	t.Helper()
	// With -flto the program is compiled when it is linked, so under the sanitizer as well; with
	// -fno-openmp it has no runtime.
	programs := some(slices.DeleteFunc(s.runnable(t), func(p Program) bool {
		return slices.Contains(p.Flags, "-flto") || slices.Contains(p.Flags, "-fno-openmp")
	}), nth)
	checker, err := pomp.BuildTool(pomp.ToolCheck, []string{"gcc"}, "")
	if err != nil {
		t.Fatal(err)
	}
	plain, err := pomp.Build([]string{"gcc"}, "")
	if err != nil {
		t.Fatal(err)
	}
	var cflags []string // as in TestSourceMode and TestFortranSourceMode, to share objects
	if s == suiteC {
		cflags = config(t, "--cflags")
	}
	var builds sync.WaitGroup
	defer builds.Wait()
	for _, under := range sanitizers {
		builds.Go(func() { _, _ = under.library(plain) })
	}
	for _, under := range sanitizers {
		t.Run(under.name, func(t *testing.T) {
			flags := strings.Fields(under.flags)
			lib, err := under.library(plain)
			if err != nil {
				t.Fatal(err)
			}
			libs := lib.DynamicLibs()
			if under.shared {
				libs = lib.Libs(true)
			}
			w := SourceMode(opariBinary, s.compiler, cflags, append(flags, libs...), nil)
			w.Name = "library under -fsanitize=" + under.name
			counted, silent, slow := 0, 0, 0
			results := make([]string, len(programs))
			each(t, len(programs), func(i int, dir string) {
				local := *w
				local.Env = append([]string{
					"OPARI_PROFILE=" +
						filepath.Join(dir, "profile"), "OMP_TOOL_LIBRARIES=" + checker,
					"OPARI_OMPT_CHECK=" +
						filepath.Join(dir, "violations"), "OMP_WAIT_POLICY=passive",
				}, under.env...)
				r := local.Try(&programs[i], dir)
				switch profiles, _ := filepath.Glob(filepath.Join(dir, "profile.*")); {
				case r.Class == Refused:
				case r.Class == RunTimeout:
					results[i] = "slow"
				case r.Class != Pass:
					results[i] = string(r.Class) + ": " + r.Why
				case len(profiles) == 0:
					results[i] = "silent"
				default:
					results[i] = "measured"
				}
			})
			for i, r := range results {
				switch r {
				case "":
				case "measured":
					counted++
				case "silent": // it makes no call
					silent++
				case "slow": // one makes 26 million tasks
					slow++
					t.Logf("%s does not end in time", programs[i].ID)
				default:
					t.Errorf("%s: %s", programs[i].ID, r)
				}
			}
			t.Logf("%s: %d programs measured without a report, %d make no call", w.Name,
				counted, silent)
			if counted < len(programs)/2 || slow > 2+len(programs)/100 {
				t.Errorf("of %d programs %d wrote a profile, %d were too slow", len(programs),
					counted, slow)
			}
		})
	}
}
