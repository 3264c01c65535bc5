// Package commandline reads a compiler's command line and writes those of the steps that take its
// place.
package commandline

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An Argument is one argument of a compiler, with its value where that is a word of its own.
type Argument struct {
	Kind  Kind
	Words []string
	Name  string // of the option without its value: "-I"
	Value string
	File  *File // of kind Input

	notPreprocessing bool // it does not go to the preprocessor's own run
	namesFile        bool // it names a file that is written
	writesMore       bool // in a link, it has more files written than the one that -o names
}

// Command is a compiler's command line as far as the wrapper must understand it.
type Command struct {
	Compiler []string // launchers and compiler
	Given    []string // its arguments as given
	Args     []Argument
	Plain    string // why the compiler is run as it is, whatever the files hold; ""
	Output   string // of the last -o; ""
	OpenMP   bool

	Standard          string // -std=, -ansi
	Machine           []string
	Optimizes         bool
	OptimizesInLink   bool
	SavesTemps        string // "cwd" or "obj" for -save-temps
	WarnsOfExtensions bool
	WarningsAreErrors bool
	ChoosesColor      bool // an option says whether messages are in colour
	Fortran           Fortran

	LinksRuntime bool // an OpenMP runtime is among the libraries
	Shared       bool
	Static       bool
	Partial      bool // -r
	NoLibraries  bool // -nostdlib, -nodefaultlibs

	cxx               bool   // the compiler's name is that of a C++ compiler
	clang             bool   // ... of clang
	mode              string // "-c", "-S", or "" for linking
	namesLanguages    bool   // -x is used
	deps              dependencies
	warnings          warnings
	readsComments     bool // comments matter to a warning
	describesItself   bool // -v, -ftime-report
	readsByOutputName bool
}

// Parse reads the words of a command that start with compiler.
func Parse(compiler, given []string) *Command {
	c := &Command{Compiler: compiler, Given: given}
	name := PlainName(compiler[len(compiler)-1])
	c.cxx, c.clang = slices.Contains(cxxCompilers, name), strings.HasPrefix(name, "clang")
	words := expandResponse(given)
	language := "" // that -x holds
	for i := 0; i < len(words); i++ {
		if w := words[i]; w == "-" || w == "" || w[0] != '-' {
			c.input(w, language)
			continue
		}
		if short := shortForm(words[i]); short != nil {
			words = slices.Concat(words[:i], short, words[i+1:])
		}
		a := Argument{Name: words[i], Words: words[i : i+1]}
		if row, value := match(words[i]); row != nil {
			a.Kind, a.Name, a.Value = row.kind, row.name, value
			switch {
			case !row.needsNext(value):
			case i+1 == len(words):
				c.Plain = "an option lacks its value"
			default:
				a.Words, a.Value = words[i:i+2], words[i+1]
				i++
			}
			c.apply(row.effect, &a)
		}
		switch a.Kind {
		case Query:
			c.Plain = a.Words[0]
		case Language:
			c.namesLanguages = true
			if language = a.Value; language == "none" {
				language = ""
			}
		}
		c.Args = append(c.Args, a)
	}
	c.decidePlain()
	c.decidePreprocessing()
	return c
}

// decidePlain finds the reasons to run the compiler as it is.
func (c *Command) decidePlain() {
	files := 0
	for f := range c.files {
		files++
		switch {
		case c.Plain != "":
		case f.Name == "-":
			c.Plain = "the source comes from standard input"
		case f.header:
			c.Plain = "a header is compiled"
		}
	}
	if files == 0 && c.Plain == "" {
		c.Plain = "no input"
	}
}

// files yields the files that the command names.
func (c *Command) files(yield func(*File) bool) {
	for i := range c.Args {
		if f := c.Args[i].File; f != nil && !yield(f) {
			return
		}
	}
}

// Sources are the files to instrument.
func (c *Command) Sources() []*File {
	var s []*File
	for f := range c.files {
		if f.Source {
			s = append(s, f)
		}
	}
	return s
}

// Values are the values of all options of the names, in their order.
func (c *Command) Values(names ...string) []string {
	var values []string
	for i := range c.Args {
		if a := &c.Args[i]; slices.Contains(names, a.Name) && a.Kind != Input {
			values = append(values, a.Value)
		}
	}
	return values
}

// Links reports whether the command ends in a link.
func (c *Command) Links() bool { return c.mode == "" }

// IsConfigureCheck recognises the small programs by which build systems try a compiler: what they
// print is compared, and none is ever measured.
func (c *Command) IsConfigureCheck() bool {
	names := []string{}
	if dir, err := os.Getwd(); err == nil {
		names = append(names, dir+"/")
	}
	for f := range c.files {
		if strings.HasPrefix(filepath.Base(f.Name), "conftest") {
			return true
		}
		names = append(names, f.Name)
	}
	return slices.ContainsFunc(names, func(n string) bool {
		return strings.Contains(n, "CMakeFiles/CMakeTmp/") ||
			strings.Contains(n, "CMakeFiles/CMakeScratch/") ||
			strings.Contains(n, "meson-private/tmp")
	})
}
