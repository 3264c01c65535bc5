package messages

import (
	"io"
	"os"
	"testing"

	"opari/internal/driver/commandline"
)

// TestOnlyMacrosCompare: a comparison of a thing with itself is a macro's only where none of the
// lines that a macro's call takes, and what stands behind it, may hold one.
func TestOnlyMacrosCompare(t *testing.T) {
	t.Chdir(t.TempDir())
	const file = "x = FITS(n);\nif (n == n) x = FITS(n);\nx = FITS(\n  n) + (n == n);\nx = " +
		"FITS(\n  n, // <\n  n);\np->x = FITS(\n  n);\nx = p-->n;\nx = FITS(n) \\\n ;\nend;\n"
	if err := os.WriteFile("f.c", []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	const text = "# 1 \"f.c\"\nx = n == n;\nif (n == n) x = n == n;\nx = n == n + (n == " +
		"n);\npomp_atomic_exit(3);\n# 4\n\nx = n == n;\n\n\n# 8\np->x = n == n;\n# 10\nx = p-- > " +
		"n;\n" +
		"x = n == n\n ;\nend;\n# 1 \"a.h\"\nint h;\n# 13 \"f.c\"\nend;\n# 1 \"a.h\"\nint h;\n"
	for line, want := range map[int]bool{
		1: true, 2: false, 3: false, 5: false, 8: true, 10: false,
		11: false, 13: false, 14: false,
	} {
		c := Compilation{
			Command: commandline.Parse([]string{"gcc"}, []string{"f.c"}),
			Sources: []Source{{
				File: &commandline.File{Name: "f.c"}, Text: []byte(text),
				Write: func(w io.Writer) error { _, err := io.WriteString(w, text); return err },
			}},
		}
		h := &diagnostics{
			onlyMessages: true,
			messages:     []message{{at: location{"f.c", line}, option: "tautological-compare"}},
		}
		if got := c.onlyMacrosCompare(h); got != want {
			t.Errorf("line %d: %v", line, got)
		}
		h.messages = append(h.messages, message{at: location{"f.c", 1}, option: "address"})
		if c.onlyMacrosCompare(h) {
			t.Errorf("line %d: something else is said too", line)
		}
	}
}
