package directive

import (
	"strings"
	"sync"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/ctext"
)

// Parse is the directive and clause grammar, for all languages. l is the directive's text after the sentinel
// s. It fills in all of d but Extent and Pos, which are the caller's, and adds what it has to say to ds. All strings are
// parts of one copy of l's text, but for Name, which in Fortran is in small letters and has its blanks, and Clause.Name,
// which is the dictionary's: the construct type of `cancel do` is "for".
//
// It reports whether d is a directive that may be acted upon: one that the dictionary knows, or one of opari's own. A
// name that is not known, or that is not a combination OpenMP has, gets a warning: compilers ignore such a pragma, or
// the name is a macro. Text that cannot be read as a directive, such as a parenthesis that is never closed, gets an error.
func Parse(f *source.File, l *Logical, s Sentinel, lang omp.Language, d *Directive, ds *source.Diagnostics) bool {
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

// grammar is the state of parsing one directive. Positions are indexes of s.
type grammar struct {
	f    *source.File
	l    *Logical
	lang omp.Language
	d    *Directive
	ds   *source.Diagnostics
	s    string // the text of l; all strings of the directive are parts of it

	clauses []Clause // of this directive; the room behind them is for the next
	items   []string // the room for the items of further clauses
	commas  []int    // of the group read last: positions at depth 0
	colon   int      // of the group read last: position of the first colon that may end modifiers, or -1
}

// grammars keeps grammar values for the room that is left in their slices: clauses and items are cut from arrays that
// serve many directives, so that a directive costs little more than its text.
var grammars = sync.Pool{New: func() any { return new(grammar) }}

// The lengths of these arrays.
const (
	clauseRoom = 64
	itemRoom   = 128
)

// release hands the clauses over to the directive and gives p back.
func (p *grammar) release() {
	n := len(p.clauses)
	if n > 0 {
		p.d.Clauses = p.clauses[:n:n]
	}
	*p = grammar{clauses: p.clauses[n:], items: p.items, commas: p.commas[:0]}
	grammars.Put(p)
}

// newClause adds a clause. The pointer is good until the next call.
func (p *grammar) newClause() *Clause {
	n := len(p.clauses)
	if n == cap(p.clauses) {
		p.clauses = append(make([]Clause, 0, max(clauseRoom, 2*n)), p.clauses...)
	}
	p.clauses = p.clauses[:n+1]
	return &p.clauses[n]
}

// newItems is room for n items.
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

// blanks is the first index from i on that holds no blank.
func (p *grammar) blanks(i int) int {
	s := p.s
	for i < len(s) && ctext.IsBlank(s[i]) {
		i++
	}
	return i
}

// Word is the index after the identifier that starts at i; i itself when none does.
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

// name reads the directive's name: the longest that the dictionary has.
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
		p.d.Name, p.d.Leaves, p.d.NameExtent = JoinWords(p.s[start:bad]), nil, p.l.Extent(start, bad)
		p.warnf(start, "OpenMP has no directive '%s': it is copied through", p.d.Name)
		return bad, false
	}
	return end, true
}

// clauseAt reports whether no word follows i, or one that is a clause: then the name has ended.
func (p *grammar) clauseAt(i int) bool {
	i = p.blanks(i)
	e := p.word(i)
	return e == i || omp.ClauseNamed(p.lang, p.s[i:e]) != nil
}

// compactName is the longest name that starts at i when blanks mean nothing, and where it ends; nil and i when there is
// none. Fortran's fixed form has no blanks, and free form lets many be left out: `paralleldo`.
func (p *grammar) compactName(i int) (*omp.Name, int) {
	var room [64]byte
	squeezed := room[:0]
	for k := i; k < len(p.s) && len(squeezed) < cap(squeezed) && (ctext.IsWord[p.s[k]] || ctext.IsBlank(p.s[k])); k++ {
		if !ctext.IsBlank(p.s[k]) {
			squeezed = append(squeezed, p.s[k])
		}
	}
	n, used := omp.LookupCompact(p.lang, string(squeezed))
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

// strayDirective is the end of the directive names that follow a complete name at i and cannot be meant as clauses, as
// `for` in `barrier for`; i when none does.
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
			return end // only the start of a name: `enter`, `begin`
		}
		end, i = e, e
	}
}

// takes reports whether one of the directive's leaves takes the clause.
func (p *grammar) takes(c *omp.Clause) bool {
	for _, d := range p.d.Leaves {
		if d.Takes(c) {
			return true
		}
	}
	return false
}

// unknownName records and reports a name that is in no table: its first word, and the second after a first word that
// begins known names, as in `declare nonsense`.
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

// nameArg reads the argument that belongs to the name: critical(name), flush(a, b).
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

// JoinWords is s with one blank for each run of blanks.
func JoinWords(s string) string {
	if !strings.ContainsAny(s, "\t\n\v\f\r") && !strings.Contains(s, "  ") {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}
