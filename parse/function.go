package parse

import (
	"bytes"
	"strings"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/ctext"
	"opari/parse/directive"
	"opari/parse/head"
)

// Options.Functions asks for the definitions of functions too. Each becomes a construct without a directive: all that is inside
// finds its function by the same forest as its construct. The automaton follows braces and is content with what may be a function; where calls
// are to be put into the body it must be one. So the head is read once more (function_head.go), and what is in doubt is left, with the
// reason.

// definition is a function's definition while its file is read.
type definition struct {
	c           int32 // its construct
	open, close int32 // behind its '{', at its '}'; close is 0 while that is not known
	states      int   // that were to see it
	seen        int   // that saw it
	lineage     int32 // of the first
	unnamed     bool  // it may be called by a text that does not name it: a constructor, an operator
}

// headStart is where the item on top of the stack starts, with what stands before it.
func (p *parser) headStart() int32 { return p.startOf(p.cur.top) }

func (p *parser) startOf(i int32) int32 {
	start := p.frames[i].start
	for i = p.frames[i].parent; i >= 0 && p.frames[i].kind == inPrefix; i = p.frames[i].parent {
		start = p.frames[i].start
	}
	return start
}

// definition notes the definition whose '{' is the token at hand and whose block is b; start is where its head starts. nested says that it
// stands where statements do.
func (p *parser) definition(start int32, nested bool, b *frame) {
	if p.system.inside {
		return
	}
	n := len(p.definitions)
	if n > 0 && p.definitions[n-1].open == int32(p.Tok.End) {
		p.definitions[n-1].seen++
		b.a = int32(n)
		return
	}
	h := head.Function{Reason: "its body begins in the expansion of a macro"}
	if p.Tok.Macro == 0 {
		h = p.heads().Read(int(start), p.Tok.Start)
	}
	if h.None {
		return
	}
	if h.Name == "" {
		h.Name = p.functionName(b.fn)
	}
	if m := p.Tok.Macro; h.Name == "" && m != 0 {
		h.Name = p.invocations[m].name
	}
	scope, class := p.scopeOf(p.frames[b.parent].parent)
	h.Unnamed = h.Unnamed || class != "" && h.Name == class
	if h.Reason == "" {
		h.Reason = p.unfit(&h, int(start), class)
	}
	switch {
	case h.Reason == "" && nested:
		h.Reason = "not in the scope of a file, namespace or class"
	case h.Reason == "" && b.where&inMacroArg != 0:
		h.Reason = "in the arguments of a macro"
	}
	c := p.construct(p.Tok.End, p.Tok.End, directive.OMP)
	con := &p.cs[c]
	con.Kind, con.Implicit, con.FileScope = construct.FunctionBody, true, b.where&executable == 0
	con.Directive.Name = "function"
	if h.At > 0 {
		con.Directive.Pos = p.f.Position(h.At)
	}
	con.Function = h.Name[strings.LastIndexByte(h.Name, ':')+1:]
	con.NoInstr, con.KeepOut, con.Unsafe = p.regions.noInstr, p.keepOut(b), h.Reason
	name := h.Name
	if scope != "" {
		name = scope + "::" + name
	}
	con.Directive.Arg, con.Inline = name, h.Inline || class != ""
	p.definitions = append(p.definitions, definition{
		c: c, open: int32(p.Tok.End), states: len(p.states), seen: 1, lineage: p.cur.lineage, unnamed: h.Unnamed,
	})
	b.a = int32(n + 1)
}

// unfit is why a function with head h is left alone, or "". class is the name of the class that it stands in.
func (p *parser) unfit(h *head.Function, start int, class string) string {
	switch {
	case h.Special != "":
		return h.Special
	case !p.CPlusPlus && h.Inline && !h.Static:
		return "inline and not static: it may not refer to anything static"
	case !h.Typed && !p.o.Preprocessed && h.Name != "main" && !h.OldStyle && !h.Unnamed && (class == "" || h.Name != class):
		return "its head has no type: it may be a macro"
	case p.declaredSIMD(start):
		return omp.DirectiveDeclareSimd.Name
	}
	return ""
}

// declaredSIMD reports whether a directive declare simd stands before offset start.
func (p *parser) declaredSIMD(start int) bool {
	for i := len(p.cs) - 1; i >= 0; i-- {
		d := &p.cs[i].Directive
		if len(d.Leaves) != 1 || !p.onlyLines(d.Extent.End, start) {
			return false
		}
		if d.Leaves[0] == omp.DirectiveDeclareSimd {
			return true
		}
		start = d.Extent.Start
	}
	return false
}

// onlyLines reports whether there is nothing but blanks, comments and preprocessing directives in a part of the text.
func (p *parser) onlyLines(from, to int) bool {
	for from < to {
		from = ctext.AfterBlanks(p.Text[:to], from)
		if n := ctext.HashAt(p.Text[:to], from); n > 0 {
			from = ctext.LineEnd(p.Text, from+n)
		} else {
			break
		}
	}
	return from >= to
}

