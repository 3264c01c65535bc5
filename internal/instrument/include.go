package instrument

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"opari/descriptors"
	"opari/fortran"
	"opari/internal/source"
	"opari/parse/construct"
)

// Fortran's INCLUDE lines are for the compiler proper, not for the preprocessor. `opari cc` puts
// the text that holds directives in their place, between line markers, as the preprocessor does
// with #include; `opari FILE` mentions what it leaves alone.

// includes finds what INCLUDE lines name.
type includes struct {
	dirs []string // of -I and -J
	// The directory of the file that includes comes first, as flang has it; gfortran takes that
	// of the source.
	nearest bool
	main    string // the source
	layout  fortran.Options
	left    []construct.Mention // directives of files that could not be put in
}

const maxIncludes = 32 // within one another

// read gives the text that in, of the file called from, names.
func (n *includes) read(in *fortran.Include, from string) (name string, text []byte, ok bool) {
	dirs := append([]string{filepath.Dir(n.main)}, n.dirs...)
	if n.nearest || in.Preprocessor {
		dirs = append([]string{filepath.Dir(from)}, dirs...)
	}
	for _, d := range dirs {
		name = in.Name
		if !filepath.IsAbs(name) {
			name = filepath.Join(d, name)
		}
		if text, err := os.ReadFile(name); err == nil {
			return name, text, true
		}
	}
	return "", nil, false
}

// expand puts the texts into that of f. It gives nil where nothing is to be done.
func (n *includes) expand(f *source.File, depth int) []byte {
	var out []byte
	copied := 0
	for _, in := range fortran.Includes(f, n.layout) {
		name, text, ok := n.read(&in, in.Pos.File)
		if !ok || in.Preprocessor || depth >= maxIncludes {
			continue
		}
		part := source.New(name, text)
		inner := n.expand(part, depth+1)
		switch {
		case inner != nil:
			text = inner
		case !fortran.MayHoldDirectives(text):
			continue
		case fortran.HasPreprocessing(part): // gfortran skips such lines there, flang heeds them
			n.left = append(n.left, fortran.Mentions(part, n.layout,
				"in an included file with lines of the preprocessor")...)
			continue
		}
		after := f.Position(in.Line.End)
		out = append(out, f.Text[copied:in.Line.Start]...)
		out = fmt.Appendf(out, "# 1 %s 1\n", descriptors.Quote(name))
		out = append(out, text...)
		if len(text) > 0 && text[len(text)-1] != '\n' {
			out = append(out, '\n')
		}
		out = fmt.Appendf(out, "# %d %s 2\n", after.Line, descriptors.Quote(after.File))
		copied = in.Line.End
	}
	if out == nil {
		return nil
	}
	return append(out, f.Text[copied:]...)
}

// Include replaces the INCLUDE lines of a Fortran text by the texts that they name, as far as
// these hold directives. dirs are the folders of -I and -J; nearest is set for flang, which looks
// into the folder of the including file first. The result also lists the directives of files that
// could not be included.
func (o *Options) Include(name string, text []byte, dirs []string, nearest bool) ([]byte,
	[]construct.Mention,
) {
	n := includes{main: name, layout: o.layout(name), nearest: nearest, dirs: dirs}
	if namesSource(text) {
		first := source.New(name, text)
		fortran.Includes(first, n.layout) // heeds the line markers
		n.main = first.Position(first.NextLine(0)).File
	}
	expanded := n.expand(source.New(name, text), 0)
	if expanded == nil {
		return text, n.left
	}
	if !namesSource(text) {
		expanded = append([]byte(nameMarker(name)), expanded...)
	}
	return expanded, n.left
}

// mentioned lists the directives in the files that f includes: `opari FILE` leaves them alone.
func (o *Options) mentioned(f *source.File) []construct.Mention {
	n := includes{main: f.Name, layout: o.layout(f.Name)}
	for i, w := range o.CPPFlags {
		switch {
		case w == "-I" && i+1 < len(o.CPPFlags):
			n.dirs = append(n.dirs, o.CPPFlags[i+1])
		case strings.HasPrefix(w, "-I") && len(w) > 2:
			n.dirs = append(n.dirs, w[2:])
		}
	}
	return n.mentions(source.New(f.Name, f.Text), map[string]bool{})
}

func (n *includes) mentions(f *source.File, seen map[string]bool) []construct.Mention {
	var list []construct.Mention
	for _, in := range fortran.Includes(f, n.layout) {
		name, text, ok := n.read(&in, in.Pos.File)
		if !ok || seen[name] {
			continue
		}
		seen[name] = true
		part := source.New(name, text)
		list = append(list, fortran.Mentions(part, n.layout,
			"in an included file; only the compiler wrapper can instrument it")...)
		list = append(list, n.mentions(part, seen)...)
	}
	return list
}
