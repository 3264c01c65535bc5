package fortran

import (
	"opari/parse/construct"
)

// This file reads the headers of associated loops, DO I = FROM, TO, STEP, from which their number
// of iterations follows.

// loopHeader adds the header of a DO statement, which has been pushed, to the loop construct that
// it belongs to. It is the loop after the directive, or the first statement in the enclosing
// loop.
func (p *parser) loopHeader(it *item, around int) {
	do := p.top()
	switch {
	case around < 0:
		return
	case p.stack[around].kind == doFrame:
		do.nest = p.stack[around].nest
		p.stack[around].nest = nil
	case p.stack[around].kind == ompFrame && p.stack[around].needs == loop:
		if around > 0 && p.stack[around-1].kind == ompFrame && p.stack[around-1].needs == loop {
			return // the inner construct makes the iterations that the outer one counts
		}
		do.nest = p.stack[around].c
	}
	if do.nest != nil {
		v, t, names := p.trip(it)
		do.nest.Header.AddLoop(v, t, names)
	}
}

// trip reads the header of a loop. It returns the trip where the bounds are plain; see bound.go.
func (p *parser) trip(it *item) (variable string, t *construct.Trip, names string) {
	key := it.key
	k := cursor{it: it}
	k.constructName()
	eq := k.indexOutsideParens(k.i, "=")
	if eq < 0 {
		return "", nil, ""
	}
	i := eq
	for i > k.i && isWord(key[i-1]) && (it.gap == nil || i == eq || !it.gap[i]) {
		i--
	}
	if it.gap == nil && i == k.i { // do10i
		for i += 2; i < eq && isDigit(key[i]); i++ {
		}
	}
	variable = string(key[i:eq])
	// A preprocessor sees no complete words on several lines, and may omit lines.
	if it.splitByIf || it.splitsWord {
		return variable, nil, ""
	}
	var part [3][]byte
	n, start, depth := 0, eq+1, 0
	for i := start; i <= len(key); i++ {
		if i < len(key) && (key[i] != ',' || depth > 0) {
			switch key[i] {
			case '(':
				depth++
			case ')':
				depth--
			}
			continue
		}
		if n == len(part) {
			return variable, nil, ""
		}
		plain, called := plainBound(key[start:i])
		if !plain || called && !p.intrinsicsAreStandard() {
			return variable, nil, ""
		}
		part[n] = it.written[start:i]
		n, start = n+1, i+1
	}
	if n < 2 {
		return variable, nil, ""
	}
	t = &construct.Trip{From: string(part[0]), To: string(part[1]), Step: "1", Inclusive: true}
	if n == 3 {
		t.Step = string(part[2])
	}
	return variable, t, words(key[eq+1:])
}

// words returns the names in b, with blanks between them.
func words(b []byte) string {
	out := make([]byte, 0, len(b))
	for _, c := range b {
		if !isWord(c) {
			c = ' '
		}
		out = append(out, c)
	}
	return string(out)
}
