package commandline

import (
	"path/filepath"
	"slices"
	"strings"

	"opari/fortran"
	"opari/internal/omp"
)

// Fortran is what the options say about reading Fortran. The preprocessor handles only some
// files, the compiler proper searches the folders of -I for modules, and options decide what a
// line is.
type Fortran struct {
	DebugLines   bool // lines with D in column 1 are code
	NoUnderscore bool // external names get no underscore

	form         string // "free", "fixed", or "" to judge by the file's name
	freeLength   string // value of -ffree-line-length-
	fixedLength  string // value of -ffixed-line-length-
	preprocesses string // "-cpp", "-nocpp", or ""
	preprocessed bool   // -fpreprocessed: the text is preprocessed
	moduleFolder string // value of -J
}

// apply is Command.apply for the options of Fortran compilers.
func (o *Fortran) apply(e effect, a *Argument) {
	switch e {
	case namesModuleFolder:
		o.moduleFolder = a.Value
	case choosesPreprocessing:
		if a.Name == "-fpreprocessed" { // CMake does this with Ninja
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

// decidePreprocessing finds the Fortran sources that need the preprocessor. It runs after all
// options are known, because the last one counts, wherever the files are. With -E and
// -fpreprocessed gfortran would read the file that the first line names.
func (c *Command) decidePreprocessing() {
	o := &c.Fortran
	for _, f := range c.Sources() {
		if f.Lang == omp.Fortran {
			f.Preprocessed = o.preprocessed || o.preprocesses == "-nocpp" || o.preprocesses == "" &&
				!f.fortranSource().Preprocessed
		}
	}
}

// Form returns the source form in which the compiler reads the Fortran file f; "" is its default.
func (o *Fortran) Form(f *File) string {
	if o.form == "" && f.fortranSource().Form == fortran.Fixed {
		return "fixed"
	}
	return o.form
}

// LineLength returns the length of lines that the options give for a form; "" if they give none.
func (o *Fortran) LineLength(form string) string {
	if form == "fixed" {
		return o.fixedLength
	}
	return o.freeLength
}

// fortranSource returns what the file's name, or -x, says of it.
func (f *File) fortranSource() fortran.Source {
	src, ok := fortran.SourceOfLanguage(f.language)
	if !ok {
		src, _ = fortran.SourceOf(f.Name)
	}
	return src
}

// fortranExtension returns an extension for the text for the compiler proper: one for which it
// does not run the preprocessor.
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

// replacesFortran reports whether a file in replaced is Fortran.
func replacesFortran(replaced map[*File]string) bool {
	for f := range replaced {
		if f.Lang == omp.Fortran {
			return true
		}
	}
	return false
}

// forFortran reports whether an option of the preprocessor is also one of the Fortran compiler.
func forFortran(a *Argument) bool { return slices.Contains([]string{"-I", "-isysroot"}, a.Name) }

// IncludeFolders returns the folders in which the compiler looks for the files of INCLUDE lines.
func (c *Command) IncludeFolders() []string { return c.Values("-I", "-J") }

// ModuleFolder returns where the compiler writes the files of modules.
func (c *Command) ModuleFolder() string { return c.Fortran.moduleFolder }
