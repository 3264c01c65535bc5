package symbols

import (
	"strings"

	"github.com/ianlancetaylor/demangle"
)

// readable returns a function's name as its source spells it. A part that the compiler split off,
// such as relax._omp_fn.0 for the body of a parallel region, has the name of the whole.
func readable(name string) string {
	if i := strings.IndexAny(name, ".@"); i > 0 {
		name = name[:i]
	} else if strings.HasPrefix(name, ".omp_outlined") {
		return "body of a parallel region" // LLVM has not kept whose
	}
	if module, procedure, is := strings.Cut(name, "_MOD_"); is && strings.HasPrefix(name, "__") {
		return module[2:] + "::" + procedure // gfortran's __module_MOD_procedure
	}
	return demangle.Filter(name, demangle.NoParams, demangle.NoEnclosingParams,
		demangle.NoTemplateParams)
}

// fromSymbol does the same for a name of a symbol table: Fortran's external procedures end in an
// underscore there.
func fromSymbol(name string) string {
	if stem, is := strings.CutSuffix(name, "_"); is && stem != "" && stem[0] != '_' &&
		!strings.HasSuffix(stem, "_") && stem == strings.ToLower(stem) {
		name = stem
	}
	return readable(name)
}
