package rewrite

import "testing"

// A default clause may stand anywhere in a preprocessed text, and a label of a switch is none.
func TestMayNameVariables(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, "default": true, "switch (x) { default: f(); }": true, "X() = default;": true,
		"#pragma omp parallel default(none)":                  false,
		"default: f();\n#pragma omp task default \\\n (none)": false,
		"defaultmap(tofrom: scalar)":                          true,
	} {
		if got := mayNameVariables([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
