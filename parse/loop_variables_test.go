package parse

import (
	"slices"
	"testing"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/verify"
)

func TestLoopVariables(t *testing.T) {
	tests := []struct {
		text                string
		declares, variables []string
	}{
		{"#pragma omp for\nfor (i = 0; i < n; i++) ;", nil, []string{"i"}},
		{"#pragma omp for\nfor (int i = 0; i < n; i++) ;", []string{"i"}, []string{"i"}},
		{"#pragma omp for collapse(2)\nfor (i = 0; i < n; i++) for (long j = 0; j < n; j++) for " +
			"(k = 0; k < n; k++) ;", []string{"j"}, []string{"i", "j"}},
		{"#pragma omp for\nfor (; i < n; i++) ;", nil, nil},
		{"#pragma omp for\nfor (p->x = 0; p->x < n; p->x++) ;", nil, nil},
	}
	for _, test := range tests {
		tree, ds := File(source.New("f.c", []byte("void f(void) {\n"+test.text+"\n}\n")),
			Options{Lang: omp.C, Verify: verify.Never})
		if len(ds) > 0 || len(tree.Constructs) != 1 {
			t.Errorf("%s: %v", test.text, ds)
			continue
		}
		h := tree.Constructs[0].Header
		if !slices.Equal(h.Declares, test.declares) || !slices.Equal(h.Variables, test.variables) {
			t.Errorf("%s: declares %v, variables %v", test.text, h.Declares, h.Variables)
		}
	}
}
