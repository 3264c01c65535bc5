package commandline

import (
	"strings"

	"opari/internal/omp"
	"opari/rewrite"
)

// Preprocess returns the command that writes the preprocessed text of f to standard output, and
// the dependencies where the user's command would.
func (c *Command) Preprocess(f *File, color bool) []string {
	w := append([]string(nil), c.Compiler...)
	w = append(w, "-D_POMP="+rewrite.InterfaceVersion)
	for i := range c.Args {
		a := &c.Args[i]
		switch a.Kind {
		case Input, Output, Language, Mode, Link, LastStep:
			continue
		case Dependencies:
			if c.LeavesDependencies(f) {
				continue
			}
		}
		if a.notPreprocessing {
			continue
		}
		w = append(w, a.Words...)
	}
	if c.deps.wanted && !c.LeavesDependencies(f) {
		if !c.deps.named {
			w = append(w, "-MF", c.dependenciesFile(f))
		}
		if !c.deps.targetNamed {
			w = append(w, "-MQ", c.dependenciesTarget(f))
		}
	}
	// In preprocessed text, too, gcc obeys the comment /* fallthrough */.
	if c.readsComments && !c.clang {
		w = append(w, "-C")
	}
	if c.clang {
		w = append(w, "-Qunused-arguments")
	}
	if color {
		w = append(w, "-fdiagnostics-color=always")
	}
	w = append(w, "-E")
	if f.language != "" {
		w = append(w, "-x", f.language)
	}
	return append(w, f.Name)
}

// Compile returns the user's command with each file in replaced in its source's place. It omits
// options that are only for the preprocessor, which has already run.
func (c *Command) Compile(replaced map[*File]string) []string {
	w := append([]string(nil), c.Compiler...)
	keepPP := c.preprocessesMore(replaced)
	fortran := replacesFortran(replaced)
	now := "" // the current language of -x
	for i := range c.Args {
		a := &c.Args[i]
		switch a.Kind {
		case Language:
			continue
		case Preprocessor, Dependencies:
			if !keepPP && !(fortran && forFortran(a)) {
				continue
			}
		case Other:
			if fortran && a.Name == "-cpp" {
				continue
			}
		case Input:
			name, want := a.File.Name, a.File.language
			if n, ok := replaced[a.File]; ok {
				name = n
				switch {
				case want == "":
				case a.File.Lang == omp.Fortran:
					want = strings.TrimSuffix(want, "-cpp-input")
				case a.File.Lang == omp.CPlusPlus:
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
		w = append(w, a.Words...)
	}
	if fortran && !c.IsFlang() {
		w = append(w, "-fpreprocessed") // the first line has the file's name
	}
	w = append(w, c.dumpNames()...)
	if now != "" {
		w = append(w, "-x", "none") // the words for the link have no language
	}
	return w
}

// preprocessesMore reports whether the compiler still has a file to preprocess.
func (c *Command) preprocessesMore(replaced map[*File]string) bool {
	for f := range c.files {
		if f.Preprocessed {
			continue
		}
		if _, ok := replaced[f]; !ok && (f.Source || f.asm) {
			return true
		}
	}
	return false
}

// Original returns the user's command with words for the link at its end.
func (c *Command) Original(libs []string) []string {
	return c.WithLibraries(append(append([]string(nil), c.Compiler...), c.Given...), libs)
}

// WithLibraries returns a command with words for the link at its end.
func (c *Command) WithLibraries(words, libs []string) []string {
	if len(libs) > 0 && c.namesLanguages {
		words = append(words, "-x", "none")
	}
	return append(words, libs...)
}
