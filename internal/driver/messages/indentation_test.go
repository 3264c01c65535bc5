package messages

import (
	"os"
	"testing"

	"opari/internal/driver/commandline"
)

// TestMayWarnOfIndentation: opari asks about the original text only if a line that the compiler
// reads may have a misleading indentation.
func TestMayWarnOfIndentation(t *testing.T) {
	t.Chdir(t.TempDir())
	const misleading = "void f(int a) {\n  if (a)\n    a = 1;\n    a = 2;\n}\n"
	const unread = "#if 0\n" + misleading + "#endif\nint b;\n"
	for name, text := range map[string]string{
		"clean.c": "int b;\n", "misleading.c": misleading, "unread.c": unread,
		"numbered.c": "#line 9\n" + unread,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, text string // the preprocessed text
		options    []string
		want       bool
	}{
		{"clean.c", "int b;\n", []string{"-Wall"}, false},
		{"misleading.c", misleading, []string{"-Wall"}, true},
		{"misleading.c", misleading, []string{"-Wmisleading-indentation", "-Wno-all"}, true},
		{"misleading.c", misleading, []string{"-Werror=misleading-indentation"}, true},
		{"misleading.c", misleading, nil, false},
		{"misleading.c", misleading, []string{"-Wall", "-w"}, false},
		{"misleading.c", misleading, []string{"-Wno-misleading-indentation", "-Wall"}, false},
		{"unread.c", "# 8 \"unread.c\"\nint b;\n", []string{"-Wall"}, false},
		{"numbered.c", "# 16 \"numbered.c\"\nint b;\n", []string{"-Wall"}, true},
	} {
		command := commandline.Parse([]string{"gcc"}, append(c.options, "-c", c.name))
		text := []byte("# 1 \"" + c.name + "\"\n" + c.text)
		gcc := Compilation{
			Command: command,
			Sources: []Source{{File: command.Sources()[0], Text: text, Instrumented: true}},
		}
		if got := gcc.mayWarnOfIndentation(); got != c.want {
			t.Errorf("%s with %v: %v", c.name, c.options, got)
		}
	}
}
