package corpus

import (
	"os"
	"testing"
)

// What holds for C's events holds for Fortran's. Fortran's text goes through one entry of the library, and much of what the text of C
// tells is told by what stands between the program and the runtime.

func TestFortranProtocol(t *testing.T) {
	keepsProtocol(t, suiteFortran, some(suiteFortran.runnable(t), 3))
}

func TestFortranSanitized(t *testing.T) { sanitized(t, suiteFortran, 9) }

func TestFortranSampled(t *testing.T) { sampled(t, suiteFortran, 9) }

func TestFortranBalance(t *testing.T) {
	programs := some(suiteFortran.runnable(t), 2)
	w := Wrapper(opariBinary, "gfortran", os.DevNull)
	w.Link, w.Libs = []string{"gfortran"}, []string{balanceChecker(t, "balance_fortran.c"), "-lpthread"}
	balance(t, w, programs, 50)
}
