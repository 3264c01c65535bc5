package pomp

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// olderProbe builds a tool of an older generation ("2016" or "2013") as a library, with
// additional options.
func olderProbe(t *testing.T, generation string, options ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "probe"+generation+".so")
	command(t, "gcc", append([]string{
		"-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-Wno-unused-function", "-o", out,
		"testdata/probe" + generation + ".c",
	}, options...)...)
	return out
}

// The notes of the probes, where N is the number of threads. The digits are the results of
// ompt_set_callback, from event 1 on.
const (
	life2016 = "p tool\np initialize 2\np entry points missing 0\np " +
		"444444443344344334434444444\np beyond 0\np states 17\np kinds of mutex 2\n" +
		"p initial thread\np threads begun N\np threads not ended 0\np shutdown\n"
	answers2013 = "4444444433444444444244444444444444444444444444442444442444444"
	life2013    = "p initialize 1\np entry points missing 0\np " + answers2013 +
		"\np beyond 0\np states 15\np opari\n" +
		"p initial thread\np threads begun N\np threads not ended 0\np shutdown\n"
)

func life(text string, threads string) string { return strings.Replace(text, "N", threads, 1) }

// paperLife returns the notes of the probe that uses the paper's symbols. There is no lookup, and
// the paper's results count from 0.
func paperLife() string {
	paper := strings.Map(func(r rune) rune { return r - 1 }, answers2013)
	return strings.Replace(strings.Replace(life2013, "p entry points missing 0\n", "", 1),
		answers2013, paper, 1)
}

// TestOlderToolStarts requires where, and in which order, opari searches for a tool of an older
// generation, and what OMP_TOOL means to each. The report of 2016 allows blanks and ends the
// program at an unknown word. The other generations take an unknown word for disabled.
func TestOlderToolStarts(t *testing.T) {
	expensive.Compilers(t)
	tool2016, none2016 := olderProbe(t, "2016"), olderProbe(t, "2016", "-DRESULT=0")
	tool2013, none2013 := olderProbe(t, "2013"), olderProbe(t, "2013", "-DRESULT=0")
	tool5, none5 := probe(t, "2"), probe(t, "0")
	both := filepath.Join(t.TempDir(), "both.so") // a tool of 2016, and one of 5.x that declines
	command(t, "gcc", "-shared", "-fPIC", "-O1", "-DRESULT=0", "-o", both, "testdata/probe.c",
		"-Wl,--whole-archive", object(t, "testdata/probe2016.c"), "-Wl,--no-whole-archive")
	declined2013 := life2013[:strings.Index(life2013, "p initial ")]
	const fatal = "fatal error: OMP_TOOL has the illegal value \"bogus\"; it must be enabled or " +
		"disabled\n"
	lib := library(t)
	for _, link := range []struct {
		name string
		libs []string
	}{{"static", lib.Libs(false)}, {"interposing", lib.DynamicLibs()}, {"shared", lib.Libs(true)}} {
		t.Run(link.name, func(t *testing.T) {
			program := compileProgram(t, "tool_program", link.libs...)
			for _, c := range []struct {
				name, tools, preload, setting, notes string
				fatal                                bool
			}{
				{"2016 listed", tool2016, "", "", life(life2016, "3"), false},
				{"2016 preloaded", "", tool2016, "", life(life2016, "3"), false},
				{"2013 listed", tool2013, "", "", life(life2013, "3"), false},
				{"2013 preloaded", "", tool2013, "", life(life2013, "3"), false},
				{
					"declining ones, then 2013", none5 + ":" + none2016 + ":" + none2013 + ":" +
						tool2013, "", "",
					"p start 202011\np tool\n" + declined2013 + life(life2013, "3"), false,
				},
				{
					"the newest of those loaded", "", tool2013 + " " + tool2016 + " " + tool5, "",
					fullLife, false,
				},
				{
					"the newest that wants", "", tool2013 + " " + tool2016 + " " + none5, "",
					"p start 202011\n" + life(life2016, "3"), false,
				},
				{
					"2013 beside a declining 2016", "", tool2013 + " " + none2016, "",
					"p tool\n" + life(life2013, "3"), false,
				},
				{
					"two entries in one library", both + ":" + tool2013, "", "",
					"p start 202011\n" + life(life2013, "3"), false,
				},
				{"2016, blanks", tool2016, "", " Enabled\t", life(life2016, "3"), false},
				{"5.x and 2013, blanks", tool5 + ":" + tool2013, "", " enabled ", "", false},
				{"2016, disabled", tool2016, "", " DISABLED ", "", false},
				{"2013, disabled", tool2013, "", "disabled", "", false},
				{"2016, another word", tool2016, "", "bogus", "", true},
				{"2016 preloaded, another word", "", tool2016, "bogus", "", true},
				{"2013, another word", tool2013, "", "bogus", "", false},
				{"2013 preloaded, another word", "", tool2013, "bogus", "", false},
				{"5.x has precedence, another word", both, "", "bogus", "", false},
			} {
				env := []string{"OMP_TOOL_LIBRARIES=" + c.tools, "LD_PRELOAD=" + c.preload}
				if c.setting != "" {
					env = append(env, "OMP_TOOL="+c.setting)
				}
				notes, printed, code := trial(t, program, env)
				wantCode, wantPrinted := 0, ""
				if c.fatal {
					wantCode, wantPrinted = 1, fatal
				}
				if notes != c.notes || printed != wantPrinted || code != wantCode {
					t.Errorf("%s: exit code %d, printed %q, noted:\n%swant:\n%s", c.name, code,
						printed, notes, c.notes)
				}
			}
		})
	}
}

