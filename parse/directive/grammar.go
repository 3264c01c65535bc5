package directive

import (
	"strings"
	"sync"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/ctext"
)

// Parse reads l, the text of a directive after the sentinel s. It fills in all of d but Extent
// and Pos, which the caller sets, and adds its messages to ds.
//
// All strings of d are parts of one copy of l's text, with two exceptions. In Fortran, Name is in
// small letters and has its blanks. Clause.Name is the table's: for the construct type of
// `cancel do` it is "for".
//
// Parse reports whether the caller may act upon d, that is, whether the table knows the directive
// or it is one of opari's own. An unknown name, or a combination that OpenMP does not have, gets
// a warning: compilers ignore such a pragma, or the name is a macro. Text that cannot be read as
// a directive gets an error, for example a parenthesis that is never closed.
func Parse(f *source.File, l *Logical, s Sentinel, lang omp.Language,
	d *Directive, ds *source.Diagnostics,
) bool {
	*d = Directive{Extent: d.Extent, Pos: d.Pos, Sentinel: s}
	p := grammars.Get().(*grammar)
	defer p.release()
	p.f, p.l, p.lang, p.d, p.ds, p.s = f, l, lang, d, ds, string(l.Text)
	i := p.blanks(0)
	if p.isUserDirective(i) {
		return p.userDirective(i)
	}
	if s == POMP {
		p.unknownName(i)
		return false
	}
	i, ok := p.name(i)
	if ok {
		i, ok = p.nameArg(i)
	}
	return ok && p.clauseList(i)
}

// grammar is the state of parsing one directive. Positions are indexes into s.
type grammar struct {
	f    *source.File
	l    *Logical
	lang omp.Language
	d    *Directive
	ds   *source.Diagnostics
	s    string // the text of l; all strings of the directive are parts of it

	// The clauses of this directive; the capacity after them is for the next directive.
	clauses []Clause
	items   []string // free space for the items of further clauses
	commas  []int    // the commas at depth 0 of the group read last
	colon   int      // the first colon that may end modifiers, in the group read last; or -1
}

// grammars reuses grammar values for the free space in their slices. Clauses and items come from
// arrays that serve many directives, so a directive costs little more than its text.
var grammars = sync.Pool{New: func() any { return new(grammar) }}

// The lengths of these arrays.
const (
	clauseRoom = 64
	itemRoom   = 128
)

// release hands the clauses over to the directive and returns p to the pool.
func (p *grammar) release() {
	n := len(p.clauses)
	if n > 0 {
		p.d.Clauses = p.clauses[:n:n]
	}
	*p = grammar{clauses: p.clauses[n:], items: p.items, commas: p.commas[:0]}
	grammars.Put(p)
}

// newClause adds a clause. The pointer is valid until the next call.
func (p *grammar) newClause() *Clause {
	n := len(p.clauses)
	if n == cap(p.clauses) {
		p.clauses = append(make([]Clause, 0, max(clauseRoom, 2*n)), p.clauses...)
	}
	p.clauses = p.clauses[:n+1]
	return &p.clauses[n]
}

// newItems returns space for n items.
func (p *grammar) newItems(n int) []string {
	if n > len(p.items) {
		p.items = make([]string, max(itemRoom, n))
	}
	items := p.items[:n:n]
	p.items = p.items[n:]
	return items
}

func (p *grammar) errorf(i int, format string, args ...any) {
	p.ds.Errorf(p.f, p.l.Offset(i), format, args...)
}

func (p *grammar) warnf(i int, format string, args ...any) {
	p.ds.Warnf(p.f, p.l.Offset(i), format, args...)
}

// blanks returns the first index from i on that holds no blank.
func (p *grammar) blanks(i int) int {
	s := p.s
	for i < len(s) && ctext.IsBlank(s[i]) {
		i++
	}
	return i
}

// word returns the index after the identifier that starts at i, or i if none starts there.
func (p *grammar) word(i int) int {
	s := p.s
	if i >= len(s) || !ctext.IsWord[s[i]] || ctext.IsDigit(s[i]) {
		return i
	}
	for i < len(s) && ctext.IsWord[s[i]] {
		i++
	}
	return i
}

// name reads the directive's name, which is the longest that the table has.
func (p *grammar) name(i int) (int, bool) {
	start := i
	w := omp.NewWalk(p.lang)
	var best *omp.Name
	end := i
	for {
		e := p.word(i)
		if e == i {
			break
		}
		var ok bool
		if w, ok = w.Next(p.s[i:e]); !ok {
			break
		}
		if n := w.Name(); n != nil {
			best, end = n, e
		}
		i = p.blanks(e)
	}
	if p.lang == omp.Fortran && (best == nil || !p.clauseAt(end)) {
		if n, e := p.compactName(start); e > end && (best == nil || p.word(e) == e) {
			best, end = n, e
		}
	}
	if best == nil {
		p.unknownName(start)
		return start, false
	}
	p.d.Name, p.d.Leaves, p.d.NameExtent = best.Text, best.Leaves, p.l.Extent(start, end)
	if bad := p.strayDirective(end); bad > end {
		p.d.Name, p.d.Leaves, p.d.NameExtent =
			JoinWords(p.s[start:bad]), nil, p.l.Extent(start, bad)
		p.warnf(start, "OpenMP has no directive '%s': it is copied through", p.d.Name)
		return bad, false
	}
	return end, true
}

