package verify

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/ctext"
)

// Mode says when the scanner's extents are held against a compiler's view of the text.
type Mode uint8

// The modes.
const (
	Auto   Mode = iota // only where the scanner is unsure
	Never              //
	Always             //
)

// Options say how a file is read.
type Options struct {
	Mode         Mode
	Lang         omp.Language
	Preprocessed bool     // the text is the output of the compiler's preprocessor
	CPPFlags     []string // of the compilation
}

// Tree has the C front end check the extents that the scanner found, and changes what it knows better:
//
//   - both agree, or the front end's extent is one of the branches that the scanner's covers: nothing changes;
//   - the scanner is unsure of the construct: the front end's extent, which knows all macros, takes the place of its own;
//   - the front end says that a body starts or ends inside a macro's expansion, or in another file: the construct
//     becomes Unsafe, with the name;
//   - anything else is an error: one of the two is wrong about the program.
//
// Directives that are in no active branch of the one configuration that the front end sees are not checked. A directive
// that the front end sees and nobody has spoken of is an error too.
//
// Under VerifyAuto that is done only when there are constructs of whose extents the scanner is unsure, which ordinary files
// do not have: the front end takes longer than all else together. Those that the front end does not confirm become Unsafe.
//
// When the front end cannot read the file there is one warning, with its first message, and the scanner's word stands where
// it is sure. That is so under VerifyAlways too: the front end is known to refuse 2 in 1000 valid files, and what an
// instrumented program needs is a correct scanner, which those files do not disprove.
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

// Unconfirmed makes those unsure constructs unsafe that are not among the confirmed ones.
func Unconfirmed(unsure []*construct.Construct, confirmed map[*construct.Construct]bool) {
	for _, c := range unsure {
		if c.Unsafe == "" && !confirmed[c] {
			c.Unsafe = "what looks like a macro that is not known may end the body; preprocess the file, or give the -I of its header"
		}
	}
}

// verifyTree does what verify says and tells what was compared.
func verifyTree(t *construct.Tree, o Options, unsure []*construct.Construct, ds *source.Diagnostics) verified {
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
		nested(t.Constructs, source.Extent{End: len(t.File.Text)})
	}
	missed(t, u.unmarked, ds)
	return n
}

// adopt gives c the end that the front end found, if that is a place in the text.
func adopt(c *construct.Construct, s *ccStatement) {
	if s.found && s.reason() == "" && c.Body.Start <= s.extent.Start {
		c.Body.End, c.Extent.End = s.extent.End, s.extent.End
	}
}

// nested makes those constructs unsafe that do not lie within the body around them and apart from one another: one of
// them got another end, and the scanner had ordered them by the old one.
func nested(forest []*construct.Construct, body source.Extent) {
	from := body.Start
	for _, c := range forest {
		if c.Unsafe == "" && (c.Extent.Start < from || c.Extent.End > body.End) {
			c.Unsafe = "what looks like a macro that is not known changes where the body ends"
		}
		from = max(from, c.Extent.End)
		if c.Kind != construct.NoBlock {
			nested(c.Inner, c.Body)
		}
	}
}

// verified tells what was compared. Disagreements are in the diagnostics.
type verified struct {
	Confirmed  map[*construct.Construct]bool
	Unread     bool // by the front end
	Statements int  // in active branches, compared or unsafe
	Unsafe     int  // of them, those of whose ends the scanner or the front end says that nothing may stand there
	Inactive   int  // directives in other branches
}

// missed complains about the directives, given by offsets in their lines, that the front end sees and that the scanner
// neither put in the tree nor mentioned in a message.
func missed(t *construct.Tree, unmarked []int, ds *source.Diagnostics) {
	if len(unmarked) == 0 {
		return
	}
	type line struct {
		file string
		line int
	}
	spoken := map[line]bool{}
	for _, d := range *ds {
		spoken[line{d.Pos.File, d.Pos.Line}] = true
	}
	for _, m := range t.Mentions {
		spoken[line{m.Pos.File, m.Pos.Line}] = true
	}
	for _, o := range unmarked {
		if p := t.File.Position(o); !p.System && !spoken[line{p.File, p.Line}] {
			ds.Errorf(t.File, o, "the scanner and the C front end disagree about whether this directive is one")
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

// messagePlace is how the front end's messages start.
var messagePlace = regexp.MustCompile(`^(.*?):(\d+):(?:(\d+):)?\s*`)

// Unreadable is the warning that the front end cannot read the file. It stands where the front end's message does, if
// that is in this file.
func Unreadable(f *source.File, err error) source.Diagnostic {
	message, _, _ := strings.Cut(err.Error(), "\n")
	message = strings.TrimPrefix(message, "-: ") // at the end of the file
	pos := f.Position(0)
	if m := messagePlace.FindStringSubmatch(message); m != nil && m[1] == f.Name {
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

// offsetOf is where a physical line and column, from 1, stand; the end of the text when there is no such line.
func offsetOf(f *source.File, line, column int) int {
	o := 0
	for ; line > 1 && o < len(f.Text); line-- {
		o = f.NextLine(o)
	}
	return min(o+max(0, column-1), len(f.Text))
}

// compareWith holds the scanner's construct against the front end's statement.
func compareWith(f *source.File, c *construct.Construct, s *ccStatement, ds *source.Diagnostics) {
	switch {
	case s.reason() != "":
		if c.Unsafe == "" {
			c.Unsafe = s.reason()
		}
	case c.Unsafe != "":
		// What is not touched need not be agreed upon.
	case !s.found:
		disagree(f, c, ds, "no statement follows for the C front end")
	case s.extent.End == c.Body.End && c.Body.Start <= s.extent.Start:
	case covers(f, c.Body, s.extent):
	case s.extent.Start < c.Body.Start || s.extent.Start >= c.Body.End:
		disagree(f, c, ds, "it starts at "+lineColumn(f, c.Body.Start)+" for the scanner and at "+lineColumn(f, s.extent.Start)+
			" for the C front end")
	default:
		disagree(f, c, ds, "it ends before "+lineColumn(f, c.Body.End)+" for the scanner and before "+lineColumn(f, s.extent.End)+
			" for the C front end")
	}
}

// reason says why nothing may be put around the statement; "" when something may.
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

// covers reports whether body, as found by the scanner, stretches over the branches of an #if, of which the statement is
// one: the body ends with an #endif, and the branch ends with the statement.
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
		"the scanner and the C front end disagree about the end of the statement after '%s': %s", c.Directive.Name, how)
}

// lineColumn is line:column.
func lineColumn(f *source.File, offset int) string {
	p := f.Position(offset)
	return strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column)
}
