package parse

import (
	"bytes"
	"slices"

	"opari/parse/ctext"
)

// InSystemHeader is the reason of a Mention that is in a system header.
const InSystemHeader = "in a system header"

// skipSystem skips the text of a system header, whose line marker ends at end. Most output of a
// preprocessor is the system's declarations, so this saves most of the parser's time.
//
// It moves to the marker that returns to a file of the user. If the header has a directive or a
// runtime routine, it moves to the last marker before that. It skips only entire declarations,
// and only between declarations; otherwise the parser reads the text as usual.
func (p *parser) skipSystem(end int) {
	if len(p.states) != 1 || p.top().kind != inScope {
		return
	}
	text := p.Text
	start := p.file.NextLine(end)
	reportable := p.system.firstReportable(text, start)
	inside := true // the target may be a marker within the headers, between two declarations
	open := 0      // the number of open braces; those in literals and comments may make it wrong
	for from := start; ; {
		at := nextMarker(text, from)
		if at < 0 || at >= reportable {
			// A header ends the text: the parser must report what it leaves open.
			return
		}
		piece := text[from:at]
		open += bytes.Count(piece, []byte("{")) - bytes.Count(piece, []byte("}"))
		if open < 0 { // it closes a brace from before the header
			return
		}
		leaving := p.system.leavesSystem(text[at:])
		inside = inside && (leaving || braceSafe(piece))
		if open == 0 && (leaving || inside) && endsDeclaration(text[start:at]) {
			p.Pos, p.AtLineStart = at, true
		}
		if leaving {
			return
		}
		from = at + 1
	}
}

// braceSafe reports whether each brace of text is certainly a token. At the end of a header all
// its declarations are complete. Within one, a brace in a literal, a comment (-C) or a macro
// (-dD) could make the middle of a namespace look like a place between declarations.
func braceSafe(text []byte) bool {
	for _, other := range []string{"/*", "//", "#define"} {
		if bytes.Contains(text, []byte(other)) {
			return false
		}
	}
	for _, quote := range []byte("\"'") {
		for rest := text; ; {
			at := bytes.IndexByte(rest, quote)
			if at < 0 {
				break
			}
			line := rest[bytes.LastIndexByte(rest[:at], '\n')+1:]
			rest = nil
			if n := bytes.IndexByte(line, '\n'); n >= 0 {
				line, rest = line[:n], line[n+1:]
			}
			line = bytes.TrimSpace(line)
			if bytes.ContainsAny(line, "{}") && string(line) != `extern "C" {` &&
				string(line) != `extern "C++" {` {
				return false
			}
		}
	}
	return true
}

// nextMarker returns the offset of the first line marker in text that starts at from or later, or
// -1.
func nextMarker(text []byte, from int) int {
	for {
		n := bytes.IndexByte(text[from:], '#')
		if n < 0 {
			return -1
		}
		from += n + 1
		if (from == 1 || text[from-2] == '\n') && bytes.HasPrefix(text[from:], []byte(" ")) {
			return from - 1
		}
	}
}

// systemHeaders knows which text of a preprocessor's output comes from system headers.
type systemHeaders struct {
	inside bool
	files  map[string]bool // for each file that a line marker named: whether it is a system header
	// The current text from system headers ends at stop, the marker that leaves them. reportable
	// is the offset of the first directive or runtime routine in it that the parser has not
	// reached; it is stop+1 if there is none.
	stop, reportable int
}

// note records the name and flags of a line marker, and reports whether the file is a system
// header. The first marker that names a file decides. Later ones may mislead: if the user's file
// uses a macro of a system header, its text has the user's file name and the flag 3.
func (s *systemHeaders) note(name string, flags []byte) bool {
	system, known := s.files[name]
	if !known {
		system = hasSystemFlag(flags)
		if s.files == nil {
			s.files = map[string]bool{}
		}
		s.files[name] = system
	}
	return system
}

func hasSystemFlag(flags []byte) bool {
	return slices.ContainsFunc(bytes.Fields(flags), func(flag []byte) bool {
		return string(flag) == "3"
	})
}

// firstReportable returns the first offset from start on, in a system header, of a directive or
// runtime routine. It is after the header's end if there is none.
func (s *systemHeaders) firstReportable(text []byte, start int) int {
	if start > s.stop {
		s.stop, s.reportable = len(text), -1
		for at := nextMarker(text, start); at >= 0; at = nextMarker(text, at+1) {
			if s.leavesSystem(text[at:]) {
				s.stop = at
				break
			}
		}
	}
	if start > s.reportable {
		s.reportable = s.stop + 1
		if n := firstOpenMP(text[start:s.stop]); n >= 0 {
			s.reportable = start + n
		}
	}
	return s.reportable
}

// leavesSystem reports whether the line marker at the start of text names a file that is not
// known as a system header.
func (s *systemHeaders) leavesSystem(text []byte) bool {
	line := text
	if before, _, ok := bytes.Cut(text, []byte{'\n'}); ok {
		line = before
	}
	open := bytes.IndexByte(line, '"')
	closing := bytes.LastIndexByte(line, '"')
	if open < 0 || closing == open {
		return true
	}
	if system, known := s.files[string(line[open+1:closing])]; known {
		// Names with escapes are not found here, so their flags decide.
		return !system
	}
	return !hasSystemFlag(line[closing+1:])
}

// endsDeclaration reports whether text can end with an entire declaration.
func endsDeclaration(text []byte) bool {
	for len(text) > 0 {
		text = bytes.TrimRight(text, " \t\r\n")
		line := text[bytes.LastIndexByte(text, '\n')+1:]
		if !bytes.HasPrefix(line, []byte("#")) {
			return len(line) == 0 || line[len(line)-1] == ';' || line[len(line)-1] == '}'
		}
		text = text[:len(text)-len(line)]
	}
	return true
}

// firstOpenMP returns the offset of the first directive or name of a runtime routine in text, or
// -1.
func firstOpenMP(text []byte) int {
	first := -1
	for _, name := range []string{"omp_", "omp::"} {
		if n := indexWord(text, name); n >= 0 {
			first, text = n, text[:n]
		}
	}
	for at := 0; ; {
		n := bytes.Index(text[at:], []byte("ragma"))
		if n < 0 {
			return first
		}
		at += n + len("ragma")
		if word, _ := ctext.NextWord(
			text, at, ctext.LineEnd(text, at),
		); !plainPragma[string(word)] {
			return at
		}
	}
}

// indexWord returns the offset of the first word in text that begins with start, or -1. The name
// __comp_iter does not count as a word with omp_.
func indexWord(text []byte, start string) int {
	for at := 0; ; {
		n := bytes.Index(text[at:], []byte(start))
		if n < 0 {
			return -1
		}
		at += n
		if at == 0 || !ctext.IsWord[text[at-1]] {
			return at
		}
		at += len(start)
	}
}

// plainPragma holds the first words of pragmas that have nothing to do with OpenMP.
var plainPragma = map[string]bool{
	"GCC": true, "clang": true, "STDC": true, "once": true,
	"pack": true, "push_macro": true, "pop_macro": true, "redefine_extname": true, "weak": true,
}
