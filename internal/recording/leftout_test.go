package recording

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestLeftOut: the trace and the profile of a program name the filter of the recording, what was
// not instrumented, and how long measurement was off by the program's own clock. Those of a
// forked child do not include the time before the fork.
func TestLeftOut(t *testing.T) {
	program := build(t, "gcc", "left_out.c", "--disable=atomic", "--disable-region=oth*")
	dir := t.TempDir()
	filter, profile := filepath.Join(dir, "filter"), filepath.Join(dir, "profile")
	if err := os.WriteFile(filter, []byte("exclude kind single\nexclude name gate\nexclude kind "+
		"task\nminimum 10ns\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "trace")
	out, err := exec.Command(opari(t), "run", "--trace="+folder, "--filter="+filter,
		"--profile="+profile, program).Output()
	if err != nil {
		t.Fatal(err)
	}
	var least, most int64
	if _, err := fmt.Sscan(string(out), &least, &most); err != nil {
		t.Fatal(err)
	}
	comments := read(t, filepath.Join(folder, "trace.otf")).comments
	for _, want := range []string{"disabled: --disable=atomic", "disabled: --disable-region=oth*"} {
		if !slices.Contains(comments, want) {
			t.Errorf("no %q in %q", want, comments)
		}
	}
	check := func(comments []string, offs int, least, most int64) (id string) {
		t.Helper()
		var rules, minimum, regions, off, time int64
		for _, c := range comments {
			_, _ = fmt.Sscanf(c, "filter %s rules: %d, minimum: %d ns, regions left out: %d", &id,
				&rules, &minimum, &regions)
			_, _ = fmt.Sscanf(c, "measurement switched off: %d times, %d ns", &off, &time)
		}
		if rules != 3 || minimum != 10 || regions != 2 || off != int64(offs) || time < least ||
			time > most {
			t.Errorf("%d rules, %d ns, %d regions; off %d times, %d ns of %d to %d: %q", rules,
				minimum, regions, off, time, least, most, comments)
		}
		return id
	}
	id := check(comments, 2, least+30_000_000, 1<<62)
	children, err := filepath.Glob(filepath.Join(folder, "trace-*.otf"))
	if err != nil || len(children) != 1 {
		t.Fatal(children, err)
	}
	if other := check(read(t, children[0]).comments, 0, 0, 0); other != id || id == "" {
		t.Errorf("one filter is called %q and %q", id, other)
	}
	profiles, err := filepath.Glob(profile + ".*")
	if err != nil || len(profiles) != 2 {
		t.Fatal(profiles, err)
	}
	offs := 0
	for _, name := range profiles {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(string(text), "\n")
		if !strings.Contains(head,
			`"disabled":"--disable-region=oth*\u000a--disable=atomic\u000a"`) {
			t.Errorf("the profile does not say what is disabled: %s", head)
		}
		if strings.Contains(head, `"off":2,`) {
			offs++
		}
	}
	if offs != 1 {
		t.Errorf("%d profiles say that measurement was off", offs)
	}
	report, err := exec.Command(opari(t), "report", filepath.Join(folder, "trace.otf")).Output()
	if err != nil {
		t.Fatal(err)
	}
	unfolded := regexp.MustCompile(`\n {2,}`).ReplaceAllString(string(report), " ")
	for _, want := range []string{
		"\nfilter: 3 rules, 2 regions left out, visits of less than 10ns left out: their time " +
			"counts for the enclosing regions\n",
		"\ninstrumented with --disable-region=oth* --disable=atomic: the time of what that " +
			"leaves out counts for the enclosing regions\n",
		"\nmeasurement switched off 2 times, for ", " work, and what was left out\n",
	} {
		if !strings.Contains(string(report), want) && !strings.Contains(unfolded, want) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
}

// TestLeftOutNothing: a recording with nothing left out mentions nothing.
func TestLeftOutNothing(t *testing.T) {
	r := traced(t, build(t, "gcc", "counts.c"), "20")
	known := regexp.MustCompile(`^(program|process|event cost|machine): |^lines |^thread [0-9]+: `)
	for _, c := range read(t, filepath.Join(r.folder, "trace.otf")).comments {
		if !known.MatchString(c) {
			t.Errorf("a comment: %q", c)
		}
	}
}
