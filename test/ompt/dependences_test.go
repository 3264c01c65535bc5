package ompt

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// TestDependencesInOrder checks that dependences come in the order of the text, in each language.
// A comment beside each task lists the expected ones.
func TestDependencesInOrder(t *testing.T) {
	k := setup(t)
	expensive.Compilers(t, "g++")
	include, tool := "-I"+filepath.Join(k.dir, "include"), filepath.Join(k.dir, "order-tool.o")
	output(t, "gcc", "-x", "c", "-DTOOL_ALONE", "-O1", include, "-c",
		"testdata/order.h", "-o", tool)
	for _, program := range [][]string{
		{"testdata/order.c", "gcc", "-O0"},
		{"testdata/order.c", "gcc", "-O2"},
		{"testdata/order.c", "g++", "-x", "c++", "-O1"},
		{"testdata/order.f90", "gfortran", "-J", k.dir, tool},
	} {
		source, out := program[0], filepath.Join(k.dir, "order")
		args := append([]string{"cc"}, program[1:]...)
		output(t, k.opari, append(args, "-fopenmp", "-w", include, source, "-o", out)...)
		got := strings.Split(output(t, out), "\n")
		if want := marked(t, source); !slices.Equal(got, want) {
			t.Errorf("%s: got\n%s\nwant\n%s", program, strings.Join(got, "\n"),
				strings.Join(want, "\n"))
		}
	}
}

// marked returns the dependences that the comments of a program's directives name. Those of the
// function before main count at its call.
func marked(t *testing.T, source string) []string {
	t.Helper()
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	mark := regexp.MustCompile(`depend\(.*(?:/\*|!) ((?:[iom+s]\d+ ?)+)`)
	called, own := "", []string(nil)
	for line := range strings.SplitSeq(string(text), "\n") {
		found := mark.FindStringSubmatch(line)
		switch {
		case found != nil && strings.Contains(line, "c[10]"):
			called = strings.TrimSpace(found[1])
		case found != nil:
			own = append(own, strings.TrimSpace(found[1]))
		case strings.Contains(line, "    made(cells);"):
			own = append(own, called)
		}
	}
	if len(own) < 7 {
		t.Fatalf("%s: %d marks", source, len(own))
	}
	return own
}

// TestTaskwaitDepends checks that a taskwait with dependences is only a task to a tool, as under
// LLVM's runtime, even while a profile and a trace are recorded.
//
// If the library does not interpose on the runtime, only the dependences are missing.
func TestTaskwaitDepends(t *testing.T) {
	k := setup(t)
	const source = "testdata/waits_as_task.c"
	native, log := filepath.Join(k.dir, "waits-llvm"), filepath.Join(k.dir, "waits.log")
	output(t, "clang-19", "-fopenmp", "-fopenmp-version=51", "-w", source, "-o", native)
	k.run(t, native, log)
	// Which task waits for which depends on which has already ended.
	pairs := regexp.MustCompile(`(?m)^  task_dependence .*\n|^== dependence pairs .*\n`)
	logged := func() string {
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		return pairs.ReplaceAllString(string(text), "")
	}
	llvm := logged()
	program, ok := k.build(t, source)
	if !ok {
		t.Fatal("not compiled")
	}
	for _, recorded := range []string{
		"", "OPARI_PROFILE", "OPARI_TRACE",
		"OPARI_PROFILE OPARI_TRACE",
	} {
		var env []string
		for name := range strings.FieldsSeq(recorded) {
			env = append(env, name+"="+filepath.Join(t.TempDir(), "recorded"))
		}
		k.run(t, program, log, env...)
		if got := logged(); got != llvm {
			t.Errorf("with %q: got\n%s\nwant\n%s", recorded, got, llvm)
		}
	}

	instrumented, alone := filepath.Join(k.dir, "waits.mod.c"), filepath.Join(k.dir, "waits-alone")
	output(t, k.opari, source, "-o", instrumented)
	libs := strings.ReplaceAll(output(t, k.opari, "config", "--libs"), "libpomp_gomp.a",
		"libpomp.a")
	output(t, "gcc", append(append([]string{"-fopenmp", "-w", instrumented},
		strings.Fields(libs)...), "-ldl", "-o", alone)...)
	k.run(t, alone, log)
	dependences := regexp.MustCompile(`(?m)^  dependences .*\n`)
	if got, want := logged(), dependences.ReplaceAllString(llvm, ""); got != want || want == llvm {
		t.Errorf("alone: got\n%s\nwant\n%s", got, want)
	}
}

// TestUndeferred checks that exactly the tasks that run at once have the undeferred flag when
// they are created.
func TestUndeferred(t *testing.T) {
	k := setup(t)
	for _, level := range []string{"-O0", "-O2"} {
		program := filepath.Join(k.dir, "undeferred")
		output(t, k.opari, "cc", "gcc", "-fopenmp", level, "-w",
			"-I"+filepath.Join(k.dir, "include"), "testdata/undeferred.c", "-o", program)
		if got := output(t, program); got != "as expected" {
			t.Errorf("%s: %s", level, got)
		}
	}
}
