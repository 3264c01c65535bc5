package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestGeneratedFilesAreCurrent requires that the generated files in the repository are those that
// the tables give.
func TestGeneratedFilesAreCurrent(t *testing.T) {
	for _, o := range outputs {
		var b bytes.Buffer
		o.make(&b)
		got, err := os.ReadFile(filepath.Join("..", "..", "..", filepath.FromSlash(o.path)))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, b.Bytes()) {
			t.Errorf("%s is stale; run: go generate ./internal/omp", o.path)
		}
	}
}
