package rewrite

import (
	"fmt"
	"strconv"
	"strings"
)

// A program that the bare compiler has linked has a common block of its own. A preloaded library
// finds the block in the program's symbol table (pomp/src/units/find_block.c). If the table is
// stripped, the library looks for a mark in the program's data. After the mark comes the address of
// a procedure that returns the address of the block.
//
// The address of data may be an initial value only if the block has the SAVE attribute, which
// gfortran 12 does not see in common blocks. The address of a procedure always may.

// slotsMark holds the numbers of the mark. They fit C's int and equal those in
// pomp/src/units/find_block.c.
var slotsMark = [...]int{1347374416, 1177506898, 2085340011}

// slots declares the variable in which the library keeps its data about the file, and returns its
// name, k or k%k. It also declares c, the text of the regions, with the given length, in pieces.
// k(1) starts as zero, and k(2) is the length of the text. Before Fortran 2008, a
// procedure's address cannot be an initial value. Where the wrapper keeps to such a standard,
// there is no mark.
func (u *fortranUnit) slots(length int) string {
	piece := u.textPiece()
	pieces := (length + piece - 1) / piece
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
	parts := []string{
		"integer(c_intptr_t) :: k(" + strconv.Itoa(2+len(slotsMark)) + ") = ",
		"[" + first,
	}
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

// locator returns the name of the procedure that returns the address of the block.
func (u *fortranUnit) locator() string {
	return strings.Replace(u.dispatcher(), "pompx", "pompq", 1)
}

const locatorText = `use,intrinsic :: iso_c_binding,only: c_intptr_t,c_ptr,c_loc
implicit none
integer(c_intptr_t),target :: pomph(8)
common /pomp_fortran_1/ pomph
bind(c,name='pomp_fortran_1') :: /pomp_fortran_1/
type(c_ptr) p
p = c_loc(pomph)
end subroutine`