// object compiles one source into an object file for a shared library.
func object(t *testing.T, source string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "o.o")
	command(t, "gcc", "-c", "-fPIC", "-O1", "-o", out, source)
	return out
}

// TestInitializeOfOtherGeneration requires that an initializer of 5.x is never called as a tool
// of 2013, whether its own entry declines or not. It would take a string for a device.
func TestInitializeOfOtherGeneration(t *testing.T) {
	expensive.Compilers(t)
	program := compileProgram(t, "tool_program", library(t).Libs(false)...)
	for result, want := range map[string]string{
		"0": "p start 202011\n", "1": declined,
		"2": fullLife,
	} {
		tool := filepath.Join(t.TempDir(), "namesake.so")
		command(t, "gcc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-DNAMESAKE",
			"-DRESULT="+result, "-o", tool, "testdata/probe.c")
		for _, env := range []string{"OMP_TOOL_LIBRARIES=" + tool, "LD_PRELOAD=" + tool} {
			if notes, printed, code := trial(t, program, []string{env}); notes != want ||
				printed != "" || code != 0 {
				t.Errorf("%s, %s: exit code %d, printed %q, noted:\n%swant:\n%s", result, env, code,
					printed, notes, want)
			}
		}
		inside := compileProgram(t, "tool_program",
			append([]string{"-DNAMESAKE", "-DRESULT=" + result, "testdata/probe.c"},
				library(t).Libs(false)...)...)
		if notes, printed, code := trial(t, inside, nil); notes != want ||
			printed != "" || code != 0 {
			t.Errorf("%s, in the program: exit code %d, printed %q, noted:\n%swant:\n%s", result,
				code, printed, notes, want)
		}
	}
}

