package parse

import (
	"slices"

	"opari/internal/omp"
	"opari/internal/source"
)

// lockCall looks at the name of a lock routine, which is the token at hand. A call is noted; declarations, members of
// other scopes and mere mentions of the name are not.
func (p *parser) lockCall() {
	open := afterBlanks(p.text, p.pos)
	if len(p.states) == 0 || open >= len(p.text) || p.text[open] != '(' || p.tok.macro != 0 || p.tok.text != nil || !p.calls() {
		return
	}
	f := &p.frames[p.states[0].top]
	if f.where&executable == 0 {
		return
	}
	c := RuntimeCall{
		Name: string(p.tokenText()), Extent: source.Extent{Start: p.tok.start, End: p.tok.end}, Open: open,
		NoInstr: p.noInstr, KeepOut: p.keepOut(f), Pos: p.cursor.Position(p.tok.start),
	}
	if p.system {
		return
	}
	p.call = len(p.tree.Calls)
	p.tree.Calls = append(p.tree.Calls, c)
}

// calls reports whether what stands before a name and its parenthesis lets them be a call.
func (p *parser) calls() bool {
	switch k := p.prevKind; k {
	case '.', kArrow:
		return false
	case kScope:
		i := p.prevStart
		for i > 0 && isBlank(p.text[i-1]) {
			i--
		}
		return i == 0 || !isWord[p.text[i-1]] && p.text[i-1] != '>'
	case kJump, kElse, kDo, kThrow, kCase, kPrefix:
		return true
	default:
		if k != kWord && k < kIf {
			return true
		}
	}
	switch string(p.text[p.prevStart:p.prevEnd]) {
	case "and", "or", "not", "xor", "co_await", "co_yield", "return":
		return true
	}
	return false
}

// endCall notes where a call ends: at the token at hand.
func (p *parser) endCall(call int) {
	p.tree.Calls[call].End = p.f.Position(p.tok.start)
}

// keepCallsOut keeps calls out of target regions, which may run where the library is not. Everywhere else a call may
// stand where the program has one.
func (p *parser) keepCallsOut() {
	calls, end := p.tree.Calls, 0
	for i := range p.cs {
		c := &p.cs[i]
		if len(calls) == 0 {
			return
		}
		if c.Kind == NoBlock || !slices.ContainsFunc(c.Directive.Leaves, func(d *omp.Directive) bool { return d.Name == "target" }) {
			continue
		}
		calls = keepOutBefore(calls, c.Body.Start, end)
		end = max(end, c.Body.End)
	}
	keepOutBefore(calls, len(p.text), end)
}

// keepOutBefore keeps the calls before offset end out, and gives those from offset on.
func keepOutBefore(calls []RuntimeCall, offset, end int) []RuntimeCall {
	for len(calls) > 0 && calls[0].Extent.Start < offset {
		if c := &calls[0]; c.Extent.Start < end && c.KeepOut == "" {
			c.KeepOut = "inside target, where no call may stand"
		}
		calls = calls[1:]
	}
	return calls
}
