package driver

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"opari/internal/omp"
	"opari/rewrite"
)

// preprocess is the command that writes the preprocessed text of f to standard output, and the dependencies where the user's
// command would.
func (c *command) preprocess(f *inputFile, color bool) []string {
	w := append([]string(nil), c.compiler...)
	w = append(w, "-D_POMP="+rewrite.InterfaceVersion)
	for i := range c.args {
		a := &c.args[i]
		switch a.kind {
		case input, output, lang, mode, link, once:
			continue
		case deps:
			if c.depsAreOthers(f) {
				continue
			}
		case pp:
			if a.words[0] == "-P" || a.words[0] == "-fdirectives-only" { // line markers and expanded macros are needed
				continue
			}
		case other:
			if len(a.name) == 3 && strings.HasPrefix(a.name, "-d") { // -dM and its kin mean something else with -E
				continue
			}
		}
		w = append(w, a.words...)
	}
	if c.depsOn && !c.depsAreOthers(f) {
		if !c.depsFile {
			w = append(w, "-MF", c.depsName(f))
		}
		if !c.depsGoal {
			w = append(w, "-MQ", c.depsTarget(f))
		}
	}
	if c.fallthru && !c.clang { // gcc heeds the comment /* fallthrough */ in preprocessed text too
		w = append(w, "-C")
	}
	if c.clang {
		w = append(w, "-Qunused-arguments")
	}
	if color {
		w = append(w, "-fdiagnostics-color=always")
	}
	w = append(w, "-E")
	if f.explicit != "" {
		w = append(w, "-x", f.explicit)
	}
	return append(w, f.name)
}

// compile is the user's command with each file in replaced put in its source's place. What is for the preprocessor alone has
// been done, and falls away.
func (c *command) compile(replaced map[*inputFile]string) []string {
	w := append([]string(nil), c.compiler...)
	keepPP := c.preprocessesMore(replaced)
	fortran := c.replacesFortran(replaced)
	now := "" // the language that -x holds
	for i := range c.args {
		a := &c.args[i]
		switch a.kind {
		case lang:
			continue
		case pp, deps:
			if !keepPP && !(fortran && forFortran(a)) {
				continue
			}
		case other:
			if fortran && a.name == "-cpp" {
				continue
			}
		case input:
			name, want := a.file.name, a.file.explicit
			if n, ok := replaced[a.file]; ok {
				name = n
				switch {
				case want == "":
				case a.file.lang == omp.Fortran:
					want = strings.TrimSuffix(want, "-cpp-input")
				case a.file.lang == omp.CPlusPlus:
					want = "c++-cpp-output"
				default:
					want = "cpp-output"
				}
			}
			if want != now {
				now = want
				if want == "" {
					want = "none"
				}
				w = append(w, "-x", want)
			}
			w = append(w, name)
			continue
		}
		w = append(w, a.words...)
	}
	if fortran && !c.flang() {
		w = append(w, "-fpreprocessed") // the file's name stands in its first line
	}
	w = append(w, c.dumps()...)
	if now != "" {
		w = append(w, "-x", "none") // what is appended for the link has no language
	}
	return w
}

// preprocessesMore reports whether the compiler still has a file to preprocess.
func (c *command) preprocessesMore(replaced map[*inputFile]string) bool {
	for i := range c.args {
		f := c.args[i].file
		if f == nil || f.pre {
			continue
		}
		if _, ok := replaced[f]; !ok && (f.source || f.asm) {
			return true
		}
	}
	return false
}

// plainWith is the user's command with words for the link at its end.
func (c *command) plainWith(libs []string) []string {
	return c.with(append(append([]string(nil), c.compiler...), c.given...), libs)
}

// with is a command with words for the link at its end.
func (c *command) with(words, libs []string) []string {
	if len(libs) > 0 && c.langs {
		words = append(words, "-x", "none")
	}
	return append(words, libs...)
}