// TestOlderToolInProgram starts tools of the older generations in the program itself. It also
// does so in a static program, where no loader can find them.
func TestOlderToolInProgram(t *testing.T) {
	expensive.Compilers(t)
	lib := library(t)
	for _, c := range []struct {
		source, notes string
		options       []string
	}{
		{"2016", life(life2016, "3"), lib.Libs(false)},
		{"2016", life(life2016, "3"), lib.Libs(true)},
		{"2013", life(life2013, "3"), lib.Libs(false)},
		{"2013", life(life2013, "3"), lib.Libs(true)},
		{"2013", life(paperLife(), "3"), append([]string{"-DPAPER"}, lib.Libs(false)...)},
		{"2013", life(paperLife(), "3"), append([]string{"-DPAPER"}, lib.DynamicLibs()...)},
		{
			"2013", life(paperLife(), "3"),
			append([]string{"-DPAPER", "-static"}, lib.Libs(false)...),
		},
		{"2016", life(life2016, "3"), append([]string{"-static"}, lib.Libs(false)...)},
	} {
		program := compileProgram(t, "tool_program",
			append([]string{"testdata/probe" + c.source + ".c"}, c.options...)...)
		if notes, printed, code := trial(t, program, nil); notes != c.notes ||
			printed != "" || code != 0 {
			t.Errorf("%s %v: exit code %d, printed %q, noted:\n%swant:\n%s", c.source, c.options,
				code, printed, notes, c.notes)
		}
	}
}

// TestPaperSymbolsAreHidden requires that the paper's symbols stay inside the program, because a
// tool of 5.x has variables of their names.
func TestPaperSymbolsAreHidden(t *testing.T) {
	expensive.Compilers(t)
	lib := library(t)
	files := map[string]string{
		"static": compileProgram(t, "tool_program", lib.Libs(false)...),
		"shared": lib.Shared(),
	}
	for name, file := range files {
		out, err := exec.Command("nm", "-D", "--defined-only", file).Output()
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(out), "ompt_get") || strings.Contains(string(out), "ompt_set") {
			t.Errorf("%s exports:\n%s", name, out)
		}
	}
	if out, _ := exec.Command("nm", "-D", "--defined-only",
		lib.Shared()).Output(); !strings.Contains(string(out), "POMP_Init") {
		t.Error("nm shows nothing")
	}
}

// TestOlderToolAfterFork requires that a tool sees a child as a new program, once the child has
// an event of its own. With the profile, the tool is the second one.
func TestOlderToolAfterFork(t *testing.T) {
	expensive.Compilers(t)
	program := compileProgram(t, "tool_program", library(t).DynamicLibs()...)
	lives := map[string]string{"2016": life(life2016, "1"), "2013": life(life2013, "1")}
	for generation, parent := range lives {
		tool := olderProbe(t, generation)
		at := strings.Index(parent, "p threads begun")
		child := strings.ReplaceAll(parent, "p ", "c ")

		for _, profile := range []string{"", filepath.Join(t.TempDir(), "profile")} {
			for name, want := range map[string]string{
				"fork": parent[:at] + child + parent[at:],
				"exec": parent,
			} {
				notes, printed, code := trial(t, program,
					[]string{"OMP_TOOL_LIBRARIES=" + tool, "OPARI_PROFILE=" + profile}, name)
				if notes != want || printed != "" || code != 0 {
					t.Errorf("%s, %s: exit code %d, printed %q, noted:\n%swant:\n%s", generation,
						name, code, printed, notes, want)
				}
			}
			if profile != "" {
				if found, _ := filepath.Glob(profile + ".*"); len(found) < 2 {
					t.Errorf("profiles: %v", found)
				}
			}
		}
	}
}

// TestOmptControl calls ompt_control from C and as Fortran does. Any tool gets the call, even
// where it is the first OpenMP call of the program.
func TestOmptControl(t *testing.T) {
	expensive.Compilers(t)
	program := compileProgram(t, "tool_program", library(t).DynamicLibs()...)
	for _, tool := range []string{olderProbe(t, "2016"), olderProbe(t, "2013"), probe(t, "2")} {
		notes, printed, code := trial(t, program, []string{"OMP_TOOL_LIBRARIES=" + tool},
			"ompt_control")
		if strings.Count(notes, "control") != 3 || !strings.Contains(notes, "p control 11\n") ||
			!strings.Contains(notes, "p control 12\np control 34\n") || printed != "" || code != 0 {
			t.Errorf("%s: exit code %d, printed %q, noted:\n%s", tool, code, printed, notes)
		}
	}
	if notes, printed, code := trial(t, program, nil, "ompt_control"); notes != "" ||
		printed != "" || code != 0 {
		t.Errorf("no tool: exit code %d, printed %q, noted:\n%s", code, printed, notes)
	}
	if notes, printed,
		code := trial(t, program, []string{"OMP_TOOL_LIBRARIES=" + olderProbe(t, "2016")},
		"control"); printed != "0 0\n" || code != 0 || !strings.Contains(notes, "p control 22\n") {
		t.Errorf("omp_control_tool to a tool of 2016: exit code %d, printed %q, noted:\n%s", code,
			printed, notes)
	}
}

