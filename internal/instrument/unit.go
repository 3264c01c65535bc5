package instrument

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"opari/descriptors"
	"opari/fortran"
	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/construct"
	"opari/rewrite"
)

// Unit is one text on its way through the stages, with all that they know of it. If only the
// instrumented text matters, a Draft takes less memory.
type Unit struct {
	File  *source.File
	Tree  *construct.Tree    // nil if the text could not be parsed
	Table *descriptors.Table // nil if the text could not be parsed
	Diags source.Diagnostics // diagnostics of all stages so far
	write rewrite.Options
}

// Prepare parses text and finds its regions. name is the file's name as the user spelled it.
// u.Diags.HasErrors says whether the unit can be written.
func Prepare(name string, text []byte, lang omp.Language, preprocessed bool, o *Options) *Unit {
	u := &Unit{File: source.New(name, text), write: o.write(name, lang, preprocessed)}
	if rewrite.Instrumented(text) {
		u.Diags = instrumentedAlready(name)
		return u
	}
	tree, ds := o.parseText(u.File, lang, preprocessed)
	u.Tree, u.Diags = tree, ds
	if tree == nil || ds.HasErrors() {
		return u
	}
	table, ds := descriptors.Lower(tree, o.lower(lang))
	u.Table = table
	u.Diags = append(u.Diags, ds...)
	return u
}

// Text returns the instrumented text.
func (u *Unit) Text() ([]byte, error) {
	return rewrite.Instrument(u.Tree, u.Table, u.write)
}

// instrumentedAlready returns the diagnostics for input that opari has already instrumented.
func instrumentedAlready(name string) source.Diagnostics {
	return source.Diagnostics{{
		Pos: source.Position{File: name, Line: 1, Column: 1}, Severity: source.Error,
		Message: "the file is instrumented already", Hint: "`opari strip` gives the original back",
	}}
}

// Language judges a file by its name. It returns the language, whether the text is already
// preprocessed, and whether it is a name of C, C++ or Fortran.
func Language(name string) (lang omp.Language, preprocessed, ok bool) {
	ext := filepath.Ext(name)
	switch {
	case ext == ".c" || ext == ".h":
		return omp.C, false, true
	case ext == ".i":
		return omp.C, true, true
	case ext == ".ii":
		return omp.CPlusPlus, true, true
	case slices.Contains(cxxExtensions, ext):
		return omp.CPlusPlus, false, true
	}
	if _, ok := fortran.SourceOf(name); ok {
		return omp.Fortran, false, true
	}
	return omp.C, false, false
}

var cxxExtensions = []string{
	".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C", ".hh", ".H", ".hp",
	".hxx", ".hpp", ".HPP", ".h++", ".tcc",
}

// PrintDiagnostics writes warnings and errors, a line each. With lower set it calls errors
// warnings, because they stop nothing.
func PrintDiagnostics(w io.Writer, ds source.Diagnostics, lower bool) {
	for _, d := range ds {
		if d.Severity == source.Error && lower {
			d.Severity = source.Warning
		}
		if d.Severity != source.Note {
			fmt.Fprintln(w, d)
		}
	}
}
