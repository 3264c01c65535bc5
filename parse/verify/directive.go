package verify

import (
	"bytes"

	"opari/parse/ctext"
)

// directive passes over the head of a preprocessing directive. It stops at the operands, which
// are tokens, or at the end of what it blanks.
func (n *normaliser) directive() {
	t, i := n.text, n.i
	n.restart()
	if t[i] == '%' {
		t[i], t[i+1] = '#', ' '
	}
	name, e := directiveName(t, i)
	switch {
	case name == "line" || name != "" && ctext.IsDigit(name[0]):
		end := n.lineEnd(i)
		blankOut(t[i:end])
		n.i = end
	case name == "if" && isZero(t[e:n.lineEnd(e)]):
		n.i = n.skip(n.lineEnd(e))
	case name == "":
		n.i = i + 1
	default:
		n.i = e
	}
}

// directiveName returns the first word after the '#' at t[i], and the offset after it.
func directiveName(t []byte, i int) (string, int) {
	for i++; i < len(t) && t[i] != '\n' && ctext.IsBlank(t[i]); i++ {
	}
	e := i
	for e < len(t) && ctext.IsWord[t[e]] {
		e++
	}
	return string(t[i:e]), e
}

// isZero reports whether the condition is 0, apart from comments.
func isZero(cond []byte) bool {
	cond = bytes.TrimSpace(cond)
	if len(cond) == 0 || cond[0] != '0' {
		return false
	}
	rest := bytes.TrimSpace(cond[1:])
	if len(rest) == 0 {
		return true
	}
	l := ctext.CommentLen(rest)
	return l > 0 && l == len(rest)
}

// skip blanks the group that starts after the line that ends at i. It returns the offset of the
// '#' that ends the group.
func (n *normaliser) skip(i int) int {
	t := n.text
	for depth := 0; i < len(t); {
		k := i
		for k < len(t) && ctext.IsBlank(t[k]) || k < len(t) && t[k] == '\n' {
			k++
		}
		if k < len(t) && t[k] == '#' {
			name, _ := directiveName(t, k)
			switch b := ctext.BranchingOf(name); b {
			case ctext.OpensBranch:
				depth++
			case ctext.PartsBranch, ctext.ClosesBranch:
				if depth == 0 {
					n.atLineStart = true
					return k
				}
				if b == ctext.ClosesBranch {
					depth--
				}
			}
		}
		i = n.skippedLine(k)
	}
	return len(t)
}

// skippedLine blanks from i to the end of the logical line, and of comments that it opens. It
// returns the offset of the newline there.
func (n *normaliser) skippedLine(i int) int {
	t := n.text
	end := n.lineEnd(i)
	for k := i; k < end; {
		switch {
		case t[k] == '/' && k+1 < end && t[k+1] == '*':
			k += ctext.CommentLen(t[k:])
			if k > end {
				end = n.lineEnd(k)
			}
		case t[k] == '/' && k+1 < end && t[k+1] == '/':
			k = end
		case t[k] == '"' || t[k] == '\'':
			l := ctext.AfterLiteral(t[:end], k)
			if l == k+1 { // never closed: the literal extends to the end of the line
				l = end
			}
			k = l
		default:
			k++
		}
	}
	blankOut(t[i:end])
	return end
}
