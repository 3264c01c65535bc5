package rewrite

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"opari/descriptors"
	"opari/fortran"
)

// The dispatcher is the subroutine that the calls of a file go to. It reaches the library through a common block: an object that is
// linked without the library has it for itself, full of zeros, and calls nothing. The library's own definition, or its
// constructor, fills it in. At its first event the file hands over the text that tells of its regions.

// epilogue renders what stands behind the user's last line.
func (u *fortranUnit) epilogue() {
	u.lines = append(u.lines, "! Instrumented by opari for the POMP interface, ABI 1; opari strip gives the original back.\n"...)
	if u.options.Module && (u.called || u.controlled) {
		u.line("module pompm" + u.hash)
		u.text(moduleText)
	}
	if u.called {
		u.dispatching()
	}
	for _, n := range slices.Sorted(maps.Keys(u.counted)) {
		u.counting(n)
	}
	if u.addressed {
		u.addressing()
	}
	if u.controlled {
		u.controlling()
	}
}

// dispatching renders the dispatcher. Its test is for equality, which compilers take for unlikely, so that there is no jump where the
// library is not there or off, and what is read then is within 16 bytes. The first event goes to pomph(2), which leaves in k(1) where the slots of
// the file's regions are: 16 a region, first its descriptor, then what to jump to with it for each event. gfortran's dispatcher tells there where it
// begins (named): a compiler that does not optimize makes a call of the jump, and the library has to know that it is called from there.
func (u *fortranUnit) dispatching() {
	text := descriptors.FortranTable(u.table, u.joined, u.named())
	piece := u.textPiece()
	n := (len(text) + piece - 1) / piece
	u.procedure(u.dispatcher(), "i")
	declarations, where := unnamed.Replace(dispatcherText), ""
	if u.named() {
		declarations, where = dispatcherText, ","+u.dispatcher()
	}
	u.text(u.hooked(declarations))
	if u.named() {
		u.line("external " + u.dispatcher())
	}
	slots := u.slots(len(text), piece, n)
	for i := 0; i < n; i += textPieces {
		parts := []string{"data "}
		for j := i; j < min(n, i+textPieces); j++ {
			parts = append(parts, fmt.Sprintf("c(%d)/'%s'/,", j+1, text[j*piece:min(len(text), (j+1)*piece)]))
		}
		last := len(parts) - 1
		parts[last] = strings.TrimSuffix(parts[last], ",")
		statement, _ := u.layout.AppendParts(nil, parts)
		u.lines = append(u.lines, statement...)
	}
	for _, line := range []string{
		"if (pomph(1) == 1) then",
		"if (" + slots + "(1) == 0) then",
		"x = transfer(pomph(2),x)",
		"call x%p(int(i,c_int)," + slots + ",c" + where + ")",
		"return",
		"end if",
		"call c_f_pointer(transfer(" + slots + "(1),c_null_ptr),s,[huge(0)])",
		"y = transfer(s(i+1),y)",
		"call y%p(s(iand(" + u.whole() + ")+1))",
		"end if",
		"end subroutine",
	} {
		u.line(line)
	}
	if slots != "k" {
		u.line("subroutine " + u.locator() + "(p)")
		u.text(locatorText)
	}
}

// named reports whether the dispatcher tells where it begins: by the name that the linker knows it by, since its own would make it recursive. Where both are the
// same gfortran takes one for the other.
func (u *fortranUnit) named() bool { return u.options.Gfortran && !u.options.NoUnderscore }

var unnamed = strings.NewReplacer("(w,k,c,p)", "(w,k,c)", "external p\n", "")

// whole is the arguments of IAND that make the number of an event that of its region's first slot.
func (u *fortranUnit) whole() string {
	if u.options.ByValue {
		return "i,-16_8"
	}
	return "int(i),-16"
}

// controlling renders the procedure for controls, which the library takes also while it is off. pomph(6) takes them.
func (u *fortranUnit) controlling() {
	u.procedure(u.controls(), "i")
	u.text(u.hooked(controlsText))
	u.line("if (pomph(6) /= 0) then")
	u.line("x = transfer(pomph(6),x)")
	u.line("call x%p(int(i,c_int))")
	u.line("end if")
	u.line("end subroutine")
}

// hooked is the head of a procedure, which begins with a USE statement, with what it reaches the library through.
func (u *fortranUnit) hooked(text string) string {
	if !u.options.Module {
		return text + hookText
	}
	first, rest, _ := strings.Cut(text, "\n")
	return first + "\nuse pompm" + u.hash + ",only: pomph\n" + strings.TrimSuffix(rest, "\n")
}

