package parse

import (
	"bytes"
	"cmp"
	"slices"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/branch"
	"opari/parse/construct"
	"opari/parse/ctext"
	"opari/parse/directive"
	"opari/parse/macro"
	"opari/parse/verify"
)

// Options say how a file is read.
type Options struct {
	Lang         omp.Language // omp.C or omp.CPlusPlus
	Preprocessed bool         // text is the output of the compiler's preprocessor: markers count, no macros, no #if
	Verify       verify.Mode
	CPPFlags     []string // -I, -D, -U, -std=, -include of the compilation, for headers and for verifying
	Functions    bool     // the definitions of functions are constructs too; see function.go
}

// File reads a C or C++ file. The tree is never nil. It is good for instrumenting when the diagnostics hold no error.
func File(f *source.File, o Options) (*construct.Tree, source.Diagnostics) {
	p := newParser(f, o, unparted)
	p.read()
	p.finish()
	p.verify()
	return p.tree, p.ds
}

// Tree holds the extents against the front end's, where that is wanted.
func (p *parser) verify() { verify.Tree(p.tree, p.verifyOptions(), p.unsureConstructs(), &p.ds) }

func (p *parser) verifyOptions() verify.Options {
	return verify.Options{Mode: p.o.Verify, Lang: p.o.Lang, Preprocessed: p.o.Preprocessed, CPPFlags: p.o.CPPFlags}
}

// unsureConstructs are the constructs of whose extents the scanner is not sure.
func (p *parser) unsureConstructs() []*construct.Construct {
	if len(p.unsures) == 0 {
		return nil
	}
	slices.Sort(p.unsures)
	var out []*construct.Construct
	for _, c := range slices.Compact(p.unsures) {
		out = append(out, &p.cs[c])
	}
	return out
}

// parser is the state of reading one file.
type parser struct {
	ctext.Lexer
	parting
	f      *source.File
	o      Options
	tree   *construct.Tree
	ds     source.Diagnostics
	cursor *source.Cursor
	line   directive.Logical // of the directive at hand

	stack
	ifs        branch.Tree
	conditions branch.Conditions
	warnedAt   int // the deathAt that was warned of last

	extents
	fresh bool // the state at hand is the first to see the construct
	// atSections: the token before opened the block of a sections construct, in one state at least.
	atSections bool

	functions   []function
	definitions []definition     // see function.go
	scopeNames  map[int32]string // of scopes, by the offset of the brace
	invocations []invocation
	call        int // index of the lock call whose parenthesis is next, or -1

	attributesRead int32        // attributes whose directives became constructs
	attributesSeen map[int]bool // offsets of directives in attributes that were mentioned

	regions textRegions
	system  systemHeaders
	stopped bool // after a fatal error
	atEnd   bool // an error at the end of the text was reported
	errors  int

	macros            *macro.Table
	plainUntil        int  // up to here the text is arguments of a macro that is not expanded
	conditionalMacros bool // one was defined in an #if branch
	headers           *headers
}

// function is one function definition.
type function struct {
	start, end int32 // of its name
	name       string
}

// newParser makes a parser for parts of at least size constructs, calls and mentions, or unparted.
func newParser(f *source.File, o Options, size int) *parser {
	if o.Lang == 0 {
		o.Lang = omp.C
	}
	p := &parser{f: f, o: o, tree: &construct.Tree{File: f}, cursor: f.NewCursor(), call: -1}
	p.Lexer = ctext.Lexer{Text: f.Text, Words: ctext.NewVocabulary(o.Lang), CPlusPlus: o.Lang == omp.CPlusPlus, AtLineStart: true}
	p.Lexer.Fault, p.Lexer.Fatal = p.fault, p.fatal
	p.size = size
	n := roomFor(f.Text, size)
	p.cs = make([]construct.Construct, 0, n)
	p.aux = make([]extra, 0, n)
	p.ifs, p.conditions.CPlusPlus = branch.NewTree(), p.CPlusPlus
	p.invocations = []invocation{{}}
	p.stack = newStack()
	p.lastEnd.offset, p.warnedAt = -1, -1
	p.macros = macro.NewTable(p.Words, p.CPlusPlus)
	if !o.Preprocessed {
		p.headers = newHeaders(o.CPPFlags)
		p.commandLine()
	}
	return p
}

// readable reports whether the text can be C at all.
func (p *parser) readable() bool {
	if len(p.Text) >= 1<<31-1 {
		p.fatal(0, "the file is larger than 2 GB", "")
		return false
	}
	if i := bytes.IndexByte(p.Text, 0); i >= 0 {
		p.fatal(i, "a NUL byte: this is no program text", "convert it to UTF-8 if it is UTF-16")
		return false
	}
	if bytes.HasPrefix(p.Text, []byte("\xef\xbb\xbf")) {
		p.Pos = 3
	}
	if p.isModule() {
		p.regions.add(regionModule, 1)
	}
	return true
}

