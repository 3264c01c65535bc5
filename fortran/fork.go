package fortran

import (
	"strings"

	"opari/internal/omp"
	"opari/internal/pattern"
	"opari/parse/construct"
	"opari/parse/directive"
)

// forkValues notes the values of the clauses if and num_threads of a parallel directive, where they
// are plain: a call before the directive may then evaluate them, too.
func (p *parser) forkValues(c *construct.Construct) {
	d := &c.Directive
	if len(d.Leaves) == 0 || d.Leaves[0] != omp.DirectiveParallel || !p.intrinsicsAreStandard() {
		return
	}
	for i := range d.Clauses {
		cl := &d.Clauses[i]
		switch {
		case cl.Row == omp.ClauseNumThreads && len(cl.Items) == 1 && cl.Modifiers == "":
			c.Fortran.Threads = p.plainValue(cl)
		case cl.Row == omp.ClauseIf && (cl.Modifiers == "" ||
			strings.EqualFold(cl.Modifiers, omp.DirectiveParallel.Name)):
			c.Fortran.If = p.plainValue(cl)
		}
	}
}

// operator matches the operators and constants that conditions have beyond bounds of loops.
var operator = pattern.Lazy{
	Text: `\.(?:and|or|not|n?eqv|true|false|eq|ne|lt|le|gt|ge)\.|[=/]=|[<>]=?`,
}

// plainValue returns the argument of a clause if it is plain, or "".
func (p *parser) plainValue(c *directive.Clause) string {
	key := strings.ToLower(strings.Join(strings.Fields(c.Args), ""))
	// A sum stands for what is plain if its parts are.
	key = operator.Get().ReplaceAllString(key, "+")
	if plain, _ := plainBound([]byte(key)); !plain {
		return ""
	}
	return c.Args
}
