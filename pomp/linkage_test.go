package pomp

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"opari/internal/expensive"
)

// TestSilentWithoutProfile requires that there is no output, no file and no measuring unless the
// environment requests it.
func TestSilentWithoutProfile(t *testing.T) {
	expensive.Compilers(t)
	eachLinkage(t, func(t *testing.T, libs []string) {
		path := compileProgram(t, "counts", libs...)
		for _, env := range [][]string{
			{},
			{"OPARI_PROFILE=", "OPARI_TRACE="},
			{"OPARI=off", "OPARI_PROFILE=p", "OPARI_TRACE=t"},
			{"OPARI=state"},
		} {
			cmd := program(path)
			cmd.Dir = t.TempDir()
			cmd.Env = append(os.Environ(), env...)
			out, err := cmd.CombinedOutput()
			if err != nil || len(out) > 0 {
				t.Errorf("%v: %v, printed %q", env, err, out)
			}
			if files, _ := os.ReadDir(cmd.Dir); len(files) > 0 {
				t.Errorf("%v: left %v behind", env, files)
			}
		}
	})
}

// TestIdleHeap requires that the library takes nothing of the heap where nobody measures. What it
// took once moved the runtime's blocks, which made each parallel region slower.
func TestIdleHeap(t *testing.T) {
	expensive.Compilers(t)
	for name, libs := range map[string][]string{
		"static":      append(library(t).Libs(false), "-static"),
		"interposing": library(t).DynamicLibs(), "shared": library(t).Libs(true),
	} {
		out, err := exec.Command(compileProgram(t, "heap", libs...)).CombinedOutput()
		if err != nil || string(out) != "0\n" {
			t.Errorf("%s: %v, bytes taken: %s", name, err, out)
		}
	}
}

func TestRunsWithoutLibrary(t *testing.T) {
	expensive.Compilers(t)
	for _, name := range []string{"counts", "waits", "nested", "imbalance"} {
		if e := execute(t, compileProgram(t, name), nil, "1"); e.code != 0 || len(e.files) > 0 {
			t.Errorf("%s: exit code %d, files %v", name, e.code, e.files)
		}
	}
}

func TestStaticProgram(t *testing.T) {
	p := measure(t, compileProgram(t, "counts", append(library(t).Libs(false), "-static")...), nil)
	if p.Regions[1].sum().Count != 10 {
		t.Errorf("%d instances, want 10", p.Regions[1].sum().Count)
	}
}

func TestNoSuchDirectory(t *testing.T) {
	program := compileProgram(t, "counts", library(t).Libs(false)...)
	if e := execute(t, program, []string{"OPARI_PROFILE=/nonexistent/p"}); e.code != 0 ||
		len(e.files) > 0 {
		t.Errorf("exit code %d, files %v", e.code, e.files)
	}
}

// TestRelativePrefix requires that a relative prefix is relative to the directory in which the
// program started.
func TestRelativePrefix(t *testing.T) {
	cmd := exec.Command(compileProgram(t, "counts", library(t).Libs(false)...))
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "OPARI_PROFILE=here")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if files, _ := filepath.Glob(filepath.Join(cmd.Dir, "here.*")); len(files) != 1 {
		t.Errorf("profiles: %v", files)
	}
}

func TestLoadedLibraries(t *testing.T) {
	expensive.Compilers(t)
	eachLinkage(t, func(t *testing.T, libs []string) {
		// The runtime must be the program's, because libgomp does not survive being unloaded.
		plugin := compileProgram(t, "plugin", "-shared", "-fPIC")
		p := measure(t, compileProgram(t, "loader",
			append(libs, "-ldl", "-Wl,--no-as-needed", "-lgomp")...), nil, plugin)
		// These are the loader's region 1 and the plugin's regions 1 and 2, which stay the same
		// over a hundred loads.
		var names []string
		for _, r := range p.All {
			names = append(names, filepath.Base(r.File)+" "+r.Name)
		}
		if len(p.All) != 3 {
			t.Fatalf("regions %v, want 3", names)
		}
		for _, r := range p.All {
			want := map[string]int64{
				"loader.c region": 100, "plugin.c parallel": 200,
				"plugin.c for": 200,
			}[filepath.Base(r.File)+" "+r.Name]
			if got := r.sum().Count; got != want {
				t.Errorf("%s %s: %d instances, want %d", r.File, r.Name, got, want)
			}
		}
	})
}

// TestLibraryLoadedLater runs a program that gets the library only with a plugin that it loads.
// The thread-local words must fit in the space that the loader reserves for them.
func TestLibraryLoadedLater(t *testing.T) {
	program := compileProgram(t, "loader", "-ldl", "-Wl,--no-as-needed", "-lgomp")
	plugin := compileProgram(t, "plugin", append(library(t).Libs(true), "-shared", "-fPIC")...)
	if e := execute(t, program, nil, plugin); e.code != 0 || len(e.files) == 0 {
		t.Errorf("exit code %d, profiles %v", e.code, e.files)
	}
}

