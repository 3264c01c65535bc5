package fortran

import (
	"bytes"
	"slices"
	"strings"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/directive"
)

// With Options.Functions, the main program and the procedures become constructs too, each without
// a directive. Such a region begins before the first executable statement. It ends before each
// RETURN, before CONTAINS, and before END. A procedure in which these calls cannot be written is
// excluded, with the reason.

// procedure is a main program or procedure while it is read.
type procedure struct {
	c       *construct.Construct
	parts   *construct.FortranFunction
	branch  int // of #if
	entered bool
	settled bool   // whether a declaration may stand somewhere is known
	reason  string // why it is excluded
}

// openProcedure starts the construct of the unit on top of the stack.
func (p *parser) openProcedure(it *item) {
	f := p.top()
	if !p.functions || f.module || f.name == "" ||
		len(p.stack) > 1 && p.stack[len(p.stack)-2].kind == interfaceFrame {
		return
	}
	c := p.construct()
	var names []string
	for i := range p.stack {
		if u := &p.stack[i]; u.kind == unitFrame && u.name != "" {
			names = append(names, u.name)
		}
	}
	at := source.Extent{Start: it.start, End: it.start}
	c.Kind, c.Implicit, c.Unsafe = construct.FunctionBody, true, "its END is not seen"
	c.Directive = directive.Directive{
		Name: "function", Arg: strings.Join(names, "::"), Extent: at,
		Pos: p.f.Position(it.start),
	}
	c.Body, c.Extent = at, at
	p.describe(c)
	c.Fortran.DeclareAt = 0 // known only after the specifications
	f.procedure = &procedure{
		c: c, parts: &construct.FortranFunction{Declare: -1}, branch: p.branch(),
	}
	c.Fortran.Function = f.procedure.parts
	p.tree.Constructs = append(p.tree.Constructs, c)
}

func (r *procedure) exclude(reason string) {
	if r.reason == "" {
		r.reason = reason
	}
}

// noteEntry notes that the current unit begins to execute at it.
func (p *parser) noteEntry(it *item) {
	u := p.unit()
	if u == nil || u.procedure == nil || u.procedure.entered {
		return
	}
	r := u.procedure
	r.entered = true
	if u.external {
		r.c.Fortran.DeclareAt = u.declareAt
	}
	if p.branch() != r.branch {
		r.exclude("its first statement depends on #if")
	}
	r.parts.Enter = p.lineBefore(it)
	p.noteDeclare(r, it)
}

// lineBefore returns where a line before it may be inserted.
func (p *parser) lineBefore(it *item) int {
	line := p.f.LineStart(it.start)
	if it.label == "" && bytes.IndexByte(p.f.Text[line:it.start], ';') >= 0 {
		return it.start
	}
	return line
}

// noteDeclare notes that the specifications of r may end before it. What may be a statement
// function may also be an assignment, so declarations stand before the first of them.
func (p *parser) noteDeclare(r *procedure, it *item) {
	if !r.settled && p.branch() == r.branch {
		r.parts.Declare = p.lineBefore(it)
	}
	r.settled = true
}

// followProcedure examines a statement of the current unit, to find where the unit begins to
// execute and where it is left.
func (p *parser) followProcedure(it *item, m meaning) {
	u := p.unit()
	if u == nil || u.procedure == nil || m.class == unitStart {
		return
	}
	r := u.procedure
	if !r.entered && it.isSpecification(m) {
		k := cursor{it: it}
		switch {
		case m.class == plainStatement && k.isAssignment():
			p.noteDeclare(r, it)
		case bytes.HasPrefix(it.key, []byte("entry")):
			r.exclude("it has an ENTRY")
		case string(it.key) == "save":
			r.parts.Declare, r.settled = -1, true
		}
		return
	}
	if u.contains {
		if m.class == unitEnd {
			p.endProcedure(r, it)
		}
		return
	}
	p.noteEntry(it)
	switch {
	case m.class == containsStatement:
		p.noteExit(r, it, it.start, false)
	case m.class == unitEnd:
		p.noteExit(r, it, it.start, false)
		p.endProcedure(r, it)
	case isInclude(it):
		r.exclude("an included file may hold a RETURN")
	case m.class == plainStatement:
		k := cursor{it: it}
		if !k.isAssignment() && k.is("entry") {
			r.exclude("it has an ENTRY")
		} else if rest, inIf := it.isReturn(); rest {
			p.noteReturn(r, it, inIf)
		}
	}
}

// endProcedure ends r with its END statement.
func (p *parser) endProcedure(r *procedure, it *item) {
	if p.branch() != r.branch {
		r.exclude("its END stands in another branch of #if")
	}
	r.c.Body.End, r.c.Extent.End = it.start, it.end
	r.c.Unsafe = r.reason
}

