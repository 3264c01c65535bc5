package descriptors

import (
	"opari/parse/construct"
)

// anyInstrumented reports whether one of the directives of an attribute is instrumented. These
// are the first constructs of list that have the attribute's number, and those inside the last of
// them.
func (l *Lowering) anyInstrumented(attribute int32, list []*construct.Construct, x context) bool {
	for _, c := range list {
		if c.Attribute != attribute {
			return false
		}
		if l.refusal(c, x) == "" {
			return true
		}
		inner := x
		inner.noCall = noCallInside(c, x.noCall)
		if l.anyInstrumented(attribute, c.Inner, inner) {
			return true
		}
	}
	return false
}

// rewrittenOnly returns the region of a directive that is rewritten but has no calls. It is in no
// table. Such a directive stands in an attribute with instrumented directives.
func rewrittenOnly(c *construct.Construct) *Region {
	r := &Region{
		Construct: c, Rewritten: true, Leaves: c.Directive.Leaves,
		Leaf: c.Directive.Leaves[0],
	}
	for i := range c.Directive.Clauses {
		r.Clauses = append(r.Clauses, c.Directive.Clauses[i].Text)
	}
	return r
}