func TestHeaderCompiles(t *testing.T) {
	expensive.Compilers(t)
	user := filepath.Join(t.TempDir(), "user.c")
	text := "#include \"pomp_lib.h\"\n#ifndef POMP_ABI_1\n#error no ABI\n#endif\nint " +
		"f(void);\nint f(void) { return (int)POMP_KIND_FOR; }\n"
	if err := os.WriteFile(user, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	flags := []string{
		"-fsyntax-only", "-Isrc", "-Wall", "-Wextra", "-Wshadow",
		"-Wpedantic", "-Werror",
	}
	for _, cc := range []string{"gcc", "clang-19"} {
		if _, err := exec.LookPath(cc); err != nil {
			t.Logf("%s is not installed: not checked with it", cc)
			continue
		}
		for _, mode := range []string{
			"-xc -std=c90", "-xc -std=c99", "-xc -std=c11",
			"-xc++ -std=c++11", "-xc++ -std=c++20",
		} {
			for _, unit := range []string{"", "-DPOMP_UNIT_1=1"} {
				args := append(append([]string{}, flags...), strings.Fields(mode+" "+unit)...)
				command(t, cc, append(args, user)...)
			}
		}
	}
}

// TestSourcesAreCleanOfWarnings requires that gcc gives no warnings without its optimizer.
// scripts/lint.sh runs gcc and clang with all warnings.
func TestSourcesAreCleanOfWarnings(t *testing.T) {
	for _, more := range []string{
		"-DPOMP_INTERPOSE", "-DOPARI_SHARED -DPOMP_INTERPOSE",
		"-DOPARI_NO_TSC",
	} {
		args := append([]string{
			"-std=c11", "-Wall", "-Wextra", "-Wshadow", "-Wconversion",
			"-Wstrict-prototypes", "-Werror", "-fsyntax-only",
		}, strings.Fields(more)...)
		command(t, "gcc", append(args, "src/pomp.c")...)
	}
}

// largestText bounds the size of the library's text. A program's first event pages in little of
// it, because rarely called code is compiled for size and lies in other pages.
//
// Shares of it, in kB:
//
//	11   the device tracing interface, events of target regions and target tasks
//	1    calls of MPI's layer, which no other program touches
//	2.5  merged calls (POMP_MERGES), in C and, in slots of their own, in Fortran
//	0.6  the check at each construct that may create a team whether it does
//	0.6  the single measurement of the cost of recording an event
//	1.1  the report of what a recording leaves out
//	0.6  the report of which process made it
//	1.2  the report of a taskwait with dependences as a task
//	2.2  the two entries of functions that may be switched off, and their lines in recordings
//	0.2  the same functions in Fortran, with words of their own
//	0.3  the test whether an object has a name, so that the heap stays as it was
//	0.5  the numbers of tasks and requests in recordings for OTF2
//	0.8  the orders that only a tool for data races is told
//	0.3  a profile's waiting at the end of a region, which each thread adds itself
const largestText = 135_600

// TestExports requires that only the interface is visible, and that the text stays small.
func TestExports(t *testing.T) {
	expensive.Need(t, "nm", "size")
	lib := library(t)
	out, err := exec.Command("nm", "-D", "--defined-only", lib.Shared()).Output()
	if err != nil {
		t.Fatal(err)
	}
	// The weak definitions are routines that runtimes without a tool interface lack.
	others := []string{"pomp_message_1", "pomp_recording_1"} // for other libraries
	standIn := regexp.MustCompile(
		`^(omp_control_tool|ompt_control|omp_init_(nest_)?lock_with_hint)_?$`)
	seen := map[string]bool{}
	for line := range strings.SplitSeq(strings.TrimSpace(string(out)), "\n") {
		f := strings.Fields(line)
		name := f[len(f)-1]
		seen[name] = true
		if !strings.HasPrefix(name, "POMP_") && name != "pomp_unit_1" && name != "pomp_fortran_1" &&
			!slices.Contains(others, name) && (!standIn.MatchString(name) || f[len(f)-2] != "W") {
			t.Errorf("%s is exported", name)
		}
	}
	for _, name := range []string{
		"pomp_unit_1", "pomp_fortran_1", "pomp_message_1",
		"pomp_recording_1", "POMP_Parallel_fork", "POMP_Do_enter", "POMP_Test_nest_lock",
		"POMP_Target_exit_data_exit",
	} {
		if !seen[name] {
			t.Errorf("%s is not exported", name)
		}
	}
	out, err = exec.Command("size", lib.Static()).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if text, err := strconv.Atoi(strings.Fields(lines[1])[0]); err != nil || text > largestText {
		t.Errorf("the library's text has %d bytes, at most %d are allowed: %v", text,
			largestText, err)
	}
}

// sanitized builds the library as one object under a sanitizer.
func sanitized(t *testing.T, flags ...string) []string {
	t.Helper()
	object := filepath.Join(t.TempDir(), "pomp.o")
	command(t, "gcc", append([]string{
		"-O1", "-g", "-std=c11", "-fvisibility=hidden", "-fPIC", "-c",
		"src/pomp.c", "-o", object,
	}, flags...)...)
	return append(flags, object)
}

func TestThreadSanitizer(t *testing.T) {
	expensive.Compilers(t)
	program := compileProgram(t, "drivers",
		append(sanitized(t, "-fsanitize=thread"), "-fno-openmp", "-pthread")...)
	p := measure(t, program, []string{"OPARI_TRACE=" + t.TempDir()})
	for line, want := range map[int]int64{1: 800, 2: 800, 3: 800, 4: 800} {
		if got := p.Regions[line].sum().Count; got != want {
			t.Errorf("region %d: %d instances, want %d", line, got, want)
		}
	}
}

func TestAddressSanitizer(t *testing.T) {
	expensive.Compilers(t)
	flags := sanitized(t, "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
	for _, name := range []string{"counts", "waits", "nested", "hosts", "many"} {
		program := compileProgram(t, name, flags...)
		trace := []string{
			"OPARI_TRACE=" + t.TempDir(),
			"OPARI_TRACE_FILTER=200\n-kfor\n+f*/counts.c\n",
		}
		if e := execute(t, program, trace, "1"); e.code != 0 && e.code != 3 || len(e.files) != 1 {
			// Exit code 3 means that memory grows, which the sanitizer's own memory does.
			t.Errorf("%s: exit code %d, files %v", name, e.code, e.files)
		}
	}
}

// small is a product like the library, from a source that compiles in a moment.
var small = product{
	files: map[string][]byte{"small.c": []byte("int small;\n")}, results: []string{"small.o"},
	compile: func(cc []string, work, out string, files map[string][]byte) error {
		if err := writeFiles(work, files); err != nil {
			return err
		}
		if err := os.Mkdir(out, 0o700); err != nil {
			return err
		}
		return run(cc[0], append(cc[1:len(cc):len(cc)], "-c", filepath.Join(work, "small.c"), "-o",
			filepath.Join(out, "small.o"))...)
	},
}

func TestBuildOnce(t *testing.T) {
	dir := t.TempDir()
	built := make([]string, 3)
	var wg sync.WaitGroup
	for i := range built {
		wg.Go(func() {
			var err error
			if built[i], err = build([]string{"gcc"}, dir, small); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, b := range built {
		if b != built[0] {
			t.Errorf("two places: %v, %v", b, built[0])
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("left in the cache: %v, %v", entries, err)
	}
	result := filepath.Join(built[0], "small.o")
	before, err := os.Stat(result)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := build([]string{"gcc"}, dir, small); err != nil {
		t.Error(err)
	}
	if after, err := os.Stat(result); err != nil || !os.SameFile(before, after) ||
		before.ModTime() != after.ModTime() {
		t.Errorf("built again: %v", err)
	}
	other, err := build([]string{"gcc", "-DOTHER"}, dir, small)
	if err != nil || other == built[0] {
		t.Errorf("other options, the same library: %v, %v", other, err)
	}
}

func TestBuildErrors(t *testing.T) {
	if _, err := Build(nil, t.TempDir()); err == nil {
		t.Error("no compiler: no error")
	}
	if _, err := Build([]string{"no-such-compiler"}, t.TempDir()); err == nil ||
		!strings.Contains(err.Error(), "no-such-compiler") {
		t.Errorf("no such compiler: %v", err)
	}
	dir := t.TempDir()
	if _, err := Build([]string{"gcc", "-std=no-such-standard"}, dir); err == nil ||
		!strings.Contains(err.Error(), "no-such-standard") {
		t.Errorf("compiler fails: %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("a failed build left %v", left)
	}
}

// TestBuildWithoutCache requires that the library goes to a directory of the user's own among the
// temporary files if the cache is not writable.
func TestBuildWithoutCache(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", filepath.Join(file, "cache")) // not a directory, not even for root
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	built, err := build([]string{"gcc"}, "", small)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(built, tmp) || !ownedByUs(built) {
		t.Errorf("built in %s", built)
	}
}

func TestInstall(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "usr")
	if err := library(t).Install(prefix, "1.2.3"); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(prefix, "lib/pkgconfig/pomp.pc"))
	if err != nil || !strings.Contains(string(text), "Version: 1.2.3") ||
		!strings.Contains(string(text), "prefix="+prefix) {
		t.Errorf("%v: %s", err, text)
	}
	p := measure(t, compileProgram(t, "counts", Lib{Dir: prefix}.Libs(true)...), nil)
	if p.Regions[1].sum().Count != 10 {
		t.Error("the installed library does not measure")
	}
}

// TestNestLockOwners requires that the shared library and the program call the same versions of
// the runtime's lock routines.
func TestNestLockOwners(t *testing.T) {
	eachLinkage(t, func(t *testing.T, libs []string) {
		if got := measure(t, compileProgram(t, "owners", libs...),
			nil).Regions[1].sum().Count; got != 4 {
			t.Errorf("%d calls, want 4", got)
		}
	})
}
