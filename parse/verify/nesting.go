package verify

import (
	"errors"
	"io"

	"opari/parse/ctext"
)

// Limits of what is given to the front end: its stack is Go's, whose overflow ends the process. Compilers allow 256
// brackets or so by default.
const (
	maxBrackets = 1000
	maxChain    = 1000
	maxRun      = 20_000
	MaxText     = 32 << 20 // bytes
)

// A nesting keeps account, token by token, of how deep a recursive parser goes.
type nesting struct {
	deep     bool // a limit was exceeded
	brackets int  // that are open
	run      int  // tokens since the last `;`, `,` or brace: operators nest too
	keywords int  // of control since the last `;` or brace: if (a) if (b) if (c)
}

// longer counts a token.
func (n *nesting) longer() {
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

// expanded counts what macros expand to. It is written one token at a time.
type expanded struct{ nesting }

var _ io.Writer = (*expanded)(nil)

func (e *expanded) Write(token []byte) (int, error) {
	if len(token) == 0 || ctext.IsBlank(token[0]) {
		return len(token), nil
	}
	e.longer()
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
