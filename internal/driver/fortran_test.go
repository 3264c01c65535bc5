package driver

import (
	"slices"
	"strings"
	"testing"

	"opari/internal/omp"
	"opari/internal/instrument"
)

// TestFortranCommand: what the wrapper makes of a Fortran source in a command: whether it preprocesses it, how it reads it, under which
// name and with which options it is compiled.
func TestFortranCommand(t *testing.T) {
	tests := []struct {
		command string
		pre     bool // nothing is to be preprocessed
		form    string
		length  int
		compile string
	}{
		{"gfortran -c a.f90", true, "", 0, "gfortran -c T/a.f90 -fpreprocessed"},
		{"gfortran -c -cpp -I inc a.f90", false, "", 0, "gfortran -c -I inc T/a.f90 -fpreprocessed"},
		{"gfortran -c -DX a.F90", false, "", 0, "gfortran -c T/a.f90 -fpreprocessed"},
		{"gfortran -c -cpp -fpreprocessed a.F90-pp.f90", true, "", 0, "gfortran -c -fpreprocessed T/a.F90-pp.f90 -fpreprocessed"},
		{"flang-new-19 -c -ffixed-line-length=132 a.f", true, "fixed", 132, "flang-new-19 -c -ffixed-line-length=132 T/a.f"},
		{"gfortran -c -nocpp a.F90", true, "", 0, "gfortran -c -nocpp T/a.f90 -fpreprocessed"},
		{"gfortran -c a.FPP", false, "fixed", 0, "gfortran -c T/a.f -fpreprocessed"},
		{"gfortran -c -ffixed-line-length-132 a.for", true, "fixed", 132, "gfortran -c -ffixed-line-length-132 T/a.for -fpreprocessed"},
		{"gfortran -c -ffixed-form a.f90", true, "fixed", 0, "gfortran -c -ffixed-form T/a.f90 -fpreprocessed"},
		{"gfortran -c -ffree-form -ffree-line-length-none a.f", true, "free", 0, "gfortran -c -ffree-form -ffree-line-length-none T/a.f -fpreprocessed"},
		{"gfortran -c -x f77-cpp-input a.txt", false, "fixed", 0, "gfortran -c -x f77 T/a.f -fpreprocessed -x none"},
		{"flang-new-19 -c a.F90", false, "", 0, "flang-new-19 -c T/a.f90"},
		{"gcc -c b.c a.f08", true, "", 0, "gcc -c b.c T/a.f08 -fpreprocessed"},
	}
	for _, test := range tests {
		words := strings.Fields(test.command)
		c := parseCommand(words[:1], words[1:])
		i := slices.IndexFunc(c.sources(), func(f *inputFile) bool { return f.lang == omp.Fortran })
		if i < 0 {
			t.Errorf("%s: no Fortran source", test.command)
			continue
		}
		f := c.sources()[i]
		var o instrument.Options
		c.fortran.apply(f, &o)
		if f.pre != test.pre || o.Form != test.form || o.LineLength != test.length {
			t.Errorf("%s: pre %v, form %q, length %d", test.command, f.pre, o.Form, o.LineLength)
		}
		got := strings.Join(c.compile(map[*inputFile]string{f: "T/" + f.tempName()}), " ")
		if got != test.compile {
			t.Errorf("%s: compiled by %s, want %s", test.command, got, test.compile)
		}
	}
}
