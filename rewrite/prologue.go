package rewrite

import (
	"strconv"

	"opari/descriptors"
	"opari/internal/omp"
)

// InterfaceVersion is the value of _POMP in an instrumented compilation: the year and month of the interface.
const InterfaceVersion = "202611"

// survey finds out which calls the part at hand uses: the prologue declares just these.
func (u *unit) survey() {
	for _, r := range u.table.Regions {
		switch {
		case r.Call != nil:
			u.locks[r.Call.Name] = true
		case r.Leaf != nil:
			brackets := hasBrackets(r)
			if joins(r) {
				u.lone = true
				break
			}
			for at, name := range callNames[r.Leaf.ID] {
				if callPlace(at) == enterCall && u.usesOwn(r) {
					continue
				}
				if name != "" && isMet(r, callPlace(at)) {
					u.met[r.Leaf.ID][at] = true
					continue
				}
				if name != "" && (brackets || callPlace(at) == enterCall || callPlace(at) == exitCall) {
					u.use(r.Leaf, callPlace(at))
				}
			}
			if r.Barrier == descriptors.MakeItPlain {
				u.use(barrier, enterCall)
				u.use(barrier, exitCall)
			}
		}
	}
	for i := range u.table.Placed {
		if p := &u.table.Placed[i]; isFunction(p) {
			u.controls[functionControl] = true
		} else if isUser(p) {
			u.user(nil, p)
		}
	}
}

// usesOwn notes what is entered by another function than all others: with a number of iterations, or with the value of final.
func (u *unit) usesOwn(r *descriptors.Region) bool {
	switch {
	case r.Final != "":
		u.final = true
	case u.counts(r):
		u.counted[r.Leaf.ID] = true
		for i := range r.Trips {
			_, constant := constantTrips(&r.Trips[i])
			u.trips = u.trips || !constant
		}
	default:
		return false
	}
	return true
}

// head appends the first of the declarations that stand before the user's first line, those before the rows of the file's
// regions. Nothing is included there, so that the user's own feature macros still come first.
func (u *unit) head(b []byte, regions int) []byte {
	idle := u.idle(regions)
	if idle && u.options.Preprocessed {
		return b
	}
	b = append(b, "/* Instrumented by opari for the POMP interface, ABI 1; `opari strip` gives the original back. */\n"...)
	if !u.options.Preprocessed {
		b = append(b, "#ifndef _POMP\n#define _POMP "+InterfaceVersion+"\n#endif\n"...)
	}
	if idle {
		return b
	}
	if !u.options.Preprocessed { // pomp_lib.h leaves out what is declared here
		b = append(b, "#define POMP_UNIT_1 1\n"...)
	}
	b = append(b, descriptors.StructLines...)
	if regions > 0 {
		b = descriptors.AppendTableHead(b, regions)
	}
	return b
}

// neck appends the declarations behind the rows.
func (u *unit) neck(b []byte, regions int) []byte {
	if u.idle(regions) {
		return b
	}
	cxx := u.options.Lang == omp.CPlusPlus
	array := "0"
	if regions > 0 {
		array = "pomp_d"
	}
	b = append(b, unitName+" = { 1, "...)
	b = append(b, strconv.Itoa(regions)+", "+array+", 0, 0 };\n"...)
	if cxx {
		b = append(b, "extern \"C\" {\n"...)
	}
	if u.options.Preprocessed && regions > 0 {
		b = appendAsked(b)
	}
	b = u.wrappers(b)
	b = u.register(b)
	if cxx {
		b = append(b, "}\n"...)
	}
	return b
}

// idle reports whether the file, of so many regions, calls nothing of the interface.
func (u *unit) idle(regions int) bool { return regions == 0 && len(u.controls) == 0 }
