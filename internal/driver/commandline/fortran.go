package commandline

import (
	"path/filepath"
	"slices"
	"strings"

	"opari/fortran"
	"opari/internal/omp"
)

// Fortran is what the options say of how Fortran is read. The preprocessor runs over some files
// only, the folders of -I are searched for modules by the compiler proper, and options say what a
// line is.
type Fortran struct {
	DebugLines   bool // lines with D in column 1 are code
	NoUnderscore bool // external names get no underscore

	form         string // "free", "fixed", or "" to judge by the file's name
	freeLength   string // of -ffree-line-length-
	fixedLength  string // of -ffixed-line-length-
	preprocesses string // "-cpp", "-nocpp", or ""
	preprocessed bool   // -fpreprocessed: the preprocessor has run
	moduleFolder string // of -J
}

// apply is Command.apply for the options of Fortran's compilers.
func (o *Fortran) apply(e effect, a *Argument) {
	switch e {
	case namesModuleFolder:
		o.moduleFolder = a.Value
	case choosesPreprocessing:
		if a.Name == "-fpreprocessed" { // as CMake has it with Ninja
			o.preprocessed = true
		} else {
			o.preprocesses = a.Name
		}
	case choosesForm:
		o.form = strings.TrimSuffix(strings.TrimPrefix(a.Name, "-f"), "-form")
	case choosesLineLength:
		if a.Name == "-ffree-line-length-" {
			o.freeLength = a.Value
		} else {
			o.fixedLength = a.Value
		}
	case readsDebugLines:
		o.DebugLines = a.Name == "-fd-lines-as-code"
	case choosesUnderscore:
		o.NoUnderscore = a.Name == "-fno-underscoring"
	}
}

// decidePreprocessing finds the Fortran sources over which the preprocessor runs, once all
// options are known: the last one holds, wherever the files stand. With -E and -fpreprocessed
// gfortran would read the file that the first line names.
func (c *Command) decidePreprocessing() {
	o := &c.Fortran
	for _, f := range c.Sources() {
		if f.Lang == omp.Fortran {
			f.Preprocessed = o.preprocessed || o.preprocesses == "-nocpp" || o.preprocesses == "" &&
				!f.fortranSource().Preprocessed
		}
	}
}

// Form is the source form of Fortran in which the compiler reads f; "" is its default.
func (o *Fortran) Form(f *File) string {
	if o.form == "" && f.fortranSource().Form == fortran.Fixed {
		return "fixed"
	}
	return o.form
}

// LineLength is the length of lines that the options give for a form, "" where they give none.
func (o *Fortran) LineLength(form string) string {
	if form == "fixed" {
		return o.fixedLength
	}
	return o.freeLength
}

// fortranSource is what the file's name, or -x, says of it.
func (f *File) fortranSource() fortran.Source {
	src, ok := fortran.SourceOfLanguage(f.language)
	if !ok {
		src, _ = fortran.SourceOf(f.Name)
	}
	return src
}

// fortranExtension is the extension of the text that the compiler proper gets: one over which it
// runs no preprocessor.
func (f *File) fortranExtension() string {
	ext := strings.ToLower(filepath.Ext(f.Name))
	src, ok := fortran.SourceOf("f" + ext)
	if ok && !src.Preprocessed && f.language == "" {
		return ext
	}
	if f.fortranSource().Form == fortran.Fixed {
		return ".f"
	}
	return ".f90"
}

// replacesFortran reports whether one of the files in replaced is Fortran.
func replacesFortran(replaced map[*File]string) bool {
	for f := range replaced {
		if f.Lang == omp.Fortran {
			return true
		}
	}
	return false
}

// forFortran reports whether an option of the preprocessor is one of the Fortran compiler as well.
func forFortran(a *Argument) bool { return slices.Contains([]string{"-I", "-isysroot"}, a.Name) }

// IncludeFolders are the folders in which the compiler looks for what INCLUDE lines name.
func (c *Command) IncludeFolders() []string { return c.Values("-I", "-J") }

// ModuleFolder is where the compiler leaves the files of modules.
func (c *Command) ModuleFolder() string { return c.Fortran.moduleFolder }
