package rewrite

import (
	"strconv"

	"opari/descriptors"
	"opari/internal/omp"
)

// InterfaceVersion is the value of the macro _POMP in an instrumented compilation: the year and
// month of the interface.
const InterfaceVersion = "202611"

// survey finds out which calls the current part uses, because the prologue declares only these.
func (u *unit) survey() {
	for _, r := range u.table.Regions {
		switch {
		case r.Call != nil:
			u.locks[r.Call.Name] = true
		case r.Leaf != nil:
			brackets := hasBrackets(r)
			if isNowaitSingle(r) {
				u.nowaitSingle = true
				break
			}
			for at, name := range callNames[r.Leaf.ID] {
				if callPlace(at) == enterCall && u.usesOwnEnter(r) {
					continue
				}
				if name != "" && mergesWithBarrier(r, callPlace(at)) {
					u.barrierMerged[r.Leaf.ID][at] = true
					continue
				}
				if name != "" && (brackets || callPlace(at) == enterCall ||
					callPlace(at) == exitCall) {
					u.use(r.Leaf, callPlace(at))
				}
			}
			if r.Barrier == descriptors.MakeExplicit {
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

// usesOwnEnter notes a region that its own function enters: with a number of iterations, or with
// the value of final. It reports whether r is such a region.
func (u *unit) usesOwnEnter(r *descriptors.Region) bool {
	switch {
	case r.Final != "":
		u.final = true
	case u.countsTrips(r):
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

// beforeRows appends the declarations that precede the rows of the file's regions. They stand
// before the user's first line and include nothing, so the user's own feature macros still come
// first.
func (u *unit) beforeRows(b []byte, regions int) []byte {
	noCalls := u.hasNoCalls(regions)
	if noCalls && u.options.Preprocessed {
		return b
	}
	b = append(b, "/* Instrumented by opari for the POMP interface, ABI 1; "+
		"`opari strip` gives the original back. */\n"...)
	if !u.options.Preprocessed {
		b = append(b, "#ifndef _POMP\n#define _POMP "+InterfaceVersion+"\n#endif\n"...)
	}
	if noCalls {
		return b
	}
	if !u.options.Preprocessed { // pomp_lib.h omits what is declared here
		b = append(b, "#define POMP_UNIT_1 1\n"...)
	}
	b = append(b, descriptors.StructLines...)
	if regions > 0 {
		b = descriptors.AppendTableHead(b, regions)
	}
	return b
}

// afterRows appends the declarations that follow the rows.
func (u *unit) afterRows(b []byte, regions int) []byte {
	if u.hasNoCalls(regions) {
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
		b = u.appendDirectQueries(b)
	}
	b = u.wrappers(b)
	b = u.register(b)
	if u.options.Symbols != nil {
		for _, name := range u.options.Symbols(u.constructs, u.users) {
			b = append(b, "void "+name+"(void); void "+name+"(void) {}\n"...)
		}
	}
	if cxx {
		b = append(b, "}\n"...)
	}
	return b
}

// hasNoCalls reports whether a file with so many regions calls nothing of the interface.
func (u *unit) hasNoCalls(regions int) bool { return regions == 0 && len(u.controls) == 0 }
