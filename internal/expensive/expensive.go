// Package expensive marks the tests that `make check` leaves out: under -short they are skipped,
// and say why. Otherwise the tools that they need must be there.
package expensive

import (
	"os/exec"
	"testing"

	"opari/internal/browser"
)

// Compilers is for tests that start compilers in numbers, or others than gcc.
func Compilers(t testing.TB, tools ...string) {
	t.Helper()
	Test(t, "it starts compilers in numbers, or others than gcc", tools...)
}

// MPI is for tests that start programs under mpirun.
func MPI(t testing.TB, tools ...string) {
	t.Helper()
	Test(t, "it starts mpirun", tools...)
}

// Browser is for tests that open pages in a browser.
func Browser(t testing.TB) {
	t.Helper()
	Test(t, "it starts a browser")
	if !browser.Installed() {
		t.Skip(browser.ErrNone)
	}
}

// Test is for tests that are expensive in another way, which why names.
func Test(t testing.TB, why string, tools ...string) {
	t.Helper()
	if testing.Short() {
		t.Skipf("short: %s; make test runs it", why)
	}
	Need(t, tools...)
}

// Need skips a test where one of its tools is missing. `make test` installs them and takes such a
// skip for a failure.
func Need(t testing.TB, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not there: make test installs it", tool)
		}
	}
}

// Tries is how often a test tries what it draws by chance: whole times, under -short a tenth of
// that.
func Tries[T ~int | ~uint64](full T) T {
	if testing.Short() {
		return max(1, full/10)
	}
	return full
}
