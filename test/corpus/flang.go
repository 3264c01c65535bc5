package corpus

import (
	"slices"
	"strings"
)

// LibgompFlang is LibgompFortran for LLVM's compiler, which accepts few of GCC's options.
func LibgompFlang(dir string) ([]Program, error) {
	all, err := LibgompFortran(dir)
	for i := range all {
		all[i].forFlang()
	}
	return all, err
}

func (p *Program) forFlang() {
	p.Flang = true
	p.Flags = slices.DeleteFunc(slices.Clone(p.Flags), func(f string) bool {
		return !strings.HasPrefix(f, "-D") && !strings.HasPrefix(f, "-O") &&
			!slices.Contains([]string{"-cpp", "-ffree-form", "-ffixed-form"}, f)
	})
}
