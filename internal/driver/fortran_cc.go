package driver

import (
	"os/exec"
	"path/filepath"
	"strings"

	"opari/fortran"
	"opari/internal/omp"
	"opari/internal/instrument"
)

// What is special about Fortran in a compiler's command line: the preprocessor runs only over some files, the directories of -I are
// searched for modules by the compiler proper, and options say what a line is.

// fortranFlags are the options of the command line that bear on how Fortran is read.
type fortranFlags struct {
	form         string // "free", "fixed", or "" to judge by the file's name
	free, fixed  string // values of -ffree-line-length- and -ffixed-line-length-
	preprocessed string // "-cpp", "-nocpp", or ""
	done         bool   // -fpreprocessed: the preprocessor has run
	debug        bool   // lines with D in column 1 are code
	bare         bool   // external names get no underscore
}

// readFortran gathers the options once all are known: the last one holds, wherever the files stand.
func (c *command) readFortran() {
	for i := range c.args {
		a := &c.args[i]
		if a.kind != other && a.kind != pp {
			continue
		}
		switch w := a.words[0]; {
		case w == "-ffree-form":
			c.fortran.form = "free"
		case w == "-ffixed-form":
			c.fortran.form = "fixed"
		case w == "-funderscoring", w == "-fno-underscoring":
			c.fortran.bare = w == "-fno-underscoring"
		case w == "-fd-lines-as-code", w == "-fd-lines-as-comments":
			c.fortran.debug = w == "-fd-lines-as-code"
		case w == "-cpp", w == "-nocpp":
			c.fortran.preprocessed = w
		case w == "-fpreprocessed": // as CMake has it with Ninja; with -E gfortran would read the file that the first line names
			c.fortran.done = true
		case strings.HasPrefix(w, "-ffree-line-length-"):
			c.fortran.free = strings.TrimPrefix(w, "-ffree-line-length-")
		case strings.HasPrefix(w, "-ffixed-line-length-"), strings.HasPrefix(w, "-ffixed-line-length="): // GCC's, LLVM's
			c.fortran.fixed = w[len("-ffixed-line-length-"):]
		}
	}
	for i := range c.args {
		if f := c.args[i].file; f != nil && f.lang == omp.Fortran && f.source {
			f.pre = c.fortran.done || c.fortran.preprocessed == "-nocpp" || c.fortran.preprocessed == "" && !f.fortranSource().Preprocessed
		}
	}
}

// apply sets the options of instrumentation for file f as the compiler reads it.
func (g *fortranFlags) apply(f *inputFile, o *instrument.Options) {
	if f.lang != omp.Fortran {
		return
	}
	if o.Form == "" {
		o.Form = g.form
	}
	if o.Form == "" && f.fortranSource().Form == fortran.Fixed {
		o.Form = "fixed"
	}
	o.DebugLines = g.debug
	length := g.free
	if o.Form == "fixed" {
		length = g.fixed
	}
	if o.LineLength == 0 && length != "" {
		_ = o.SetLineLength(length)
	}
}

// fortranSource is what the file's name, or -x, says of it.
func (f *inputFile) fortranSource() fortran.Source {
	src, ok := fortran.SourceOfLanguage(f.explicit)
	if !ok {
		src, _ = fortran.SourceOf(f.name)
	}
	return src
}

// isFortranName notes that f is Fortran if its name is that of Fortran.
func (f *inputFile) isFortranName() bool {
	_, ok := fortran.SourceOf(f.name)
	if ok {
		f.lang = omp.Fortran
	}
	return ok
}

// isFortranLanguage is isFortranName for the language that -x names.
func (f *inputFile) isFortranLanguage(x string) bool {
	_, ok := fortran.SourceOfLanguage(x)
	if ok {
		f.lang = omp.Fortran
	}
	return ok
}

// fortranExtension is the extension of the text that the compiler proper gets: one over which it runs no preprocessor.
func (f *inputFile) fortranExtension() string {
	ext := strings.ToLower(filepath.Ext(f.name))
	src, ok := fortran.SourceOf("f" + ext)
	if ok && !src.Preprocessed && f.explicit == "" {
		return ext
	}
	if f.fortranSource().Form == fortran.Fixed {
		return ".f"
	}
	return ".f90"
}

func (f *inputFile) mayHoldDirectives(text []byte) bool {
	if f.lang == omp.Fortran {
		return fortran.MayHoldDirectives(text)
	}
	return mayHoldDirectives(text)
}

// replacesFortran reports whether one of the files in replaced is Fortran.
func (c *command) replacesFortran(replaced map[*inputFile]string) bool {
	for f := range replaced {
		if f.lang == omp.Fortran {
			return true
		}
	}
	return false
}

// forFortran reports whether an option of the preprocessor is one of the Fortran compiler as well.
func forFortran(a *arg) bool { return a.name == "-I" || a.name == "-isysroot" }

// flang reports whether the compiler is LLVM's.
func (c *command) flang() bool {
	return strings.HasPrefix(plainName(c.compiler[len(c.compiler)-1]), "flang")
}

// moduleDir is where the compiler leaves the files of modules.
func (c *command) moduleDir() string {
	dir := ""
	for i := range c.args {
		if a := &c.args[i]; a.name == "-J" {
			dir = a.value
		} else if d, ok := strings.CutPrefix(a.words[0], "-J"); ok && d != "" {
			dir = d
		}
	}
	return dir
}

// gcc reports whether the compiler is GCC's, also by the names that systems have for their compiler, such as /usr/bin/cc.
func (c *command) gcc() bool {
	compiler := c.compiler[len(c.compiler)-1]
	if name := plainName(compiler); name == "cc" || name == "c++" {
		if found, err := exec.LookPath(compiler); err == nil {
			compiler, _ = filepath.EvalSymlinks(found) // "" is no compiler's name
		}
	}
	switch plainName(compiler) {
	case "gfortran", "gcc", "xgcc", "g++":
		return true
	}
	return false
}

// moduleDirs are the folders in which the compiler looks for what INCLUDE lines name.
func (c *command) moduleDirs() []string {
	var dirs []string
	for i := range c.args {
		if a := &c.args[i]; a.name == "-I" || a.name == "-J" {
			dirs = append(dirs, a.value)
		}
	}
	return dirs
}
