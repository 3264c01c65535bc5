package pomp2

import (
	"path/filepath"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// strict builds the library that checks each call.
func strict(t *testing.T) string {
	t.Helper()
	object := filepath.Join(t.TempDir(), "strict.o")
	run(t, ".", nil, "gcc", "-fopenmp", "-O1", "-c", "testdata/strict.c", "-o", object)
	return object
}

// TestStrict runs programs with a library that checks each call: handles, strings, nesting, tasks,
// locks and the order of initialization.
func TestStrict(t *testing.T) {
	expensive.Compilers(t, "gfortran", "opari2")
	library := strict(t)
	for source, said := range map[string]string{
		"every.c": "1 user regions", "every.f90": "1 user regions", "newer.c": "0 user regions",
		"every.cc": "1 user regions", "tasks.f90": "0 user regions",
	} {
		t.Run(source, func(t *testing.T) {
			t.Parallel()
			path := build(t, "testdata/"+source, library)
			for _, threads := range []string{"1", "2", "4"} {
				for _, mode := range []string{"STRICT_WIDE=1", "STRICT=1"} {
					out := run(t, filepath.Dir(path), []string{
						"OMP_NUM_THREADS=" + threads, "OMP_DYNAMIC=false", mode,
					}, path)
					if !strings.Contains(out, said) {
						t.Errorf("%s threads: %.800s", threads, out)
					}
				}
			}
		})
	}
}
