package omp

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Name is a directive name in a permitted spelling: a leaf, a synonym of one, or a compound.
type Name struct {
	Text   string       // words joined by one blank, in the spelling of the language: "parallel do"
	Leaves []*Directive // at least one; shared, never changed
	Since  Version
}

// clauseSet is a set of clauses by ID.
type clauseSet [3]uint64

func (s *clauseSet) add(id int)      { s[id>>6] |= 1 << (id & 63) }
func (s *clauseSet) has(id int) bool { return s[id>>6]>>(id&63)&1 != 0 }

// Takes reports whether the directive takes the clause, in any version.
func (d *Directive) Takes(c *Clause) bool { return c != nil && takenBy(d).all.has(c.ID) }

// StandsAloneWith reports whether the clause makes the directive stand-alone: ordered with
// depend.
func (d *Directive) StandsAloneWith(c *Clause) bool {
	return c != nil && takenBy(d).standAlone.has(c.ID)
}

// trie holds the names of one language family, word by word.
type trie struct {
	words wordTable
	nodes []node // nodes[0] is the root
	names []*Name
	// compact maps names without their blanks, for Fortran's fixed form; else it is nil. longest is
	// the length of the longest such name.
	compact map[string]*Name
	longest int
}

// maxCompact bounds the length of a name without its blanks.
const maxCompact = 64

type node struct {
	next []uint16 // by word; 0: no such child; nil for a leaf of the trie
	name *Name    // the name that ends here, or nil
}

func (t *trie) insert(n *Name) {
	at := uint16(0)
	for w := range strings.FieldsSeq(n.Text) {
		id := t.words.add(w)
		if grow := id + 1 - len(t.nodes[at].next); grow > 0 {
			t.nodes[at].next = append(t.nodes[at].next, make([]uint16, grow)...)
		}
		if t.nodes[at].next[id] == 0 {
			t.nodes = append(t.nodes, node{})
			t.nodes[at].next[id] = uint16(len(t.nodes) - 1)
		}
		at = t.nodes[at].next[id]
	}
	t.nodes[at].name = n
	t.names = append(t.names, n)
	if t.compact == nil {
		return
	}
	c := strings.ReplaceAll(n.Text, " ", "")
	t.compact[c] = n
	if t.longest = max(t.longest, len(c)); t.longest > maxCompact {
		panic("omp: a name longer than maxCompact: " + c)
	}
}

// Walk is a position in the table of names, reached word by word. It is a value, so a copy keeps
// an earlier position.
type Walk struct {
	t  *trie
	at uint16
}

// NewWalk returns the position before the first word of a directive in lang. C and C++ share
// their names. Fortran ignores case.
func NewWalk(lang Language) Walk { return Walk{t: tableOf(lang)} }

// Next returns the position after one more word. If no name continues with it, Next returns the
// same position and false.
func (w Walk) Next(word string) (Walk, bool) {
	id := w.t.words.find(word)
	next := w.t.nodes[w.at].next
	if id < 0 || id >= len(next) || next[id] == 0 {
		return w, false
	}
	return Walk{w.t, next[id]}, true
}

// Name returns the name that consists of the words so far, or nil.
func (w Walk) Name() *Name { return w.t.nodes[w.at].name }

// Lookup returns the longest name that words start with, and its number of words, or nil and 0
// without one. A word has no blanks: Lookup(C, "parallel", "for", "nowait") returns "parallel
// for" and 2.
func Lookup(lang Language, words ...string) (*Name, int) {
	var best *Name
	used := 0
	w := NewWalk(lang)
	for i, word := range words {
		var ok bool
		if w, ok = w.Next(word); !ok {
			break
		}
		if n := w.Name(); n != nil {
			best, used = n, i+1
		}
	}
	return best, used
}