// noteExit notes an exit at the statement it. The part of the statement that leaves the unit
// starts at offset at.
func (p *parser) noteExit(r *procedure, it *item, at int, inIf bool) {
	line := p.f.LineStart(at)
	before := bytes.TrimLeft(p.f.Text[line:at], " \t")
	e := construct.FortranExit{At: at, After: it.after}
	switch {
	case it.splitByIf:
		r.exclude("an #if stands inside a statement")
	case bytes.HasPrefix(before, []byte("!")) ||
		p.scanner.fixed && len(before) > 1 && before[1] == '$' && line+len(before) <= at:
		r.exclude("it is left by a line that is compiled with OpenMP only")
	case inIf:
		e.Word = "then"
	case it.label != "":
		e.Word = "continue"
	case len(before) == 0:
		e.At = line
	}
	if limit := p.scanner.limit; e.Word != "" && limit > 0 && at-line+len(e.Word) > limit {
		r.exclude("no call fits into the line of a RETURN")
	}
	r.parts.Exits = append(r.parts.Exits, e)
}

// noteReturn notes a RETURN.
func (p *parser) noteReturn(r *procedure, it *item, inIf bool) {
	text := p.f.Text[it.start:it.end]
	const word = "return"
	at := len(text) - len(word)
	for at >= 0 && !isSpelled(text[at:at+len(word)], word) {
		at--
	}
	if at < 0 {
		r.exclude("a RETURN is written over several lines")
		return
	}
	p.noteExit(r, it, it.start+at, inIf)
}

// isSpelled compares text with a lower-case word of the same length. bytes.ToLower cannot do
// this, because it changes the length of text that is not UTF-8.
func isSpelled(text []byte, word string) bool {
	for i := range word {
		if text[i]|0x20 != word[i] {
			return false
		}
	}
	return true
}

// isReturn reports whether a statement is RETURN, or an IF statement with one.
func (it *item) isReturn() (is, inIf bool) {
	key := it.key
	if bytes.HasPrefix(key, []byte("if(")) {
		depth := 0
		for i, c := range key {
			if c == '(' {
				depth++
			} else if c == ')' {
				if depth--; depth == 0 {
					key, inIf = key[i+1:], true
					break
				}
			}
		}
	}
	rest, ok := bytes.CutPrefix(key, []byte("return"))
	return ok && bytes.IndexByte(rest, '=') < 0 &&
		(len(rest) == 0 || rest[0] == '(' || !it.free() || isDigit(rest[0]) ||
			isWord(rest[0]) && it.gap[len(it.key)-len(rest)]), inIf
}

func (it *item) free() bool { return it.gap != nil }

// specifications are the words, besides types, that begin statements that execute nothing.
var specifications = []string{
	"dimension", "parameter", "save", "external", "intrinsic", "common", "equivalence", "data",
	"namelist", "allocatable", "pointer", "target",
	"optional", "intent", "public", "private", "volatile", "asynchronous", "bind", "value",
	"contiguous", "codimension", "protected",
	"procedure", "generic", "include", "format", "entry", "import", "sequence", "static",
	"automatic",
}

// isSpecification reports whether a statement executes nothing. It is not called after the first
// executable statement. A possible statement function counts as a specification. If it is an
// assignment to an array element instead, the region begins after it.
func (it *item) isSpecification(m meaning) bool {
	switch m.class {
	case useStatement, implicitStatement, interfaceStart, typeStart:
		return true
	case plainStatement:
	default:
		return false
	}
	k := cursor{it: it}
	if k.isAssignment() {
		return it.label == "" && it.mayBeStatementFunction()
	}
	if slices.ContainsFunc(specifications, k.is) {
		return true
	}
	return k.typeSpec() && !bytes.HasPrefix(it.key, []byte("typeis(")) &&
		!bytes.HasPrefix(it.key, []byte("classis("))
}

// mayBeStatementFunction reports whether an assignment is to NAME(NAME, ...).
func (it *item) mayBeStatementFunction() bool {
	left, _, _ := bytes.Cut(it.key, []byte("="))
	name, arguments, ok := bytes.Cut(left, []byte("("))
	if !ok || len(name) == 0 || !bytes.HasSuffix(arguments, []byte(")")) {
		return false
	}
	for _, c := range arguments[:len(arguments)-1] {
		if !isWord(c) && c != ',' {
			return false
		}
	}
	return true
}

// executes reports whether a directive executes something.
func executes(d *directive.Directive) bool {
	if len(d.Leaves) == 0 {
		return strings.HasPrefix(d.Name, "inst ")
	}
	return d.Leaves[0].Category == omp.Executable
}
