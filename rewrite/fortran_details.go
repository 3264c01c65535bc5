package rewrite

import (
	"fmt"
	"strconv"
	"strings"

	"opari/descriptors"
	"opari/parse/directive"
)

// What a call tells besides event and region.

// openBlock begins a BLOCK construct, for declarations, for which the user's unit may have no safe place. The compiler leaves nothing of it.
func (u *fortranUnit) openBlock() {
	if len(u.lines) == 0 { // one that comes first would be the whole body of the construct around it, OpenMP 5.2 [2.2]
		u.line("continue")
	}
	u.line("block")
}

// How many iterations a loop has is told where the library asks for it; see detail.go. The bounds are plain expressions, which the loop
// evaluates all the same: to hand them over at once takes less than to ask first, the compiler's time above all.

// counts is the name of the subroutine that enters so many loops with their bounds.
func (u *fortranUnit) counts(loops int) string {
	if loops == 1 {
		return "pompi" + u.hash
	}
	return "pompi" + strconv.Itoa(loops) + "_" + u.hash
}

// countedCall is the call that enters r with the bounds of its loops, and says number. False where they cannot be told.
func (u *fortranUnit) countedCall(r *descriptors.Region, number string) ([]byte, bool) {
	if len(r.Trips) == 0 || !hasCall(r, enterCall) || u.options.NoBlock && !u.options.Module {
		return nil, false
	}
	parts := []string{"call " + u.counts(len(r.Trips)) + "(" + u.argument(number)}
	for i := range r.Trips {
		t := &r.Trips[i]
		for _, e := range []string{t.From, t.To, t.Step} {
			parts = append(parts, ","+u.bound(e))
		}
	}
	parts[len(parts)-1] += ")"
	return u.layout.AppendParts(nil, parts)
}

// bound is the expression e as an argument of 8 bytes.
func (u *fortranUnit) bound(e string) string {
	if _, err := strconv.ParseUint(e, 10, 31); err == nil {
		e = u.signed(e + "_8")
	} else {
		e = "int(" + e + "," + u.signed("8") + ")"
	}
	if u.options.ByValue {
		return "%val(" + e + ")"
	}
	return e
}

// countedEnter enters r with the bounds of its loops. False where they cannot be told; then nothing is written.
func (u *fortranUnit) countedEnter(r *descriptors.Region) bool {
	if _, ok := u.countedCall(r, what(fortranCounted, r.ID)); !ok {
		return false
	}
	statement, _ := u.countedCall(r, u.plainly(u.join(fortranCounted, r.ID)))
	u.called, u.counted[len(r.Trips)] = true, true
	u.lines = append(u.lines, statement...)
	return true
}

// plainly is what a call says that enters a loop with bounds, by value the number of a plain enter: that costs the library less, and is what it
// is where no bounds are wanted. By reference the sum would not be there any more behind a jump.
func (u *fortranUnit) plainly(number string) string {
	if n, err := strconv.Atoi(number); err == nil && u.options.ByValue {
		return strconv.Itoa(n - int(fortranCounted-fortranEnter))
	}
	return number
}

// counting renders the procedure for so many loops with bounds, which enters by the dispatcher: at its end and without variables of its own,
// so that the compiler jumps there, and the library sees the user's code as its caller. pomph(3) takes the bounds where pomph(5) is below 0, and
// gives back the number of the event, so that there is nothing to keep over its call.
func (u *fortranUnit) counting(loops int) {
	names := make([]string, 3*loops)
	for i := range names {
		names[i] = "b" + strconv.Itoa(i+1)
	}
	u.procedure(u.counts(loops), append([]string{"i"}, names...)...)
	u.text(u.hooked(countsText))
	declaration := listed(names)
	declaration[0] = "integer(c_int64_t) " + declaration[0]
	if u.options.ByValue {
		declaration[0] = byValue.Replace(declaration[0])
	}
	statement, _ := u.layout.AppendParts(nil, declaration)
	u.lines = append(u.lines, statement...)
	u.declareDispatcher()
	told, number := "n = x%p(", "0_c_int64_t"
	if u.options.ByValue {
		told, number = "i = x%p(", "i"
	} else {
		u.line("integer(c_int64_t) n")
	}
	u.line("if (pomph(5) == 0) return")
	u.line("if (pomph(5) < 0) then")
	u.line("x = transfer(pomph(3),x)")
	for i := range loops {
		if u.options.ByValue && i == loops-1 { // see plainly
			number = fmt.Sprintf("i+%d", fortranCounted-fortranEnter)
		}
		u.text(told + strconv.Itoa(i+1) + "_c_int," + strings.Join(names[3*i:3*i+3], ",") + "," + number + ")")
	}
	u.line("end if")
	u.line("call " + u.own(u.dispatcher()) + "(i)")
	u.line("end subroutine")
}