// LookupCompact returns the longest name of Fortran that text starts with, and its length. The
// words have no blanks between them, as the fixed form allows: "paralleldoprivate(i)" gives
// "parallel do" and 10. Case does not matter.
func LookupCompact(text string) (*Name, int) {
	t := namesFortran()
	var buf [maxCompact]byte
	low := buf[:min(t.longest, len(text))]
	for i := range low {
		c := text[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		low[i] = c
	}
	for n := len(low); n > 0; n-- {
		if name := t.compact[string(low[:n])]; name != nil {
			return name, n
		}
	}
	return nil, 0
}

// Names lists every name of a language, leaves first, in the order of the tables.
func Names(lang Language) []*Name { return tableOf(lang).names }

// ClauseNamed returns the row of the clause that a program in lang calls name, or nil.
func ClauseNamed(lang Language, name string) *Clause {
	if i := clausesOf(lang).find(name); i >= 0 {
		return &Clauses[i]
	}
	return nil
}

// DirectiveNamed returns the leaf called name in C spelling, or nil.
func DirectiveNamed(name string) *Directive {
	for i := range Directives {
		if Directives[i].Name == name {
			return &Directives[i]
		}
	}
	return nil
}

// A source has one language, and the tables of the other take time.
var (
	namesC         = sync.OnceValue(func() *trie { return newTrie(C) })
	namesFortran   = sync.OnceValue(func() *trie { return newTrie(Fortran) })
	clausesC       = sync.OnceValue(func() *wordTable { return newClauses(C) })
	clausesFortran = sync.OnceValue(func() *wordTable { return newClauses(Fortran) })
)

// newClauses returns the names of the clauses in a language. The index is the clause's ID.
func newClauses(lang Language) *wordTable {
	t := &wordTable{fold: lang == Fortran}
	for i := range Clauses {
		c := &Clauses[i]
		if lang == Fortran {
			t.add(cmp.Or(c.Fortran, c.Name))
		} else {
			t.add(c.Name)
		}
	}
	return t
}

func clausesOf(lang Language) *wordTable {
	if lang == Fortran {
		return clausesFortran()
	}
	return clausesC()
}

// taken holds the clauses that a directive takes, and those of them with which it stands alone.
type taken struct{ all, standAlone clauseSet }

// takes is by the directives' IDs.
var takes = sync.OnceValue(func() []taken {
	out := make([]taken, len(Directives))
	for i := range Directives {
		d := &Directives[i]
		for name := range d.Clauses.All() {
			out[i].all.add(ClauseNamed(C, name).ID)
		}
		for name := range d.StandAloneWith.All() {
			out[i].standAlone.add(ClauseNamed(C, name).ID)
		}
	}
	return out
})

func takenBy(d *Directive) *taken { return &takes()[d.ID] }

func tableOf(lang Language) *trie {
	if lang == Fortran {
		return namesFortran()
	}
	return namesC()
}

func init() {
	for i := range Clauses {
		Clauses[i].ID = i
	}
	for i := range Directives {
		Directives[i].ID = i
	}
}

func newTrie(lang Language) *trie {
	t := &trie{
		words: wordTable{fold: lang == Fortran}, nodes: make([]node, 1),
	}
	if lang == Fortran {
		t.compact = map[string]*Name{}
	}
	for i := range Directives {
		d := &Directives[i]
		if d.Langs&lang == 0 {
			continue
		}
		leaves := []*Directive{d}
		for _, s := range append([]string{d.NameIn(lang)}, d.Synonyms...) {
			t.insert(&Name{s, leaves, d.Since})
		}
	}
	for _, c := range Compounds {
		if c.Langs&lang == 0 {
			continue
		}
		leaves := leavesOf(c.Name)
		spelled := make([]string, len(leaves))
		for i, d := range leaves {
			spelled[i] = d.NameIn(lang)
		}
		t.insert(&Name{strings.Join(spelled, " "), slices.Clip(leaves), c.Since})
	}
	return t
}

// leavesOf returns the leaves of a compound's C name. Each leaf that can be combined is one word.
func leavesOf(name string) []*Directive {
	var leaves []*Directive
	for w := range strings.FieldsSeq(name) {
		d := DirectiveNamed(w)
		if d == nil {
			panic(fmt.Sprintf("omp: compound %q: no directive %q", name, w))
		}
		leaves = append(leaves, d)
	}
	return leaves
}