// TestDecliningOlderTool requires that a tool of 2013 that declines has no effect. The next tool
// gets the edition of OpenMP that it expects.
func TestDecliningOlderTool(t *testing.T) {
	expensive.Compilers(t)
	program := compileProgram(t, "tool_program", library(t).Libs(false)...)
	env := []string{
		"OPARI_OMPT_DIALECT=5.2",
		"OMP_TOOL_LIBRARIES=" + olderProbe(t, "2013", "-DRESULT=0") + ":" + probe(t, "2"),
	}
	notes, printed, code := trial(t, program, env)
	if want := strings.Replace(fullLife, "202011", "202111", 1); !strings.HasSuffix(notes, want) ||
		printed != "" || code != 0 {
		t.Errorf("exit code %d, printed %q, noted:\n%s", code, printed, notes)
	}
	if !strings.Contains(notes, "p initialize 1\n") {
		t.Errorf("the tool of 2013 was not asked:\n%s", notes)
	}
}

// TestOlderToolBesideRecorders requires that a tool of an older generation starts beside a profile
// or a trace, and is declined beside both: then there is no room for its numbers.
func TestOlderToolBesideRecorders(t *testing.T) {
	expensive.Compilers(t)
	program := compileProgram(t, "tool_program", library(t).Libs(false)...)
	tool := olderProbe(t, "2016")
	profile := "OPARI_PROFILE=" + filepath.Join(t.TempDir(), "profile")
	trace := "OPARI_TRACE=" + t.TempDir()
	for _, c := range []struct {
		recorders []string
		notes     string
	}{
		{[]string{profile}, life(life2016, "3")},
		{[]string{trace}, life(life2016, "3")},
		{[]string{profile, trace}, "p tool\n"},
	} {
		notes, printed, code := trial(t, program, append(c.recorders, "OMP_TOOL_LIBRARIES="+tool))
		if notes != c.notes || printed != "" || code != 0 {
			t.Errorf("%v: exit code %d, printed %q, noted:\n%swant:\n%s", c.recorders, code,
				printed, notes, c.notes)
		}
	}
}

// TestOlderToolWaitsForEvent requires that no tool starts before the first event, so a wrapper
// around the program neither starts the tool nor fails.
func TestOlderToolWaitsForEvent(t *testing.T) {
	expensive.Compilers(t)
	tool2016, tool2013 := olderProbe(t, "2016"), olderProbe(t, "2013")
	program := compileProgram(t, "tool_program", library(t).Libs(false)...)
	for _, env := range [][]string{
		{"LD_PRELOAD=" + tool2016},
		{"OMP_TOOL=bogus", "LD_PRELOAD=" + tool2016},
		{"OMP_TOOL=bogus", "OMP_TOOL_LIBRARIES=" + tool2016},
		{"LD_PRELOAD=" + tool2013},
	} {
		if notes, printed, code := trial(t, program, env, "nothing"); notes != "" ||
			printed != "" || code != 0 {
			t.Errorf("%v: exit code %d, printed %q, noted:\n%s", env, code, printed, notes)
		}
	}
	for _, provider := range []string{"off", "native"} {
		env := []string{"OPARI_OMPT=" + provider, "OMP_TOOL=bogus", "LD_PRELOAD=" + tool2016}
		if notes, printed, code := trial(t, program, env); notes != "" ||
			printed != "" || code != 0 {
			t.Errorf("%s: exit code %d, printed %q, noted:\n%s", provider, code, printed, notes)
		}
	}
}
