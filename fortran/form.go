package fortran

import (
	"path/filepath"
	"strings"
)

// Form is a Fortran source form, Fortran 2018 [6.3].
type Form uint8

// The forms.
const (
	Free Form = iota + 1 // statements anywhere in a line, sentinel !$omp
	// Statements in columns 7 to 72, sentinels !$omp, c$omp and *$omp in column 1.
	Fixed
)

func (f Form) String() string {
	switch f {
	case Free:
		return "free form"
	case Fixed:
		return "fixed form"
	}
	return "unknown form"
}

// LineLimit returns the number of columns that the standard allows for a line of the form.
// Compilers have options that change it.
func (f Form) LineLimit() int {
	if f == Fixed {
		return 72
	}
	return 132
}

// Source is what a file's name says about the file.
type Source struct {
	Form         Form
	Preprocessed bool // the compiler runs its preprocessor over it by default
}

// extensions are those that gfortran and flang accept for Fortran, in lower case. An upper-case
// extension requests the preprocessor, and so do .fpp and .FPP.
var extensions = map[string]Form{
	".f": Fixed, ".for": Fixed, ".ftn": Fixed, ".fpp": Fixed,
	".f90": Free, ".f95": Free, ".f03": Free, ".f08": Free, ".f18": Free,
}

// SourceOf returns what name says about the file, and false when it is no name of a Fortran
// source.
func SourceOf(name string) (Source, bool) {
	ext := filepath.Ext(name)
	lower := strings.ToLower(ext)
	form, ok := extensions[lower]
	if !ok || ext != lower && ext != strings.ToUpper(ext) {
		return Source{}, false
	}
	return Source{Form: form, Preprocessed: ext != lower || lower == ".fpp"}, true
}

// SourceOfLanguage is SourceOf for a compiler's -x option: f77, f77-cpp-input, f95,
// f95-cpp-input.
func SourceOfLanguage(x string) (Source, bool) {
	base, preprocessed := strings.CutSuffix(x, "-cpp-input")
	switch base {
	case "f77":
		return Source{Fixed, preprocessed}, true
	case "f95":
		return Source{Free, preprocessed}, true
	}
	return Source{}, false
}
