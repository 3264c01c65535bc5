package parse

import (
	"bytes"
	"slices"

	"opari/parse/ctext"
)

// InSystemHeader is the reason of a mention of what is not the user's own.
const InSystemHeader = "in a system header"

// skipSystem goes from the marker that enters a system header, whose line ends at end, right to a marker behind it: to the one that
// leaves it for one of the user's files, or where something is to be told of, to the last one before: most of what a preprocessor gives is
// declarations of the system's. It does so only between declarations and over whole declarations; all else is read as ever.
func (p *parser) skipSystem(end int) {
	if len(p.states) != 1 || p.top().kind != inScope {
		return
	}
	text := p.Text
	start := p.f.NextLine(end)
	told := p.system.firstTold(text, start)
	inside := true // it may stop between the declarations of a header
	open := 0      // braces; those in literals and comments may keep it from being 0
	for from := start; ; {
		at := nextMarker(text, from)
		if at < 0 || at >= told { // a text that ends in a header: what is left open there is for the parser to say
			return
		}
		piece := text[from:at]
		open += bytes.Count(piece, []byte("{")) - bytes.Count(piece, []byte("}"))
		if open < 0 { // it closes what stands open around it
			return
		}
		leaves := p.system.returns(text[at:])
		inside = inside && (leaves || braceSafe(piece))
		if open == 0 && (leaves || inside) && endsWhole(text[start:at]) {
			p.Pos, p.AtLineStart = at, true
		}
		if leaves {
			return
		}
		from = at + 1
	}
}

// braceSafe reports whether the braces of text are surely braces. Where a header is left all of its declarations are whole, but one in a
// literal, a comment (-C) or a macro (-dD) could make the middle of a namespace look so.
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
			if bytes.ContainsAny(line, "{}") && string(line) != `extern "C" {` && string(line) != `extern "C++" {` {
				return false
			}
		}
	}
	return true
}

// nextMarker is the offset of the first line marker in text that starts at or behind from, -1 where there is none.
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

// systemHeaders follows which text of a preprocessor's output comes from headers of the system.
type systemHeaders struct {
	inside bool
	files  map[string]bool // for each file that a line marker named, whether it is a system header
	// The stretch of text at hand from a system header ends at the marker stop, which leaves the system's headers. The first
	// directive or runtime routine in it that was not asked for stands at told; at stop+1 where there is none.
	stop, told int
}

// note takes the name and the flags of a line marker and reports whether the file is a system header. A macro of a system header, used
// in the user's file, is given as from the user's file with the flag 3. So what a file is was said when it was seen first.
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
	return slices.ContainsFunc(bytes.Fields(flags), func(flag []byte) bool { return string(flag) == "3" })
}

// firstTold is the first offset behind start, in a system header, of what is to be told of; one behind the header where there is nothing.
func (s *systemHeaders) firstTold(text []byte, start int) int {
	if start > s.stop {
		s.stop, s.told = len(text), -1
		for at := nextMarker(text, start); at >= 0; at = nextMarker(text, at+1) {
			if s.returns(text[at:]) {
				s.stop = at
				break
			}
		}
	}
	if start > s.told {
		s.told = s.stop + 1
		if n := tellsOfOpenMP(text[start:s.stop]); n >= 0 {
			s.told = start + n
		}
	}
	return s.told
}

// returns reports whether the line marker that text begins with names a file that is not known to be the system's.
func (s *systemHeaders) returns(text []byte) bool {
	line := text
	if before, _, ok := bytes.Cut(text, []byte{'\n'}); ok {
		line = before
	}
	open := bytes.IndexByte(line, '"')
	closing := bytes.LastIndexByte(line, '"')
	if open < 0 || closing == open {
		return true
	}
	if system, known := s.files[string(line[open+1:closing])]; known { // with escapes it is not known, and judged by its flags
		return !system
	}
	return !hasSystemFlag(line[closing+1:])
}

// endsWhole reports whether text can end with a whole declaration.
func endsWhole(text []byte) bool {
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

// tellsOfOpenMP is the offset of the first directive or name of a runtime routine in text, -1 where there is none.
func tellsOfOpenMP(text []byte) int {
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
		if word, _ := ctext.NextWord(text, at, ctext.LineEnd(text, at)); !plainPragma[string(word)] {
			return at
		}
	}
}

// indexWord is the offset of the first word in text that begins with start, -1 where there is none. __comp_iter is no omp_.
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
var plainPragma = map[string]bool{"GCC": true, "clang": true, "STDC": true, "once": true, "pack": true, "push_macro": true, "pop_macro": true, "redefine_extname": true, "weak": true}