// scopeOf is the name of the scope of frame i, "a::b", and that of the class that the scope is; "" if it is none.
func (p *parser) scopeOf(i int32) (scope, class string) {
	var names []string
	first := true
	for ; i >= 0; i = p.frames[i].parent {
		f := &p.frames[i]
		if f.kind != inScope || f.flags&braceScope == 0 || p.frames[f.parent].kind != inItem {
			continue
		}
		it := &p.frames[f.parent]
		name := p.scopeName(p.startOf(f.parent), f.start)
		if first && it.flags&itemTag != 0 && it.flags&itemScope == 0 {
			class = name[strings.LastIndexByte(name, ':')+1:]
		}
		first = false
		if name != "" {
			names = append(names, name)
		}
	}
	for n := len(names) - 1; n >= 0; n-- {
		if scope != "" {
			scope += "::"
		}
		scope += names[n]
	}
	return scope, class
}

// heads reads the heads of the text.
func (p *parser) heads() *head.Reader {
	return &head.Reader{Text: p.Text, CPlusPlus: p.CPlusPlus, Preprocessed: p.o.Preprocessed, Macros: p.macros}
}

// ScopeName is the name of the namespace or class whose head stands from start to the brace at end; "" for extern "C".
func (p *parser) scopeName(start, end int32) string {
	name, known := p.scopeNames[end]
	if !known {
		if p.scopeNames == nil {
			p.scopeNames = map[int32]string{}
		}
		name = p.heads().ScopeName(int(start), int(end))
		p.scopeNames[end] = name
	}
	return name
}

// functionExtent gives the function of d its body, and the reasons why it is left that show only now.
func (p *parser) functionExtent(d *definition) {
	c := &p.cs[d.c]
	end := max(d.close, d.open)
	c.Body = source.Extent{Start: int(d.open), End: int(end)}
	c.Extent = c.Body
	if d.close > 0 {
		c.Extent.End++
	}
	if c.Unsafe != "" {
		return
	}
	switch {
	case d.seen != d.states:
		c.Unsafe = "it depends on #if whether it is one"
	case p.lineages[d.lineage].dead:
		c.Unsafe = "it cannot be followed through the #if branches"
	default:
		c.Unsafe = p.unfitBody(c.Body)
	}
}

// unfitWords are words that, in a function's body, let no object with a cleanup stand there.
var unfitWords = []struct {
	word, reason string
	cpp          bool // of C++ only
}{
	{"__label__", "it declares local labels", false},
	{"musttail", "its calls must be in the place of its return", false},
	{"__musttail__", "its calls must be in the place of its return", false},
	{"co_await", coroutine, true},
	{"co_yield", coroutine, true},
	{"co_return", coroutine, true},
}

const coroutine = "a coroutine: it may go on elsewhere"

// unfitBody is why no call may stand at the start of a body, or "". Comments count: they are rare there.
func (p *parser) unfitBody(body source.Extent) string {
	text := p.Text[body.Start:body.End]
	for _, w := range unfitWords {
		if (p.CPlusPlus || !w.cpp) && ctext.HasWord(text, w.word) {
			return w.reason
		}
	}
	rest := text[ctext.AfterBlanks(text, 0):]
	for _, asm := range []string{"asm", "__asm__", "__asm"} {
		if bytes.HasPrefix(rest, []byte(asm)) && bytes.Contains(p.Text, []byte("naked")) {
			return "it may be naked"
		}
	}
	return p.firstPragma(body)
}

// firstPragma is the reason to leave a function whose body starts with a pragma that no declaration may stand before: C17 [7.12.2],
// clang has it so for all of them.
func (p *parser) firstPragma(body source.Extent) string {
	text := p.Text[:body.End]
	for i := body.Start; ; {
		i = ctext.AfterBlanks(text, i)
		n := ctext.HashAt(text, i)
		if n == 0 {
			return ""
		}
		end := ctext.LineEnd(text, i+n)
		if word, k := ctext.NextWord(text, i+n, end); string(word) == "pragma" {
			if kind, _ := ctext.NextWord(text, k, end); string(kind) == "STDC" || string(kind) == "clang" {
				return "its body begins with #pragma " + string(kind)
			}
		}
		i = end
	}
}

// keepOffDevices keeps the functions out that code for a device may call: those that a target region or a function for devices
// names, and those that such a function names. In C++ a function that is called without its name may always be one.
func (p *parser) keepOffDevices() {
	var texts []source.Extent
	for i := range p.cs {
		c := &p.cs[i]
		if c.Kind == construct.FunctionBody && (c.KeepOut == regionText[regionTarget] || p.regions.targets[c.Function]) || isTarget(c) && c.Kind != construct.NoBlock {
			texts = append(texts, c.Body)
		}
	}
	if len(texts) == 0 {
		return
	}
	byName := map[string][]*definition{}
	for i := range p.definitions {
		d := &p.definitions[i]
		if c := &p.cs[d.c]; d.unnamed && c.KeepOut == "" {
			c.KeepOut = "a target region may call it"
		} else {
			byName[c.Function] = append(byName[c.Function], d)
		}
	}
	for len(texts) > 0 {
		e := texts[len(texts)-1]
		texts = texts[:len(texts)-1]
		for name := range ctext.WordsOf(p.Text[e.Start:e.End]) {
			for _, d := range byName[name] {
				c := &p.cs[d.c]
				texts = append(texts, c.Body)
				if c.KeepOut == "" {
					c.KeepOut = "a target region may call it"
				}
			}
			delete(byName, name)
		}
	}
}

// isTarget reports whether the body of c may run on a device.
func isTarget(c *construct.Construct) bool { return c.Directive.HasLeaf(omp.DirectiveTarget) }
