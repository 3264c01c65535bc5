package driver

import (
	"os"
	"testing"
)

// TestWithheld: a comparison of a thing with itself is a macro's only where none of the lines that a macro's call takes, and what stands behind it, may hold one.
func TestWithheld(t *testing.T) {
	t.Chdir(t.TempDir())
	const file = "x = FITS(n);\nif (n == n) x = FITS(n);\nx = FITS(\n  n) + (n == n);\nx = FITS(\n  n, // <\n  n);\np->x = FITS(\n  n);\nx = p-->n;\nx = FITS(n) \\\n ;\nend;\n"
	if err := os.WriteFile("f.c", []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	const text = "# 1 \"f.c\"\nx = n == n;\nif (n == n) x = n == n;\nx = n == n + (n == n);\npomp_atomic_exit(3);\n# 4\n\nx = n == n;\n\n\n# 8\np->x = n == n;\n# 10\nx = p-- > n;\n" +
		"x = n == n\n ;\nend;\n# 1 \"a.h\"\nint h;\n# 13 \"f.c\"\nend;\n# 1 \"a.h\"\nint h;\n"
	for line, want := range map[int]bool{1: true, 2: false, 3: false, 5: false, 8: true, 10: false, 11: false, 13: false, 14: false} {
		s := &session{cmd: &command{compiler: []string{"gcc"}}, results: []*result{{file: &inputFile{name: "f.c"}, text: []byte(text)}}}
		h := &hearing{clear: true, remarks: []remark{{at: linePlace{"f.c", line}, option: "tautological-compare"}}}
		if got := s.withheld(h); got != want {
			t.Errorf("line %d: %v", line, got)
		}
		h.remarks = append(h.remarks, remark{at: linePlace{"f.c", 1}, option: "address"})
		if s.withheld(h) {
			t.Errorf("line %d: something else is said too", line)
		}
	}
}

// TestBehind: which remarks may come from behind the front end.
func TestBehind(t *testing.T) {
	const said = "f.c:1:1: warning: a [-Wtautological-compare]\nf.c:1:1: warning: b [-Wunused-variable]\nf.c:2:1: note: b\nf.c:3:1: warning: c [-Warray-bounds]\nf.c:4:1: warning: d\nf.c:5:1: warning: e [-Wshadow]\nf.c:6:1: note: e\n"
	got := ""
	for _, r := range hear([]byte(said)).behind() {
		got += r.text[:1]
	}
	if got != "bbcd" {
		t.Errorf("behind the front end: %s", got)
	}
}
