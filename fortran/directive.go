package fortran

import (
	"opari/parse/directive"
)

// directive reads the directive that starts on line l, with its continuation lines, OpenMP 5.2
// [3.1].
func (s *scanner) directive(l line) {
	it := &s.it
	it.kind, it.sentinel = directiveItem, directive.OMP
	if l.kind == pompLine {
		it.sentinel = directive.POMP
	}
	it.start = l.start
	for isBlank(s.text[it.start]) {
		it.start++
	}
	kind := l.kind
	quote := byte(0)
	it.lines = 1
	for {
		more := false
		quote, more = s.directiveLine(l, quote)
		n, ok := line{}, false
		if more || s.fixed {
			n, ok = s.directiveContinues(l, kind)
		}
		if !ok && it.openIfs > 0 {
			if l, more = s.skipOtherBranches(l, kind); more {
				n, ok = s.directiveContinues(l, kind)
			}
		}
		if !ok {
			break
		}
		if s.fixed && quote == 0 && (s.limit == 0 || l.stop-l.start < s.limit) {
			it.text.AppendBlank(l.stop)
		}
		it.lines++
		l = n
	}
	if it.openIfs != 0 {
		it.unevenBranches = true
	}
	if it.unevenBranches {
		l = it.beforeIf
	}
	s.endDirective(l)
}

func (s *scanner) endDirective(l line) {
	s.it.end = s.f.LineEnd(l.start)
	s.it.after, s.pos = l.next, l.next
}

// restIs reports whether text[i:stop] has only blanks or a comment.
func (s *scanner) restIs(i, stop int) bool {
	for i < stop && isBlank(s.text[i]) {
		i++
	}
	return i >= stop || s.text[i] == '!'
}

// directiveLine appends the text of one line. quote is the open character constant, if any. more
// says that the line ends in an ampersand.
func (s *scanner) directiveLine(l line, quote byte) (q byte, more bool) {
	i := l.text
	for ; i < l.stop; i++ {
		c := s.text[i]
		switch {
		case !s.fixed && c == '&' && s.restIs(i+1, l.stop) &&
			(quote == 0 || blank(s.text[i+1:l.stop])):
			s.append(l.text, i)
			return quote, true
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '!':
			s.append(l.text, i)
			return 0, false
		}
	}
	s.append(l.text, l.stop)
	return quote, false
}

func (s *scanner) append(from, to int) {
	s.it.text.Append(s.text[from:to], from)
	if s.fixed {
		s.it.unspaced.Append(s.text[from:to], from)
	}
}

// directiveContinues finds the line after l on which the directive continues. Comments and blank
// lines may stand between.
func (s *scanner) directiveContinues(l line, kind lineKind) (line, bool) {
	for at := l.next; at < len(s.text); {
		n := s.classify(at)
		switch n.kind {
		case kind:
			if s.fixed {
				return n, n.continues
			}
			for i := n.text; i < n.stop; i++ {
				if s.text[i] == '&' && !s.restIs(i+1, n.stop) {
					n.text = i + 1
					break
				}
				if !isBlank(s.text[i]) {
					break
				}
			}
			return n, true
		case hashLine:
			if !conditional(s.text[n.start:n.stop]) {
				s.lineMarker(n)
				break
			}
			if !s.continuesAfter(n.next, kind) {
				return n, false
			}
			s.it.noteIf(l, s.text[n.start:n.stop])
		case commentLine:
		default:
			return n, false
		}
		at = n.next
	}
	return line{}, false
}

// noteIf notes that a conditional line of the preprocessor stands inside the directive, after
// line l.
func (it *item) noteIf(l line, hash []byte) {
	if !it.splitByIf {
		it.splitByIf, it.beforeIf = true, l
	}
	w, _ := hashWord(hash)
	switch branchingOf(w) {
	case opensBranch:
		it.openIfs++
	case closesBranch:
		it.openIfs--
		// It begins in a branch and ends after it.
		it.unevenBranches = it.unevenBranches || it.openIfs < 0
	default:
		it.unevenBranches = it.unevenBranches || it.openIfs == 0
	}
}

// skipOtherBranches skips the text of the other branches of the #if in which line l ends the
// directive. It returns the line of the #endif, and whether the last branch says that the
// directive continues after it. Text inserted after the directive must stand after the #endif,
// because it serves all branches.
func (s *scanner) skipOtherBranches(l line, kind lineKind) (line, bool) {
	more, n := false, l
	for at := l.next; at < len(s.text) && s.it.openIfs > 0; at = n.next {
		switch n = s.classify(at); n.kind {
		case kind:
			first, last := n.text, n.stop
			for last > first && isBlank(s.text[last-1]) {
				last--
			}
			more = !s.fixed && last > first && s.text[last-1] == '&'
		case hashLine:
			if !conditional(s.text[n.start:n.stop]) {
				s.lineMarker(n)
				break
			}
			s.it.noteIf(l, s.text[n.start:n.stop])
		case commentLine:
		default:
			return l, false
		}
	}
	return n, more
}

// continuesAfter reports whether a directive with an #if inside continues after the #if. In free
// form it does, because its last line ended in an ampersand. In fixed form the next line with a
// sentinel shows this.
func (s *scanner) continuesAfter(at int, kind lineKind) bool {
	for at < len(s.text) {
		n := s.classify(at)
		if n.kind == kind {
			return !s.fixed || n.continues
		}
		if n.kind != commentLine && n.kind != hashLine {
			return false
		}
		at = n.next
	}
	return false
}
