package fortran

import (
	"bytes"
	"strings"

	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/directive"
)

// An Include is an INCLUDE line, Fortran 2018 [6.4]. It stands alone on its line, and another
// text replaces it. Preprocessor distinguishes an #include of the preprocessor.
type Include struct {
	Line         source.Extent // with its newline
	Pos          source.Position
	Name         string
	Preprocessor bool // #include "name"
}

// Includes lists the INCLUDE lines of f. A line after the sentinel of conditional compilation is
// omitted, because it cannot be replaced.
func Includes(f *source.File, o Options) []Include {
	if !mayInclude(f.Text) {
		return nil
	}
	var list []Include
	s := newScanner(f, o)
	for {
		it := s.next()
		if it.kind == endItem {
			return list
		}
		if it.kind == hashItem {
			if word, rest := hashWord(f.Text[it.start:it.end]); word == "include" &&
				len(rest) > 2 && rest[0] == '"' {
				name, _, _ := strings.Cut(string(rest[1:]), `"`)
				in := Include{Pos: f.Position(it.start), Name: name, Preprocessor: true}
				list = append(list, in)
			}
			continue
		}
		if it.kind != statementItem || it.label != "" || string(it.key) != "include'" {
			continue
		}
		line := source.Extent{Start: f.LineStart(it.start), End: f.NextLine(it.start)}
		text := f.Text[it.start:it.end]
		open := bytes.IndexAny(text, `'"`)
		if it.after != line.End || open+1 > len(text)-1 || !blank(f.Text[line.Start:it.start]) {
			continue
		}
		quote := string(text[open])
		name := strings.ReplaceAll(string(text[open+1:len(text)-1]), quote+quote, quote)
		list = append(list, Include{Line: line, Pos: f.Position(it.start), Name: name})
	}
}

func mayInclude(text []byte) bool {
	for {
		i := bytes.IndexAny(text, "iI")
		if i < 0 {
			return false
		}
		if hasFold(text[i:], "include") {
			return true
		}
		text = text[i+1:]
	}
}

func blank(text []byte) bool {
	for _, c := range text {
		if !isBlank(c) {
			return false
		}
	}
	return true
}

// HasPreprocessing reports whether f has a preprocessor line other than a line marker.
func HasPreprocessing(f *source.File) bool {
	for at := 0; at < len(f.Text); at = f.NextLine(at) {
		if f.Text[at] != '#' {
			continue
		}
		if word, _ := hashWord(f.Text[at:f.LineEnd(at)]); word == "" || !isDigit(word[0]) {
			return true
		}
	}
	return false
}

// Mentions lists the directives of f as not instrumented, for the given reason.
func Mentions(f *source.File, o Options, reason string) []construct.Mention {
	var list []construct.Mention
	s := newScanner(f, o)
	for it := s.next(); it.kind != endItem; it = s.next() {
		if it.kind != directiveItem {
			continue
		}
		if _, end := endOf(it.text); end {
			continue
		}
		name := map[directive.Sentinel]string{
			directive.OMP:  "omp ",
			directive.POMP: "pomp ",
		}[it.sentinel]
		text := strings.Join(strings.Fields(string(it.text.Text)), " ")
		list = append(list, construct.Mention{
			Pos:    f.Position(it.start),
			Text:   name + text,
			Reason: reason,
		})
	}
	return list
}
