package descriptors

import (
	"fmt"
	"strconv"
	"strings"
)

// A FortranTable describes the regions of a file to the library, in a text for a Fortran character
// constant. Fortran needs this because it has no objects that are initialized with addresses and
// register themselves.
//
// The text begins with the number of its form and the number of regions. Each region has its
// fields in the order of the descriptor, with commas between them and a semicolon at the end. An
// omitted file name is that of the region before. After the regions come the merged calls, if
// there are any. Each of them lists the numbers of the calls that it replaces, in the same way.
// For two regions and one merged call:
//
//	3,2;4,0,0,0,3,3,6,6,0,0,parallel,,parallel%20do,f.f90;5,0,0,1,3,...;18,33;
//
// The number of the form is 1 without merged calls, 2 with them, and 3 where the dispatcher
// passes its address. It is 4 where the dispatcher passes the words of functions, and 5 where it
// passes both.
type FortranTable struct {
	Merged  [][]int // the numbers that each merged call replaces
	Address bool    // the file passes the dispatcher's address
	Words   bool    // the file passes the words by which functions are off

	regions int
	file    string // of the last region
}

// Head returns the text before the regions. It depends on all of them.
func (t *FortranTable) Head() []byte {
	form := "1"
	switch {
	case t.Words && t.Address:
		form = "5"
	case t.Words:
		form = "4"
	case t.Address:
		form = "3"
	case len(t.Merged) > 0:
		form = "2"
	}
	return fmt.Appendf(nil, "%s,%d;", form, t.regions)
}

// AppendRegion appends the text of the next region.
func (t *FortranTable) AppendRegion(b []byte, r *Region) []byte {
	t.regions++
	outer := 0
	if r.Outer != nil {
		outer = r.Outer.ID
	}
	for _, n := range [...]int{
		int(r.Kind), int(r.Schedule), r.Sections, outer, r.Begin[0],
		r.Begin[1], r.End[0], r.End[1], r.Hint,
	} {
		b = append(strconv.AppendInt(b, int64(n), 10), ',')
	}
	b = append(strconv.AppendUint(b, uint64(r.Facts), 16), ',')
	for _, s := range [...]string{r.nameAndOrder(), r.SubName, r.directiveAndKeys()} {
		b = append(appendEscaped(b, s), ',')
	}
	if r.File != t.file {
		t.file = r.File
		b = appendEscaped(b, t.file)
	}
	return append(b, ';')
}

// Tail returns the text after the regions.
func (t *FortranTable) Tail() (b []byte) {
	for _, numbers := range t.Merged {
		for _, n := range numbers {
			b = append(strconv.AppendInt(b, int64(n), 10), ',')
		}
		b[len(b)-1] = ';'
	}
	return b
}

// appendEscaped appends s, with %XX for each character that could end a field, a constant or a
// line.
func appendEscaped(b []byte, s string) []byte {
	const hex = "0123456789ABCDEF"
	for i := range len(s) {
		c := s[i]
		if c > ' ' && c < 0x7f && !strings.ContainsRune("%,;'\"\\&!?", rune(c)) {
			b = append(b, c)
			continue
		}
		b = append(b, '%', hex[c>>4], hex[c&15])
	}
	return b
}
