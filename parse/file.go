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
	Lang omp.Language // omp.C or omp.CPlusPlus
	// The text is the output of the compiler's preprocessor: line markers count, and it has no
	// macros and no #if.
	Preprocessed bool
	Verify       verify.Mode
	// The -I, -D, -U, -std= and -include of the compilation, for headers and for verifying.
	CPPFlags  []string
	Functions bool // function definitions become constructs too; see function.go
}

// File reads a C or C++ file. The tree is never nil. It may be instrumented if the diagnostics
// hold no error.
func File(f *source.File, o Options) (*construct.Tree, source.Diagnostics) {
	p := newParser(f, o, singlePart)
	p.read()
	p.finish()
	p.verify()
	return p.tree, p.ds
}

// verify compares the extents with those of the C front end, according to Options.Verify.
func (p *parser) verify() { verify.Tree(p.tree, p.verifyOptions(), p.unsureConstructs(), &p.ds) }

func (p *parser) verifyOptions() verify.Options {
	return verify.Options{
		Mode: p.options.Verify, Lang: p.options.Lang,
		Preprocessed: p.options.Preprocessed, CPPFlags: p.options.CPPFlags,
	}
}

// unsureConstructs returns the constructs whose extents are not certain.
func (p *parser) unsureConstructs() []*construct.Construct {
	if len(p.unsures) == 0 {
		return nil
	}
	slices.Sort(p.unsures)
	var out []*construct.Construct
	for _, c := range slices.Compact(p.unsures) {
		out = append(out, &p.constructs[c])
	}
	return out
}

// parser is the state of reading one file.
type parser struct {
	ctext.Lexer
	parting
	file    *source.File
	options Options
	tree    *construct.Tree
	ds      source.Diagnostics
	cursor  *source.Cursor
	line    directive.Logical // of the current directive

	stack
	ifs        branch.Tree
	conditions branch.Conditions
	warnedAt   int // the deathAt of the last warning

	extents
	firstState bool // the current state is the first to see the construct
	// atSections says that the previous token opened the block of a sections construct, in at
	// least one state.
	atSections bool

	functions   []function
	definitions []definition     // see function.go
	scopeNames  map[int32]string // the names of namespaces and classes, by the offset of the brace
	invocations []invocation
	call        int // the index of the lock call whose parenthesis is next, or -1

	attributesRead int32 // the number of attributes whose directives became constructs
	// The offsets of directives in attributes that are already in tree.Mentions.
	attributesSeen map[int]bool

	regions textRegions
	system  systemHeaders
	stopped bool // after a fatal error
	atEnd   bool // an error at the end of the text was reported
	errors  int

	macros            *macro.Table
	plainUntil        int  // the text before it is arguments of a macro that is not expanded
	conditionalMacros bool // an #if branch defined a macro
	headers           *headers
}

// function is a function definition.
type function struct {
	start, end int32 // the extent of its name
	name       string
}

// newParser returns a parser for parts of at least size constructs, calls and mentions, or for a
// singlePart.
func newParser(f *source.File, o Options, size int) *parser {
	if o.Lang == 0 {
		o.Lang = omp.C
	}
	p := &parser{
		file: f, options: o, tree: &construct.Tree{File: f},
		cursor: f.NewCursor(), call: -1,
	}
	p.Lexer = ctext.Lexer{
		Text: f.Text, Words: ctext.NewVocabulary(o.Lang),
		CPlusPlus: o.Lang == omp.CPlusPlus, AtLineStart: true,
	}
	p.Lexer.Fault, p.Lexer.Fatal = p.fault, p.fatal
	p.size = size
	n := roomFor(f.Text, size)
	p.constructs = make([]construct.Construct, 0, n)
	p.extras = make([]extra, 0, n)
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

// isModule reports whether the text is a module unit of C++20, which starts with `module;` or
// with `[export] module NAME`.
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
			if name, _ := ctext.NextWord(
				l.Text, l.Tok.End, end,
			); bytes.HasPrefix(name, []byte("include")) {
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

// read reads the text if it can be C.
func (p *parser) read() {
	if p.readable() {
		p.run()
	}
}

// run reads the entire text.
func (p *parser) run() {
	for !p.stopped {
		rough := false
		if len(p.states) == 1 {
			f := &p.frames[p.current.top]
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

// finish makes the tree from what was read.
func (p *parser) finish() {
	p.tree.Calls = slices.DeleteFunc(p.tree.Calls, func(c construct.RuntimeCall) bool {
		return c.End.Line == 0
	})
	for i := range p.definitions {
		p.functionExtent(&p.definitions[i])
	}
	r := p.resolver()
	r.bodies()
	p.keepCallsOut()
	for i := range p.constructs {
		if c := &p.constructs[i]; c.KeepOut == "" && c.Function != "" &&
			p.regions.targets[c.Function] {
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
	p.ds = append(p.ds, source.Diagnostic{
		Pos:      p.file.Position(offset),
		Severity: source.Error, Message: message, Hint: hint,
	})
	if p.errors++; p.errors == maxErrors {
		p.stopped = true
	}
}

// fatal reports an error after which nothing more can be read.
func (p *parser) fatal(offset int, message, hint string) {
	p.fail(offset, message, hint)
	p.stopped = true
}

// fault reports a literal that is not closed. It ignores those in #if branches, which may never
// be compiled.
func (p *parser) fault(offset int, message string) {
	if p.Branch == 0 {
		p.fail(offset, message, "close it")
	}
}

// function adds a function whose name is in the file.
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

func (p *parser) directiveStart(c int32) int { return p.constructs[c].Directive.Extent.Start }

// tokenText returns the text of the current token.
func (p *parser) tokenText() []byte {
	if p.Tok.Text != nil {
		return p.Tok.Text
	}
	return p.Text[p.Tok.Start:p.Tok.End]
}

// word returns tokenText as a string. It is never empty.
func (p *parser) word() string {
	if t := p.tokenText(); len(t) > 0 {
		return string(t)
	}
	return " "
}

// tokenName returns the words that messages use for the current token.
func (p *parser) tokenName() string {
	if p.Tok.Kind == ctext.EOF {
		return "the end of the file"
	}
	return "'" + string(p.tokenText()) + "'"
}

// nextByte returns the first byte after the current token that is no blank.
func (p *parser) nextByte() byte {
	if i := ctext.AfterBlanks(p.Text, p.Pos); i < len(p.Text) && p.Tok.Macro == 0 {
		return p.Text[i]
	}
	return 0
}
