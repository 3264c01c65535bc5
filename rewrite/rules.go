package rewrite

import (
	"strconv"

	"opari/descriptors"
	"opari/internal/omp"
	"opari/parse/construct"
)

// Each construct becomes at most four pieces: before the directive, after it, at the start of the
// body, and after the body. A directive that is rewritten stands in the second piece. This file
// says what the pieces hold, and does not know where they go.

// hasBody reports whether c has a body, so that calls can stand at its start and after it.
func hasBody(c *construct.Construct) bool { return c.Kind != construct.NoBlock }

// rewritten reports whether the directive of p is rewritten.
func rewritten(p *descriptors.Placed) bool {
	for _, r := range p.Regions {
		if r.Rewritten {
			return true
		}
	}
	return false
}

// silent reports whether p is rewritten but has no calls.
func silent(p *descriptors.Placed) bool { return p.Regions[0].ID == 0 }

// opensBlock reports whether the calls of r open a block. They need it for a variable: the
// region's handle, or which thread executes the single.
func opensBlock(r *descriptors.Region) bool {
	return r.Leaf.Rule == omp.Fork || r.Leaf.Rule == omp.Task || isNowaitSingle(r)
}

// braced reports whether p needs a block of its own around it.
func braced(p *descriptors.Placed) bool {
	if !p.Brace {
		return false
	}
	return !opensBlock(p.Regions[0])
}

// before renders the text before the directive.
func (u *unit) before(b []byte, p *descriptors.Placed) []byte {
	c := p.Construct
	if silent(p) {
		if !u.options.Preprocessed {
			b = append(b, "#if 0\n"...)
		}
		return b
	}
	if c.Conditional && hasBody(c) {
		b = u.condition(b, "#define", p)
	}
	if braced(p) {
		b = append(b, "{ "...)
	}
	b = u.enter(b, p.Regions[0])
	if braced(p) && b[len(b)-1] == ' ' {
		b[len(b)-1] = '\n'
	}
	if rewritten(p) && !u.options.Preprocessed {
		b = append(b, "#if 0\n"...)
	}
	return b
}

// afterDirective renders the text after the directive: the rewritten directive, in which the
// regions of a combined directive are nested.
func (u *unit) afterDirective(b []byte, p *descriptors.Placed) []byte {
	n, line := len(b), p.Construct.Directive.Pos.Line
	if rewritten(p) {
		if !u.options.Preprocessed {
			b = append(b, "#endif\n"...)
		}
		for i, r := range p.Regions {
			if i > 0 {
				if b = u.beginBody(b, p.Regions[i-1]); !hasBrackets(p.Regions[i-1]) {
					b = append(b, "{ "...)
				}
				b = u.enter(b, r)
			}
			b = u.lineMarker(b, line)
			b = appendDirective(b, r)
		}
	}
	if !hasBody(p.Construct) && !silent(p) {
		b = u.leave(b, p)
	}
	return u.attributeToLine(b, n, line)
}

// lineMarker appends a marker that gives the next line the number line in the current file.
func (u *unit) lineMarker(b []byte, line int) []byte {
	switch {
	case u.options.NoLine:
		return b
	case u.options.Preprocessed:
		b = append(b, "# "...)
	default:
		b = append(b, "#line "...)
	}
	return append(strconv.AppendInt(b, int64(line), 10), '\n')
}

func appendDirective(b []byte, r *descriptors.Region) []byte {
	if len(r.Leaves) == 0 {
		return b
	}
	b = append(b, "#pragma omp"...)
	for _, leaf := range r.Leaves {
		b = append(b, ' ')
		b = append(b, leaf.Name...)
	}
	if d := &r.Construct.Directive; d.HasArg {
		b = append(b, '(')
		b = append(b, d.Arg...)
		b = append(b, ')')
	}
	for _, c := range r.Clauses {
		b = append(b, ' ')
		b = append(b, c...)
	}
	return append(b, '\n')
}

