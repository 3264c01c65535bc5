package descriptors

import (
	"strings"

	"opari/internal/omp"
	"opari/parse/directive"
)

// dependOrder describes, for the library, the order of the items in d's depend clauses. The
// compiler passes them to the runtime sorted by kind. Within one kind they have the order of the
// text, for which the result begins with '+', or the reverse, for which it begins with '-'.
//
// Then follow a letter for each item and a comma after each clause:
//
//	o  out, inout
//	m  mutexinoutset
//	i  in
//	d  depobj
//	s  inoutset
//
// An upper-case letter says that an iterator makes several dependences of the item. For
//
//	depend(out: a, b) depend(iterator(i = 0:n), in: c[i])
//
// the result is "-oo,I," in C. It is "" where there is nothing to sort, or a clause is of another
// kind.
func dependOrder(d *directive.Directive, fortran bool) string {
	var b strings.Builder
	// gcc reverses C's clauses as it reads them, and once more as it distributes those of a
	// combined construct.
	if fortran || len(d.Leaves) > 1 {
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
		// Omp_all_memory is sorted to the front.
		if letter == 0 || strings.Contains(strings.ToLower(c.Args), "omp_all_memory") {
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

// dependLetter returns the letter of a depend clause with these modifiers, or 0 where they are
// unknown.
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

// nameAndOrder returns the name of r, followed after its terminator by the order of its
// dependences, if there is one.
func (r *Region) nameAndOrder() string {
	if r.Order == "" {
		return r.Name
	}
	return r.Name + "\x00" + r.Order
}

// setOrder sets the order of the dependences that d gives r.
func (r *Region) setOrder(d *directive.Directive, fortran bool) {
	if r.Facts&omp.HasDepend == 0 {
		return
	}
	if r.Order = dependOrder(d, fortran); r.Order != "" {
		r.Hint = OrderFollows
	}
}

// OrderFollows is the hint of a region whose name is followed by the order of its dependences. A
// construct with depend clauses has no hint clause.
const OrderFollows = 1
