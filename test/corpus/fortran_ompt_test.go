package corpus

import "testing"

// What holds for C's events holds for Fortran's. Fortran's text goes through one entry of the library, and much of what the text of C
// tells is told by what stands between the program and the runtime.

func TestFortranProtocol(t *testing.T) {
	keepsProtocol(t, suiteFortran, some(suiteFortran.runnable(t), 3))
}

func TestFortranSanitized(t *testing.T) { sanitized(t, suiteFortran, 9) }

func TestFortranSampled(t *testing.T) { sampled(t, suiteFortran, 9) }
