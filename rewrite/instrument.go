package rewrite

import (
	"bytes"
	"fmt"

	"opari/descriptors"
	"opari/fortran"
	"opari/internal/omp"
	"opari/parse/construct"
)

// Options say how the text is written.
type Options struct {
	Lang omp.Language
	// The text comes from a compiler's preprocessor and goes to the compiler proper.
	Preprocessed bool
	Optimized    bool // the compiler optimizes; only for preprocessed text
	Sanitized    bool // a sanitizer instruments the code; only for preprocessed text
	NoLine       bool // write no #line
	SwitchOff    bool // functions test whether the library has switched them off

	// For Fortran.
	Form         fortran.Form
	LineLength   int  // as in fortran.Options
	CPP          bool // the compiler runs its preprocessor over the text
	Gfortran     bool // the compiler is gfortran
	GCC          bool // the compiler is GCC's for C or C++
	ByValue      bool // gfortran may get numbers by %VAL, which no standard has
	MergeCalls   bool // merge adjacent calls into one, because nobody reads the text
	NoUnderscore bool // the compiler appends no underscore to external names
	// NoBlock says that the compiler accepts only a standard older than Fortran 2008. Then the
	// text has no BLOCK construct, and without Module one COMMON block for the file.
	NoBlock bool
	// Module makes the text reach the library through the module ModuleName instead of a COMMON
	// block. Fortran 2018 calls COMMON blocks obsolescent, and 2003 accepts this one only once.
	Module bool
	Tag    string // distinguishes two objects of one program that come from the same file
	// Symbols returns the names of functions without effect that the unit defines for scripts that
	// look for them in objects. It gets the numbers of constructs and of user regions.
	Symbols func(constructs, users int) []string
}

// NeedsOnePart reports whether a Fortran file must be written in one part.
func (o *Options) NeedsOnePart() bool { return o.MergeCalls || o.SwitchOff }

// Instrument returns the text of t with the calls of table. The result depends on the arguments
// alone. It refuses a text that is already instrumented.
func Instrument(t *construct.Tree, table *descriptors.Table, o Options) ([]byte, error) {
	out := make([]byte, 0, len(t.File.Text)+len(table.Regions)*400+4096)
	err := Write(t, table, o, func(b []byte) error {
		out = append(out, b...)
		return nil
	})
	return out, err
}

// Write is Instrument for large files: it passes the text to w in pieces, which w must use before
// it returns.
func Write(t *construct.Tree, table *descriptors.Table, o Options, w func([]byte) error) error {
	if o.Lang == omp.Fortran {
		var rows bytes.Buffer
		u, err := NewFortranWriter(t.File, o, func(b []byte) error {
			rows.Write(b)
			return nil
		}, w)
		if err != nil {
			return err
		}
		if err := u.Part(t, table); err != nil {
			return err
		}
		return u.Close(&rows)
	}
	u, err := NewWriter(t.File, o, w, w)
	if err != nil {
		return err
	}
	u.startPart(table)
	if err := w(u.BeforeRows()); err != nil {
		return err
	}
	u.appendRows()
	u.closeRows()
	u.rows.flush(u.AfterRows())
	u.print(u.body, u.edits())
	u.closeBody()
	return u.err
}

// edits assigns offsets to the pieces of every placed construct.
func (u *unit) edits() []edit {
	t := u.table
	edits := make([]edit, 0, 4*len(t.Placed)+8)
	var open []int32 // placed constructs whose end is still to come
	closeTo := func(depth int) {
		for len(open) > 0 && t.Placed[open[len(open)-1]].Depth >= depth {
			i := open[len(open)-1]
			open = open[:len(open)-1]
			p := &t.Placed[i]
			edits = append(edits, edit{p.Construct.Extent.End, i, uint16(p.Depth), end})
		}
	}
	for n := range t.Placed {
		p, i := &t.Placed[n], int32(n)
		closeTo(p.Depth)
		c, depth := p.Construct, uint16(p.Depth)
		d := c.Directive.Extent
		if isFunction(p) {
			edits = append(edits, edit{c.Body.Start, i, depth, entry})
			continue
		}
		if isUser(p) {
			edits = append(edits, edit{d.End, i, depth, afterDirective})
			continue
		}
		if !c.Implicit {
			edits = append(edits, edit{d.Start, i, depth, before},
				edit{d.End, i, depth, afterDirective})
		}
		if hasBody(c) && !silent(p) {
			edits = append(edits, edit{c.Body.Start, i, depth, begin})
			open = append(open, i)
		}
	}
	closeTo(0)
	sortEdits(edits)
	return u.withCalls(edits)
}

// withCalls merges the inline edits of lock calls into edits.
func (u *unit) withCalls(edits []edit) []edit {
	n := len(edits)
	for i, r := range u.table.Regions {
		if r.Call != nil {
			edits = append(edits, edit{r.Call.Extent.Start, int32(i), 0, inline})
		}
	}
	if len(edits) == n {
		return edits
	}
	return merge(edits[:n:n], edits[n:])
}

// merge merges two sorted lists. Of edits at the same offset, those of a come first.
func merge(a, b []edit) []edit {
	out := make([]edit, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0].at <= b[0].at {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}

func isUser(p *descriptors.Placed) bool {
	return len(p.Regions) == 0 || p.Regions[0].Leaf == nil
}

// print renders the edits. The edits at one spot form one run.
func (u *unit) print(p *printer, edits []edit) {
	text := p.f.Text
	for i := 0; i < len(edits); {
		e := edits[i]
		if e.piece.within() {
			u.within(p, e)
			i++
			continue
		}
		s := place(text, e.at, e.piece.closes())
		skip, marker := 0, true
		for ; i < len(edits) && !edits[i].piece.within(); i++ {
			e = edits[i]
			here := place(text, e.at, e.piece.closes())
			if here != s && here.at != s.at+skip {
				break
			}
			item := &u.table.Placed[e.item]
			switch e.piece {
			case before:
				p.lines = u.before(p.lines, item)
				if rewritten(item) {
					marker = false
					if u.options.Preprocessed {
						skip = place(text, item.Construct.Directive.Extent.End, true).at - s.at
						marker = true
					}
				}
			case begin:
				p.lines = u.begin(p.lines, item)
			case afterDirective:
				marker = true
				if isUser(item) {
					p.lines = u.user(p.lines, item)
				} else {
					p.lines = u.afterDirective(p.lines, item)
				}
			case end:
				p.lines = u.end(p.lines, item)
			}
		}
		p.run(s, skip, marker)
	}
}

// within renders an edit within a line.
func (u *unit) within(p *printer, e edit) {
	if e.piece == inline {
		u.lockCall(p, u.table.Regions[e.item])
	} else {
		u.entry(p, e.at, u.table.Placed[e.item].Regions[0].ID)
		p.finishRun()
	}
}

// lockCall turns omp_set_lock(&l) into pomp_set_lock(/*@omp_set_lock*/7, &l).
func (u *unit) lockCall(p *printer, r *descriptors.Region) {
	c := r.Call
	u.locks[c.Name] = true
	p.copyTo(c.Extent.Start)
	p.out = append(p.out, "pomp_"+c.Name[len("omp_"):]...)
	p.copied = c.Extent.End
	p.copyTo(c.Open + 1)
	if !u.options.Preprocessed {
		p.out = append(p.out, markPrefix+c.Name+markSuffix...)
	}
	p.out = fmt.Appendf(p.out, "%d, ", r.ID)
}