// userCall marks the begin or end of a user region: as plain, or as with where the directive names a variable, which may be of any type.
func (u *fortranUnit) userCall(plain, with fortranEvent, region int, d *directive.Directive) {
	_, variable := d.UserRegion()
	call, ok := u.layout.AppendParts(nil, []string{"call pompv" + u.hash + "(" + what(with, region) + "_4,", variable + ")"})
	if variable == "" || !ok || u.options.NoBlock {
		u.call(plain, region)
		return
	}
	u.called, u.addressed = true, true
	u.openBlock()
	u.line("interface")
	u.line("subroutine pompv" + u.hash + "(i,v) bind(c,name='pompv" + u.hash + "')")
	u.line("use,intrinsic :: iso_c_binding,only: c_int")
	u.lines = append(u.lines, "!GCC$ ATTRIBUTES NO_ARG_CHECK :: v\n!DIR$ IGNORE_TKR v\n"...)
	u.line("integer(c_int) i,v(*)")
	u.line("end subroutine")
	u.line("end interface")
	u.lines = append(u.lines, call...)
	u.line("end block")
}

// addressing renders the procedure for user regions with a variable. pomph(4) takes the address.
func (u *fortranUnit) addressing() {
	u.line("subroutine pompdv" + u.hash + "(i,v) bind(c,name='pompv" + u.hash + "')")
	for line := range strings.SplitSeq(u.hooked(addressesText), "\n") {
		u.line(line)
	}
	u.declareDispatcher()
	u.line("if (pomph(4) /= 0) then")
	u.line("x = transfer(pomph(4),x)")
	u.line("call x%p(v(1))")
	u.line("end if")
	switch {
	case u.options.ByValue:
		u.line("call " + u.own(u.dispatcher()) + "(int(i,8))")
	case u.options.Gfortran:
		u.line("call " + u.own(u.dispatcher()) + "(i)")
	default:
		u.line("call " + u.dispatcher() + "(int(i))")
	}
	u.line("end subroutine")
}

// declareDispatcher declares the dispatcher within another of the file's procedures: integers of the default kind, with which the user's
// units call it, may be others there.
func (u *fortranUnit) declareDispatcher() {
	u.line("interface")
	u.procedure(u.dispatcher(), "i")
	u.text("use,intrinsic :: iso_c_binding,only: c_int\nuse,intrinsic :: iso_c_binding,only: c_int64_t\ninteger(c_int) i\nend subroutine\nend interface")
}

const (
	countsText = `use,intrinsic :: iso_c_binding,only: c_int,c_int64_t
use,intrinsic :: iso_c_binding,only: c_intptr_t
implicit none
integer(c_int) i
abstract interface
function pomp_bounds(n,f,t,s,w)
use,intrinsic :: iso_c_binding,only: c_int,c_int64_t
integer(c_int64_t) pomp_bounds
integer(c_int),value :: n
integer(c_int64_t),value :: f,t,s,w
end function
end interface
type pomp_hook
procedure(pomp_bounds),pointer,nopass :: p
end type
type(pomp_hook) x
`
	addressesText = `use,intrinsic :: iso_c_binding,only: c_int,c_intptr_t
implicit none
integer(c_int) i,v(*)
abstract interface
subroutine pomp_user(v)
use,intrinsic :: iso_c_binding,only: c_int
integer(c_int) v(*)
end subroutine
end interface
type pomp_hook
procedure(pomp_user),pointer,nopass :: p
end type
type(pomp_hook) x
`
)
