// Package verify checks the extents that package parse found against a C front end,
// modernc.org/cc.
//
// The scanner in parse does not know types, and may not know all macros. The front end does: it
// reads the same text with the headers and flags of the compilation. A normaliser first makes the
// text digestible and puts a numbered comment in place of each directive, without moving
// anything:
//
//	#pragma omp for                          /*@0@*/
//	for (i = 0; i < n; i++)        becomes   for (i = 0; i < n; i++)
//	    a[i] = 0;                                a[i] = 0;
//
// The statement that the front end finds after /*@0@*/ must have the extent that the scanner
// found. Tree compares the two. It takes time, so ordinary files are not verified: see Auto.
package verify

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"opari/internal/omp"
	"opari/internal/pattern"
	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/ctext"
)

// Mode says when the C front end checks the scanner's extents.
type Mode uint8

// The modes.
const (
	Auto Mode = iota // only if the scanner is unsure of an extent
	Never
	Always
)

// Options say how a file is read.
type Options struct {
	Mode         Mode
	Lang         omp.Language
	Preprocessed bool     // the text is the output of the compiler's preprocessor
	CPPFlags     []string // the flags of the compilation
}

// Tree lets the C front end check the extents that the scanner found, and corrects them:
//
//   - If both agree, or the front end's extent is one of the branches that the scanner's covers,
//     nothing changes.
//   - If the scanner is unsure of a construct, the front end's extent replaces its own, because
//     the front end knows all macros.
//   - If the front end says that a body starts or ends inside a macro's expansion or in another
//     file, the construct becomes Unsafe, with the name.
//   - Anything else is an error: one of the two is wrong about the program.
//
// The front end sees one configuration, so Tree does not check directives outside its active
// branches. A directive that the front end sees is also an error if it is neither in the tree nor
// in a message.
//
// Under Auto the front end runs only if the scanner is unsure of some construct, because it takes
// longer than everything else together. Ordinary files have no such constructs. Those that the
// front end does not confirm become Unsafe.
//
// If the front end cannot read the file, there is one warning, with its first message, and the
// extents of which the scanner is sure stay. This holds under Always too. The front end is known
// to refuse 2 of 1000 valid files; those do not show that the scanner is wrong.
func Tree(t *construct.Tree, o Options, unsure []*construct.Construct, ds *source.Diagnostics) {
	if o.Mode == Never || o.Mode == Auto && len(unsure) == 0 || ds.HasErrors() {
		return
	}
	var n verified
	if o.Lang == omp.C { // the front end knows no C++
		n = verifyTree(t, o, unsure, ds)
	}
	Unconfirmed(unsure, n.Confirmed)
}

// Unconfirmed makes the unsure constructs unsafe that are not among the confirmed ones.
func Unconfirmed(unsure []*construct.Construct, confirmed map[*construct.Construct]bool) {
	for _, c := range unsure {
		if c.Unsafe == "" && !confirmed[c] {
			c.Unsafe = "what looks like a macro that is not known may end the body; " +
				"preprocess the file, or give the -I of its header"
		}
	}
}

// verifyTree does what Tree describes, and returns what it compared.
func verifyTree(t *construct.Tree, o Options,
	unsure []*construct.Construct, ds *source.Diagnostics,
) verified {
	n := verified{Confirmed: map[*construct.Construct]bool{}}
	constructs := written(t.Constructs)
	u, err := readUnit(t.File, o, directiveExtents(constructs))
	if err != nil {
		*ds = append(*ds, Unreadable(t.File, err))
		return verified{Unread: true}
	}
	for i, c := range constructs {
		s := &u.statements[i]
		switch {
		case !s.active:
			n.Inactive++
		case c.Kind == construct.Stmt:
			if slices.Contains(unsure, c) {
				adopt(c, s)
			}
			compareWith(t.File, c, s, ds)
			n.Statements++
			if c.Unsafe != "" {
				n.Unsafe++
			} else {
				n.Confirmed[c] = true
			}
		}
	}
	if len(unsure) > 0 {
		checkNesting(t.Constructs, source.Extent{End: len(t.File.Text)})
	}
	reportMissed(t, u.unmarked, ds)
	return n
}

// adopt gives c the end that the front end found, if that end is a place in the text.
func adopt(c *construct.Construct, s *ccStatement) {
	if s.found && s.reason() == "" && c.Body.Start <= s.extent.Start {
		c.Body.End, c.Extent.End = s.extent.End, s.extent.End
	}
}

// checkNesting makes those constructs unsafe that are not properly nested: one inside the body
// around it, and none overlapping the next. This happens if one of them got another end, because
// the scanner arranged them by the old one.
func checkNesting(forest []*construct.Construct, body source.Extent) {
	from := body.Start
	for _, c := range forest {
		if c.Unsafe == "" && (c.Extent.Start < from || c.Extent.End > body.End) {
			c.Unsafe = "what looks like a macro that is not known changes where the body ends"
		}
		from = max(from, c.Extent.End)
		if c.Kind != construct.NoBlock {
			checkNesting(c.Inner, c.Body)
		}
	}
}

// verified says what was compared. Disagreements are in the diagnostics.
type verified struct {
	Confirmed  map[*construct.Construct]bool
	Unread     bool // the front end could not read the file
	Statements int  // in active branches, compared or unsafe
	// Those among Statements with an end where nothing may be inserted, according to either of
	// the two.
	Unsafe   int
	Inactive int // directives in other branches
}

