package fortran

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// Bounds of loops that may be evaluated once more, without an effect that anybody sees: integers, names, components, and what the language itself says of
// variables or computes of integers. An array is called like a function, so of what stands behind a name in parentheses the name must be an intrinsic's.

// inquiries are the intrinsics that take a variable and look at what it is, not at its value, or at its value alone.
var inquiries = strings.Fields("bit_size huge kind lbound len len_trim rank size storage_size ubound")

// arithmetic are those that take integers.
var arithmetic = strings.Fields("abs int ishft iand ieor ior max min mod modulo not shiftl shiftr sign")

// ownIntrinsic matches a line that may declare a procedure of such a name: in the file one means that procedure, or an array, then.
var ownIntrinsic = regexp.MustCompile(`(?im)^[^!\n]*\b(?:function|interface|external|procedure)\b[^!\n]*\b(?:` + strings.Join(slices.Concat(inquiries, arithmetic), "|") + `)\b`)

// mayCall reports whether such names mean the language's intrinsics in the file, and no macros.
func (p *parser) mayCall() bool {
	if !p.looked {
		p.looked, p.ownIntrinsics = true, ownIntrinsic.Match(p.f.Text)
	}
	for name := range p.macros.words {
		if name = strings.ToLower(name); slices.Contains(inquiries, name) || slices.Contains(arithmetic, name) {
			return false
		}
	}
	return !p.ownIntrinsics
}

// plainBound reports whether e, without blanks and in small letters, is such an expression; called whether intrinsics are in it.
func plainBound(e []byte) (plain, called bool) {
	for i := 0; i < len(e); i++ {
		switch c := e[i]; {
		case isWord(c), bytes.IndexByte([]byte("+-*/%)"), c) >= 0:
		case c != '(':
			return false, false
		case i > 0 && (isWord(e[i-1]) || e[i-1] == ')'):
			n := intrinsicCall(e, i)
			if n == 0 {
				return false, false
			}
			i, called = i+n-1, true
		}
	}
	return len(e) > 0, called
}

// intrinsicCall is the length of the arguments, with their parentheses, of a call whose parenthesis opens at i; 0 where it is none of an intrinsic.
func intrinsicCall(e []byte, i int) int {
	n := i
	for n > 0 && isWord(e[n-1]) {
		n--
	}
	name := string(e[n:i])
	asks := slices.Contains(inquiries, name)
	if !asks && !slices.Contains(arithmetic, name) || n > 0 && e[n-1] == '%' {
		return 0
	}
	arguments, length := argumentsOf(e[i:])
	for k, a := range arguments {
		if asks && k == 0 {
			if !isDesignator(a) {
				return 0
			}
			continue
		}
		if asks {
			for _, keyword := range []string{"dim=", "kind="} {
				a = bytes.TrimPrefix(a, []byte(keyword))
			}
		}
		if plain, _ := plainBound(a); !plain {
			return 0
		}
	}
	return length
}

// argumentsOf splits what stands in parentheses at e's beginning at its commas; length is with the parentheses, 0 where they are not closed.
func argumentsOf(e []byte) (arguments [][]byte, length int) {
	depth, start := 0, 1
	for i, c := range e {
		switch {
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return append(arguments, e[start:i]), i + 1
			}
		case c == ',' && depth == 1:
			arguments, start = append(arguments, e[start:i]), i+1
		}
	}
	return nil, 0
}

// isDesignator reports whether e is a variable or a component of one.
func isDesignator(e []byte) bool {
	for part := range bytes.SplitSeq(e, []byte("%")) {
		if len(part) == 0 || isDigit(part[0]) || slices.ContainsFunc(part, func(c byte) bool { return !isWord(c) }) {
			return false
		}
	}
	return true
}
