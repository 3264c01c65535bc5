package parse

// invocation is one use of a macro in the text.
type invocation struct {
	name       string
	start, end int
}

type macro struct{}

type macros struct{}

func (p *parser) expand() bool                 { return false }
func (p *parser) define(start, i, end int)     {}
func (p *parser) undefine(name string)         {}
func (p *parser) readHeader(i, end int)        {}
func (p *parser) expandName(l *Logical) string { return "" }
func (p *parser) mentionOperator()             {}
