package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

var scratch string // folder of the opari that the tests start

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "opari-command-"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(scratch)
	os.Exit(code)
}

var buildCommand = sync.OnceValue(func() error {
	build := exec.Command("go", "build", "-o", filepath.Join(scratch, "opari"), ".")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
})

// built returns the path of an opari that was built once for all tests.
func built(t *testing.T) string {
	t.Helper()
	if err := buildCommand(); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(scratch, "opari")
}
