package fortran

import (
	"bytes"
	"slices"
	"strings"

	"opari/internal/pattern"
)

// This file decides which bounds of loops may be evaluated a second time without a visible
// effect. They consist of integers, names, components, and intrinsics that inquire about
// variables or compute with integers. An array element looks like a function call, so only an
// intrinsic's name may precede parentheses.

// inquiries are the intrinsics that take a variable and return only a property or the value of
// it.
var inquiries = strings.Fields("bit_size huge kind lbound len len_trim rank size storage_size " +
	"ubound")

// arithmetic are the intrinsics that take integers.
var arithmetic = strings.Fields("abs int ishft iand ieor ior max min mod modulo not shiftl " +
	"shiftr sign")

// selecting is the intrinsic by which a call passes a condition as a number.
const selecting = "merge"

// redeclaredIntrinsic matches a line that may declare a procedure with the name of one of these
// intrinsics. The name then means that procedure, or an array.
var redeclaredIntrinsic = pattern.Lazy{
	Text: `(?im)^[^!\n]*\b(?:function|interface|external|procedure)\b[^!\n]*\b(?:` +
		strings.Join(slices.Concat(inquiries, arithmetic, []string{selecting}), "|") + `)\b`,
}

// intrinsicsAreStandard reports whether these names mean the language's intrinsics in the file,
// and no macros.
func (p *parser) intrinsicsAreStandard() bool {
	if !p.checkedIntrinsics {
		p.checkedIntrinsics, p.ownIntrinsics = true, redeclaredIntrinsic.Get().Match(p.f.Text)
	}
	for name := range p.macros.words {
		if name = strings.ToLower(name); slices.Contains(inquiries, name) ||
			slices.Contains(arithmetic, name) || name == selecting {
			return false
		}
	}
	return !p.ownIntrinsics
}

// plainBound reports whether e is such an expression. e has no blanks and is in lower case.
// called says whether it contains intrinsics.
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

// intrinsicCall returns the length of the arguments, including their parentheses, of a call whose
// parenthesis opens at i. It returns 0 for a call of anything but an intrinsic.
func intrinsicCall(e []byte, i int) int {
	n := i
	for n > 0 && isWord(e[n-1]) {
		n--
	}
	name := string(e[n:i])
	inquiry := slices.Contains(inquiries, name)
	if !inquiry && !slices.Contains(arithmetic, name) || n > 0 && e[n-1] == '%' {
		return 0
	}
	arguments, length := argumentsOf(e[i:])
	for k, a := range arguments {
		if inquiry && k == 0 {
			if !isDesignator(a) {
				return 0
			}
			continue
		}
		if inquiry {
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

// argumentsOf splits the text in parentheses at the beginning of e at its commas. length includes
// the parentheses, and is 0 if they are not closed.
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
		if len(part) == 0 || isDigit(part[0]) || slices.ContainsFunc(part, func(c byte) bool {
			return !isWord(c)
		}) {
			return false
		}
	}
	return true
}
