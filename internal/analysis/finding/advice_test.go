package finding

import (
	"regexp"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/omp"
)

// TestAdvice checks that each loss without parts has an advice of one sentence, with a number of
// the run, whatever else is known.
func TestAdvice(t *testing.T) {
	sentence := regexp.MustCompile(`^[^\n]*[0-9][^\n]*: [a-z][^\n]*[^.\n]$`)
	for p := range analysis.NumProperties {
		if !p.Loss() || !p.Leaf() {
			if advisers[p] != nil {
				t.Errorf("%s is no loss of its own and has an advice", p)
			}
			continue
		}
		if advisers[p] == nil {
			t.Errorf("%s has no advice", p)
			continue
		}
		for _, kind := range omp.Kinds() {
			for visits := range int64(3) {
				r := analysis.New("p", 1000, make([]analysis.Thread, 2))
				q := r.Child(r.Paths[0], &analysis.Region{
					Kind: kind, Name: "it", File: "a.c",
					Line: 7,
				})
				q.Meetings = visits
				for i := range r.Threads {
					q.Visits[i].Count = visits
					q.Add(analysis.Work, i, 20*visits*int64(1+i))
				}
				q.Add(p, 1, 200)
				if visits == 2 {
					r.Blame = []analysis.Blame{{
						Property: p, Waiter: q, Cause: q, Thread: 0,
						Time: 200,
					}}
				}
				found := Of(r, 0)
				if len(found) != 1 {
					t.Fatalf("%d findings", len(found))
				}
				if text := found[0].Advice(r); !sentence.MatchString(text) {
					t.Errorf("%s of %s, %d visits: %q", p, kind, visits, text)
				}
			}
		}
	}
}

