package pomp2

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// TestSameStrings compares the strings of regions with those of OPARI2: types, lines, names and
// keys. docs/reference/pomp2.md lists the keys that only one of both has.
func TestSameStrings(t *testing.T) {
	expensive.Compilers(t, "opari2")
	library := strict(t)
	ours := shown(t, build(t, "testdata/every.c", library))
	theirs := shown(t, buildOPARI2(t, "testdata/every.c", library))
	if len(ours) < 20 || !slices.Equal(ours, theirs) {
		t.Errorf("the strings are\n%s\nand with OPARI2\n%s", strings.Join(ours, "\n"),
			strings.Join(theirs, "\n"))
	}
}

var (
	onlyOne   = regexp.MustCompile(`\*has(CopyIn|LastPrivate|Shared|Default)=\w+`)
	chunk     = regexp.MustCompile(`(\*hasSchedule=\w+),[^*]*`)
	length    = regexp.MustCompile(`region \d+`)
	directory = regexp.MustCompile(`scl=[^:]*:`)
)

// shown returns the strings of a program's regions with their keys sorted, in the order of the
// strings.
func shown(t *testing.T, program string) []string {
	t.Helper()
	c := exec.Command(program)
	c.Env = append(c.Environ(), "STRICT_SHOW=1", "OMP_NUM_THREADS=1")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%.2000s", filepath.Base(program), err, out)
	}
	var all []string
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, "region ") {
			continue
		}
		line = onlyOne.ReplaceAllString(strings.TrimSpace(line), "")
		line = chunk.ReplaceAllString(line, "$1")
		line = length.ReplaceAllString(line, "")
		line = directory.ReplaceAllString(line, "scl=")
		keys := strings.Split(strings.Trim(line, "*"), "*")
		slices.Sort(keys)
		all = append(all, strings.Join(keys, "*"))
	}
	slices.Sort(all)
	return all
}