// enter renders the text before the directive of r. For a fork or a task this includes the block
// that holds the handle.
func (u *unit) enter(b []byte, r *descriptors.Region) []byte {
	if u.countsTrips(r) {
		return u.countedCall(b, r)
	}
	if r.Leaf.Rule != omp.Fork && r.Leaf.Rule != omp.Task {
		return u.call(b, r, enterCall, "")
	}
	b = append(b, "{ "...)
	ifValue, threads := "1", "0"
	id := strconv.Itoa(r.ID)
	if r.If != "" {
		ifValue = descriptors.IfVar + id
		b = append(b, "int "+ifValue+" = ("+r.If+") ? 1 : 0; "...)
	}
	if r.NumThreads != "" {
		threads = descriptors.NumThreadsVar + id
		b = append(b, "int "+threads+" = (int)("+r.NumThreads+"); "...)
	}
	final := ""
	if r.Final != "" {
		final = descriptors.FinalVar + id
		b = append(b, "int "+final+" = ("+r.Final+") ? 1 : 0; "...)
	}
	if r.Leaf.Rule == omp.Task && u.options.Preprocessed {
		return u.appendDirectTask(b, r.Leaf, r.ID, ifValue, final)
	}
	handle, entered := "void *"+descriptors.HandleVar+id+" = ", descriptors.EnteredVar+id
	if r.Leaf.Rule == omp.Task {
		handle = "void **" + entered + ", *" + descriptors.HandleVar + id + " = "
	}
	if final != "" {
		return append(b, handle+finalName+id+", "+ifValue+", "+final+", &"+entered+");\n"...)
	}
	b = append(b, handle...)
	if r.Leaf.Rule == omp.Fork {
		if u.isDirect(&forkForm) && u.sharedBy(r.Leaf, enterCall) == notShared {
			return u.appendDirectFork(b, r.Leaf, r.ID, ifValue, threads)
		}
		return u.call(b, r, enterCall, ", "+ifValue+", "+threads)
	}
	return u.call(b, r, enterCall, ", "+ifValue+", &"+entered)
}

// beginBody renders the opening of the block that becomes the body of r's directive. It renders
// nothing where the rule has no such block.
func (u *unit) beginBody(b []byte, r *descriptors.Region) []byte {
	if !hasBrackets(r) {
		return b
	}
	b = append(b, "{ "...)
	if r.Leaf.Rule == omp.Fork {
		b = append(b, "void *"+descriptors.BegunVar+strconv.Itoa(r.ID)+" = "...)
	}
	return u.call(b, r, beginCall, handle(r, descriptors.HandleVar))
}

// hasBrackets reports whether begin and end calls enclose the body of r.
func hasBrackets(r *descriptors.Region) bool {
	switch r.Leaf.Rule {
	case omp.EncloseBody, omp.Body:
		return hasBody(r.Construct)
	case omp.Fork, omp.Task:
		return r.Handle
	}
	return false
}

// handle returns the last argument of r's calls, in the given variable, or "" where they take
// none.
func handle(r *descriptors.Region, variable string) string {
	if r.Leaf.Rule != omp.Fork && r.Leaf.Rule != omp.Task {
		return ""
	}
	return ", " + variable + strconv.Itoa(r.ID)
}

// exitArguments returns the last arguments of the call that follows r's construct.
func exitArguments(r *descriptors.Region) string {
	arguments := handle(r, descriptors.HandleVar)
	if r.Leaf.Rule != omp.Task {
		return arguments
	}
	return arguments + ", " + descriptors.EnteredVar + strconv.Itoa(r.ID)
}

// begin renders the text at the start of the body: the opening of the innermost region.
func (u *unit) begin(b []byte, p *descriptors.Placed) []byte {
	n := len(b)
	b = u.guarded(b, p, func(b []byte) []byte {
		return u.beginBody(b, p.Regions[len(p.Regions)-1])
	})
	return u.attributeToLine(b, n, p.Construct.Directive.Pos.Line)
}