// TestAdviceNumbers checks the numbers against what they are said to be.
func TestAdviceNumbers(t *testing.T) {
	path := func(r *analysis.Result, in *analysis.Path, kind omp.Kind, line int,
		name string,
	) *analysis.Path {
		return r.Child(in, &analysis.Region{Kind: kind, Name: name, File: "a.c", Line: line})
	}
	// visited sets the visits and the work of threads.
	visited := func(q *analysis.Path, count int64, work ...int64) {
		for i, w := range work {
			q.Visits[i].Count = count
			q.Add(analysis.Work, i, w)
		}
	}
	for _, c := range []struct {
		name string
		fill func(r *analysis.Result) (analysis.Property, *analysis.Path)
		want string
	}{
		{"loop", func(r *analysis.Result) (analysis.Property, *analysis.Path) {
			q := path(r, r.Paths[0], omp.KindFor, 3, "for")
			visited(q, 5, 100, 300, 100, 300)
			return analysis.ImbalanceLoop, q
		}, "thread 1 works 1.50 times the mean: try schedule(dynamic)"},
		{"idle threads count in the mean", func(r *analysis.Result) (analysis.Property,
			*analysis.Path,
		) {
			q := path(r, r.Paths[0], omp.KindFor, 3, "for")
			visited(q, 1, 0, 0, 400, 0)
			return analysis.ImbalanceLoop, q
		}, "thread 2 works 4.00 times the mean: try schedule(dynamic)"},
		{"turns", func(r *analysis.Result) (analysis.Property, *analysis.Path) {
			q := path(r, r.Paths[0], omp.KindFor, 3, "for")
			visited(q, 5, 100, 101, 100, 100)
			return analysis.ImbalanceLoop, q
		}, "threads wait 240ns on average in 5 visits, for another one each time: try"},
		{"distribute", func(r *analysis.Result) (analysis.Property, *analysis.Path) {
			q := path(r, r.Paths[0], omp.KindDistribute, 3, "distribute")
			visited(q, 5, 100, 300, 100, 300)
			return analysis.ImbalanceLoop, q
		}, "try smaller chunks by dist_schedule(static, N)"},
		{"sections", func(r *analysis.Result) (analysis.Property, *analysis.Path) {
			q := path(r, r.Paths[0], omp.KindSections, 3, "sections")
			for i, time := range []int64{2000, 4000} {
				s := path(r, q, omp.KindSection, 4+i, "section")
				s.Visits[i] = analysis.Visit{Count: 2, Incl: 2 * time}
			}
			return analysis.ImbalanceSections, q
		}, "a.c:5 section takes 4.00us, the mean of 2 sections is 3.00us: split it"},
		{"serial", func(r *analysis.Result) (analysis.Property, *analysis.Path) {
			return analysis.IdleSerial, path(r, r.Paths[0], omp.KindNone, 3, "serial code")
		}, "shared by 4 threads, would take up to 300ns (3.0 % of the run) less: "},
		{"fine region, better alone", func(r *analysis.Result) (analysis.Property, *analysis.Path) {
			q := path(r, r.Paths[0], omp.KindParallel, 3, "parallel")
			visited(q, 3, 150, 150, 150, 150)
			q.Team = 2
			return analysis.Granularity, q
		}, "50ns of work cost 100ns: one thread would do the work of 2 sooner"},
		{"fine region", func(r *analysis.Result) (analysis.Property, *analysis.Path) {
			q := path(r, r.Paths[0], omp.KindParallel, 3, "parallel")
			visited(q, 3, 150, 150, 150, 150)
			q.Team = 4
			return analysis.Granularity, q
		}, "with 38 times the work it would be 5 %"},
		{"critical", func(r *analysis.Result) (analysis.Property, *analysis.Path) {
			q := path(r, r.Paths[0], omp.KindCritical, 3, "critical")
			visited(q, 5, 100, 100, 100, 100)
			return analysis.CriticalWait, q
		}, "20 visits with 20ns of work each: try a reduction or an atomic update"},
		{"long critical", func(r *analysis.Result) (analysis.Property, *analysis.Path) {
			q := path(r, r.Paths[0], omp.KindCritical, 3, "critical")
			visited(q, 1, 1000, 1000, 1000, 1000)
			return analysis.CriticalWait, q
		}, "4 visits with 1.00us of work each: do less inside"},
		{"another critical", func(r *analysis.Result) (analysis.Property, *analysis.Path) {
			q := path(r, r.Paths[0], omp.KindCritical, 3, "critical")
			other := path(r, r.Paths[0], omp.KindCritical, 9, "critical")
			r.Blame = []analysis.Blame{{
				Property: analysis.CriticalWait, Waiter: q, Cause: other, Time: 1000,
			}}
			return analysis.CriticalWait, q
		}, "name it and a.c:9 critical differently if they protect different data"},
		{"single", func(r *analysis.Result) (analysis.Property, *analysis.Path) {
			q := path(r, r.Paths[0], omp.KindSingle, 3, "single")
			visited(q, 6, 1, 1, 1, 1)
			return analysis.SingleWait, q
		}, "threads wait 200ns on average in 6 visits: add nowait"},
		{"starvation", func(r *analysis.Result) (analysis.Property, *analysis.Path) {
			team := path(r, r.Paths[0], omp.KindParallel, 2, "parallel")
			task := path(r, team, omp.KindTask, 5, "task")
			task.Visits[2] = analysis.Visit{Count: 12, Max: 7000}
			return analysis.TaskStarvation, path(r, team, omp.KindSingle, 3, "single")
		}, "the longest of 12 tasks takes 7.00us: create tasks sooner"},
		{"measurement", func(r *analysis.Result) (analysis.Property, *analysis.Path) {
			r.EventCost = 12
			return analysis.Measurement, path(r, r.Paths[0], omp.KindFor, 3, "for")
		}, "at least 100 events were recorded in it: "},
	} {
		r := analysis.New("p", 10_000, make([]analysis.Thread, 4))
		p, q := c.fill(r)
		q.Add(p, 3, 1200)
		f := Finding{Property: p, Region: q.Region, Time: 1200}
		if got := f.Advice(r); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q is not in %q", c.name, c.want, got)
		}
	}
}
