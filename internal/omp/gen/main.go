// Command gen writes the files that are generated from the tables of package omp: the C library's
// event list, docs/reference/directives.md, and names for the rows.
package main

import (
	"bytes"
	"flag"
	"log"
	"os"
	"path/filepath"
)

// outputs lists the generated files, by path from the root of the repository.
var outputs = []struct {
	path string
	make func(*bytes.Buffer)
}{
	{"pomp/src/pomp_events.h", writeHeader},
	{"docs/reference/directives.md", writeDocs},
	{"internal/omp/rows.go", writeRows},
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("gen: ")
	root := flag.String("root", ".", "the root of the repository")
	flag.Parse()
	for _, o := range outputs {
		var b bytes.Buffer
		o.make(&b)
		path := filepath.Join(*root, filepath.FromSlash(o.path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			log.Fatal(err)
		}
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, b.Bytes()) {
			continue
		}
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
