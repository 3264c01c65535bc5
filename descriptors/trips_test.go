package descriptors

import (
	"testing"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse"
)

func TestTrips(t *testing.T) {
	tests := []struct {
		text string
		want []Trip // of the last region
	}{
		{"#pragma omp for\nfor (int i = 0; i < n; i++) ;", []Trip{{From: "0", To: "n", Step: "1"}}},
		{"#pragma omp for\nfor (i = 1; i <= n; i += 2) ;", []Trip{{From: "1", To: "n", Step: "2", Through: true, Untyped: true}}},
		{"#pragma omp for\nfor (unsigned long i = n; i > m; i -= k) ;", []Trip{{From: "m", To: "n", Step: "k"}}},
		{"#pragma omp for\nfor (int i = n; 0 <= i; --i) ;", []Trip{{From: "0", To: "n", Step: "1", Through: true}}},
		{"#pragma omp for\nfor (int i = 0; n > i; i = i + k) ;", []Trip{{From: "0", To: "n", Step: "k"}}},
		{"#pragma omp for\nfor (int i = 0; i < n; i -= k) ;", []Trip{{From: "0", To: "n", Step: "-(k)"}}},
		{"#pragma omp for\nfor (int i = n; i != 0; i--) ;", []Trip{{From: "0", To: "n", Step: "1"}}},
		{"#pragma omp taskloop\nfor (int i = a[2]; i < s.m - 1; i++) ;", []Trip{{From: "a[2]", To: "s.m - 1", Step: "1"}}},
		{"#pragma omp parallel for collapse(2)\nfor (int i = 0; i < n; i++) for (int j = 0; j < m; j++) ;", []Trip{{From: "0", To: "n", Step: "1"}, {From: "0", To: "m", Step: "1"}}},

		{"#pragma omp for collapse(2)\nfor (int i = 0; i < n; i++) for (int j = i; j < m; j++) ;", nil},
		{"#pragma omp for\nfor (int i = f(); i < n; i++) ;", nil},
		{"#pragma omp for\nfor (int i = 0; i < (f)(n); i++) ;", nil},
		{"#pragma omp for\nfor (int i = 0; i < n++; i++) ;", nil},
		{"#pragma omp for\nfor (int i = 0; i < (n = 3); i++) ;", nil},
		{"#pragma omp for\nfor (int i = 0; i /* to */ < n; i++) ;", nil},
		{"#pragma omp for\nfor (T i = 0; i < n; i++) ;", nil},
		{"#pragma omp for\nfor (int i = 0; i != n; i += 2) ;", nil},
		{"#pragma omp simd\nfor (int i = 0; i < n; i++) ;", nil},
		{"#define N n\n#define LOOP for (int i = 0; i < N; i++)\n#pragma omp for\nLOOP ;", nil},
		{"#pragma omp distribute\nfor (int i = 0; i < n; i++) ;", nil},
	}
	for _, test := range tests {
		tree, ds := parse.File(source.New("f.c", []byte("void f(void) {\n"+test.text+"\n}\n")), parse.Options{Lang: omp.C, Verify: parse.VerifyNever})
		table, more := Lower(tree, Options{})
		if len(ds)+len(more) > 0 {
			t.Errorf("%s: %v %v", test.text, ds, more)
			continue
		}
		var got []Trip
		if n := len(table.Regions); n > 0 {
			got = table.Regions[n-1].Trips
		}
		if len(got) != len(test.want) {
			t.Errorf("%s: %+v, want %+v", test.text, got, test.want)
			continue
		}
		for i := range got {
			if got[i] != test.want[i] {
				t.Errorf("%s: %+v, want %+v", test.text, got[i], test.want[i])
			}
		}
	}
}

func TestHint(t *testing.T) {
	for text, want := range map[string]omp.Schedule{
		"critical(a)": 0,
		"critical(a) hint(omp_sync_hint_contended)":                             2,
		"critical(a) hint(omp_lock_hint_speculative | omp_sync_hint_contended)": 10,
		"critical(a) hint(1)": 1,
		"critical(a) hint((omp_sync_hint_uncontended + omp_sync_hint_none) | 4)": 5,
		"parallel copyin(x)": 1,
		"parallel":           0,
	} {
		tree, _ := parse.File(source.New("f.c", []byte("void f(void) {\n#pragma omp "+text+"\n;\n}\n")), parse.Options{Lang: omp.C, Verify: parse.VerifyNever})
		table, _ := Lower(tree, Options{})
		if got := table.Regions[0].Schedule; got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}
