package pomp

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// probe builds testdata/probe.c as the library of a tool.
func probe(t *testing.T, result string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "probe"+result+".so")
	command(t, "gcc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-DRESULT="+result, "-o", out,
		"testdata/probe.c")
	return out
}

// trial runs program with a tool's environment and returns the probe's notes, the output, and the
// exit code.
func trial(t *testing.T, program string, env []string, args ...string) (notes,
	printed string, code int,
) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	cmd := exec.Command(program, args...)
	cmd.Env = append(append(os.Environ(), "PROBE_LOG="+log, "OMP_DYNAMIC=false"), env...)
	out, _ := cmd.CombinedOutput()
	text, _ := os.ReadFile(log)
	return string(text), string(out), cmd.ProcessState.ExitCode()
}

const (
	fullLife = "p start 202011\np entry points missing 0\np events refused 0\np states\np " +
		"initial thread\np finalize\np threads begun 3\np threads not ended 0\n"
	declined = "p start 202011\np entry points missing 0\np events refused 0\np states\n"
)

// TestToolStarts requires where opari searches for a tool, and what the tool gets, OpenMP 5.2
// [19.2.2].
func TestToolStarts(t *testing.T) {
	expensive.Compilers(t)
	stays, declines, absent := probe(t, "2"), probe(t, "1"), probe(t, "0")
	lib := library(t)
	for _, link := range []struct {
		name string
		libs []string
	}{{"static", lib.Libs(false)}, {"interposing", lib.DynamicLibs()}, {"shared", lib.Libs(true)}} {
		t.Run(link.name, func(t *testing.T) {
			program := compileProgram(t, "tool_program", link.libs...)
			for _, c := range []struct {
				name  string
				env   []string
				args  []string
				notes string
			}{
				{"no tool", nil, nil, ""},
				{"listed", []string{"OMP_TOOL_LIBRARIES=" + stays}, nil, fullLife},
				{"second", []string{"OMP_TOOL_LIBRARIES=/no/such.so:" + absent + ":" + stays + ":" +
					declines}, nil, "p start 202011\n" + fullLife},
				{
					"declines",
					[]string{"OMP_TOOL_LIBRARIES=" + declines + ":" + stays},
					nil, declined,
				},
				{"preloaded", []string{"LD_PRELOAD=" + stays}, nil, fullLife},
				{
					"enabled",
					[]string{"OMP_TOOL=Enabled", "OMP_TOOL_LIBRARIES=" + stays},
					nil, fullLife,
				},
				{"disabled", []string{"OMP_TOOL=DISABLED", "OMP_TOOL_LIBRARIES=" + stays}, nil, ""},
				{"neither", []string{"OMP_TOOL=bogus", "OMP_TOOL_LIBRARIES=" + stays}, nil, ""},
				{"off", []string{"OPARI_OMPT=off", "OMP_TOOL_LIBRARIES=" + stays}, nil, ""},
				{"no event", []string{"OMP_TOOL_LIBRARIES=" + stays}, []string{"nothing"}, ""},
				{
					"5.0",
					[]string{"OPARI_OMPT_DIALECT=5.0", "OMP_TOOL_LIBRARIES=" + stays},
					nil,
					strings.Replace(fullLife, "202011", "201811", 1),
				},
			} {
				notes, printed, code := trial(t, program, c.env, c.args...)
				if notes != c.notes || printed != "" || code != 0 {
					t.Errorf("%s: exit code %d, printed %q, noted:\n%swant:\n%s", c.name, code,
						printed, notes, c.notes)
				}
			}
		})
	}
}

// TestToolAfterMadeUpTeam covers a task reduction or a target task outside of any region. GCC's
// runtime creates a team for it and may then hang in the next region. The library adds a region
// at the end, in which the pool's threads report their end. It omits that region in this case
// only.
func TestToolAfterMadeUpTeam(t *testing.T) {
	expensive.Compilers(t)
	lib := library(t)
	// MALLOC_PERTURB_ makes uninitialized memory nonzero.
	env := []string{"OMP_TOOL_LIBRARIES=" + probe(t, "2"), "MALLOC_PERTURB_=165"}
	for name, libs := range map[string][]string{
		"interposing": lib.DynamicLibs(),
		"static":      lib.Libs(false), "shared": lib.Libs(true),
	} {
		t.Run(name, func(t *testing.T) {
			program := compileProgram(t, "tool_program", libs...)
			for what, notEnded := range map[string]string{
				"for": "2", "sections": "2",
				"taskgroup": "2", "taskloop": "2", "target": "2", "within": "0",
			} {
				want := strings.Replace(fullLife, "threads not ended 0",
					"threads not ended "+notEnded, 1)
				if notes, printed, code := trial(t, "timeout", env, "20", program,
					what); notes != want || printed != "" || code != 0 {
					t.Errorf("%s: exit code %d, printed %q, noted:\n%s", what, code, printed, notes)
				}
			}
		})
	}
}

// TestToolInProgram starts a tool in the program itself, where no variable needs to name its
// library.
func TestToolInProgram(t *testing.T) {
	expensive.Compilers(t)
	lib := library(t)
	for _, libs := range [][]string{lib.Libs(false), lib.Libs(true)} {
		program := compileProgram(t, "tool_program",
			append([]string{"testdata/probe.c"}, libs...)...)
		if notes, printed, code := trial(t, program, nil); notes != fullLife ||
			printed != "" || code != 0 {
			t.Errorf("exit code %d, printed %q, noted:\n%s", code, printed, notes)
		}
	}
}

