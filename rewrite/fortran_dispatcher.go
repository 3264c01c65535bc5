package rewrite

import (
	"fmt"
	"strings"

	"opari/descriptors"
)

// The dispatcher is the subroutine that the calls of a file go to. It reaches the library through a common block: an object that is
// linked without the library has it for itself, full of zeros, and calls nothing. The library's own definition, or its
// constructor, fills it in. At its first event the file hands over the text that tells of its regions. Integers are of the default kind,
// like the literals of the calls, which a compiler compares with what it knows of the file. An optimizing compiler inlines the test whether
// anything is measured into each call.

// epilogue renders what stands behind the user's last line.
func (u *fortranUnit) epilogue() {
	u.lines = append(u.lines, "! Instrumented by opari for the POMP interface, ABI 1; opari strip gives the original back.\n"...)
	if u.options.Module && (u.called || u.controls) {
		u.line("module pompm" + u.hash)
		u.text(moduleText)
	}
	if u.called {
		u.dispatching()
	}
	if u.counted {
		u.counting()
	}
	if u.addressed {
		u.addressing()
	}
	if u.controls {
		u.controlling()
	}
}

// dispatching renders the dispatcher.
func (u *fortranUnit) dispatching() {
	text := descriptors.FortranTable(u.table)
	n := (len(text) + textPiece - 1) / textPiece
	u.line("subroutine " + u.dispatcher() + "(ie,ir)")
	u.text(u.hooked(dispatcherText) + fmt.Sprintf(regionsText, textPiece, n, len(text)))
	for i := range n {
		u.line(fmt.Sprintf("data c(%d) /'%s'/", i+1, text[i*textPiece:min(len(text), (i+1)*textPiece)]))
	}
	u.text(dispatchText)
}

// hooked is the head of a procedure, which begins with a USE statement, with what it reaches the library through.
func (u *fortranUnit) hooked(text string) string {
	if !u.options.Module {
		return text + hookText
	}
	first, rest, _ := strings.Cut(text, "\n")
	return first + "\nuse pompm" + u.hash + ",only: h\n" + strings.TrimSuffix(rest, "\n")
}

// text adds statements, one a line.
func (u *fortranUnit) text(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		u.line(line)
	}
}

// textPiece is how much of the text of the regions stands in one DATA statement: so much that the line fits into fixed form with its mark.
const textPiece = 36

// dispatcherText is the subroutine up to the text of the regions. What is called by address has a Fortran interface: with one that is
// bind(c) gfortran 12 fails on some files; and c_f_procpointer takes no other before Fortran 2018. k(1) is the library's, k(2) the
// length of the text. hookText: h(1): whether the library measures; h(2): where it takes events; h(3): where it takes
// the first of a file; h(4): bounds of loops; h(5): addresses of variables; h(6): controls.
const (
	dispatcherText = `use,intrinsic :: iso_c_binding,only: c_intptr_t
implicit none
integer ie,ir
abstract interface
subroutine pomp_event(e,r,k)
use,intrinsic :: iso_c_binding,only: c_intptr_t
integer e,r
integer(c_intptr_t) k(*)
end subroutine
subroutine pomp_first(e,r,k,c)
use,intrinsic :: iso_c_binding,only: c_intptr_t
integer e,r
integer(c_intptr_t) k(*)
character(len=1) :: c(*)
end subroutine
end interface
type pomp_hook
procedure(pomp_event),pointer,nopass :: p
procedure(pomp_first),pointer,nopass :: q
end type
type(pomp_hook) x
`
	dispatchText = `if (h(1) == 0) return
x = transfer(h(2:3),x)
if (k(1) /= 0) then
call x%p(ie,ir,k)
else
call x%q(ie,ir,k,c)
end if
end subroutine`
	hookText = `integer(c_intptr_t) h(8)
common /pomp_fortran_1/ h
bind(c,name='pomp_fortran_1') :: /pomp_fortran_1/`
	moduleText = `use,intrinsic :: iso_c_binding,only: c_intptr_t
implicit none
integer(c_intptr_t),bind(c,name='pomp_fortran_1') :: h(8)
end module`
	regionsText = `
integer(c_intptr_t),save :: k(2)
character(len=%d),save :: c(%d)
data k /0,%d/`
)
