package descriptors

import (
	"strings"
	"testing"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/directive"
)

func parseOne(t *testing.T, text string) *directive.Directive {
	t.Helper()
	f := source.New("t.c", []byte(text))
	l := directive.Logical{}
	l.Append(f.Text, 0)
	var d directive.Directive
	var ds source.Diagnostics
	directive.Parse(f, &l, directive.OMP, omp.C, &d, &ds)
	if len(ds) > 0 {
		t.Fatalf("%s: %v", text, ds)
	}
	return &d
}

// TestSplit shows to which part of a combined directive each clause goes, OpenMP 5.2 [17.2].
// Parts are separated by " | ".
func TestSplit(t *testing.T) {
	tests := []struct{ in, want string }{
		{"parallel for", "parallel | for"},
		{
			"parallel for schedule(static) num_threads(4) if(n > 3)",
			"parallel num_threads(4) if(n > 3) | for schedule(static)",
		},
		{
			"parallel for private(i) shared(a) firstprivate(x)",
			"parallel private(i) shared(a) firstprivate(x) | for",
		},
		{
			"parallel for firstprivate(x) lastprivate(x)",
			"parallel | for firstprivate(x) lastprivate(x)",
		},
		{
			"parallel for firstprivate(a, T::t) lastprivate(A::a, t)",
			"parallel | for firstprivate(a, T::t) lastprivate(A::a, t)",
		},
		{
			"parallel for default(none) lastprivate(N::x)",
			"parallel default(none) shared(N::x) | for lastprivate(N::x)",
		},
		{
			"parallel for default(none) lastprivate(x, i)",
			"parallel default(none) shared(x) | for lastprivate(x, i)",
		},
		{"parallel for reduction(+:s)", "parallel reduction(+:s) | for"},
		{
			"parallel for simd reduction(+:s[0:4]) default(none) simdlen(4)",
			"parallel default(none) shared(s, j) | for simd reduction(+:s[0:4]) simdlen(4)",
		},
		{
			"parallel for simd private(x) if(parallel: a) if(simd: b)",
			"parallel if(parallel: a) | for simd private(x) if(simd: b)",
		},
		{
			"parallel for collapse(2) ordered order(concurrent) proc_bind(close) copyin(t)",
			"parallel proc_bind(close) copyin(t) | for collapse(2) ordered order(concurrent)",
		},
		{
			"parallel for private(x) lastprivate(y) allocate(al: x, y)",
			"parallel private(x) allocate(al: x) | for lastprivate(y) allocate(al: y)",
		},
		{
			"parallel for reduction(inscan, +: s) private(x) default(none)",
			"parallel private(x) default(none) shared(s) | for reduction(inscan, +: s)",
		},
		{
			"parallel for simd reduction(inscan, max: a[0:n]) num_threads(2)",
			"parallel num_threads(2) | for simd reduction(inscan, max: a[0:n])",
		},
		{
			"parallel sections private(x) lastprivate(y) reduction(*:z)",
			"parallel private(x) reduction(*:z) | sections lastprivate(y)",
		},
		{"parallel master private(x)", "parallel private(x) | master"},
		{"parallel masked filter(2) shared(x)", "parallel shared(x) | masked filter(2)"},
		{
			"parallel master taskloop simd grainsize(4) private(x) reduction(+:s) safelen(8)",
			"parallel | master | taskloop simd grainsize(4) private(x) reduction(+:s) safelen(8)",
		},
		{"masked taskloop nogroup filter(1)", "masked filter(1) | taskloop nogroup"},
		{
			"parallel loop bind(parallel) reduction(+:s) lastprivate(i)",
			"parallel | loop bind(parallel) reduction(+:s) lastprivate(i)",
		},
		{"for simd schedule(static)", "for simd"},
		{"target parallel for", "target parallel for"},
		{"target teams distribute", "target teams distribute"},
		{
			"teams distribute num_teams(2) thread_limit(4) dist_schedule(static, 8) collapse(2)",
			"teams num_teams(2) thread_limit(4) | distribute dist_schedule(static, 8) collapse(2)",
		},
		{
			"teams distribute private(x) firstprivate(y) lastprivate(z) reduction(+:s)",
			"teams reduction(+:s) | distribute private(x) firstprivate(y) lastprivate(z)",
		},
		{
			"teams distribute default(none) shared(a) private(x) firstprivate(y) lastprivate(z, i)",
			"teams default(none) shared(a) shared(y, z) | distribute private(x) firstprivate(y) " +
				"lastprivate(z, i)",
		},
		{
			"teams distribute parallel for schedule(dynamic) num_threads(4) proc_bind(close) " +
				"copyin(t) if(n > 3)",
			"teams | distribute parallel for schedule(dynamic) num_threads(4) proc_bind(close) " +
				"copyin(t) if(n > 3)",
		},
		{
			"teams distribute parallel for default(none) shared(a) reduction(+:s) lastprivate(x)",
			"teams default(none) shared(a) reduction(+:s) shared(x) | distribute parallel for " +
				"default(none) shared(a) reduction(+:s) lastprivate(x)",
		},
		{
			"teams distribute reduction(+:s) firstprivate(y) allocate(al: s, y)",
			"teams reduction(+:s) allocate(al: s) | distribute firstprivate(y) allocate(al: y)",
		},
		{
			"teams distribute parallel for reduction(+:s) allocate(s)",
			"teams reduction(+:s) allocate(s) | distribute parallel for reduction(+:s) " +
				"allocate(s)",
		},
		{
			"teams distribute simd default(none) simdlen(4) linear(j)",
			"teams default(none) shared(j) | distribute simd simdlen(4) linear(j)",
		},
		{
			"teams distribute parallel for simd if(parallel: a) if(simd: b) order(concurrent)",
			"teams | distribute parallel for simd if(parallel: a) if(simd: b) order(concurrent)",
		},
		{
			"teams loop private(x) firstprivate(y) bind(teams)",
			"teams firstprivate(y) | loop private(x) bind(teams)",
		},
		{"distribute parallel for", "distribute parallel for"},
		{"taskloop simd", "taskloop simd"},
	}
	for _, test := range tests {
		d := parseOne(t, test.in)
		groups := group(d.Leaves)
		clauses := make([][]string, len(groups))
		if len(groups) > 1 {
			var ok bool
			if clauses, ok = splitClauses(d, groups,
				construct.LoopHeader{Declares: []string{"i"}, Variables: []string{"i", "j"}},
				true); !ok {
				t.Errorf("%s: cannot be split", test.in)
				continue
			}
		}
		var parts []string
		for i, g := range groups {
			r := Region{Leaf: g[0], Leaves: g}
			parts = append(parts, strings.Join(append([]string{r.Spelling()}, clauses[i]...), " "))
		}
		if got := strings.Join(parts, " | "); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.in, got, test.want)
		}
	}
}

// TestNoSplit requires that these directives are not split. Then only fork and join can be called
// around them.
func TestNoSplit(t *testing.T) {
	for _, in := range []string{
		"parallel for MACRO", "parallel for some_extension(3)",
		"teams distribute parallel for reduction(task, +:s)", "teams loop reduction(+:s)",
		"parallel for reduction(inscan, +: s)",
	} {
		f := source.New("t.c", []byte(in))
		l := directive.Logical{}
		l.Append(f.Text, 0)
		var d directive.Directive
		var ds source.Diagnostics
		directive.Parse(f, &l, directive.OMP, omp.C, &d, &ds)
		if _, ok := splitClauses(&d, group(d.Leaves), construct.LoopHeader{}, false); ok {
			t.Errorf("%s: split", in)
		}
	}
}
