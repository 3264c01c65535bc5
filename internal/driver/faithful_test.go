package driver

import (
	"os"
	"strings"
	"testing"
)

// TestSameColumns: a line is the file's where each of its words stands in its column and no macro may have been.
func TestSameColumns(t *testing.T) {
	for _, c := range []struct {
		text, file string
		same       bool
	}{
		{"  int a;", "  int a;", true},
		{"  int a;", "\t int a; // all", true},
		{"  int a;", "  int a; /* all */", true},
		{"  int a;", "  int a; /* goes on", true},
		{"  int a;", "  int a; // goes on \\", false},
		{"  int a;", "  int a; /* c */ int b;", false},
		{"  int a;", "  int a; int b;", false},
		{"  int a;", "  int  a;", false},
		{"int a;", "  int a;", false},
		{"int a;", "", false},
		{"return ((a) < (b));", "return LESS(a, b);", false},
		{"fread(p, 1, 1, stdin);", "fread(p, 1, 1, stdin);", false},
		{"return IPPROTO_TCP;", "return IPPROTO_TCP;", false},
		{"T x;", "T x;", true},
	} {
		if same := sameColumns([]byte(c.text), []byte(c.file)); same != c.same {
			t.Errorf("%q of %q: %v", c.text, c.file, same)
		}
	}
}

// TestHear: what is understood of messages, and what is not.
func TestHear(t *testing.T) {
	const one = "f.c: In function 'f':\nf.c:3:7: warning: unused variable 'x' [-Wunused-variable]\n    3 |   int x;\n      |       ^\n"
	for _, c := range []struct {
		what, said   string
		places       int
		clear, known bool
	}{
		{"a warning", one, 1, true, true},
		{"in colour", strings.ReplaceAll(one, "warning: ", "\x1b[01;35m\x1b[Kwarning: \x1b[m\x1b[K"), 1, true, true},
		{"in a header", "In file included from f.c:1:\nIn file included from a.h:2,\n                 from f.c:2:\n" + one, 1, true, true},
		{"with a line shown more", one + "    5 | }\n", 2, true, true},
		{"a note", one + "g.h:2:1: note: declared here\n", 2, true, true},
		{"an instance", one + "f.c:9:4:   required from here\n", 2, true, true},
		{"our name", one + "f.c:4:4: note: 'pomp_for_exit'\n", 2, false, true},
		{"our file", one + "<opari>:4:4: note: here\n", 2, false, true},
		{"what mends it", one + "  +++ |+#include <a.h>\n", 1, false, true},
		{"no place", one + "cc1: warning: unrecognized\n", 1, false, true},
		{"of the command", one + "gcc: warning: libs/a.o: linker input file unused because linking not done\n", 1, true, true},
		{"of the command, with no text", "gfortran: warning: mod: linker input file unused because linking not done\n", 0, true, true},
		{"the way of a value", strings.ReplaceAll(one, "unused-variable", "maybe-uninitialized"), 1, true, false},
		{"no option", strings.ReplaceAll(one, " [-Wunused-variable]", ""), 1, true, false},
	} {
		h := hear([]byte(c.said))
		if len(h.places) != c.places || h.clear != c.clear || h.all(frontEnd) != c.known {
			t.Errorf("%s: places %v, clear %v, options %v", c.what, h.places, h.clear, h.options)
		}
	}
	two, three := hear([]byte(one+one)), hear([]byte(one+one+one))
	if !three.holds(two.remarks) || two.holds(three.remarks) {
		t.Error("the remarks are counted wrongly")
	}
	for said, lost := range map[string]bool{one: false, "cc1: warning: x\n": true, "f.c:1:1: optimized: x\n": true, "  +++ |+#include <a.h>\n": false} {
		if hear([]byte(said)).lost != lost {
			t.Errorf("lost of %q is not %v", said, lost)
		}
	}
}

// TestFaithful: lines count as the user's only where the text has them as the file does, wherever they come from.
func TestFaithful(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"f.c": "int a;\n  int b; // b\nint  wide;\n\nint plain;\n", "a.h": "int h;\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const text = "# 0 \"f.c\"\n# 1 \"f.c\"\nint a;\n# 1 \"a.h\" 1\nint h;\n# 2 \"f.c\" 2\n  int b;\n# 1\npomp_leave(1, pomp_h1); }\n# 1\n{ void *pomp_h1 = pomp_fork(0, 1, 1, 0);\n# 1\n#pragma omp barrier\n# 3\nint wide;\n# 5\nint plain;\n# 5\npomp_enter(1, plain);\n# 7 \"gone.c\"\nint gone;\n"
	for _, c := range []struct {
		place linePlace
		want  bool
	}{
		{linePlace{"f.c", 1}, true},
		{linePlace{"a.h", 1}, true},
		{linePlace{"f.c", 2}, true},
		{linePlace{"f.c", 3}, false},
		{linePlace{"f.c", 4}, false},
		{linePlace{"f.c", 5}, false}, // of what is put in, the user's expression
		{linePlace{"gone.c", 7}, false},
	} {
		s := &session{cmd: &command{compiler: []string{"gcc"}}, results: []*result{{file: &inputFile{name: "f.c"}, text: []byte(text)}}}
		h := hear(nil)
		h.places[c.place] = true
		if got := s.faithful(h); got != c.want {
			t.Errorf("%v: %v", c.place, got)
		}
	}
}
