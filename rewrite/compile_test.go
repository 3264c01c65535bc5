package rewrite_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// compilers returns the machine's compilers to test with. gcc must be there, and is the only one
// under -short.
func compilers(t *testing.T) []string {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Fatal("gcc is needed (make test installs it)")
	}
	cs := []string{"gcc"}
	if testing.Short() {
		return cs
	}
	for _, c := range []string{"clang-19", "clang"} {
		if _, err := exec.LookPath(c); err == nil {
			return append(cs, c)
		}
	}
	t.Log("no clang found: only gcc is asked")
	return cs
}

// TestGoldenCompiles compiles each golden input and its instrumented text, which must have no new
// warning or error. The subtest's name begins with the file's, so -run Golden/NAME selects it as
// in the other tests.
func TestGoldenCompiles(t *testing.T) {
	modes := []string{
		"-std=gnu17 -Wall -Wextra -Wshadow -Wpedantic",
		"-std=gnu90 -Wdeclaration-after-statement", "-Wall -Wextra -O1 -DWIDE",
	}
	if testing.Short() {
		modes = modes[:1]
	}
	for _, cc := range compilers(t) {
		for _, in := range goldenInputs(t) {
			name, text := in.name, in.text
			if !strings.HasSuffix(name, ".c") {
				continue
			}
			t.Run(name+"/"+cc, func(t *testing.T) {
				t.Parallel()
				out, _ := instrument(t, name, text, settingOf(t, name, text))
				for _, flags := range modes {
					after := warnings(t, cc, flags, name, out)
					if len(after) == 0 {
						continue
					}
					before := warnings(t, cc, flags, name, text)
					for w := range after {
						if !before[w] {
							t.Errorf("%s %s: new: %s", cc, flags, w)
						}
					}
				}
			})
		}
	}
}

var column = regexp.MustCompile(`^([^:]+:\d+):\d+: `)

// warnings compiles text as file name in a directory of its own and returns the diagnostics
// without their columns.
func warnings(t *testing.T, cc, flags, name string, text []byte) map[string]bool {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
		t.Fatal(err)
	}
	args := append(strings.Fields(flags), "-fopenmp", "-c", "-o", filepath.Join(dir, "x.o"), name)
	cmd := exec.Command(cc, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	out, _ := cmd.CombinedOutput()
	set := map[string]bool{}
	for line := range strings.SplitSeq(string(out), "\n") {
		if strings.Contains(line, "'.count.") || strings.Contains(line, "-Wpass-failed") {
			// gcc warns about its own iteration count of a collapsed loop with lastprivate, and
			// clang about loops that its optimizer leaves.
			continue
		}
		if strings.Contains(line, "warning:") || strings.Contains(line, "error:") {
			set[column.ReplaceAllString(line, "$1: ")] = true
		}
	}
	return set
}

// TestGoldenLines compares each input line that the compiler sees with the output line that
// claims its number.
func TestGoldenLines(t *testing.T) {
	compilers(t)
	for _, in := range goldenInputs(t) {
		name, text := in.name, in.text
		if !strings.HasSuffix(name, ".c") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, _ := instrument(t, name, text, settingOf(t, name, text))
			before, after := lines(t, name, text), lines(t, name, out)
			for at, words := range before {
				there := strings.Join(after[at], " ")
				for _, w := range identifier.FindAllString(strings.Join(words, " "), -1) {
					if !strings.Contains(there, w) {
						t.Errorf("line %d: %q is not there; there is %q", at, w, there)
					}
				}
			}
		})
	}
}

var identifier = regexp.MustCompile(`\w+`)

var lockCall = regexp.MustCompile(`pomp_(\w*lock\w*)(\s*)\(\d+, ?`)

// lines preprocesses text and returns the pieces of program text, by their presumed line in file
// name.
func lines(t *testing.T, name string, text []byte) map[int][]string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("gcc", "-fopenmp", "-E", name)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	m := map[int][]string{}
	at, here := 0, false
	for l := range bytes.SplitSeq(out, []byte("\n")) {
		s := strings.TrimSpace(string(l))
		if rest, ok := strings.CutPrefix(s, "# "); ok {
			number, file, _ := strings.Cut(rest, " ")
			at, _ = strconv.Atoi(number)
			if file != "" {
				here = strings.HasPrefix(file, strconv.Quote(name))
			}
			continue
		}
		if here && s != "" && !strings.HasPrefix(s, "#pragma") {
			m[at] = append(m[at], lockCall.ReplaceAllString(s, "omp_$1$2("))
		}
		at++
	}
	return m
}
