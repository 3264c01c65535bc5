package driver

import (
	"bytes"
	"os"
	"regexp"
	"slices"

	"opari/internal/indentation"
	"opari/internal/source"
	"opari/internal/instrument"
)

// GCC says that indentation misleads (-Wmisleading-indentation, in -Wall) of no text that has line markers, as preprocessed text does. So where the
// user's files may hold such a thing the compiler is asked about them.

// misled reports whether a warning about indentation is wanted and may be due.
func (s *session) misled() bool {
	if !s.cmd.gcc() || !s.cmd.cFamily() || !s.cmd.warnsOfIndentation() {
		return false
	}
	quiet := map[string]bool{} // whatever is read of them
	for _, r := range s.results {
		if r.draft == nil || r.file.pre {
			continue
		}
		for _, name := range userNames(r.text) {
			if quiet[name] {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil || !indentation.Misleads(text, r.file.lang, nil) {
				quiet[name] = true
			} else if counted.Match(text) || indentation.Misleads(text, r.file.lang, r.readLines(name)) {
				return true
			}
		}
	}
	return false
}

// counted matches a directive that gives lines other numbers.
var counted = regexp.MustCompile(`(?m)^[ \t]*(#|%:|\?\?=)[ \t]*(line\b|[0-9])`)

// readLines tells of which lines of a file the preprocessor has handed something on.
func (r *result) readLines(name string) func(line int) bool {
	read := map[int]bool{}
	l := lineReader{at: linePlace{r.file.name, 1}, show: func(at linePlace, text []byte) bool {
		if at.file == name && len(bytes.TrimSpace(text)) > 0 {
			read[at.line] = true
		}
		return true
	}}
	_, _ = l.Write(r.text)
	l.line(l.part)
	return func(line int) bool { return read[line] }
}

// permitted reports whether the front end takes the user's own text, where a warning may be an error that the instrumented text does not have: it is asked before
// that one is compiled, so that no object is left.
func (s *session) permitted() bool {
	_, ok := s.runAside("-fsyntax-only")
	return ok
}

// warnsOfIndentation reports whether the command's options ask for the warning: the last word on it counts, and it is -Wall's too.
func (c *command) warnsOfIndentation() bool {
	all, own := false, ""
	for _, w := range c.given {
		switch w {
		case "-w":
			return false
		case "-Wall":
			all = true
		case "-Wno-all":
			all = false
		case "-Wmisleading-indentation", "-Werror=misleading-indentation", "-Wno-misleading-indentation":
			own = w
		}
	}
	return own != "-Wno-misleading-indentation" && (all || own != "")
}

// userNames gives the files of a preprocessed text that are no system headers, by its line markers.
func userNames(text []byte) []string {
	var names []string
	for {
		if name := userName(text[:instrument.MarkerLength(text)]); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
		n := bytes.Index(text, []byte("\n# "))
		if n < 0 {
			return names
		}
		text = text[n+1:]
	}
}

// userName is the file that a line marker names; "" where it names none, or a system header: flag 3.
func userName(marker []byte) string {
	open, last := bytes.IndexByte(marker, '"'), bytes.LastIndexByte(marker, '"')
	if open == last || bytes.Contains(marker[last:], []byte(" 3")) {
		return ""
	}
	name, _ := source.Unquote(string(marker[open : last+1]))
	return name
}
