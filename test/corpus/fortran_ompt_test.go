package corpus

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

// These tests check for Fortran what others check for C's events. Fortran's code enters the
// library through one function. The library's replacements of the runtime's functions report many
// events that C's code reports itself.

func TestFortranProtocol(t *testing.T) {
	keepsProtocol(t, suiteFortran, some(suiteFortran.runnable(t), 6))
}

func TestFortranSanitized(t *testing.T) { sanitized(t, suiteFortran, 18) }

// longer matches programs that run long enough for the clock to tick; most Fortran programs end
// earlier.
var longer = regexp.MustCompile(`doacross|cancel-parallel|pr29629|jacobi|task[0-9]|target8`)

func TestFortranSampled(t *testing.T) {
	programs := suiteFortran.runnable(t)
	if os.Getenv("OPARI_ALL") == "" {
		programs = slices.DeleteFunc(programs,
			func(p Program) bool { return !longer.MatchString(p.ID) })
	}
	sampled(t, suiteFortran, programs)
}

func TestFortranBalance(t *testing.T) {
	programs := some(suiteFortran.runnable(t), 3)
	w := Wrapper(opariBinary, "gfortran", os.DevNull)
	w.Link, w.Libs = []string{"gfortran"}, []string{
		balanceChecker(t, "balance_fortran.c"),
		"-lpthread",
	}
	balance(t, w, programs, 50)
}

// TestFortranWarnings checks that `opari cc` causes no new warning, for each standard to which a
// program conforms. It ignores warnings about uninitialized variables: the optimizer guesses
// differently when it inlines differently.
func TestFortranWarnings(t *testing.T) {
	programs := some(suiteFortran.goodPrograms(t), 12)
	each(t, len(programs), func(i int, dir string) {
		p := &programs[i]
		for _, std := range []string{"-std=gnu", "-std=f2018", "-std=f2008", "-std=f2003"} {
			flags := slices.Concat(p.CompileFlags(p.Path),
				[]string{
					std, "-fno-diagnostics-show-caret", "-Wall", "-Wextra", "-pedantic",
					"-Wno-maybe-uninitialized", "-c", p.Path, "-o", "o.o",
				})
			flags = slices.DeleteFunc(flags, func(f string) bool { return f == "-w" })
			before := Execute(dir, nil, buildLimit, append([]string{"gfortran"}, flags...)...)
			if !before.OK() {
				continue // it does not conform to that standard
			}
			after := Execute(dir, nil, buildLimit,
				append([]string{
					opariBinary, "cc", "--on-error=fail", "--diagnostics=instrumented",
					"gfortran",
				}, flags...)...)
			if news := fresh(complaints(before.Output), complaints(after.Output)); len(news) > 0 ||
				!after.OK() {
				t.Errorf("%s %s: %d new, first: %.300s", p.ID, std, len(news),
					first(news, after.Output))
			}
		}
	})
}
