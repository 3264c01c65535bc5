package pomp2

import (
	"os"
	"os/exec"
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
		"every.c": "22 regions, 1 user regions", "every.f90": "1 user regions",
		"newer.c": "0 user regions", "every.cc": "1 user regions", "tasks.f90": "0 user regions",
		"cancels.c": "0 user regions",
	} {
		t.Run(source, func(t *testing.T) {
			t.Parallel()
			path := build(t, "testdata/"+source, library)
			for _, threads := range []string{"1", "2", "4"} {
				for _, mode := range []string{"STRICT_WIDE=1", "STRICT=1"} {
					environment := []string{
						"OMP_NUM_THREADS=" + threads, "OMP_DYNAMIC=false", mode,
					}
					if source == "cancels.c" { // nobody hears that the other threads leave
						environment = append(environment, "OMP_CANCELLATION=true", "STRICT_OPEN=1")
					}
					out := run(t, filepath.Dir(path), environment, path)
					if !strings.Contains(out, said) {
						t.Errorf("%s threads: %.800s", threads, out)
					}
				}
			}
		})
	}
}

// TestStrictFinds plants mistakes in the initialization file. The library must find each.
func TestStrictFinds(t *testing.T) {
	expensive.Compilers(t, "opari2")
	library := strict(t)
	object := filepath.Dir(build(t, "testdata/every.c", library))
	for _, mistake := range []struct{ from, to, says string }{
		{"append_number(&all, (int)s.length + 2);", "append_number(&all, 7);", "the length"},
		{"{POMP_HAS_NOWAIT, \"hasNowait\"}", "{POMP_HAS_NOWAIT, \"hasNoWait\"}", "hasNoWait=1"},
		{"pomp2_append_key(&s, \"numSections\");", "pomp2_append_key(&s, \"hasIf\");", "hasIf=2"},
		{"resume(pomp2_handle_of(d), f->old);", "resume(pomp2_handle_of(d), 0);", "goes on with"},
		{"(bits & 1) != 0 ? (pomp2_task)(bits >> 1)", "(bits & 1) != 0 ? 2", "task 2"},
		{"POMP2_BOTH(Critical, Critical)", "POMP2_BOTH(Critical, Single)", "critical"},
		{
			"POMP2_OPENS(from##_begin, to##_begin, to##_end)", "POMP2_SILENT(from##_begin)",
			"the task is in",
		},
		{"if (!pomp2_owns(d, user) ||", "if (i == 3 || !pomp2_owns(d, user) ||", "no handle"},
		{"        else\n            POMP2_Assign", "POMP2_Assign_handle(&d->data[0], " +
			"(const char *)d->data[1]);\nPOMP2_Assign", "assigned again"},
		{"if (if_value == 0 ||", "if (", "the if clause"},
		{"POMP2_Parallel_begin(pomp2_handle_of(d));", "", "Parallel_end"},
		{"POMP2_##name(lock); \\", "if (*#name != 'I') POMP2_##name(lock); \\", "no such lock"},
	} {
		t.Run(mistake.from, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := writeInitFile(t, dir, nil)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			wrong := strings.Replace(string(text), mistake.from, mistake.to, 1)
			if wrong == string(text) {
				t.Fatal("the file has no such text")
			}
			if err := os.WriteFile(path, []byte(wrong), 0o600); err != nil {
				t.Fatal(err)
			}
			run(t, dir, nil, "gcc", "-fopenmp", "-w", path, filepath.Join(object, "own.c"), library,
				"-o", "wrong")
			c := exec.Command(filepath.Join(dir, "wrong"))
			c.Env = append(os.Environ(), "OMP_NUM_THREADS=1")
			out, err := c.CombinedOutput()
			if err == nil || !strings.Contains(string(out), mistake.says) {
				t.Errorf("%v: %.800s", err, out)
			}
		})
	}
}
