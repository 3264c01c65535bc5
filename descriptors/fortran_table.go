package descriptors

import (
	"strconv"
	"strings"
)

// FortranTable tells the library of the regions of t in a text that can stand in a Fortran character constant: Fortran has no
// objects that are initialised with addresses and register themselves. It begins with the number of its form and of regions;
// each region has its fields in the order of the descriptor, with commas between them and a semicolon at the end. A file name
// that is left out is that of the region before. Behind the regions come the calls that were joined, if there are: each has the numbers of
// those that it stands for, in the same way. The first number is then 2, or 3 where the dispatcher is named: it says where it is.
func FortranTable(t *Table, joined [][]int, named bool) string {
	b := make([]byte, 0, 64*len(t.Regions)+16*len(joined)+16)
	switch {
	case named:
		b = append(b, "3,"...)
	case len(joined) > 0:
		b = append(b, "2,"...)
	default:
		b = append(b, "1,"...)
	}
	b = append(strconv.AppendInt(b, int64(len(t.Regions)), 10), ';')
	file := ""
	for _, r := range t.Regions {
		outer := 0
		if r.Outer != nil {
			outer = r.Outer.ID
		}
		for _, n := range [...]int{int(r.Kind), int(r.Schedule), r.Sections, outer, r.Begin[0], r.Begin[1], r.End[0], r.End[1], r.Hint} {
			b = append(strconv.AppendInt(b, int64(n), 10), ',')
		}
		b = append(strconv.AppendUint(b, uint64(r.Facts), 16), ',')
		for _, s := range [...]string{r.nameAndOrder(), r.SubName, r.Directive} {
			b = append(appendEscaped(b, s), ',')
		}
		if r.File != file {
			file = r.File
			b = appendEscaped(b, file)
		}
		b = append(b, ';')
	}
	for _, whats := range joined {
		for _, n := range whats {
			b = append(strconv.AppendInt(b, int64(n), 10), ',')
		}
		b[len(b)-1] = ';'
	}
	return string(b)
}

// appendEscaped appends s with what could end a field, a constant or a line written as %XX.
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
