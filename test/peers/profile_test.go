package peers

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"opari/internal/expensive"
	"opari/internal/report/profile"
	"opari/test/corpus"
)

// smallProfile is the maximal size, in bytes, of the profile of a program with some hundred
// thousand events.
const smallProfile = 16 << 10

// executed returns the lines of the directives that were executed while work ran the program in
// dir.
func executed(t *testing.T, dir string, work func(), small bool) map[int]bool {
	t.Helper()
	work()
	paths, _ := filepath.Glob(filepath.Join(dir, "profile.*"))
	if len(paths) != 1 {
		t.Errorf("%d profiles", len(paths))
		return nil
	}
	text, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	if small && len(text) > smallProfile {
		t.Errorf("the profile has %d bytes", len(text))
	}
	p, err := profile.Read(paths[0], bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	counted := map[int]bool{}
	for _, r := range p.Regions {
		for _, sample := range r.Samples {
			if sample.Count > 0 {
				counted[r.Begin[0]] = true
			}
		}
	}
	return counted
}

// dependencies checks that the file that the compiler wrote for make names the user's files.
func (p *program) dependencies(t *testing.T, dir string) {
	text, err := os.ReadFile(filepath.Join(dir, "deps.d"))
	if err != nil {
		t.Error(err)
		return
	}
	got := strings.Fields(strings.ReplaceAll(string(text), "\\\n", " "))
	if want := []string{"o.o:", p.name, "dependencies.h"}; !slices.Equal(got, want) {
		t.Errorf("dependencies: %q, wanted %q", got, want)
	}
}

// filtered checks that a filter with the user's name of the file works both ways.
func (p *program) filtered(t *testing.T) {
	dir := folder(t)
	option := "--disable-file=" + p.name
	front := []string{"env", "OPARI_COVERAGE=coverage", opari, "cc", "--on-error=fail", option}
	if o := p.build(dir, front, nil, p.name, nil); !o.OK() {
		t.Errorf("%s: %s", option, o.Output)
	}
	text, _ := os.ReadFile(filepath.Join(dir, "coverage"))
	if n := strings.Count(string(text), "disabled by "+option); n != len(p.wanted) {
		t.Errorf("%s left %d of %d directives alone", option, n, len(p.wanted))
	}
	o := corpus.Execute(dir, nil, limit, opari, "regions", "--coverage", option, p.name)
	if n := strings.Count(o.Output, "disabled by "+option); n != len(p.wanted) {
		t.Errorf("opari regions: %s left %d of %d directives alone", option, n, len(p.wanted))
	}
}

// TestUnknownOption checks unknown options. OPARI2 ignores them and exits with 0. As a compiler,
// opari exits with a code that no compiler has.
func TestUnknownOption(t *testing.T) {
	expensive.Compilers(t)
	dir := folder(t)
	for _, use := range []struct {
		argv []string
		code int
	}{
		{[]string{opari, "--no-such-option", "closing_brace.c", "out.c"}, 2},
		{[]string{opari, "closing_brace.c", "out.c", "--no-such-option"}, 2},
		{[]string{
			opari, "cc", "--no-such-option", "gcc", "-fopenmp", "-c", "closing_brace.c", "-o",
			"out.c",
		}, 125},
	} {
		argv := use.argv
		o := corpus.Execute(dir, nil, limit, argv...)
		if o.Code != use.code || !strings.Contains(o.Output, "--no-such-option") {
			t.Errorf("%q: exit %d: %s", argv[1:], o.Code, o.Output)
		}
		if _, err := os.Stat(filepath.Join(dir, "out.c")); err == nil {
			t.Errorf("%q has written out.c", argv[1:])
		}
	}
}
