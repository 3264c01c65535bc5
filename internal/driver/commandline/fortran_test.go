package commandline

import (
	"slices"
	"strings"
	"testing"

	"opari/internal/omp"
)

// TestFortranCommand: for a Fortran source the wrapper decides whether to preprocess it, how to
// read it, and under which name and with which options to compile it.
func TestFortranCommand(t *testing.T) {
	tests := []struct {
		command string
		pre     bool // nothing to preprocess
		form    string
		length  string
		compile string
	}{
		{"gfortran -c a.f90", true, "", "", "gfortran -c T/a.f90 -fpreprocessed"},
		{
			"gfortran -c -cpp -I inc a.f90", false, "", "",
			"gfortran -c -I inc T/a.f90 -fpreprocessed",
		},
		{"gfortran -c -DX a.F90", false, "", "", "gfortran -c T/a.f90 -fpreprocessed"},
		{
			"gfortran -c -cpp -fpreprocessed a.F90-pp.f90", true, "", "",
			"gfortran -c -fpreprocessed T/a.F90-pp.f90 -fpreprocessed",
		},
		{
			"flang-new-19 -c -ffixed-line-length=132 a.f", true, "fixed", "132",
			"flang-new-19 -c -ffixed-line-length=132 T/a.f",
		},
		{"gfortran -c -nocpp a.F90", true, "", "", "gfortran -c -nocpp T/a.f90 -fpreprocessed"},
		{"gfortran -c a.FPP", false, "fixed", "", "gfortran -c T/a.f -fpreprocessed"},
		{
			"gfortran -c -ffixed-line-length-132 a.for", true, "fixed", "132",
			"gfortran -c -ffixed-line-length-132 T/a.for -fpreprocessed",
		},
		{
			"gfortran -c -ffixed-form a.f90", true, "fixed", "",
			"gfortran -c -ffixed-form T/a.f90 -fpreprocessed",
		},
		{
			"gfortran -c -ffree-form -ffree-line-length-none a.f", true, "free", "none",
			"gfortran -c -ffree-form -ffree-line-length-none T/a.f -fpreprocessed",
		},
		{
			"gfortran -c -x f77-cpp-input a.txt", false, "fixed", "",
			"gfortran -c -x f77 T/a.f -fpreprocessed -x none",
		},
		{"flang-new-19 -c a.F90", false, "", "", "flang-new-19 -c T/a.f90"},
		{"gcc -c b.c a.f08", true, "", "", "gcc -c b.c T/a.f08 -fpreprocessed"},
	}
	for _, test := range tests {
		words := strings.Fields(test.command)
		c := Parse(words[:1], words[1:])
		i := slices.IndexFunc(c.Sources(), func(f *File) bool { return f.Lang == omp.Fortran })
		if i < 0 {
			t.Errorf("%s: no Fortran source", test.command)
			continue
		}
		f := c.Sources()[i]
		form := c.Fortran.Form(f)
		if length := c.Fortran.LineLength(form); f.Preprocessed != test.pre || form != test.form ||
			length != test.length {
			t.Errorf("%s: pre %v, form %q, length %q", test.command, f.Preprocessed, form, length)
		}
		got := strings.Join(c.Compile(map[*File]string{f: "T/" + f.TempName()}), " ")
		if got != test.compile {
			t.Errorf("%s: compiled by %s, want %s", test.command, got, test.compile)
		}
	}
}
