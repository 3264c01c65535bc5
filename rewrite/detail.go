package rewrite

import (
	"slices"

	"opari/internal/omp"
)

// A library may ask for more about a construct than the calls of the POMP paper pass: the number
// of a loop's iterations, or the value of a task's final clause. It gets them only if it asks, so
// a library without these functions works unchanged.
//
// It asks through bits of the unit's active word. With bit 2, the text calls POMP_Counted_enter
// with the number of iterations in place of the construct's own enter. With bit 1, it calls
// POMP_Final before the construct's own call. While measuring is off, a construct still costs
// only one test.

// finalName is the unit's function that creates a task with a final clause, up to its first
// argument.
const finalName = "pomp_final_task_create_begin("

// appendDetailed appends the functions that pass these details.
func (u *unit) appendDetailed(b []byte) []byte {
	if slices.Contains(u.counted, true) {
		b = u.declare(b, "void ", "POMP_Counted_enter", "struct ompregdescr *, unsigned long")
		if !u.options.Preprocessed {
			b = append(b, "static "+inLine+"int pomp_active(void) { return "+isActive+"; }\n"...)
		}
	}
	for id, counted := range u.counted {
		if !counted {
			continue
		}
		d := &omp.Directives[id]
		api := apiName(d, enterCall)
		if u.used[id][enterCall] == "" {
			b = u.declare(b, plainForm.api, api, "struct ompregdescr *"+plainForm.types)
		}
		if u.options.Preprocessed {
			continue
		}
		b = append(b, "static "+inLine+"void "+countedName(d)+"int r, unsigned long n) { if ("+
			isActive+" & 4) POMP_Counted_enter(pomp_d + (r - 1), n); else "+
			api+"(pomp_d + (r - 1)); }\n"...)
	}
	if u.trips {
		b = append(b, "static "+inLine+
			"unsigned long pomp_trips(long a, long b, long s) { return s > 0 && a < b ? "+
			"((unsigned long)b - (unsigned long)a - 1) / (unsigned long)s + 1 : 0; }\n"...)
	}
	if u.final {
		task := omp.OfKind(omp.KindTask)
		api := apiName(task, enterCall)
		b = u.declare(b, "void ", "POMP_Final", "struct ompregdescr *, int")
		if u.used[task.ID][enterCall] == "" {
			b = u.declare(b, createForm.api, api, "struct ompregdescr *"+createForm.types)
		}
		if u.options.Preprocessed {
			return b
		}
		b = append(b, "static "+inLine+"void *"+finalName+
			"int r, int i, int f, void ***e) { *e = (void **)0; if (!"+isActive+
			") return (void *)0; "+
			"if ("+isActive+" & 2) POMP_Final(pomp_d + (r - 1), f); return "+api+
			"(pomp_d + (r - 1), i); }\n"...)
	}
	return b
}
