package rewrite

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"opari/fortran"
)

// The dispatcher is the subroutine that the calls of a file go to. It reaches the library through
// a common block. An object that is linked without the library has a block of its own, full of
// zeros, and calls nothing. The library's own definition of the block, or its constructor, fills
// it in. At its first event, the file passes the text that describes its regions.

// epilogue renders the text after the user's last line. rows has the descriptions of the regions.
func (u *fortranUnit) epilogue(rows io.Reader) {
	u.lines = append(u.lines, "! Instrumented by opari for the POMP interface, ABI 1; "+
		"opari strip gives the original back.\n"...)
	if u.options.Module && (u.called || u.controlled) {
		u.line("module pompm" + u.hash)
		u.text(moduleText)
	}
	if u.called {
		u.dispatcherProcedure(rows)
	}
	for _, n := range slices.Sorted(maps.Keys(u.counted)) {
		u.boundsProcedure(n)
	}
	if u.addressed {
		u.addressProcedure()
	}
	if u.controlled {
		u.controlsProcedure()
	}
	if u.called && u.options.Symbols != nil {
		for _, name := range u.options.Symbols(u.constructs, u.users) {
			u.line("subroutine " + name + "()")
			u.line("call " + u.dispatcher() + "(" + u.argument(0) + ")")
			u.line("end subroutine")
		}
	}
}

