package descriptors

import (
	"strings"

	"opari/internal/omp"
	"opari/parse/directive"
)

// dependOrder says in which order the items of d's depend clauses stand, for the library: the compiler hands them to the runtime sorted by kind, and of
// one kind in the order of the text ('+' comes first then) or the other way round ('-'). A letter for each item follows, o for out and inout, m for
// mutexinoutset, i for in, d for depobj, s for inoutset, in upper case where an iterator makes several of it, and a comma behind each clause. It is "" where
// there is nothing to sort, or a clause is not of these kinds.
func dependOrder(d *directive.Directive, fortran bool) string {
	var b strings.Builder
	if fortran || len(d.Leaves) > 1 { // gcc turns C's clauses round as it reads them, and once more as it deals out those of a combined construct
		b.WriteByte('+')
	} else {
		b.WriteByte('-')
	}
	items := 0
	for i := range d.Clauses {
		c := &d.Clauses[i]
		if c.Row != omp.ClauseDepend {
			continue
		}
		letter := dependLetter(c.Modifiers)
		if letter == 0 || strings.Contains(strings.ToLower(c.Args), "omp_all_memory") { // the latter is sorted to the front
			return ""
		}
		for range c.Items {
			b.WriteByte(letter)
		}
		b.WriteByte(',')
		items += len(c.Items)
	}
	if items < 2 {
		return ""
	}
	return b.String()
}

// dependLetter is the letter of a depend clause with these modifiers, 0 where they are not known.
func dependLetter(modifiers string) byte {
	words, iterator := modifiers, false
	if k := strings.LastIndexByte(modifiers, ')'); k >= 0 {
		words, iterator = modifiers[k+1:], true
	}
	var letter byte
	switch strings.ToLower(strings.Trim(words, ", \t")) {
	case "out", "inout":
		letter = 'o'
	case "mutexinoutset":
		letter = 'm'
	case "in":
		letter = 'i'
	case "depobj":
		letter = 'd'
	case "inoutset":
		letter = 's'
	default:
		return 0
	}
	if iterator {
		letter -= 'a' - 'A'
	}
	return letter
}

// nameAndOrder is the name of r, and behind its terminator the order of its dependences, if there is one.
func (r *Region) nameAndOrder() string {
	if r.Order == "" {
		return r.Name
	}
	return r.Name + "\x00" + r.Order
}

// order notes at r the order of the dependences that d gives it.
func (r *Region) order(d *directive.Directive, fortran bool) {
	if r.Facts&omp.HasDepend == 0 {
		return
	}
	if r.Order = dependOrder(d, fortran); r.Order != "" {
		r.Hint = OrderFollows
	}
}

// OrderFollows is the hint of a region whose name is followed by the order of its dependences. No such construct has a hint clause.
const OrderFollows = 1
