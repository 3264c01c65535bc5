package parse

import (
	"reflect"
	"testing"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/verify"
)

func TestTrips(t *testing.T) {
	up := func(from, to, step string) []construct.Trip {
		return []construct.Trip{{From: from, To: to, Step: step}}
	}
	tests := []struct {
		text string
		want []construct.Trip // the trips of the last construct with loops
	}{
		{"#pragma omp for\nfor (int i = 0; i < n; i++) ;", up("0", "n", "1")},
		{
			"#pragma omp for\nfor (i = 1; i <= n; i += 2) ;",
			[]construct.Trip{{From: "1", To: "n", Step: "2", Inclusive: true, Untyped: true}},
		},
		{"#pragma omp for\nfor (unsigned long i = n; i > m; i -= k) ;", up("m", "n", "k")},
		{
			"#pragma omp for\nfor (int i = n; 0 <= i; --i) ;",
			[]construct.Trip{{From: "0", To: "n", Step: "1", Inclusive: true}},
		},
		{"#pragma omp for\nfor (int i = 0; n > i; i = i + k) ;", up("0", "n", "k")},
		{"#pragma omp for\nfor (int i = 0; n > i; i = 2 * k + i) ;", up("0", "n", "2 * k")},
		{"#pragma omp for\nfor (int i = 0; i < n; i -= k) ;", up("0", "n", "-(k)")},
		{"#pragma omp for\nfor (int i = n; i != 0; i--) ;", up("0", "n", "1")},
		{"#pragma omp for\nfor (int i = 0; i < 1<<k; i++) ;", up("0", "1<<k", "1")},
		{"#pragma omp for\nfor (int i = 0; i < (a & b); i++) ;", up("0", "(a & b)", "1")},
		{
			"#pragma omp for\nfor (int i = 0; i /* to */ <\n  n /* the last */ + 1; i++) ;",
			up("0", "n + 1", "1"),
		},
		{
			"#pragma omp taskloop\nfor (int i = a[2]; i < s.m - p->i; i++) ;",
			up("a[2]", "s.m - p->i", "1"),
		},
		{
			"#pragma omp for\nfor (int i = 0; i < (unsigned long) n; i++) ;",
			up("0", "(unsigned long) n", "1"),
		},
		{"#pragma omp parallel for collapse(2)\nfor (int i = 0; i < n; i++) for (int j = 0; j < " +
			"m; j++) ;", []construct.Trip{
			{From: "0", To: "n", Step: "1"},
			{From: "0", To: "m", Step: "1"},
		}},
		{"#define N 10\n#pragma omp for\nfor (int i = 0; i < N; i++) ;", up("0", "N", "1")},

		{
			"#pragma omp for collapse(2)\nfor (int i = 0; i < n; i++) for (int j = i; j < m; " +
				"j++) ;",
			nil,
		},
		{
			"#pragma omp for collapse(K)\nfor (int i = 0; i < n; i++) for (int j = 0; j < m; " +
				"j++) ;",
			nil,
		},
		{"#pragma omp for\nfor (int i = f(); i < n; i++) ;", nil},
		{"#pragma omp for\nfor (int i = 0; i < (f)(n); i++) ;", nil},
		{"#pragma omp for\nfor (int i = 0; i < n++; i++) ;", nil},
		{"#pragma omp for\nfor (int i = 0; i < (n = 3); i++) ;", nil},
		{"#pragma omp for\nfor (int i = 0; i < (n, 3); i++) ;", nil},
		{"#pragma omp for\nfor (int i = 0; i < n & m; i++) ;", nil},
		{"#pragma omp for\nfor (int i = 0; i < n; i = k - 1 & i) ;", nil},
		{"#pragma omp for\nfor (int i = 0; i < n; i = i - k + 1) ;", nil},
		{"#pragma omp for\nfor (T i = 0; i < n; i++) ;", nil},
		{"#pragma omp for\nfor (int i = 0; i != n; i += 2) ;", nil},
		{"#define N n\n#define LOOP for (int i = 0; i < N; i++)\n#pragma omp for\nLOOP ;", nil},
		{"#define N f()\n#pragma omp for\nfor (int i = 0; i < N; i++) ;", nil},
		{"#define N(x) x\n#pragma omp for\nfor (int i = 0; i < N (3); i++) ;", nil},
	}
	for _, test := range tests {
		tree, ds := File(source.New("f.c", []byte("void f(void) {\n"+test.text+"\n}\n")),
			Options{Lang: omp.C, Verify: verify.Never})
		if len(ds) > 0 {
			t.Errorf("%s: %v", test.text, ds)
			continue
		}
		c := tree.Constructs[len(tree.Constructs)-1]
		got := append([]construct.Trip(nil), c.Header.Trips(c.Directive.Collapse())...)
		for i := range got {
			got[i].Names, got[i].Inner = "", nil
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %+v, want %+v", test.text, got, test.want)
		}
	}
}

func TestHint(t *testing.T) {
	for text, want := range map[string]int{
		"critical(a)": 0,
		"critical(a) hint(omp_sync_hint_contended)":                             2,
		"critical(a) hint(omp_lock_hint_speculative | omp_sync_hint_contended)": 10,
		"critical(a) hint(1)": 1,
		"critical(a) hint((omp_sync_hint_uncontended + omp_sync_hint_none) | 4)": 5,
		"critical(a) hint(h)": 0,
	} {
		tree, _ := File(source.New("f.c", []byte("void f(void) {\n#pragma omp "+text+"\n;\n}\n")),
			Options{Lang: omp.C, Verify: verify.Never})
		if got := tree.Constructs[0].Directive.Hint(); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}
