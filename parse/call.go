package parse

import (
	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/ctext"
)

// lockCall handles the name of a lock routine, which is the current token. It records calls, but
// not declarations, members of other scopes, and uses of the name without a call.
func (p *parser) lockCall() {
	open := ctext.AfterBlanks(p.Text, p.Pos)
	if len(p.states) == 0 || open >= len(p.Text) || p.Text[open] != '(' || p.Tok.Macro != 0 ||
		p.Tok.Text != nil || !p.mayBeCall() {
		return
	}
	f := &p.frames[p.states[0].top]
	if f.where&executable == 0 {
		return
	}
	c := construct.RuntimeCall{
		Name:   string(p.tokenText()),
		Extent: source.Extent{Start: p.Tok.Start, End: p.Tok.End}, Open: open,
		NoInstr: p.regions.noInstr, KeepOut: p.keepOut(f), Pos: p.cursor.Position(p.Tok.Start),
	}
	if p.system.inside {
		return
	}
	p.call = len(p.tree.Calls)
	p.tree.Calls = append(p.tree.Calls, c)
}

// mayBeCall reports whether the text before a name and its parenthesis allows them to be a call.
func (p *parser) mayBeCall() bool {
	switch k := p.PrevKind; k {
	case '.', ctext.Arrow:
		return false
	case ctext.Scope:
		i := p.PrevStart
		for i > 0 && ctext.IsBlank(p.Text[i-1]) {
			i--
		}
		return i == 0 || !ctext.IsWord[p.Text[i-1]] && p.Text[i-1] != '>'
	case ctext.Jump, ctext.Else, ctext.Do, ctext.Throw, ctext.Case, ctext.Prefix:
		return true
	default:
		if k != ctext.Word && k < ctext.If {
			return true
		}
	}
	switch string(p.Text[p.PrevStart:p.PrevEnd]) {
	case "and", "or", "not", "xor", "co_await", "co_yield", "return":
		return true
	}
	return false
}

// endCall records that a call ends at the current token.
func (p *parser) endCall(call int) {
	p.tree.Calls[call].End = p.file.Position(p.Tok.Start)
}

// keepCallsOut keeps calls in target regions out, because these may run where the library is not.
// Elsewhere, the library may be called wherever the program calls the runtime.
func (p *parser) keepCallsOut() {
	calls, end := p.tree.Calls, 0
	for i := range p.constructs {
		c := &p.constructs[i]
		if len(calls) == 0 {
			return
		}
		if c.Kind == construct.NoBlock || !c.Directive.HasLeaf(omp.DirectiveTarget) {
			continue
		}
		calls = keepOutBefore(calls, c.Body.Start, end)
		end = max(end, c.Body.End)
	}
	keepOutBefore(calls, len(p.Text), end)
}

// keepOutBefore keeps the calls before offset end out, and returns the calls from offset on.
func keepOutBefore(calls []construct.RuntimeCall, offset, end int) []construct.RuntimeCall {
	for len(calls) > 0 && calls[0].Extent.Start < offset {
		if c := &calls[0]; c.Extent.Start < end && c.KeepOut == "" {
			c.KeepOut = "inside target, where no call may stand"
		}
		calls = calls[1:]
	}
	return calls
}
