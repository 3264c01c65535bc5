package parse

import (
	"bytes"
	"slices"
)

// skipSystem goes from the marker that enters a system header, whose line ends at end, right to the marker that leaves it for one
// of the user's files: most of what a preprocessor gives is declarations of the system's. It does so only between declarations,
// over whole declarations, and where nothing is to be told of: all else is read as ever.
func (p *parser) skipSystem(end int) {
	if len(p.states) != 1 || p.top().kind != inScope {
		return
	}
	text := p.text
	start := p.f.NextLine(end)
	stop := start
	for {
		n := bytes.IndexByte(text[stop:], '#')
		if n < 0 {
			return // the text ends in a header: what is left open there is for the parser to say
		}
		stop += n
		if text[stop-1] == '\n' && bytes.HasPrefix(text[stop:], []byte("# ")) && p.returns(text[stop:lineEnd(text, stop)]) {
			break
		}
		stop++
	}
	if skipped := text[start:stop]; isWhole(skipped) && !tellsOfOpenMP(skipped) {
		p.pos, p.bol = stop, true
	}
}

// returns reports whether a line marker names a file that is not known to be the system's.
func (p *parser) returns(line []byte) bool {
	open := bytes.IndexByte(line, '"')
	closing := bytes.LastIndexByte(line, '"')
	if open < 0 || closing == open {
		return true
	}
	if system, known := p.systemFiles[string(line[open+1:closing])]; known { // with escapes it is not known, and judged by its flags
		return !system
	}
	return !slices.ContainsFunc(bytes.Fields(line[closing+1:]), func(flag []byte) bool { return string(flag) == "3" })
}

// isWhole reports whether text can be nothing but whole declarations. Braces in literals may make it say no.
func isWhole(text []byte) bool {
	if bytes.Count(text, []byte("{")) != bytes.Count(text, []byte("}")) {
		return false
	}
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

// tellsOfOpenMP reports whether text has a directive or the name of a runtime routine.
func tellsOfOpenMP(text []byte) bool {
	if bytes.Contains(text, []byte("omp_")) || bytes.Contains(text, []byte("omp::")) {
		return true
	}
	for {
		n := bytes.Index(text, []byte("ragma"))
		if n < 0 {
			return false
		}
		text = text[n+len("ragma"):]
		if word, _ := ppWord(text, 0, lineEnd(text, 0)); !plainPragma[string(word)] {
			return true
		}
	}
}

// plainPragma holds the first words of pragmas that have nothing to do with OpenMP.
var plainPragma = map[string]bool{"GCC": true, "clang": true, "STDC": true, "once": true, "pack": true, "push_macro": true, "pop_macro": true, "redefine_extname": true, "weak": true}
