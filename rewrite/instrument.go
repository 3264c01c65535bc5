package rewrite

import (
	"fmt"

	"opari/descriptors"
	"opari/fortran"
	"opari/internal/omp"
	"opari/parse/construct"
)

// Options say how the text is written.
type Options struct {
	Lang         omp.Language
	Preprocessed bool // the text comes from a compiler's preprocessor and goes to the compiler proper
	Optimized    bool // of preprocessed text: the compiler optimizes
	NoLine       bool // write no #line

	// Of Fortran.
	Form         fortran.Form
	LineLength   int    // as in fortran.Options
	CPP          bool   // the compiler runs its preprocessor over the text
	Gfortran     bool   // the compiler is gfortran
	GCC          bool   // the compiler is GCC's for C or C++
	ByValue      bool   // gfortran may be handed numbers by %VAL, which no standard has
	Join         bool   // calls that stand behind one another may be one: nobody reads the text
	NoUnderscore bool   // the compiler appends no underscore to external names
	NoBlock      bool   // the compiler keeps to a standard before that of 2008: no BLOCK construct, and without Module a COMMON block that stands once
	Module       bool   // reach the library through a module, ModuleName, not a COMMON block, which Fortran 2018 calls obsolescent and 2003 takes once
	Tag          string // parts two objects of one program that are made of the same file
}

// Instrument writes the text of t anew with the calls of table. The outcome is a function of the arguments alone.
// It refuses a text that is instrumented already.
func Instrument(t *construct.Tree, table *descriptors.Table, o Options) ([]byte, error) {
	out := make([]byte, 0, len(t.File.Text)+len(table.Regions)*400+4096)
	err := Write(t, table, o, func(b []byte) error {
		out = append(out, b...)
		return nil
	})
	return out, err
}

// Write is Instrument for large files: the text is handed to w in pieces, which must be used before w returns.
func Write(t *construct.Tree, table *descriptors.Table, o Options, w func([]byte) error) error {
	if o.Lang == omp.Fortran {
		if Instrumented(t.File.Text) {
			return instrumentedAlready(t.File)
		}
		return w(instrumentFortran(t, table, o))
	}
	u, err := NewWriter(t.File, o, w, w)
	if err != nil {
		return err
	}
	u.take(table)
	if err := w(u.Head()); err != nil {
		return err
	}
	u.appendRows()
	u.closeRows()
	u.rows.flush(u.Neck())
	u.print(u.body, u.edits())
	u.closeBody()
	return u.err
}

// edits pins the pieces of every placed construct to offsets.
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
			edits = append(edits, edit{d.End, i, depth, atDirective})
			continue
		}
		if !c.Implicit {
			edits = append(edits, edit{d.Start, i, depth, before}, edit{d.End, i, depth, atDirective})
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

// merge joins two sorted lists; of equals a comes first.
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

// print renders the edits, those at one spot as one run.
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
			case atDirective:
				marker = true
				if isUser(item) {
					p.lines = u.user(p.lines, item)
				} else {
					p.lines = u.behind(p.lines, item)
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
		p.passOn()
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
