package otf2

// attic has the numbers that stand on disk for readers older than the fields that replaced them.
// Newer readers skip them. All were measured with the C library.
var attic = map[string]func(*Record) uint64{
	"!regionType":     func(r *Record) uint64 { return oldRegion(r) },
	"!groupTypePre12": func(r *Record) uint64 { return oldGroup(r) },
	"!stringValue":    func(r *Record) uint64 { return oldProperty(r) },
}

// oldRegions has the type of a region of format 1.0 by its role.
var oldRegions = map[Paradigm]map[uint64]uint64{
	ParadigmOpenmp: {
		2: 19, 3: 6, 5: 5, 6: 7, 7: 8, 8: 9, 9: 10, 10: 18, 11: 11, 12: 12, 13: 17, 14: 13, 15: 14,
		16: 15, 17: 16, 18: 34, 19: 35, 20: 20, 21: 33, 22: 21,
	},
	ParadigmMpi: {15: 22, 23: 23, 24: 24, 25: 25, 26: 26},
}

// oldUserRegions has the same for regions of users, by flags and role.
var oldUserRegions = [4]map[uint64]uint64{
	{1: 3, 3: 2, 4: 1, 27: 4},
	{1: 31, 3: 30, 4: 28, 27: 4},
	{1: 3, 4: 27, 27: 4},
	{1: 31, 3: 32, 4: 29, 27: 4},
}

func oldRegion(r *Record) uint64 {
	role, paradigm, flags := r.Values[4], Paradigm(r.Values[5]), r.Values[6]
	switch paradigm {
	case ParadigmOpenmp, ParadigmMpi:
		return oldRegions[paradigm][role]
	case ParadigmUser:
		if flags >= uint64(len(oldUserRegions)) {
			flags = 0
		}
		return oldUserRegions[flags][role]
	case ParadigmUnknown, ParadigmCompiler:
		if role == 1 {
			return 1
		}
	}
	return 0
}

func oldGroup(r *Record) uint64 {
	kind, paradigm, flags := r.Values[2], Paradigm(r.Values[3]), r.Values[4]
	switch {
	case flags != 0:
		return 0
	case paradigm == ParadigmMpi && kind >= 4 && kind <= 6:
		return [3]uint64{6, 4, 5}[kind-4]
	case paradigm == ParadigmUnknown && kind <= 3:
		return kind
	}
	return 0
}

// oldProperty is the text of a property, which all were once.
func oldProperty(r *Record) uint64 {
	if Type(r.Values[2]) == TypeString {
		return r.Values[3] & Undefined32
	}
	return Undefined32
}
