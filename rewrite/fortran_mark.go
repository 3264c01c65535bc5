package rewrite

import (
	"fmt"
	"strconv"
	"strings"
)

// A program that the bare compiler has linked has the common block for itself. A library that is preloaded finds the block by the
// program's symbol table (pomp/src/units/find_block.c); where that is stripped off, by a mark in its data, behind which stands the address of a procedure that tells where the block
// is. Addresses of data cannot be initial values before the block has the SAVE attribute, which gfortran 12 does not see in common blocks; those of procedures can.

// slotsMark are the numbers of the mark; they fit C's int and are those of pomp/src/units/find_block.c.
var slotsMark = [...]int{1347374416, 1177506898, 2085340011}

// slots declares k, where the library keeps what it knows of the file, and returns its name; and c, the text of the regions, of that length and in so many
// pieces. k(1) is zero at first, k(2) the length of the text of the
// regions. Standards before 2008 know no initial value for the address; where the wrapper keeps to one, there is no mark.
func (u *fortranUnit) slots(length, piece, pieces int) string {
	text := fmt.Sprintf("character(len=%d),save :: c(%d)", piece, pieces)
	first := "0," + strconv.Itoa(length)
	if !u.options.ByValue {
		u.line("integer(c_intptr_t),save :: k(2)")
		u.line(text)
		u.line("data k /" + first + "/")
		return "k"
	}
	u.line("external " + u.locator())
	u.line("type pomp_mark")
	parts := []string{"integer(c_intptr_t) :: k(" + strconv.Itoa(2+len(slotsMark)) + ") = ", "[" + first}
	for _, n := range slotsMark {
		parts[len(parts)-1] += ","
		parts = append(parts, strconv.Itoa(n))
	}
	parts[len(parts)-1] += "]"
	statement, _ := u.layout.AppendParts(nil, parts)
	u.lines = append(u.lines, statement...)
	u.line("procedure(),pointer,nopass :: p => " + u.locator())
	u.line("end type")
	u.line("type(pomp_mark),save :: k")
	u.line(text)
	return "k%k"
}

// locator is the name of the procedure that tells where the block is.
func (u *fortranUnit) locator() string { return strings.Replace(u.dispatcher(), "pompx", "pompq", 1) }

const locatorText = `use,intrinsic :: iso_c_binding,only: c_intptr_t,c_ptr,c_loc
implicit none
integer(c_intptr_t),target :: pomph(8)
common /pomp_fortran_1/ pomph
bind(c,name='pomp_fortran_1') :: /pomp_fortran_1/
type(c_ptr) p
p = c_loc(pomph)
end subroutine`
