package pomp

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestSymbolsOfDamagedFiles requires that a damaged archive does not stop a link, and that a
// file that is no object causes no message.
func TestSymbolsOfDamagedFiles(t *testing.T) {
	dir := t.TempDir()
	text := "void POMP_Parallel_fork(void) {}\n" +
		"void pomp_unit_1(void *) __attribute__((weak));\n" +
		"void f(void) { if (pomp_unit_1) pomp_unit_1(0); }\n"
	source, object := filepath.Join(dir, "a.c"), filepath.Join(dir, "a.o")
	intact := filepath.Join(dir, "a.a")
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	command(t, "gcc", "-std=gnu2x", "-c", source, "-o", object)
	command(t, "ar", "rc", intact, object)
	archive, err := os.ReadFile(intact)
	if err != nil {
		t.Fatal(err)
	}
	var a Symbols
	a.Read(intact)
	if s, ok := a.UncalledLibrary(); !ok || s.File != intact {
		t.Fatalf("the whole archive: %v, %v", s, ok)
	}
	cut := filepath.Join(dir, "cut")
	for n := range archive {
		zeros := make([]byte, (len(archive)-n)*(n%2)) // every second one is cut short
		damaged := slices.Concat(archive[:n], zeros)
		if err := os.WriteFile(cut, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		var a Symbols
		a.Read(cut)
	}
	for _, path := range []string{dir, source, filepath.Join(dir, "none"), "/dev/null"} {
		a := a
		a.Read(path)
		if s, ok := a.UncalledLibrary(); ok {
			t.Errorf("with %s, which is no object: %v", path, s)
		}
	}
}