// text adds statements of the file's own procedures, one a line.
func (u *fortranUnit) text(text string) {
	switch {
	case u.options.ByValue:
		text = byValue.Replace(text)
	case !u.options.Gfortran:
		text = plainKinds.Replace(text)
	}
	for line := range strings.SplitSeq(text, "\n") {
		u.line(line)
	}
}

// plainKinds makes integers that are like those of the user's literals, whatever kind these are. gfortran wants to be told of C's kind in a
// procedure that has a name for the linker, and looks at no call of it.
// What the library is handed is always a number of C's.
var (
	plainKinds = strings.NewReplacer("integer(c_int) ", "integer ")
	byValue    = strings.NewReplacer("integer(c_int) i", "integer(c_int64_t),value :: i", "integer(c_int64_t) b", "integer(c_int64_t),value :: b")
)

// procedure begins one of the file's own subroutines. gfortran would inline a part of it into each call, which may double the time that it
// takes; where it is the compiler, the subroutine has the name of the calls for the linker only. flang refuses that.
func (u *fortranUnit) procedure(name string, arguments ...string) {
	parts := append([]string{"subroutine " + u.own(name) + "("}, listed(arguments)...)
	parts[len(parts)-1] += ")"
	if u.options.Gfortran {
		if !u.options.NoUnderscore {
			name += "_"
		}
		parts = append(parts, " bind(c,", "name='"+name+"')")
	}
	statement, _ := u.layout.AppendParts(nil, parts)
	u.lines = append(u.lines, statement...)
}

// listed puts a comma behind each but the last.
func listed(names []string) []string {
	parts := slices.Clone(names)
	for i := range len(parts) - 1 {
		parts[i] += ","
	}
	return parts
}

// own is the name of one of the file's procedures within itself.
func (u *fortranUnit) own(name string) string {
	if u.options.Gfortran {
		return name[:len("pomp")] + "d" + name[len("pomp"):]
	}
	return name
}

// textPieces is how many pieces of the text of the regions one DATA statement has, each on a line: to find out what a statement is costs gfortran as
// much as to read two lines. Fortran 95 has 39 continuation lines, and 19 in fixed form.
const textPieces = 16

// textPiece is how much of the text of the regions stands on one line: so much that it fits with its mark.
func (u *fortranUnit) textPiece() int {
	if u.layout.Form == fortran.Fixed {
		return 36
	}
	return 96
}

// dispatcherText is the subroutine up to the text of the regions. What is called by address has a Fortran interface: with one that is
// bind(c) gfortran 12 fails on some files; and c_f_procpointer takes no other before Fortran 2018. k(1) is the library's, k(2) the
// length of the text. hookText: pomph(1): 1 where the library wants events; pomph(2): where it takes them; pomph(3): where it takes
// bounds of loops, if pomph(5) is below 0, which is 0 where pomph(1) is; pomph(4): where it takes addresses of variables; pomph(6): where it takes controls.
const (
	dispatcherText = `use,intrinsic :: iso_c_binding,only: c_int,c_intptr_t
use,intrinsic :: iso_c_binding,only: c_null_ptr,c_f_pointer
use,intrinsic :: iso_c_binding,only: c_int64_t
implicit none
integer(c_int) i
abstract interface
subroutine pomp_event(w,k,c,p)
use,intrinsic :: iso_c_binding,only: c_int,c_intptr_t
integer(c_int),value :: w
integer(c_intptr_t) k(*)
character(len=1) :: c(*)
external p
end subroutine
subroutine pomp_slot(d)
use,intrinsic :: iso_c_binding,only: c_intptr_t
integer(c_intptr_t),value :: d
end subroutine
end interface
type pomp_hook
procedure(pomp_event),pointer,nopass :: p
end type
type pomp_entry
procedure(pomp_slot),pointer,nopass :: p
end type
type(pomp_hook) x
type(pomp_entry) y
integer(c_intptr_t),pointer :: s(:)
`
	controlsText = `use,intrinsic :: iso_c_binding,only: c_int,c_intptr_t
use,intrinsic :: iso_c_binding,only: c_int64_t
implicit none
integer(c_int) i
abstract interface
subroutine pomp_control(w)
use,intrinsic :: iso_c_binding,only: c_int
integer(c_int),value :: w
end subroutine
end interface
type pomp_hook
procedure(pomp_control),pointer,nopass :: p
end type
type(pomp_hook) x
`
	hookText = `integer(c_intptr_t) pomph(8)
common /pomp_fortran_1/ pomph
bind(c,name='pomp_fortran_1') :: /pomp_fortran_1/`
	moduleText = `use,intrinsic :: iso_c_binding,only: c_intptr_t
implicit none
integer(c_intptr_t),bind(c,name='pomp_fortran_1') :: pomph(8)
end module`
)
