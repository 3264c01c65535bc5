package verify

import (
	"errors"
	"io"

	"opari/parse/ctext"
)

// The limits of what the front end gets. Its stack is Go's, and an overflow would end the
// process. Compilers allow about 256 brackets by default.
const (
	maxBrackets = 1000
	maxChain    = 1000
	maxRun      = 20_000
	MaxText     = 32 << 20 // bytes
)

// A nesting counts, token by token, how deep a recursive parser goes.
type nesting struct {
	deep     bool // a limit was exceeded
	brackets int  // those that are open
	run      int  // the tokens since the last `;`, `,` or brace, because operators nest too
	keywords int  // the control keywords since the last `;` or brace: if (a) if (b) if (c)
}

// countToken counts a token.
func (n *nesting) countToken() {
	n.run++
	n.deep = n.deep || n.run > maxRun
}

// keyword counts a control keyword.
func (n *nesting) keyword() {
	n.keywords++
	n.deep = n.deep || n.keywords > maxChain
}

// restart begins a new statement.
func (n *nesting) restart() { n.run, n.keywords = 0, 0 }

// punctuator counts a punctuator.
func (n *nesting) punctuator(c byte) {
	switch c {
	case '(', '[', '{':
		n.brackets++
		n.deep = n.deep || n.brackets > maxBrackets
	case ')', ']', '}':
		n.brackets = max(0, n.brackets-1)
	}
	switch c {
	case '{', '}', ';':
		n.restart()
	case ',':
		n.run = 0
	}
}

var errDeep = errors.New("it is nested too deeply")

// expanded counts the tokens that macros expand to. Each Write gets one token.
type expanded struct{ nesting }

var _ io.Writer = (*expanded)(nil)

func (e *expanded) Write(token []byte) (int, error) {
	if len(token) == 0 || ctext.IsBlank(token[0]) {
		return len(token), nil
	}
	e.countToken()
	switch c := token[0]; {
	case len(token) == 1 && !ctext.IsWord[c]:
		e.punctuator(c)
	case ctext.IsWord[c]:
		if ctext.IsControl(token) {
			e.keyword()
		}
	}
	if e.deep {
		return 0, errDeep
	}
	return len(token), nil
}
