package compare

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"regexp"
	"testing"

	"opari/internal/analysis"
)

// unevenRuns are five runs of a process whose second thread works for a part of the time of the
// first one, with some noise. The ranks beside it wait in MPI for a tenth of the time.
func unevenRuns(part float64, ranks int) []RunTimes {
	var all []RunTimes
	for i := range 5 {
		threads := []analysis.Thread{{Process: "rank 0"}, {Process: "rank 0"}}
		for range ranks - 1 {
			threads = append(threads, analysis.Thread{Process: "rank 1"})
		}
		r := analysis.New("p", 100_000, threads)
		root := r.Paths[0]
		work := int64(100_000*part) + int64(100*i)
		root.Add(analysis.Work, 0, 100_000)
		root.Add(analysis.Work, 1, work)
		root.Add(analysis.ImbalanceLoop, 1, 100_000-work)
		for k := 2; k < len(threads); k++ {
			root.Add(analysis.Work, k, 90_000)
			root.Add(analysis.LateSender, k, 10_000)
		}
		all = append(all, TimesOf(r))
	}
	return all
}

// TestCompareEfficiency checks that factors are compared like times, that more is better, and that
// a factor that one side does not have is 1 there.
func TestCompareEfficiency(t *testing.T) {
	type want map[string]struct {
		before, after float64
		verdict       Verdict
	}
	for _, c := range []struct {
		name          string
		before, after []RunTimes
		want          want
	}{
		{"balanced", unevenRuns(0.5, 1), unevenRuns(0.9, 1), want{
			"parallel-efficiency":  {0.751, 0.951, Better},
			"openmp-load-balance":  {0.751, 0.951, Better},
			"openmp-serialisation": {1, 1, Same},
			"openmp-scheduling":    {1, 1, Same},
			"undisturbed":          {1, 1, Same},
		}},
		{"worse", unevenRuns(0.9, 1), unevenRuns(0.5, 1), want{
			"parallel-efficiency": {0.951, 0.751, Worse},
			"openmp-load-balance": {0.951, 0.751, Worse},
		}},
		{"another rank", unevenRuns(0.9, 1), unevenRuns(0.9, 2), want{
			"mpi":               {1, 29. / 30, Same},
			"mpi-communication": {1, 1, Same},
			"mpi-load-balance":  {1, 29. / 30, Same},
			"openmp":            {0.951, (1.902 + 0.9) / 2.9, Same},
		}},
	} {
		compared := Compare(c.before, c.after, 0)
		seen := 0
		for _, l := range compared.Efficiency {
			w, is := c.want[l.Name]
			if !is {
				continue
			}
			seen++
			if math.Abs(l.Before-w.before) > 1e-9 || math.Abs(l.After-w.after) > 1e-9 ||
				l.Verdict != w.verdict {
				t.Errorf("%s: %+v, want %+v", c.name, l, w)
			}
		}
		if seen != len(c.want) {
			t.Errorf("%s: %d of %d factors: %+v", c.name, seen, len(c.want), compared.Efficiency)
		}
	}
	compared := Compare(unevenRuns(0.5, 1), unevenRuns(0.9, 1), 0)
	var plain, marked, coded bytes.Buffer
	if err := errors.Join(compared.Text(&plain, false), compared.Markdown(&marked, false),
		compared.JSON(&coded)); err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`\nbetter +\+26\.6 % .* 0\.75 +0\.95 +load balance\n`)
	if !row.Match(plain.Bytes()) || !bytes.Contains(marked.Bytes(), []byte("| efficiency |")) ||
		bytes.Contains(plain.Bytes(), []byte("undisturbed")) {
		t.Errorf("%s\n%s", &plain, &marked)
	}
	var back struct{ Efficiency []EfficiencyLine }
	if err := json.Unmarshal(coded.Bytes(), &back); err != nil || len(back.Efficiency) != 5 {
		t.Errorf("%v, %+v", err, back)
	}
	one := Compare([]RunTimes{TimesOf(analysis.New("p", 1, make([]analysis.Thread, 1)))},
		unevenRuns(0.5, 1), 0)
	if len(one.Efficiency) != 5 || one.Efficiency[0].Before != 1 {
		t.Errorf("one thread before: %+v", one.Efficiency)
	}
}
