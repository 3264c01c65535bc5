package pomp2

import (
	"os"
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
	expensive.Compilers(t, "opari2", "gfortran")
	library, there := strict(t), installed(t)
	for source, has := range map[string]string{
		"every.c": "*hasDefault=shared*", "every.f90": "*hasSchedule=static,2*",
		"clauses.c":   "*hasSchedule=dynamic,3@1*",
		"clauses.f90": "*hasDefault=firstprivate*hasShared=1*",
	} {
		t.Run(source, func(t *testing.T) {
			t.Parallel()
			raw := shown(t, buildByScript(t, there, nil, "testdata/"+source, library))
			text := included(t, "testdata/"+source)
			if filepath.Ext(source) == ".f90" { // OPARI2 does not read end directives
				raw = strings.ReplaceAll(raw, "*hasNowait=1", "")
			}
			ours, theirs := comparable(raw), comparable(text)
			if len(ours) < 5 || !slices.Equal(ours, theirs) {
				t.Errorf("the strings are\n%s\nand with OPARI2\n%s", strings.Join(ours, "\n"),
					strings.Join(theirs, "\n"))
			}
			if !strings.Contains(raw, has) {
				t.Errorf("no %s in\n%s", has, raw)
			}
		})
	}
}

var (
	onlyOne = regexp.MustCompile(`\*has(CopyIn|CopyPrivate|Copyprivate|LastPrivate|FirstPrivate|` +
		`Default=(shared|firstprivate))(=1)?`)
	length    = regexp.MustCompile(`region \d+`)
	directory = regexp.MustCompile(`scl=[^:]*:`)
)

// shown returns the lines with the strings of a program's regions.
func shown(t *testing.T, program string) string {
	t.Helper()
	c := exec.Command(program)
	c.Env = append(c.Environ(), "STRICT_SHOW=1", "OMP_NUM_THREADS=1")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%.2000s", filepath.Base(program), err, out)
	}
	return string(out)
}

var (
	constant = regexp.MustCompile(`"(\d+\*regionType=[^"]*)"`)
	parted   = regexp.MustCompile(`"//&\s*"`)
)

// included returns such lines from the file that OPARI2 writes beside its output.
func included(t *testing.T, source string) string {
	t.Helper()
	dir := t.TempDir()
	name := "p" + filepath.Ext(source)
	copyFile(t, source, filepath.Join(dir, name))
	run(t, dir, nil, filepath.Join(theirs(t), "opari2"), "--omp-task-untied=keep", "--nosrc", name)
	text, err := os.ReadFile(filepath.Join(dir, name+".opari.inc"))
	if err != nil {
		t.Fatal(err)
	}
	lines := ""
	for _, m := range constant.FindAllSubmatch(parted.ReplaceAll(text, nil), -1) {
		lines += "region " + string(m[1]) + "\n"
	}
	return lines
}

// comparable returns the strings with their keys sorted, in the order of the strings.
func comparable(lines string) []string {
	var all []string
	for line := range strings.Lines(lines) {
		if !strings.HasPrefix(line, "region ") {
			continue
		}
		line = onlyOne.ReplaceAllString(strings.TrimSpace(line), "")
		line = length.ReplaceAllString(line, "")
		line = directory.ReplaceAllString(line, "scl=")
		keys := strings.Split(strings.Trim(line, "*"), "*")
		slices.Sort(keys)
		all = append(all, strings.Join(keys, "*"))
	}
	slices.Sort(all)
	return all
}