// tempName is the name of f's preprocessed text: what a compiler derives from it is what it derives from the source's name.
func (f *inputFile) tempName() string {
	ext := ".i"
	switch f.lang {
	case omp.CPlusPlus:
		ext = ".ii"
	case omp.Fortran:
		ext = f.fortranExtension()
	}
	return stem(filepath.Base(f.name)) + ext
}

// auxName is where the compiler puts a file that it derives from source f, such as the dependencies.
func (c *command) auxName(f *inputFile, ext string) string {
	base := stem(filepath.Base(f.name))
	switch {
	case c.output != "" && (c.mode != "" || c.clang):
		return stem(c.output) + ext
	case c.mode != "" || c.clang:
		return base + ext
	case c.output == "":
		return "a-" + base + ext
	}
	dir, out := filepath.Split(c.output)
	out = strings.TrimSuffix(out, ".exe")
	if len(c.sources()) == 1 && stem(out) == base && c.onlyInput() {
		return dir + base + ext
	}
	if out == "a.out" {
		out = "a"
	}
	return dir + out + "-" + base + ext
}

// depsAreOthers reports whether the dependencies of f are left to the user's own command: gfortran adds a header that declares functions of
// vectors when it compiles; on standard output they would stand in the preprocessed text; and a compiler that finds them asked
// for in its environment writes them in every step.
func (c *command) depsAreOthers(f *inputFile) bool {
	if f.pre {
		return false
	}
	return c.depsOn && (f.lang == omp.Fortran || c.depsHeard) || depsInEnvironment()
}

// depsVariables are what asks GCC for dependencies without an option.
var depsVariables = []string{"DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES"}

func depsInEnvironment() bool {
	return slices.ContainsFunc(depsVariables, func(v string) bool { return os.Getenv(v) != "" })
}

// dumps are the options by which the optimizer's dumps are named for the source: they have its extension in their names.
func (c *command) dumps() []string {
	isDump := func(a arg) bool {
		return strings.HasPrefix(a.name, "-fdump-") || strings.HasPrefix(a.name, "-dumpbase")
	}
	if i := slices.IndexFunc(c.args, isDump); i < 0 || c.args[i].name[1] == 'd' || c.clang || c.mode == "" || len(c.sources()) != 1 {
		return nil
	}
	f := c.sources()[0]
	ext := filepath.Ext(f.name)
	base := filepath.Base(f.name)
	if c.output != "" {
		base = stem(filepath.Base(c.output)) + ext
	}
	return []string{"-dumpbase", base, "-dumpbase-ext", ext}
}

// onlyInput reports whether the command has a single file.
func (c *command) onlyInput() bool {
	n := 0
	for i := range c.args {
		if c.args[i].file != nil {
			n++
		}
	}
	return n == 1
}

// depsName is where the dependencies go without -MF. Unlike other files beside the output they are named by -o in a link too.
func (c *command) depsName(f *inputFile) string {
	if c.output != "" {
		return stem(c.output) + ".d"
	}
	return c.auxName(f, ".d")
}

// depsTarget is the name that stands before the colon in the dependencies.
func (c *command) depsTarget(f *inputFile) string {
	if c.output != "" {
		return c.output
	}
	return stem(filepath.Base(f.name)) + ".o"
}

// stem is name without the extension of its last element.
func stem(name string) string {
	ext := filepath.Ext(name)
	if len(ext) == len(filepath.Base(name)) {
		return name
	}
	return strings.TrimSuffix(name, ext)
}

// optimizes reports whether the compiler is asked to optimize: its last -O decides.
func (c *command) optimizes() bool {
	on := false
	for _, a := range c.given {
		if strings.HasPrefix(a, "-O") {
			on = a != "-O0"
		}
	}
	return on
}

// cFamily reports whether all sources are C or C++.
func (c *command) cFamily() bool {
	return !slices.ContainsFunc(c.sources(), func(f *inputFile) bool { return f.lang == omp.Fortran })
}
