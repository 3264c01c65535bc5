package messages

import (
	"io"
	"os"
	"testing"

	"opari/internal/driver/commandline"
)

// TestSameColumns: a line is the file's if each of its words is in its column and none can have
// been a macro.
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

// TestSameForOriginal: lines count as the user's only if the text has them as the file does,
// wherever they come from.
func TestSameForOriginal(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"f.c": "int a;\n  int b; // b\nint  wide;\n\nint " +
		"plain;\n", "a.h": "int h;\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const text = "# 0 \"f.c\"\n# 1 \"f.c\"\nint a;\n# 1 \"a.h\" 1\nint h;\n# 2 \"f.c\" 2\n  int " +
		"b;\n# 1\npomp_leave(1, pomp_h1); }\n# 1\n{ void *pomp_h1 = pomp_fork(0, 1, 1, 0);\n# " +
		"1\n#pragma omp barrier\n# 3\nint wide;\n# 5\nint plain;\n# 5\npomp_enter(1, plain);\n# " +
		"7 \"gone.c\"\nint gone;\n"
	for _, c := range []struct {
		place location
		want  bool
	}{
		{location{"f.c", 1}, true},
		{location{"a.h", 1}, true},
		{location{"f.c", 2}, true},
		{location{"f.c", 3}, false},
		{location{"f.c", 4}, false},
		{location{"f.c", 5}, false}, // the user's expression in inserted text
		{location{"gone.c", 7}, false},
	} {
		gcc := Compilation{
			Command: commandline.Parse([]string{"gcc"}, []string{"f.c"}),
			Sources: []Source{{
				File: &commandline.File{Name: "f.c"}, Text: []byte(text),
				Write: func(w io.Writer) error { _, err := io.WriteString(w, text); return err },
			}},
		}
		h := parse(nil)
		h.lines[c.place] = true
		if got := gcc.sameForOriginal(h); got != c.want {
			t.Errorf("%v: %v", c.place, got)
		}
	}
}