// isModule reports whether the text is a module unit of C++20: it starts with module; or with [export] module NAME.
func (p *parser) isModule() bool {
	if !p.CPlusPlus {
		return false
	}
	l := p.sub(p.Pos)
	l.AtLineStart = true
	word := func() string {
		for {
			if l.Next(false); l.Tok.Kind != ctext.Hash {
				return string(l.Text[l.Tok.Start:l.Tok.End])
			}
			end := ctext.LineEnd(l.Text, l.Tok.End)
			if name, _ := ctext.NextWord(l.Text, l.Tok.End, end); bytes.HasPrefix(name, []byte("include")) {
				l.Tok.Start, l.Tok.End = end, end
				return ""
			}
			l.Pos, l.AtLineStart = end, true
		}
	}
	first := word()
	if first == "export" {
		first = word()
	}
	if first != "module" {
		return false
	}
	next := word()
	return next == ";" || next != "" && ctext.IsWord[next[0]]
}

// Read reads the text, if it can be one.
func (p *parser) read() {
	if p.readable() {
		p.run()
	}
}

// run reads the whole text.
func (p *parser) run() {
	for !p.stopped {
		rough := false
		if len(p.states) == 1 {
			f := &p.frames[p.cur.top]
			rough = f.kind == inParen || f.kind == inItem && f.flags&itemNoBody != 0
		} else if len(p.states) == 0 {
			p.abandon()
		}
		p.Next(rough)
		switch p.Tok.Kind {
		case ctext.Hash:
			p.preprocessing()
			continue
		case ctext.Macro:
			if p.expand() {
				continue
			}
		case ctext.Lock:
			p.lockCall()
			p.Tok.Kind = ctext.Word
		case ctext.PragmaOperator:
			p.mentionOperator()
		case '(':
			p.feed()
			p.call = -1
			continue
		case '[':
			if p.attributes() {
				continue
			}
		case '}', ';':
			p.feed()
			p.endPart()
			continue
		case ctext.EOF:
			p.feed()
			if n := len(p.openIfs); n > 0 {
				p.fail(p.openIfs[n-1].start, "this #if has no #endif", "")
			}
			return
		}
		p.feed()
	}
}

// finish makes the tree of what was read.
func (p *parser) finish() {
	p.tree.Calls = slices.DeleteFunc(p.tree.Calls, func(c construct.RuntimeCall) bool { return c.End.Line == 0 })
	for i := range p.definitions {
		p.functionExtent(&p.definitions[i])
	}
	r := p.resolver()
	r.bodies()
	p.keepCallsOut()
	for i := range p.cs {
		if c := &p.cs[i]; c.KeepOut == "" && c.Function != "" && p.regions.targets[c.Function] {
			c.KeepOut = "in a function that declare target names"
		}
	}
	if len(p.definitions) > 0 {
		p.keepOffDevices()
	}
	p.tree.Constructs = r.forest()
	slices.SortStableFunc(p.tree.Mentions, func(a, b construct.Mention) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line))
	})
}

// fail reports an error.
func (p *parser) fail(offset int, message, hint string) {
	if p.stopped || p.atEnd {
		return
	}
	p.atEnd = p.Tok.Kind == ctext.EOF && p.Pos >= len(p.Text)
	p.ds = append(p.ds, source.Diagnostic{Pos: p.f.Position(offset), Severity: source.Error, Message: message, Hint: hint})
	if p.errors++; p.errors == maxErrors {
		p.stopped = true
	}
}

// Fatal reports an error after which nothing can be read.
func (p *parser) fatal(offset int, message, hint string) {
	p.fail(offset, message, hint)
	p.stopped = true
}

// Fault reports a literal that is not closed. In an #if branch that may never be compiled it means nothing.
func (p *parser) fault(offset int, message string) {
	if p.Branch == 0 {
		p.fail(offset, message, "close it")
	}
}

// function adds a function whose name stands in the file.
func (p *parser) function(name [2]int32) int32 {
	p.functions = append(p.functions, function{start: name[0], end: name[1]})
	return int32(len(p.functions) - 1)
}

func (p *parser) functionName(fn int32) string {
	if fn < 0 {
		return ""
	}
	f := &p.functions[fn]
	if f.name == "" && f.end > f.start {
		f.name = string(p.Text[f.start:f.end])
	}
	return f.name
}

func (p *parser) directiveStart(c int32) int { return p.cs[c].Directive.Extent.Start }

// tokenText is the text of the token at hand.
func (p *parser) tokenText() []byte {
	if p.Tok.Text != nil {
		return p.Tok.Text
	}
	return p.Text[p.Tok.Start:p.Tok.End]
}

// Word is tokenText as a string that is not empty.
func (p *parser) word() string {
	if t := p.tokenText(); len(t) > 0 {
		return string(t)
	}
	return " "
}

// tokenName is what messages call the token at hand.
func (p *parser) tokenName() string {
	if p.Tok.Kind == ctext.EOF {
		return "the end of the file"
	}
	return "'" + string(p.tokenText()) + "'"
}

// nextByte is the first byte behind the token at hand that is no blank.
func (p *parser) nextByte() byte {
	if i := ctext.AfterBlanks(p.Text, p.Pos); i < len(p.Text) && p.Tok.Macro == 0 {
		return p.Text[i]
	}
	return 0
}
