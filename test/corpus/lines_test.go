package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func lineNumber(n int) string   { return strconv.Itoa(n) }
func quoted(text []byte) string { return fmt.Sprintf("%.120q", text) }

// place is a line of a file in the compiler's numbering.
type place struct {
	file string
	line int
}

var (
	marker = regexp.MustCompile(`^# (\d+) "((?:[^"\\]|\\.)*)"`)
	token  = regexp.MustCompile(
		`[A-Za-z_]\w*|\.?\d(?:[\w.]|[eEpP][+-])*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\S`)
	locked = regexp.MustCompile(
		`\bpomp_((?:init|destroy|set|unset|test)_(?:nest_)?lock(?:_with_hint)?)\b`)
)

// attribution groups the tokens of a preprocessed text by the line to which the compiler
// attributes them. __LINE__, __FILE__, messages and debug information all depend on it. It omits
// directives, which may be rewritten.
func attribution(text string) (tokens map[place][]string, order []place) {
	tokens = map[place][]string{}
	at := place{"", 0}
	for line := range strings.SplitSeq(text, "\n") {
		if m := marker.FindStringSubmatch(line); m != nil {
			n, _ := strconv.Atoi(m[1])
			at = place{m[2], n}
			continue
		}
		if !strings.HasPrefix(strings.TrimSpace(line), "#") && strings.TrimSpace(line) != "" {
			if tokens[at] == nil {
				order = append(order, at)
			}
			tokens[at] = append(tokens[at],
				token.FindAllString(locked.ReplaceAllString(line, "omp_$1"), -1)...)
		}
		at.line++
	}
	return tokens, order
}

// missing returns the first of want that does not follow in got, in order; "" if all do.
func missing(want, got []string) string {
	for _, w := range want {
		for len(got) > 0 && got[0] != w {
			got = got[1:]
		}
		if len(got) == 0 {
			return w
		}
		got = got[1:]
	}
	return ""
}

// TestLines checks that the compiler sees each of the user's tokens in the file and on the line
// where the user wrote it.
func TestLines(t *testing.T) {
	cflags := config(t, "--cflags")
	eachInstrumented(t, func(in *instrumented) {
		dir := filepath.Dir(in.path)
		preprocess := func(file string, more []string) (string, bool) {
			argv := append([]string{
				"gcc", "-E", "-fopenmp", "-w", "-D_POMP=202611", "-I" + dir,
				file, "-o", file + ".i",
			}, more...)
			if o := Execute(in.dir, nil, buildLimit, argv...); !o.OK() {
				return FirstDiagnostic(o.Output), false
			}
			text, err := os.ReadFile(filepath.Join(in.dir, file+".i"))
			return string(text), err == nil
		}
		before, ok := preprocess(in.name+".c", nil)
		if !ok {
			return // a test of the preprocessor's own errors
		}
		after, ok := preprocess(in.name+".mod.c", cflags)
		if !ok {
			t.Errorf("%s: the preprocessor refuses the result: %s", in.path, after)
			return
		}
		want, order := attribution(before)
		got, _ := attribution(after)
		for _, at := range order {
			if strings.HasPrefix(at.file, "<") || strings.HasPrefix(at.file, "/usr/") {
				continue
			}
			if w := missing(want[at], got[at]); w != "" {
				t.Errorf("%s: %s:%d: %s is not on its line; there stands %.200q", in.path, at.file,
					at.line, w, got[at])
				return
			}
		}
	})
}
