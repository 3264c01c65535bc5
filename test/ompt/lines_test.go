package ompt

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// reported lists the events of a program of lines.c. Each has the event, its endpoint, the line
// that addr2line gives for its code pointer, and at an end whether the code pointer is the
// begin's.
//
// With ownLine an end gets the line of its begin, because a runtime's call for the end may be on
// another line.
func reported(t *testing.T, program string, ownLine bool) []string {
	t.Helper()
	type event struct{ name, end, address, line string }
	events, command := []event{}, []string{"-e", program}
	for line := range strings.Lines(output(t, "timeout", "60", program)) {
		f := strings.Fields(line)
		events = append(events, event{name: f[0], end: f[1], address: f[2]})
	}
	for _, e := range events {
		command = append(command, before(e.address))
	}
	for i, line := range strings.Split(output(t, "addr2line", command...), "\n") {
		name, _, _ := strings.Cut(filepath.Base(line), " ")
		events[i].line = name
	}
	var list []string
	open := map[string][]event{}
	for _, e := range events {
		same := ""
		switch n := len(open[e.name]); {
		case e.end == "0" && !strings.HasPrefix(e.name, "create") &&
			!strings.HasPrefix(e.name, "flush"):
			open[e.name] = append(open[e.name], e)
		case e.end == "1" && n > 0:
			begin := open[e.name][n-1]
			open[e.name] = open[e.name][:n-1]
			same = " other"
			if begin.address == e.address || ownLine && e.address == "0" {
				// LLVM's runtime has lost the code pointer after tasks.
				same = " same"
			}
			if ownLine {
				e.line = begin.line
			}
		}
		if group := open["sync-6"]; ownLine && e.name == "wait-6" && len(group) > 0 {
			// This is the end of a taskgroup.
			e.line = group[len(group)-1].line
		}
		if a := open["mutex"+strings.TrimPrefix(e.name, "acquired")]; strings.HasPrefix(e.name,
			"acquired") && len(a) > 0 {
			same = " other"
			if a[len(a)-1].address == e.address {
				same = " same"
			}
		}
		list = append(list, e.name+" "+e.end+" "+e.line+same)
	}
	return list
}

// before returns the address of the last byte of the call that returns to a hexadecimal address.
func before(address string) string {
	n, _ := strconv.ParseUint(address, 16, 64)
	return strconv.FormatUint(max(n, 1)-1, 16)
}

// TestLinesAsLLVM checks that each event has the line of its directive, in the function itself.
// Two events have the same code pointer where one call of LLVM's runtime raises both.
func TestLinesAsLLVM(t *testing.T) {
	k := setup(t)
	expensive.Compilers(t, "addr2line", "mpicc")
	flags := strings.Fields("-g -fopenmp -no-pie -w testdata/lines.c -I" +
		filepath.Join(k.dir, "include") + " -o")
	native := filepath.Join(k.dir, "lines-llvm")
	output(t, "clang-19", append(append([]string{"-O0"}, flags...), native)...)
	t.Setenv("OPARI_OMPT_DIALECT", "5.2")
	t.Setenv("ASAN_OPTIONS", "detect_leaks=0")
	want := reported(t, native, true)
	if len(want) < 90 {
		t.Fatalf("%d events: %s", len(want), want)
	}
	for _, how := range []string{
		"gcc -O0", "gcc -O1", "gcc -Og", "gcc -O2", "gcc -Os",
		"gcc -O1 -fsanitize=address", "mpicc -O1", "mpicc -Og", "mpicc -O2",
	} {
		program := filepath.Join(k.dir, "lines")
		arguments := append(strings.Fields("cc "+how), append(flags, program)...)
		output(t, k.opari, append(arguments, append(k.cflags, "-include", "omp_control.h")...)...)
		got := reported(t, program, false)
		for i := range want {
			if i >= len(got) || got[i] != want[i] {
				t.Errorf("%s: event %d differs: got\n%s\nwant\n%s", how, i, strings.Join(got, "\n"),
					strings.Join(want, "\n"))
				break
			}
		}
	}
}