// TestToolVerbose requires that the library reports its search for tools where that is requested,
// and only there.
func TestToolVerbose(t *testing.T) {
	expensive.Compilers(t)
	stays := probe(t, "2")
	program := compileProgram(t, "tool_program", library(t).Libs(false)...)
	file := filepath.Join(t.TempDir(), "verbose")
	long := strings.Repeat("/no/such/library/in/a/long/list.so:", 60)
	for _, c := range []struct{ env, want []string }{
		{
			[]string{"OMP_TOOL_LIBRARIES=/no/such.so:" + stays},
			[]string{
				"current address space... Failed.", "Opening /no/such.so... Failed: ",
				"Tool was started",
			},
		},
		{
			[]string{"OMP_TOOL_LIBRARIES=" + long + stays},
			[]string{"OMP_TOOL_LIBRARIES = " + long + stays + "\nOpening ", "Tool was started"},
		},
		{[]string{"OMP_TOOL=bogus"}, []string{`OMP_TOOL has invalid value "bogus"`}},
		{[]string{"OMP_TOOL=disabled"}, []string{"OMP tool disabled."}},
		{nil, []string{"No OMP tool loaded."}},
	} {
		for _, to := range []string{"stdout", "STDERR", file} {
			_, printed, code := trial(t, program, append(c.env, "OMP_TOOL_VERBOSE_INIT="+to))
			if to == file {
				if printed != "" {
					t.Errorf("%s: printed %q", c.env, printed)
				}
				text, _ := os.ReadFile(file)
				printed = string(text)
			}
			for _, w := range append(c.want, "START LOGGING", "END LOGGING") {
				if !strings.Contains(printed, w) || code != 0 {
					t.Errorf("%s to %s: exit code %d, %q lacks %q", c.env, to, code, printed, w)
				}
			}
		}
	}
}

// TestToolAfterFork requires that a tool sees a child as a new program, once the child has an
// event of its own.
func TestToolAfterFork(t *testing.T) {
	expensive.Compilers(t)
	stays := probe(t, "2")
	program := compileProgram(t, "tool_program", library(t).DynamicLibs()...)
	life := strings.ReplaceAll(fullLife, "begun 3", "begun 1")
	parent, rest := life[:strings.Index(life, "p finalize")],
		life[strings.Index(life, "p finalize"):]
	child := strings.ReplaceAll(life, "p ", "c ")
	for name, want := range map[string]string{"fork": parent + child + rest, "exec": life} {
		if notes, printed, code := trial(t, program, []string{"OMP_TOOL_LIBRARIES=" + stays},
			name); notes != want || printed != "" || code != 0 {
			t.Errorf("%s: exit code %d, printed %q, noted:\n%swant:\n%s", name, code, printed,
				notes, want)
		}
	}
}

// TestToolAndProfile requires that the profile is written in addition to a tool's work, and that
// nothing is measured if no tool stays.
func TestToolAndProfile(t *testing.T) {
	expensive.Compilers(t)
	stays, declines := probe(t, "2"), probe(t, "1")
	program := compileProgram(t, "tool_program", library(t).Libs(false)...)
	log := filepath.Join(t.TempDir(), "log")
	p := measure(t, program, []string{"PROBE_LOG=" + log, "OMP_TOOL_LIBRARIES=" + stays})
	if s := p.Regions[1].sum(); s.Count != 3 && s.Count != 1 || p.Head.Threads != 3 {
		t.Errorf("the profile has %+v, %+v", p.Head, s)
	}
	if text, _ := os.ReadFile(log); string(text) != fullLife {
		t.Errorf("noted:\n%s", text)
	}
	for _, c := range []struct {
		env  string
		code int // 10 + the unit's active word
	}{
		{"OMP_TOOL_LIBRARIES=" + stays, 137},
		{"OMP_TOOL_LIBRARIES=" + declines, 10},
		{"OPARI_PROFILE=" + log + ".p", 147},
	} {
		if _, _, code := trial(t, program, []string{c.env}, "active"); code != c.code {
			t.Errorf("%s: exit code %d, want %d", c.env, code, c.code)
		}
	}
}

// TestControlTool requires that omp_control_tool returns the tool's answer, even where it is the
// first OpenMP call of the program and starts the tool. The second call is as in Fortran.
func TestControlTool(t *testing.T) {
	expensive.Compilers(t)
	stays := probe(t, "2")
	program := compileProgram(t, "tool_program", library(t).DynamicLibs()...)
	for _, c := range []struct{ tool, printed, note string }{
		{"", "-2 -2\n", ""},
		{stays, "17 17\n", "p control 22\n"},
	} {
		notes, printed, code := trial(t, program,
			[]string{"OMP_TOOL_LIBRARIES=" + c.tool}, "control")
		if printed != c.printed || code != 0 || !strings.Contains(notes, c.note) {
			t.Errorf("%s: exit code %d, printed %q, noted:\n%s", c.tool, code, printed, notes)
		}
	}
}
