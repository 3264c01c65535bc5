package commandline

import (
	"path/filepath"
	"slices"
	"strings"

	"opari/fortran"
	"opari/internal/omp"
)

// File is a file among the compiler's arguments.
type File struct {
	Name         string
	Source       bool // C, C++ or Fortran that opari instruments
	Preprocessed bool // preprocessed, or never preprocessed
	Lang         omp.Language

	language string // language of -x; "": the file's name decides
	header   bool
	asm      bool // assembler with preprocessing
}

// input adds a file to the arguments.
func (c *Command) input(name, language string) {
	f := &File{Name: name, language: language, Source: true}
	switch language {
	case "c":
		f.Lang = omp.C
	case "c++":
		f.Lang = omp.CPlusPlus
	case "cpp-output":
		f.Lang, f.Preprocessed = omp.C, true
	case "c++-cpp-output":
		f.Lang, f.Preprocessed = omp.CPlusPlus, true
	case "":
		f.judgeByName(c.cxx)
	default:
		if _, f.Source = fortran.SourceOfLanguage(language); f.Source {
			f.Lang = omp.Fortran
		}
		f.header = strings.HasSuffix(language, "-header")
		f.asm = language == "assembler-with-cpp"
	}
	for _, runtime := range []string{"libgomp.", "libomp.", "libiomp5."} {
		c.LinksRuntime = c.LinksRuntime || strings.HasPrefix(filepath.Base(name), runtime)
	}
	c.Args = append(c.Args, Argument{Kind: Input, Words: []string{name}, Name: name, File: f})
}

var (
	cxxExtensions    = []string{".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C"}
	headerExtensions = []string{".h", ".hh", ".H", ".hp", ".hxx", ".hpp", ".HPP", ".h++", ".tcc"}
)

// judgeByName sets the kind of a file by the extension of its name; cxx is set for a C++
// compiler.
func (f *File) judgeByName(cxx bool) {
	f.Lang = omp.C
	if cxx {
		f.Lang = omp.CPlusPlus
	}
	switch ext := filepath.Ext(f.Name); {
	case ext == ".c":
	case ext == ".i":
		f.Preprocessed = true
	case ext == ".ii":
		f.Lang, f.Preprocessed = omp.CPlusPlus, true
	case slices.Contains(cxxExtensions, ext):
		f.Lang = omp.CPlusPlus
	default:
		if _, f.Source = fortran.SourceOf(f.Name); f.Source {
			f.Lang = omp.Fortran
		}
		f.header = slices.Contains(headerExtensions, ext)
		f.asm = ext == ".S" || ext == ".sx"
	}
}

// isAssembler reports whether the file is input of the assembler.
func (f *File) isAssembler() bool {
	return f.asm || strings.HasPrefix(f.language, "assembler") || f.language == "" &&
		filepath.Ext(f.Name) == ".s"
}

// AllInC reports whether all sources are C or C++.
func (c *Command) AllInC() bool {
	return !slices.ContainsFunc(c.Sources(), func(f *File) bool { return f.Lang == omp.Fortran })
}

// TempName returns a name for f's preprocessed text from which a compiler derives the same names
// as from the source's.
func (f *File) TempName() string {
	ext := ".i"
	switch f.Lang {
	case omp.CPlusPlus:
		ext = ".ii"
	case omp.Fortran:
		ext = f.fortranExtension()
	}
	return Stem(filepath.Base(f.Name)) + ext
}

// Stem returns name without the extension of its last element.
func Stem(name string) string {
	ext := filepath.Ext(name)
	if len(ext) == len(filepath.Base(name)) {
		return name
	}
	return strings.TrimSuffix(name, ext)
}
