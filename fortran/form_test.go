package fortran

import "testing"

func TestSourceOf(t *testing.T) {
	tests := []struct {
		name string
		want Source
		ok   bool
	}{
		{"a.f", Source{Fixed, false}, true},
		{"a.F", Source{Fixed, true}, true},
		{"dir.f90/b.F90", Source{Free, true}, true},
		{"b.f08", Source{Free, false}, true},
		{"x.for", Source{Fixed, false}, true},
		{"x.fpp", Source{Fixed, true}, true},
		{"x.FPP", Source{Fixed, true}, true},
		{"x.For", Source{}, false},
		{"x.c", Source{}, false},
		{"f90", Source{}, false},
	}
	for _, test := range tests {
		if got, ok := SourceOf(test.name); got != test.want || ok != test.ok {
			t.Errorf("SourceOf(%q) = %v, %v, want %v, %v", test.name, got, ok, test.want, test.ok)
		}
	}
}

func TestSourceOfLanguage(t *testing.T) {
	for x, want := range map[string]Source{
		"f77": {Fixed, false}, "f77-cpp-input": {Fixed, true},
		"f95": {Free, false}, "f95-cpp-input": {Free, true},
	} {
		if got, ok := SourceOfLanguage(x); !ok || got != want {
			t.Errorf("SourceOfLanguage(%q) = %v, %v", x, got, ok)
		}
	}
	if _, ok := SourceOfLanguage("c++"); ok {
		t.Error("c++ is taken for Fortran")
	}
}

func TestLineLimit(t *testing.T) {
	if Fixed.LineLimit() != 72 || Free.LineLimit() != 132 {
		t.Error("line limits")
	}
}
