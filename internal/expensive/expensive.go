// Package expensive marks the tests that `make check` omits: with -short they are skipped, with
// the reason. Without it, the tools that they need must be installed.
package expensive

import (
	"os/exec"
	"testing"

	"opari/internal/browser"
)

// Compilers marks tests that start many compilers, or others than gcc.
func Compilers(t testing.TB, tools ...string) {
	t.Helper()
	Test(t, "it starts compilers in numbers, or others than gcc", tools...)
}

// MPI marks tests that start programs under mpirun.
func MPI(t testing.TB, tools ...string) {
	t.Helper()
	Test(t, "it starts mpirun", tools...)
}

// Browser marks tests that open pages in a browser.
func Browser(t testing.TB) {
	t.Helper()
	Test(t, "it starts a browser")
	if !browser.Installed() {
		t.Skip(browser.ErrNone)
	}
}

// Test marks tests that are expensive for another reason, which why names.
func Test(t testing.TB, why string, tools ...string) {
	t.Helper()
	if testing.Short() {
		t.Skipf("short: %s; make test runs it", why)
	}
	Need(t, tools...)
}

// Need skips a test if one of its tools is missing. `make test` installs them and treats such a
// skip as a failure.
func Need(t testing.TB, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not there: make test installs it", tool)
		}
	}
}

// Tries returns how many random cases a test tries: full, or a tenth of it with -short.
func Tries[T ~int | ~uint64](full T) T {
	if testing.Short() {
		return max(1, full/10)
	}
	return full
}
