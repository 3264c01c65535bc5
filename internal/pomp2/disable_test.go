package pomp2

import (
	"os"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// TestDisable compares the calls of programs instrumented with each value of --disable that OPARI2
// knows, and without tasks, with and without opari in its place. With omp:section and
// omp:sections, OPARI2's own text does not compile or its library ends the program. In Fortran it
// fails for omp and omp:all, and its text without tasks does not compile.
func TestDisable(t *testing.T) {
	expensive.Compilers(t, "opari2", "gfortran")
	there := installed(t)
	for source, values := range map[string]string{
		"every.c": "omp omp:all pomp omp:sync omp:task omp:taskwait omp:barrier omp:parallel " +
			"omp:parallelfor omp:parallelsections omp:for omp:single omp:locks omp:flush " +
			"omp:ordered omp:master omp:critical omp:atomic omp:do omp:workshare " +
			"omp:parallel:inner omp:for,single:inner,master omp:parallelfor+pomp " +
			"--omp-task=remove",
		"every.f90": "omp:barrier omp:for omp:do omp:workshare omp:parallel omp:task omp:sync " +
			"omp:single omp:critical,ordered",
	} {
		for value := range strings.FieldsSeq(values) {
			t.Run(source+" "+value, func(t *testing.T) {
				t.Parallel()
				options := []string{value}
				if value[0] != '-' {
					options[0] = "--disable=" + value
				}
				var out [2]string
				for i, bin := range []string{there, theirs(t)} {
					p := buildByScript(t, bin, options, "testdata/"+source, "-lpomp")
					out[i] = run(t, os.TempDir(), []string{"OMP_NUM_THREADS=1"}, p)
					out[i] = taskNumber.ReplaceAllString(out[i], "task")
				}
				compareThreads(t, out[0], out[1])
			})
		}
	}
}
