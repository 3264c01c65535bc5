package messages

import (
	"bytes"
	"os"
	"slices"

	"opari/internal/indentation"
	"opari/internal/pattern"
	"opari/internal/source"
)

// GCC does not warn of misleading indentation (-Wmisleading-indentation, in -Wall) in a text with
// line markers, such as preprocessed text. So if the user's files may have such a place, opari
// asks the compiler about the original text.

// mayWarnOfIndentation reports whether the user wants a warning about indentation and one may be
// due.
func (c *Compilation) mayWarnOfIndentation() bool {
	if !c.Command.IsGCC() || !c.Command.AllInC() || !c.Command.WarnsOfIndentation() {
		return false
	}
	clean := map[string]bool{} // files without such a place, whichever lines the compiler reads
	for i := range c.Sources {
		s := &c.Sources[i]
		if !s.Instrumented || s.File.Preprocessed {
			continue
		}
		for _, name := range userFiles(s.Text) {
			if clean[name] {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil || !indentation.Misleads(text, s.File.Lang, nil) {
				clean[name] = true
			} else if lineDirective.Get().Match(text) ||
				indentation.Misleads(text, s.File.Lang, s.linesOf(name)) {
				return true
			}
		}
	}
	return false
}

// lineDirective matches a directive that changes line numbers.
var lineDirective = pattern.Lazy{Text: `(?m)^[ \t]*(#|%:|\?\?=)[ \t]*(line\b|[0-9])`}

// linesOf returns a test for the lines of a file of which the preprocessor has kept something.
func (s *Source) linesOf(name string) func(line int) bool {
	kept := map[int]bool{}
	l := lineReader{at: location{s.File.Name, 1}, visit: func(at location, text []byte) bool {
		if at.file == name && len(bytes.TrimSpace(text)) > 0 {
			kept[at.line] = true
		}
		return true
	}}
	_, _ = l.Write(s.Text)
	l.line(l.rest)
	return func(line int) bool { return kept[line] }
}

// userFiles returns the files of a preprocessed text, from its line markers, that are not system
// headers.
func userFiles(text []byte) []string {
	var names []string
	for {
		line, _, _ := bytes.Cut(text, []byte("\n"))
		if name := userFile(line); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
		n := bytes.Index(text, []byte("\n# "))
		if n < 0 {
			return names
		}
		text = text[n+1:]
	}
}

// userFile returns the file that a line marker names; "" if it names none or a system header
// (flag 3).
func userFile(marker []byte) string {
	if !bytes.HasPrefix(marker, []byte("# ")) {
		return ""
	}
	open, last := bytes.IndexByte(marker, '"'), bytes.LastIndexByte(marker, '"')
	if open == last || bytes.Contains(marker[last:], []byte(" 3")) {
		return ""
	}
	name, _ := source.Unquote(string(marker[open : last+1]))
	return name
}
