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

// With Options.Functions each function definition becomes a construct without a directive. All
// that is inside finds its function in the same forest as its construct.
//
// The automaton follows braces, and accepts anything that may be a function. But calls may only
// be inserted in a real function body. So package head reads the head again, and a doubtful
// function is left alone with the reason.

// definition is a function definition while its file is read.
type definition struct {
	c           int32 // its construct
	open, close int32 // the offset after its '{', and of its '}'; close is 0 while unknown
	states      int   // the number of states when it was first seen
	seen        int   // the number of states that saw it
	lineage     int32 // of the first state that saw it
	// Code that does not name it may call it: it is a constructor, a destructor or an operator.
	unnamed bool
}

// headStart returns where the item on top of the stack starts, with the prefixes before it.
func (p *parser) headStart() int32 { return p.startOf(p.current.top) }

func (p *parser) startOf(i int32) int32 {
	start := p.frames[i].start
	for i = p.frames[i].parent; i >= 0 && p.frames[i].kind == inPrefix; i = p.frames[i].parent {
		start = p.frames[i].start
	}
	return start
}

// definition records the definition whose '{' is the current token and whose block is b. Its head
// starts at start. nested says that it stands where statements do.
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
	if h.IsClass {
		return
	}
	if h.Name == "" {
		h.Name = p.functionName(b.function)
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
	con := &p.constructs[c]
	con.Kind, con.Implicit, con.FileScope = construct.FunctionBody, true, b.where&executable == 0
	con.Directive.Name = "function"
	if h.NameStart > 0 {
		con.Directive.Pos = p.file.Position(h.NameStart)
	}
	con.Function = h.Name[strings.LastIndexByte(h.Name, ':')+1:]
	con.NoInstr, con.KeepOut, con.Unsafe = p.regions.noInstr, p.keepOut(b), h.Reason
	name := h.Name
	if scope != "" {
		name = scope + "::" + name
	}
	con.Directive.Arg, con.Inline = name, h.Inline || class != ""
	p.definitions = append(p.definitions, definition{
		c: c, open: int32(p.Tok.End), states: len(p.states),
		seen: 1, lineage: p.current.lineage, unnamed: h.Unnamed,
	})
	b.a = int32(n + 1)
}

// unfit returns why a function with head h is left alone, or "". class is the name of the class
// around it.
func (p *parser) unfit(h *head.Function, start int, class string) string {
	switch {
	case h.Special != "":
		return h.Special
	case !p.CPlusPlus && h.Inline && !h.Static:
		return "inline and not static: it may not refer to anything static"
	case !h.Typed && !p.options.Preprocessed && h.Name != "main" && !h.OldStyle && !h.Unnamed &&
		(class == "" || h.Name != class):
		return "its head has no type: it may be a macro"
	case p.declaredSIMD(start):
		return omp.DirectiveDeclareSimd.Name
	}
	return ""
}

// declaredSIMD reports whether a declare simd directive applies to the function that starts at
// start.
func (p *parser) declaredSIMD(start int) bool {
	for i := len(p.constructs) - 1; i >= 0; i-- {
		d := &p.constructs[i].Directive
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

// onlyLines reports whether a part of the text has nothing but blanks, comments and preprocessing
// directives.
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

// scopeOf returns the name of the scope of frame i, "a::b". If the scope is a class, it also
// returns the name of the class.
func (p *parser) scopeOf(i int32) (scope, class string) {
	var names []string
	first := true
	for ; i >= 0; i = p.frames[i].parent {
		f := &p.frames[i]
		if f.kind != inScope || f.flags&braceScope == 0 || p.frames[f.parent].kind != inItem {
			continue
		}
		item := &p.frames[f.parent]
		name := p.scopeName(p.startOf(f.parent), f.start)
		if first && item.flags&itemTag != 0 && item.flags&itemScope == 0 {
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

// heads returns a reader for the heads in the text.
func (p *parser) heads() *head.Reader {
	return &head.Reader{
		Text: p.Text, CPlusPlus: p.CPlusPlus,
		Preprocessed: p.options.Preprocessed, Macros: p.macros,
	}
}

// scopeName returns the name of the namespace or class whose head goes from start to the brace at
// end. It is "" for extern "C".
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

// functionExtent gives the function of d its body, and the reasons to leave it alone that show
// only at the end of the file.
func (p *parser) functionExtent(d *definition) {
	c := &p.constructs[d.c]
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

// unfitWords are words that forbid an object with a cleanup in a function's body.
var unfitWords = []struct {
	word, reason string
	cpp          bool // only in C++
}{
	{"__label__", "it declares local labels", false},
	{"musttail", "its calls must be in the place of its return", false},
	{"__musttail__", "its calls must be in the place of its return", false},
	{"co_await", coroutine, true},
	{"co_yield", coroutine, true},
	{"co_return", coroutine, true},
}

const coroutine = "a coroutine: it may go on elsewhere"

// unfitBody returns why no call may be inserted at the start of a body, or "". Words in comments
// count too; they are rare there.
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

// firstPragma returns the reason to leave a function alone if its body starts with #pragma STDC
// or #pragma clang; else "". No declaration may precede such a pragma: C17 [7.12.2] says so, and
// clang enforces it for all of them.
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
			if kind, _ := ctext.NextWord(text, k, end); string(kind) == "STDC" ||
				string(kind) == "clang" {
				return "its body begins with #pragma " + string(kind)
			}
		}
		i = end
	}
}

// keepOffDevices keeps out the functions that code for a device may call. Such code is in target
// regions and in functions for devices, and in functions that it names. In C++ it may also call
// every function that is called without its name.
func (p *parser) keepOffDevices() {
	var texts []source.Extent
	for i := range p.constructs {
		c := &p.constructs[i]
		if c.Kind == construct.FunctionBody &&
			(c.KeepOut == regionText[regionTarget] || p.regions.targets[c.Function]) ||
			isTarget(c) && c.Kind != construct.NoBlock {
			texts = append(texts, c.Body)
		}
	}
	if len(texts) == 0 {
		return
	}
	byName := map[string][]*definition{}
	for i := range p.definitions {
		d := &p.definitions[i]
		if c := &p.constructs[d.c]; d.unnamed && c.KeepOut == "" {
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
				c := &p.constructs[d.c]
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
