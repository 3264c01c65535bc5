package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestScripts runs the scripts in testdata/script, one for each command and each kind of bad
// input, with opari in PATH. Built libraries stay in the user's cache, for all scripts and
// other tests.
func TestScripts(t *testing.T) {
	bin := t.TempDir()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", filepath.Join(bin, "opari"), ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
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
		// Nothing stops root: it has all permissions.
		Condition: func(cond string) (bool, error) {
			if cond == "root" {
				return os.Getuid() == 0, nil
			}
			return false, nil
		},
	})
}
