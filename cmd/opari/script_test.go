package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes this test binary stand in for opari in the scripts.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"opari": main})
}

// TestScripts runs the scripts in testdata/script, one for each command and each kind of bad input. The measurement library is built once for
// all of them.
func TestScripts(t *testing.T) {
	cache := t.TempDir()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("XDG_CACHE_HOME", cache)
			e.Setenv("OMP_NUM_THREADS", "2")
			e.Setenv("HOME", filepath.Join(e.WorkDir, "home"))
			return nil
		},
		// root: permissions stop nothing.
		Condition: func(cond string) (bool, error) {
			if cond == "root" {
				return os.Getuid() == 0, nil
			}
			return false, nil
		},
	})
}