// dispatcherProcedure renders the dispatcher. It tests for equality, which compilers take for
// unlikely. So there is no jump where the library is absent or off, and the memory that it then
// reads lies within 16 bytes.
//
// The first event goes to pomph(2), which stores in k(1) the address of the slots of the file's
// regions. A region has 16 slots: its descriptor, then for each event the routine to jump to with
// it.
//
// If functions may be switched off, the dispatcher also passes their words. If passesAddress, it
// also passes its own address. Without optimization, a compiler turns the jump into a call, and
// the library must know that this call comes from the dispatcher.
func (u *fortranUnit) dispatcherProcedure(rows io.Reader) {
	u.described.Address, u.described.Words = u.passesAddress(), u.switched
	head, tail := u.described.Head(), u.described.Tail()
	length := len(head) + u.rowBytes + len(tail)
	u.procedure(u.dispatcher(), "i")
	more, where, declarations := "", "", ""
	if u.switched {
		more, where = ",o", ",pomp_offs"
		declarations = wordKind + "o(*)\n"
	}
	if u.passesAddress() {
		more, where = more+",p", where+","+u.dispatcher()
		declarations += "external p\n"
	}
	u.text(u.withHook(strings.NewReplacer("MORE", more, "DECLARATIONS\n", declarations).
		Replace(dispatcherText)))
	if u.switched {
		u.line(wordKind + u.words())
		u.line("common /pompo" + u.hash + "/ pomp_offs")
	}
	if u.passesAddress() {
		u.line("external " + u.dispatcher())
	}
	slots := u.slots(length)
	u.data(io.MultiReader(bytes.NewReader(head), rows, bytes.NewReader(tail)), length)
	for _, line := range []string{
		"if (pomph(1) == 1) then",
		"if (" + slots + "(1) == 0) then",
		"x = transfer(pomph(2),x)",
		"call x%p(int(i,c_int)," + slots + ",c" + where + ")",
		"return",
		"end if",
		"call c_f_pointer(transfer(" + slots + "(1),c_null_ptr),s,[huge(0)])",
		"y = transfer(s(i+1),y)",
		"call y%p(s(iand(" + u.firstSlotArguments() + ")+1))",
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

// data renders the DATA statements with the text of the regions.
func (u *fortranUnit) data(text io.Reader, length int) {
	buffered := bufio.NewReaderSize(text, pieceSize)
	piece := make([]byte, u.textPiece())
	parts := make([]string, 0, 1+textPieces)
	for i := 1; length > 0; i++ {
		n := min(length, len(piece))
		if _, err := io.ReadFull(buffered, piece[:n]); err != nil {
			u.err = cmp.Or(u.err, err)
			return
		}
		if len(parts) == 0 {
			parts = append(parts, "data ")
		}
		length -= n
		part := fmt.Appendf(nil, "c(%d)/'%s'/,", i, piece[:n])
		if length > 0 && len(parts) < textPieces {
			parts = append(parts, string(part))
			continue
		}
		parts = append(parts, string(part[:len(part)-1]))
		u.lines, _ = u.layout.AppendParts(u.lines, parts)
		parts = parts[:0]
		u.runAtEnd()
	}
}

// passesAddress reports whether the dispatcher passes its own address. It uses the name that the
// linker has for it, because its own name would make it recursive. Where both names are the same,
// gfortran confuses them.
func (u *fortranUnit) passesAddress() bool { return u.options.Gfortran && !u.options.NoUnderscore }

// firstSlotArguments returns the arguments of IAND that turn the number of an event into that of
// its region's first slot.
func (u *fortranUnit) firstSlotArguments() string {
	if u.options.ByValue {
		return "i,-16_8"
	}
	return "int(i),-16"
}

// controlsProcedure renders the procedure for controls, which the library accepts even while it
// is off. pomph(6) takes them.
func (u *fortranUnit) controlsProcedure() {
	u.procedure(u.controls(), "i")
	u.text(u.withHook(controlsText))
	u.line("if (pomph(6) /= 0) then")
	u.line("x = transfer(pomph(6),x)")
	u.line("call x%p(int(i,c_int))")
	u.line("end if")
	u.line("end subroutine")
}

// withHook returns the head of a procedure, whose text begins with a USE statement, with the
// declarations through which it reaches the library.
func (u *fortranUnit) withHook(text string) string {
	if !u.options.Module {
		return text + hookText
	}
	first, rest, _ := strings.Cut(text, "\n")
	return first + "\nuse pompm" + u.hash + ",only: pomph\n" + strings.TrimSuffix(rest, "\n")
}

// text adds statements of the file's own procedures, one on each line.
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

// plainKinds gives integers the kind of the user's literals, whatever kind that is. gfortran
// insists on C's kind in a procedure with a binding label, and does not check its calls. The
// library always gets a number of C's kind.
var (
	plainKinds = strings.NewReplacer("integer(c_int) ", "integer ")
	byValue    = strings.NewReplacer("integer(c_int) i", "integer(c_int64_t),value :: i",
		"integer(c_int64_t) b", "integer(c_int64_t),value :: b")
)

// procedure begins one of the file's own subroutines. gfortran would inline a part of it into
// each call, which may double the compile time. So for gfortran, only the linker knows the
// subroutine by the name that the calls use. flang rejects that.
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

// listed adds a comma to each name but the last.
func listed(names []string) []string {
	parts := slices.Clone(names)
	for i := range len(parts) - 1 {
		parts[i] += ","
	}
	return parts
}

// own returns the name of one of the file's procedures within itself.
func (u *fortranUnit) own(name string) string {
	if u.options.Gfortran {
		return name[:len("pomp")] + "d" + name[len("pomp"):]
	}
	return name
}

// textPieces is the number of pieces of the regions' text in one DATA statement, each on a line
// of its own. To recognize a statement costs gfortran as much as to read two lines. Fortran 95
// allows 39 continuation lines, and 19 in fixed form.
const textPieces = 16

// textPiece returns the length of the piece of the regions' text on one line. It leaves room for
// the line's mark.
func (u *fortranUnit) textPiece() int {
	if u.layout.Form == fortran.Fixed {
		return 36
	}
	return 96
}

// dispatcherText is the subroutine up to the text of the regions. What it calls by address has a
// Fortran interface, because gfortran 12 fails on some files if the interface is bind(c).
// c_f_procpointer accepts no other interface before Fortran 2018. k(1) belongs to the library,
// and k(2) is the length of the text.
//
// hookText declares the words through which a file reaches the library:
//
//	pomph(1)  1 where the library wants events
//	pomph(2)  the routine that takes events
//	pomph(3)  the routine that takes bounds of loops, if pomph(5) is negative
//	pomph(4)  the routine that takes addresses of variables
//	pomph(5)  0 where pomph(1) is 0
//	pomph(6)  the routine that takes controls
const (
	dispatcherText = `use,intrinsic :: iso_c_binding,only: c_int,c_intptr_t
use,intrinsic :: iso_c_binding,only: c_null_ptr,c_f_pointer
use,intrinsic :: iso_c_binding,only: c_int64_t
implicit none
integer(c_int) i
abstract interface
subroutine pomp_event(w,k,cMORE)
use,intrinsic :: iso_c_binding,only: c_int,c_intptr_t
integer(c_int),value :: w
integer(c_intptr_t) k(*)
character(len=1) :: c(*)
DECLARATIONS
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
