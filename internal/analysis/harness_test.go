package analysis

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

var scratch string

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "opari-analysis-"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(scratch)
	os.Exit(code)
}

// command returns the path of this tree's bin/opari, which it builds once.
var command = sync.OnceValues(func() (string, error) {
	path := filepath.Join(scratch, "opari")
	if out, err := exec.Command("go", "build", "-o", path,
		"opari/cmd/opari").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return path, nil
})

func opari(t *testing.T) string {
	t.Helper()
	path, err := command()
	if err != nil {
		t.Fatal(err)
	}
	return path
}
