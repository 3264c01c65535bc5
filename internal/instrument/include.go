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

// The compiler proper, not the preprocessor, handles Fortran's INCLUDE lines. `opari cc` replaces
// such a line by the text, if it has directives, between line markers, as the preprocessor does
// for #include. `opari FILE` only mentions the directives in these files.

// includes finds the files that INCLUDE lines name.
type includes struct {
	dirs []string // folders of -I and -J
	// flang looks into the directory of the including file first; gfortran uses the source's
	// directory.
	nearest bool
	main    string // the source
	layout  fortran.Options
	left    []construct.Mention // directives in files that could not be included
}

const maxIncludes = 32 // depth of nesting

// read returns the text that the line in of the file from names.
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

// expand includes the texts into that of f. It returns nil if there is nothing to include.
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
		// In an included file gfortran skips preprocessor lines, and flang obeys them.
		case fortran.HasPreprocessing(part):
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

// Include replaces the INCLUDE lines of a Fortran text by the texts that they name, if these have
// directives. dirs are the folders of -I and -J; nearest is set for flang, which looks into the
// folder of the including file first. The result also lists the directives of files that could
// not be included.
func (o *Options) Include(name string, text []byte, dirs []string, nearest bool) ([]byte,
	[]construct.Mention,
) {
	n := includes{main: name, layout: o.layout(name), nearest: nearest, dirs: dirs}
	if namesSource(text) {
		first := source.New(name, text)
		fortran.Includes(first, n.layout) // it obeys the line markers
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

// mentioned lists the directives in the files that f includes, which `opari FILE` does not
// instrument.
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
