// Package commandline reads a compiler's command line and writes those of the steps that replace
// it.
package commandline

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An Argument is one argument of a compiler, together with its value if that is the next word.
type Argument struct {
	Kind  Kind
	Words []string
	Name  string // name of the option, without its value: "-I"
	Value string
	File  *File // the file of an Input

	notPreprocessing bool // the preprocessor's own run does not get it
	namesFile        bool // it names an output file
	writesMore       bool // in a link, it writes files beside the one of -o
}

// Command is a compiler's command line as far as the wrapper must understand it.
type Command struct {
	Compiler []string // launchers and the compiler
	Given    []string // its arguments as given
	Args     []Argument
	Plain    string // why the compiler runs unchanged whatever the files contain; "": it need not
	Output   string // value of the last -o; ""
	OpenMP   bool

	Standard          string // -std=, -ansi
	Machine           []string
	Optimizes         bool
	Sanitizes         bool // -fsanitize=
	OptimizesInLink   bool
	SavesTemps        string // "cwd" or "obj" for -save-temps
	WarnsOfExtensions bool
	WarningsAreErrors bool
	ChoosesColor      bool // an option decides whether messages are in colour
	Fortran           Fortran

	LinksRuntime bool // the libraries include an OpenMP runtime
	Shared       bool
	Static       bool
	Partial      bool // -r
	NoLibraries  bool // -nostdlib, -nodefaultlibs

	cxx               bool   // the name is a C++ compiler's
	clang             bool   // the name is clang's
	mode              string // "-c", "-S"; "" for linking
	namesLanguages    bool   // -x is used
	deps              dependencies
	warnings          warnings
	readsComments     bool // a warning depends on comments
	describesItself   bool // -v, -ftime-report
	readsByOutputName bool
}

// Parse reads the words of a command that start with compiler.
func Parse(compiler, given []string) *Command {
	c := &Command{Compiler: compiler, Given: given}
	name := PlainName(compiler[len(compiler)-1])
	c.cxx, c.clang = slices.Contains(cxxCompilers, name), strings.HasPrefix(name, "clang")
	words := expandResponse(given)
	language := "" // language of the last -x
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

// decidePlain finds reasons to run the compiler unchanged.
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

// Sources returns the files to instrument.
func (c *Command) Sources() []*File {
	var s []*File
	for f := range c.files {
		if f.Source {
			s = append(s, f)
		}
	}
	return s
}

// Values returns the values of all options with these names, in order.
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

// IsConfigureCheck recognises the small programs with which build systems test a compiler. They
// compare its messages, and nobody measures these programs.
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