// reportMissed reports the directives that the front end sees but that are neither in the tree
// nor in a message. unmarked has an offset in the line of each.
func reportMissed(t *construct.Tree, unmarked []int, ds *source.Diagnostics) {
	if len(unmarked) == 0 {
		return
	}
	type line struct {
		file string
		line int
	}
	reported := map[line]bool{}
	for _, d := range *ds {
		reported[line{d.Pos.File, d.Pos.Line}] = true
	}
	for _, m := range t.Mentions {
		reported[line{m.Pos.File, m.Pos.Line}] = true
	}
	for _, o := range unmarked {
		if p := t.File.Position(o); !p.System && !reported[line{p.File, p.Line}] {
			ds.Errorf(t.File, o,
				"the scanner and the C front end disagree about whether this directive is one")
		}
	}
}

// written lists the constructs that have a directive in the text.
func written(forest []*construct.Construct) []*construct.Construct {
	var constructs []*construct.Construct
	construct.Walk(forest, func(c *construct.Construct) {
		if !c.Implicit {
			constructs = append(constructs, c)
		}
	})
	return constructs
}

func directiveExtents(constructs []*construct.Construct) []source.Extent {
	marks := make([]source.Extent, len(constructs))
	for i, c := range constructs {
		marks[i] = c.Directive.Extent
	}
	return marks
}

const frontEndRefuses = "the C front end cannot check this file: "

// messagePlace matches the place at the start of the front end's messages.
var messagePlace = pattern.Lazy{Text: `^(.*?):(\d+):(?:(\d+):)?\s*`}

// Unreadable returns the warning that the front end cannot read the file. Its position is that of
// the front end's message, if that is in this file.
func Unreadable(f *source.File, err error) source.Diagnostic {
	message, _, _ := strings.Cut(err.Error(), "\n")
	message = strings.TrimPrefix(message, "-: ") // the prefix of messages at the end of the file
	pos := f.Position(0)
	if m := messagePlace.Get().FindStringSubmatch(message); m != nil && m[1] == f.Name {
		line, _ := strconv.Atoi(m[2])
		column, _ := strconv.Atoi(m[3])
		pos = f.Position(offsetOf(f, line, column))
		message = message[len(m[0]):]
	}
	return source.Diagnostic{
		Pos: pos, Severity: source.Warning,
		Message: frontEndRefuses + message,
		Hint:    "give the flags of the compilation (-I, -D, -std=), or turn verification off",
	}
}

// offsetOf returns the offset of a physical line and column, which count from 1. It returns the
// end of the text if there is no such line.
func offsetOf(f *source.File, line, column int) int {
	o := 0
	for ; line > 1 && o < len(f.Text); line-- {
		o = f.NextLine(o)
	}
	return min(o+max(0, column-1), len(f.Text))
}

// compareWith compares the scanner's construct with the front end's statement.
func compareWith(f *source.File, c *construct.Construct, s *ccStatement, ds *source.Diagnostics) {
	switch {
	case s.reason() != "":
		if c.Unsafe == "" {
			c.Unsafe = s.reason()
		}
	case c.Unsafe != "":
		// An unsafe construct is not instrumented, so the two need not agree.
	case !s.found:
		disagree(f, c, ds, "no statement follows for the C front end")
	case s.extent.End == c.Body.End && c.Body.Start <= s.extent.Start:
	case covers(f, c.Body, s.extent):
	case s.extent.Start < c.Body.Start || s.extent.Start >= c.Body.End:
		disagree(f, c, ds, "it starts at "+lineColumn(f, c.Body.Start)+
			" for the scanner and at "+lineColumn(f, s.extent.Start)+
			" for the C front end")
	default:
		disagree(f, c, ds, "it ends before "+lineColumn(f, c.Body.End)+
			" for the scanner and before "+lineColumn(f, s.extent.End)+
			" for the C front end")
	}
}

// reason returns why nothing may be inserted around the statement, or "".
func (s *ccStatement) reason() string {
	switch {
	case s.startMacro != "":
		return "the body starts inside the expansion of macro " + s.startMacro
	case s.startFile != "":
		return "the body starts in " + s.startFile
	case s.endMacro != "":
		return "the body ends inside the expansion of macro " + s.endMacro
	case s.endFile != "":
		return "the body ends in " + s.endFile
	}
	return ""
}

// covers reports whether body, as found by the scanner, extends over the branches of an #if, and
// the statement is one of them. Then the body ends with an #endif, and the branch with the
// statement.
func covers(f *source.File, body, statement source.Extent) bool {
	if statement.Start < body.Start || statement.End >= body.End {
		return false
	}
	text := bytes.TrimRight(f.Text[body.Start:body.End], " \t\r\n")
	last := bytes.TrimLeft(text[bytes.LastIndexByte(text, '\n')+1:], " \t")
	if len(last) == 0 || last[0] != '#' {
		return false
	}
	if name, _ := directiveName(last, 0); name != "endif" {
		return false
	}
	next := ctext.AfterBlanks(f.Text, statement.End)
	if next >= len(f.Text) || f.Text[next] != '#' {
		return false
	}
	switch name, _ := directiveName(f.Text, next); name {
	case "else", "elif", "elifdef", "elifndef", "endif":
		return true
	}
	return false
}

func disagree(f *source.File, c *construct.Construct, ds *source.Diagnostics, how string) {
	ds.Errorf(f, c.Directive.Extent.Start,
		"the scanner and the C front end disagree about the end of the statement after '%s': %s",
		c.Directive.Name, how)
}

// lineColumn returns line:column.
func lineColumn(f *source.File, offset int) string {
	p := f.Position(offset)
	return strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column)
}