// clauseAt reports whether the name has ended at i: a clause follows there, or no word at all.
func (p *grammar) clauseAt(i int) bool {
	i = p.blanks(i)
	e := p.word(i)
	return e == i || omp.ClauseNamed(p.lang, p.s[i:e]) != nil
}

// compactName returns the longest name that starts at i if blanks mean nothing, and its end. It
// returns nil and i if there is none. Fortran's fixed form ignores blanks, and free form allows
// many to be left out, as in `paralleldo`.
func (p *grammar) compactName(i int) (*omp.Name, int) {
	var room [64]byte
	squeezed := room[:0]
	for k := i; k < len(p.s) && len(squeezed) < cap(squeezed) &&
		(ctext.IsWord[p.s[k]] || ctext.IsBlank(p.s[k])); k++ {
		if !ctext.IsBlank(p.s[k]) {
			squeezed = append(squeezed, p.s[k])
		}
	}
	n, used := omp.LookupCompact(string(squeezed))
	if n == nil {
		return nil, i
	}
	for ; used > 0; i++ {
		if !ctext.IsBlank(p.s[i]) {
			used--
		}
	}
	return n, i
}

// strayDirective returns the end of the directive names that follow a complete name at i and
// cannot be clauses, such as `for` in `barrier for`. It returns i if there are none.
func (p *grammar) strayDirective(i int) int {
	end := i
	for {
		k := p.blanks(i)
		e := p.word(k)
		if e == k {
			return end
		}
		word := p.s[k:e]
		if _, ok := omp.NewWalk(p.lang).Next(word); !ok || p.takes(omp.ClauseNamed(p.lang, word)) {
			return end
		}
		if _, n := omp.Lookup(p.lang, word); n == 0 {
			return end // this word only begins names: `enter`, `begin`
		}
		end, i = e, e
	}
}

// takes reports whether one of the directive's leaves allows the clause.
func (p *grammar) takes(c *omp.Clause) bool {
	for _, d := range p.d.Leaves {
		if d.Takes(c) {
			return true
		}
	}
	return false
}

// unknownName records and reports a name that is in no table. It takes the first word. It adds
// the second if the first begins known names, as in `declare nonsense`.
func (p *grammar) unknownName(i int) {
	e := p.word(i)
	sentinel := "OpenMP"
	if p.d.Sentinel == POMP {
		sentinel = "pomp"
	}
	if e == i {
		p.d.NameExtent = p.l.Extent(i, i)
		if i < len(p.s) {
			p.warnf(i, "expected the name of an %s directive: the line is copied through", sentinel)
		} else {
			p.warnf(i, "an %s directive without a name is copied through", sentinel)
		}
		return
	}
	if _, ok := omp.NewWalk(p.lang).Next(p.s[i:e]); ok && p.d.Sentinel == OMP {
		if k := p.blanks(e); p.word(k) > k {
			e = p.word(k)
		}
	}
	p.d.Name, p.d.NameExtent = JoinWords(p.s[i:e]), p.l.Extent(i, e)
	p.warnf(i, "unknown %s directive '%s' is copied through", sentinel, p.d.Name)
}

// nameArg reads the argument that belongs to the name, as in critical(name) and flush(a, b).
func (p *grammar) nameArg(i int) (int, bool) {
	k := p.blanks(i)
	if k >= len(p.s) || p.s[k] != '(' {
		return i, true
	}
	end, ok := p.group(k)
	if !ok {
		p.unclosed(k, p.d.Name)
		return end, false
	}
	last := p.d.Leaves[len(p.d.Leaves)-1]
	if last.Arg == omp.ArgNone {
		p.warnf(k, "directive '%s' takes no argument: it is copied through", p.d.Name)
	}
	p.d.Arg, p.d.HasArg = strings.TrimSpace(p.s[k+1:end-1]), true
	return end, true
}

// unclosed reports that the parenthesis at i has no partner.
func (p *grammar) unclosed(i int, what string) {
	p.errorf(i, "the '(' after '%s' is never closed in this directive", what)
}

// JoinWords returns s with each run of blanks replaced by one blank.
func JoinWords(s string) string {
	if !strings.ContainsAny(s, "\t\n\v\f\r") && !strings.Contains(s, "  ") {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}
