package messages

import (
	"strings"
	"testing"
)

// TestParse: opari knows which messages it understands.
func TestParse(t *testing.T) {
	const one = "f.c: In function 'f':\nf.c:3:7: warning: unused variable 'x' " +
		"[-Wunused-variable]\n    3 |   int x;\n      |       ^\n"
	for _, c := range []struct {
		what, said   string
		places       int
		clear, known bool
	}{
		{"a warning", one, 1, true, true},
		{"in colour", strings.ReplaceAll(one, "warning: ",
			"\x1b[01;35m\x1b[Kwarning: \x1b[m\x1b[K"), 1, true, true},
		{"in a header", "In file included from f.c:1:\nIn file included from a.h:2,\n            " +
			"     from f.c:2:\n" + one, 1, true, true},
		{"with a line shown more", one + "    5 | }\n", 2, true, true},
		{"a note", one + "g.h:2:1: note: declared here\n", 2, true, true},
		{"an instance", one + "f.c:9:4:   required from here\n", 2, true, true},
		{"our name", one + "f.c:4:4: note: 'pomp_for_exit'\n", 2, false, true},
		{"our file", one + "<opari>:4:4: note: here\n", 2, false, true},
		{"what mends it", one + "  +++ |+#include <a.h>\n", 1, false, true},
		{"no place", one + "cc1: warning: unrecognized\n", 1, false, true},
		{"of the command", one + "gcc: warning: libs/a.o: linker input file unused because " +
			"linking not done\n", 1, true, true},
		{"of the command, with no text", "gfortran: warning: mod: linker input file unused " +
			"because linking not done\n", 0, true, true},
		{
			"the way of a value", strings.ReplaceAll(one, "unused-variable",
				"maybe-uninitialized"), 1,
			true, false,
		},
		{"no option", strings.ReplaceAll(one, " [-Wunused-variable]", ""), 1, true, false},
	} {
		h := parse([]byte(c.said))
		if len(h.lines) != c.places || h.onlyMessages != c.clear ||
			h.have(aboutDeclarations()) != c.known {
			t.Errorf("%s: places %v, clear %v, options %v", c.what, h.lines,
				h.onlyMessages, h.options)
		}
	}
	two, three := parse([]byte(one+one)), parse([]byte(one+one+one))
	if !three.contain(two.messages) || two.contain(three.messages) {
		t.Error("the remarks are counted wrongly")
	}
	for said, lost := range map[string]bool{
		one: false, "cc1: warning: x\n": true,
		"f.c:1:1: optimized: x\n": true, "  +++ |+#include <a.h>\n": false,
	} {
		if parse([]byte(said)).unknown != lost {
			t.Errorf("lost of %q is not %v", said, lost)
		}
	}
}

// TestPossiblyLaterPass: these messages may come from a pass after the front end.
func TestPossiblyLaterPass(t *testing.T) {
	const said = "f.c:1:1: warning: a [-Wtautological-compare]\n" +
		"f.c:1:1: warning: unused b [-Wunused-variable]\n" +
		"f.c:1:1: warning: 'c' defined but not used [-Wunused-variable]\nf.c:2:1: note: c\n" +
		"f.c:3:1: warning: d [-Warray-bounds]\nf.c:4:1: warning: e\n" +
		"f.c:5:1: warning: f [-Wshadow]\nf.c:6:1: note: f\nf.c:7:1: warning: g " +
		"[-Wunused-function]\n"
	got := ""
	for _, r := range parse([]byte(said)).possiblyLaterPass() {
		got += strings.Trim(r.text, "'")[:1]
	}
	if got != "ccdeg" {
		t.Errorf("of a later pass: %s", got)
	}
}
