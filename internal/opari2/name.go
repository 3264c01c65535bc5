package opari2

import (
	"path/filepath"
	"strings"

	"opari/fortran"
	"opari/internal/instrument"
	"opari/internal/omp"
)

// FindLanguage sets o.Lang by the name of the input if no option says it. It reports whether the
// language is known.
func (o *Options) FindLanguage() (omp.Language, bool) {
	if lang, said := o.Language(); said {
		return lang, true
	}
	ext := filepath.Ext(o.In)
	switch lang, _, ok := instrument.Language(o.In); {
	case ok:
		return lang, true
	case ext == ".cu" || ext == ".CC" || ext == ".CPP":
		return omp.CPlusPlus, true
	case strings.EqualFold(ext, ".cuf"):
		o.Form = keep(o.Form, "free")
		return omp.Fortran, true
	case strings.EqualFold(ext, ".f77"):
		o.Form = keep(o.Form, "fixed")
		return omp.Fortran, true
	}
	return omp.C, o.Form != ""
}

// Output returns the name of the instrumented file: f.mod.c for f.c. A Fortran file gets the
// extension for which compilers run the preprocessor.
func (o *Options) Output(lang omp.Language) string {
	if o.Out != "" {
		return o.Out
	}
	ext := filepath.Ext(o.In)
	name := strings.TrimSuffix(o.In, ext) + ".mod"
	switch _, known := fortran.SourceOf(o.In); {
	case lang != omp.Fortran || len(ext) < 2:
		return name + ext
	case strings.EqualFold(ext, ".cuf"):
		return name + ".CUF"
	case !known:
		return name + ext
	}
	return name + "." + strings.ToUpper(ext[1:2]) + ext[2:]
}

// IncludeFile returns the name of the file that OPARI2 writes beside the output.
func (o *Options) IncludeFile(out string) string {
	return filepath.Join(filepath.Dir(out), filepath.Base(o.In)+".opari.inc")
}

// IncludeText is the text of that file. Nothing includes it: the instrumented text stands on its
// own. Build scripts move and delete the file, so it must exist.
func IncludeText(lang omp.Language) string {
	const text = "opari: the instrumented file needs no other file; this one is for build scripts"
	if lang == omp.Fortran {
		return "! " + text + "\n"
	}
	return "/* " + text + " */\n"
}

// marker stands in preprocessed text where OPARI2 includes its file.
const marker = "___POMP2_INCLUDE___"

// BlankMarker returns text with blanks instead of the marker. No position changes.
func BlankMarker(text []byte) []byte {
	before, after, found := strings.Cut(string(text), marker)
	if !found {
		return text
	}
	return []byte(before + strings.Repeat(" ", len(marker)) + after)
}
