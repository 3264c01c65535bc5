package corpus

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"opari/pomp"
)

// A build of the library under a sanitizer: what it is built with, and what is set for the runs. The programs are built without: what
// they do, and what GCC's runtime does, which is built without too, is not looked at. ThreadSanitizer tells modules that
// were built with it from others, so there the library is a shared one.
var sanitizers = []struct {
	name, flags string
	shared      bool
	env         []string
}{
	{"address", "-fsanitize=address,undefined -fno-sanitize-recover=all", false, []string{"ASAN_OPTIONS=detect_leaks=0:halt_on_error=1:allocator_may_return_null=1"}},
	{"thread", "-fsanitize=thread", true, []string{"TSAN_OPTIONS=ignore_noninstrumented_modules=1:report_signal_unsafe=0:die_after_fork=0:halt_on_error=1:allocator_may_return_null=1"}},
}

// TestSanitized runs every third program, all with OPARI_ALL set, with a library that is built under a sanitizer, while it writes a profile
// and the checker of OMPT's protocol listens: no sanitizer finds anything in the library.
func TestSanitized(t *testing.T) { sanitized(t, suiteC, 3) }

func sanitized(t *testing.T, s *suite, nth int) {
	t.Helper()
	// With -flto the program is compiled when it is linked, under the sanitizer too; with -fno-openmp it does without the runtime.
	programs := some(slices.DeleteFunc(s.runnable(t), func(p Program) bool {
		return slices.Contains(p.Flags, "-flto") || slices.Contains(p.Flags, "-fno-openmp")
	}), nth)
	checker, err := pomp.BuildTool(pomp.ToolCheck, []string{"gcc"}, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, under := range sanitizers {
		t.Run(under.name, func(t *testing.T) {
			flags := strings.Fields(under.flags)
			lib, err := pomp.Build(append([]string{"gcc", "-g"}, flags...), "")
			if err != nil {
				t.Fatal(err)
			}
			libs := lib.DynamicLibs()
			if under.shared {
				libs = lib.Libs(true)
			}
			w := SourceMode(opariBinary, s.compiler, lib.CFlags(), append(flags, libs...), append(flags, lib.Libs(true)...))
			w.Name = "library under -fsanitize=" + under.name
			counted, silent, slow := 0, 0, 0
			results := make([]string, len(programs))
			each(t, len(programs), func(i int, dir string) {
				local := *w
				local.Env = append([]string{
					"OPARI_PROFILE=" + filepath.Join(dir, "profile"), "OMP_TOOL_LIBRARIES=" + checker,
					"OPARI_OMPT_CHECK=" + filepath.Join(dir, "violations"), "OMP_WAIT_POLICY=passive",
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
			t.Logf("%s: %d programs measured without a report, %d make no call", w.Name, counted, silent)
			if counted < len(programs)/2 || slow > 2+len(programs)/100 {
				t.Errorf("of %d programs %d wrote a profile, %d were too slow", len(programs), counted, slow)
			}
		})
	}
}