// end renders the text after the body.
func (u *unit) end(b []byte, p *descriptors.Placed) []byte {
	n := len(b)
	b = u.guarded(b, p, func(b []byte) []byte {
		b = u.leave(b, p)
		// Another inclusion of the same text may compile another branch.
		if p.Construct.Conditional {
			b = u.condition(b, "#undef", p)
		}
		return b
	})
	return u.attributeToLine(b, n, p.Construct.Directive.Pos.Line)
}

// guarded encloses lines that stand in another #if branch than their directive in a condition of
// their own. They are compiled only if the directive was.
func (u *unit) guarded(b []byte, p *descriptors.Placed, render func([]byte) []byte) []byte {
	if !p.Construct.Conditional {
		return render(b)
	}
	n := len(b)
	b = u.condition(b, "#ifdef", p)
	m := len(b)
	if b = render(b); len(b) == m {
		return b[:n]
	}
	return append(b, "#endif\n"...)
}

// condition appends a preprocessor line about the macro that is defined when the directive of p
// was compiled.
func (u *unit) condition(b []byte, what string, p *descriptors.Placed) []byte {
	b = append(b, what...)
	b = append(b, " pomp_c"...)
	return append(strconv.AppendInt(b, int64(p.Regions[0].ID), 10), '\n')
}

// leave renders the text that closes the regions of p, innermost first.
func (u *unit) leave(b []byte, p *descriptors.Placed) []byte {
	for i := len(p.Regions) - 1; i >= 0; i-- {
		r := p.Regions[i]
		brackets, fork := hasBrackets(r), r.Leaf.Rule == omp.Fork
		// The barrier of a fork stands inside the body, that of a worksharing construct after it.
		if fork {
			b = u.barrier(b, r, r)
		}
		if brackets {
			variable := descriptors.HandleVar
			if fork {
				variable = descriptors.BegunVar
			}
			b = u.call(b, r, endCall, handle(r, variable))
			b = closeBrace(b)
		}
		if !fork {
			b = u.barrier(b, r, p.Regions[0])
		}
		b = u.call(b, r, exitCall, exitArguments(r))
		if opensBlock(r) || i > 0 && !hasBrackets(p.Regions[i-1]) {
			b = closeBrace(b)
		}
	}
	if braced(p) {
		if n := len(b); n > 0 && b[n-1] == '\n' {
			return closeBrace(b)
		}
		b = append(b, "}\n"...)
	}
	return b
}

// closeBrace adds a closing brace to the last line of b.
func closeBrace(b []byte) []byte {
	return append(b[:len(b)-1], " }\n"...)
}

// barrier renders an explicit form of the barrier that r implies. If r ends with a parallel
// region, the runtime's own barrier follows, and the explicit one serves only to measure. The
// team then meets it only if the fork returned a handle that needs it. All threads have the same
// handle, so they agree.
func (u *unit) barrier(b []byte, r, outermost *descriptors.Region) []byte {
	if r.Barrier != descriptors.MakeExplicit {
		return b
	}
	last := outermost.Leaf.Rule == omp.Fork && outermost.Handle
	if last {
		b = append(b, "if ("+teamHasEvents+descriptors.HandleVar+strconv.Itoa(outermost.ID)+
			")) { "...)
	}
	b = u.barrierCall(b, r, 0)
	b = append(b, "#pragma omp barrier\n"...)
	b = u.barrierCall(b, r, 1)
	if last {
		b = closeBrace(b)
	}
	return b
}

// user renders one of POMP's own directives.
func (u *unit) user(b []byte, p *descriptors.Placed) []byte {
	d := &p.Construct.Directive
	if p.Brace {
		b = append(b, "{ "...)
	}
	start := len(b)
	if control := d.Own.Control(); control != "" {
		u.controls[control] = true
		b = append(b, controlCall(control)+"("...)
		if control.TakesRegion() {
			pointer := "0"
			if _, e := d.UserRegion(); e != "" {
				pointer = "(const void *)(" + e + ")"
			}
			b = append(b, strconv.Itoa(p.Regions[0].ID)+", "+pointer...)
		}
		b = append(b, ");\n"...)
	}
	if p.Brace {
		if len(b) == start {
			return b[:start-2]
		}
		b = closeBrace(b)
	}
	return b
}
