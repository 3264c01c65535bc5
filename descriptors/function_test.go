package descriptors

import (
	"strings"
	"testing"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse"
)

// TestFunctionPatterns requires that each list of patterns selects the right functions.
func TestFunctionPatterns(t *testing.T) {
	const text = "# 1 \"src/a.cc\"\nint f() { } namespace n { struct A { void f() { } void " +
		"operator/(int); }; }\nvoid n::A::operator/(int) { }\n" +
		"# 1 \"lib/b.h\" 1\ninline int g() { }\nint h() { h(); }\n"
	f := source.New("a.ii", []byte(text))
	tree, ds := parse.File(f, parse.Options{
		Lang: omp.CPlusPlus, Preprocessed: true,
		Functions: true,
	})
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	for patterns, want := range map[string]string{
		"":             "f n::A::operator/ h",
		"*":            "f n::A::f n::A::operator/ g h",
		"f":            "f n::A::f",
		"n::*":         "n::A::f n::A::operator/",
		"!f":           "n::A::operator/ h",
		"*,!n::*,!h":   "f g",
		"b.h:":         "g h",
		"lib/*:g":      "g",
		"a.cc:*A::*":   "n::A::f n::A::operator/",
		"*.h:*,!b.h:g": "h",
		"operator?":    "n::A::operator/",
		"!*":           "",
	} {
		list := []string{}
		if patterns != "" {
			list = strings.Split(patterns, ",")
		}
		if err := CheckFunctions(list); err != nil {
			t.Error(err)
		}
		table, _ := Lower(tree, Options{Lang: omp.CPlusPlus, Functions: list})
		var names []string
		for _, r := range table.Regions {
			names = append(names, r.SubName)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("--functions=%s: %s, not %s", patterns, got, want)
		}
		for _, c := range table.Coverage {
			if c.Instrumented == (c.Reason != "") {
				t.Errorf("--functions=%s: %+v", patterns, c)
			}
		}
	}
	for _, bad := range []string{"a[", "!", "[:f"} {
		if CheckFunctions([]string{bad}) == nil {
			t.Errorf("%q is taken for a pattern", bad)
		}
	}
}
