package compare

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"opari/internal/report"
	"opari/internal/report/fixture"
)

// countedRuns are runs whose instructions differ by a percent, around a factor.
func countedRuns(t *testing.T, n int, factor float64, missing string) []RunTimes {
	t.Helper()
	var all []RunTimes
	for i := range n {
		noise := 1 + 0.01*float64(i-n/2)
		all = append(all, TimesOf(fixture.CountedOf(t, factor*noise, missing)))
	}
	return all
}

// TestCompareCounters checks that counters are compared like times, by region, and that counts of
// few samples get no verdict.
func TestCompareCounters(t *testing.T) {
	before := countedRuns(t, 5, 1, "llc-misses")
	for _, c := range []struct {
		factor  float64
		verdict Verdict
		change  string
	}{
		{1, Same, "0.0 %"}, {1.5, More, "+50.0 %"}, {0.5, Fewer, "-50.0 %"},
	} {
		compared := Compare(before, countedRuns(t, 5, c.factor, "llc-misses"), 0)
		var found []CounterLine
		for _, l := range compared.Counters {
			if l.Region == "parallel a.c:7" {
				found = append(found, l)
			}
		}
		if len(found) != 3 || len(compared.Warnings) != 0 {
			t.Fatalf("factor %g: %+v, %q", c.factor, compared.Counters, compared.Warnings)
		}
		for i, name := range []string{"instructions", "cycles", "llc-misses"} {
			want := Same
			if i == 0 {
				want = c.verdict
			}
			if l := found[i]; l.Counter != name || l.Verdict != want || !l.Trustworthy {
				t.Errorf("factor %g: %+v, want %s %s", c.factor, l, name, want)
			}
		}
		if l := found[0]; l.Before != 20e6 || l.Low == nil ||
			*l.Low > l.Difference || *l.High < l.Difference {
			t.Errorf("factor %g: %+v", c.factor, l)
		}
		var plain, marked, coded bytes.Buffer
		if err := errors.Join(compared.Text(&plain, false), compared.Markdown(&marked, false),
			compared.JSON(&coded)); err != nil {
			t.Fatal(err)
		}
		i := strings.Index(plain.String(), "counter, region")
		if i < 0 || !strings.Contains(plain.String()[i:], "instructions, parallel a.c:7\n") ||
			!strings.Contains(plain.String()[i:], c.change) ||
			!strings.Contains(marked.String(), "| instructions, parallel a.c:7 |") {
			t.Errorf("factor %g:\n%s%s", c.factor, &plain, &marked)
		}
		var out Comparison
		if err := json.Unmarshal(coded.Bytes(), &out); err != nil ||
			len(out.Counters) != len(compared.Counters) ||
			out.Counters[0].Counter != "instructions" {
			t.Errorf("JSON: %v\n%s", err, &coded)
		}
	}
}

// TestCompareFewCounts checks a region whose counts are not trustworthy.
func TestCompareFewCounts(t *testing.T) {
	long := TimesOf(fixture.Counted(t))
	short := TimesOf(fixture.CountedOf(t, 0.01, "llc-misses")) // too few instructions
	c := Compare([]RunTimes{long}, []RunTimes{short}, 0)
	i := slices.IndexFunc(c.Counters, func(l CounterLine) bool {
		return l.Counter == "instructions" && l.Region == "parallel a.c:7"
	})
	if i < 0 || c.Counters[i].Verdict != Unclear || c.Counters[i].Trustworthy {
		t.Fatalf("%+v", c.Counters)
	}
	var b bytes.Buffer
	if err := c.Text(&b, false); err != nil ||
		!strings.Contains(b.String(), "instructions, parallel a.c:7"+report.FewCounts) {
		t.Errorf("%v\n%s", err, &b)
	}
}

// TestCompareOtherCounters checks that only counters that all runs have are compared, and that
// a warning names the others.
func TestCompareOtherCounters(t *testing.T) {
	c := Compare(countedRuns(t, 2, 1, "llc-misses"), countedRuns(t, 2, 1, "l1-misses"), 0)
	names := map[string]bool{}
	for _, l := range c.Counters {
		names[l.Counter] = true
	}
	if len(names) != 2 || !names["instructions"] || !names["cycles"] {
		t.Errorf("compared: %v", names)
	}
	const want = "not all runs have counted llc-misses, l1-misses: these counters are not compared"
	if !slices.Equal(c.Warnings, []string{want}) {
		t.Errorf("warnings: %q", c.Warnings)
	}
	without := []RunTimes{TimesOf(fixture.Sampled(t, "a.c", 20))}
	if c = Compare(without, without, 0); len(c.Counters) != 0 || len(c.Warnings) != 0 {
		t.Errorf("runs without counters: %+v, %q", c.Counters, c.Warnings)
	}
}
