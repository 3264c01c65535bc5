package descriptors

import (
	"opari/parse/construct"
)

// anyOf reports whether one of the directives of an attribute is instrumented. They are the first of list, and of those
// inside the last one of them.
func (l *Lowering) anyOf(attribute int32, list []*construct.Construct, x context) bool {
	for _, c := range list {
		if c.Attribute != attribute {
			return false
		}
		if l.refusal(c, x) == "" {
			return true
		}
		inner := x
		inner.shut = shutInside(c, x.shut)
		if l.anyOf(attribute, c.Inner, inner) {
			return true
		}
	}
	return false
}

// asPragma is the region of a directive that is written anew and has no calls: it is in no table. Its place is in an attribute
// with directives that are instrumented.
func asPragma(c *construct.Construct) *Region {
	r := &Region{Construct: c, Rewritten: true, Leaves: c.Directive.Leaves, Leaf: c.Directive.Leaves[0]}
	for i := range c.Directive.Clauses {
		r.Clauses = append(r.Clauses, c.Directive.Clauses[i].Text)
	}
	return r
}
