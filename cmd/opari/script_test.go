package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"opari/internal/sampling"
)

// TestScripts runs the scripts in testdata/script, one for each command and each kind of bad
// input, with opari in PATH. Built libraries stay in the user's cache, for all scripts and
// other tests.
func TestScripts(t *testing.T) {
	bin := filepath.Dir(built(t))
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("PATH", bin+string(os.PathListSeparator)+e.Getenv("PATH"))
			e.Setenv("XDG_CACHE_HOME", cache)
			e.Setenv("OMP_NUM_THREADS", "2")
			e.Setenv("HOME", filepath.Join(e.WorkDir, "home"))
			return nil
		},
		// Nothing stops root: it has all permissions. Without perf the kernel does not tell of
		// processes.
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "root":
				return os.Getuid() == 0, nil
			case "perf":
				return kernelTells(), nil
			}
			return false, nil
		},
	})
}

// kernelTells reports whether samples may be taken here.
func kernelTells() bool {
	r, err := sampling.Open(sampling.Options{Rate: 1000})
	r.Stop()
	return err == nil
}
