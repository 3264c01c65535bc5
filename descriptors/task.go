package descriptors

import (
	"slices"
	"strings"

	"opari/internal/omp"
	"opari/parse/construct"
	"opari/parse/directive"
)

// Treatment says what happens to something in the text that a measurement library may not
// support.
type Treatment uint8

// The treatments.
const (
	Keep       Treatment = iota
	Warn                 // keep it and warn
	Refuse               // report an error
	Remove               // leave it out of the text
	RemoveWarn           // the same, with a warning
)

const taskRemoved = "the task directives are removed"

func isTask(d *directive.Directive) bool {
	return len(d.Leaves) == 1 && d.Leaves[0] == omp.DirectiveTask
}

// judgeTask reports what Options.Tasks and Options.Untied refuse or warn of.
func (l *Lowering) judgeTask(c *construct.Construct) {
	d := &c.Directive
	if !isTask(d) {
		return
	}
	f, at := l.table.File, d.Extent.Start
	switch {
	case l.options.Tasks == Refuse:
		l.diags.Errorf(f, at, "tasks are not allowed with this configuration")
	case l.options.Tasks == Warn:
		l.diags.Warnf(f, at, "tasks may not be supported by the measurement system")
	}
	if !d.Has(omp.ClauseUntied) || l.options.Tasks == Remove {
		return
	}
	switch l.options.Untied {
	case Refuse:
		l.diags.Errorf(f, at, "untied tasks are not allowed with this configuration")
	case RemoveWarn:
		l.diags.Warnf(f, at, "untied tasks may not be supported by the measurement system; "+
			"this one is made tied (--omp-task-untied=keep leaves it untied)")
	}
}

// tie removes the untied clause of r.
func (r *Region) tie() {
	n := len(r.Clauses)
	r.Clauses = slices.DeleteFunc(slices.Clone(r.Clauses), func(text string) bool {
		return strings.EqualFold(strings.TrimSpace(text), omp.ClauseUntied.Name)
	})
	r.Rewritten = r.Rewritten || len(r.Clauses) < n
}

// hush makes r a row about the option that disables a name, without events. It takes the leaf of a
// directive that has none, but keeps its own spelling.
func (r *Region) hush(name string) {
	r.Name, r.SubName = "disabled", "--disable="+name
	r.Leaf, r.Kind = omp.DirectiveSimd, omp.KindNone
}

// removed returns a region without events for a directive that the text no longer has.
func removed(c *construct.Construct) *Region {
	return &Region{Construct: c, Rewritten: true, Leaf: c.Directive.Leaves[0]}
}
