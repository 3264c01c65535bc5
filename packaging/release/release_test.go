package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestSemantic(t *testing.T) {
	for version, want := range map[string]string{
		"1": "v1.0.0", "0.1-dev": "v0.1.0-dev", "1.2": "v1.2.0", "1.2.3-rc-1": "v1.2.3-rc-1",
	} {
		r := release{version: version}
		if got := r.semantic(); got != want {
			t.Errorf("%s: %s, want %s", version, got, want)
		}
	}
}

// TestRenamed checks that imports, and nothing else, name the module by its published path.
func TestRenamed(t *testing.T) {
	r := release{module: "example.org/opari"}
	const text = `package p

import (
	"fmt"

	"opari/internal/omp"
	short "opari/pomp"
)

var _ = fmt.Sprint("opari/pomp", omp.X, short.ABI)
`
	want := strings.NewReplacer(`"opari/internal`, `"example.org/opari/internal`,
		`short "opari`, `short "example.org/opari`).Replace(text)
	if got, err := r.renamed("p/p.go", []byte(text)); err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
	for name, text := range map[string]string{
		"p/testdata/p.go": text, "p/p.c": `#include "opari/pomp"`,
	} {
		if got, err := r.renamed(name, []byte(text)); err != nil || string(got) != text {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
	if got, err := r.renamed("go.mod", []byte("module opari\n\ngo 1.26.0\n")); err != nil ||
		string(got) != "module example.org/opari\n\ngo 1.26.0\n" {
		t.Errorf("go.mod: %v\n%s", err, got)
	}
	if _, err := r.renamed("go.mod", []byte("module other\n")); err == nil {
		t.Error("another module was renamed")
	}
	for _, path := range []string{"", "opari", "example.org/Opari"} {
		r.module = path
		if err := r.proxy(); err == nil {
			t.Errorf("%q was taken for a path", path)
		}
	}
}

// TestTarball requires the same bytes for the same files, whatever the times, the umask and the
// order in which they came to be.
func TestTarball(t *testing.T) {
	r := release{time: time.Unix(1_700_000_000, 0)}
	names := []string{"bin/opari", "share/doc/a", "share/doc/b", "lib/x"}
	make := func(mask int, when time.Time, order []string) []byte {
		old := syscall.Umask(mask)
		defer syscall.Umask(old)
		dir := t.TempDir()
		for _, name := range order {
			path := filepath.Join(dir, name)
			if err := write(path, []byte("text of "+name)); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(path, when, when); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chmod(filepath.Join(dir, "bin/opari"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("opari", filepath.Join(dir, "bin/opari-gcc")); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := r.tarball(&b, dir, "opari-1"); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	first := make(0o022, time.Now(), names)
	second := make(0o077, time.Unix(1, 0), []string{names[3], names[2], names[1], names[0]})
	if !bytes.Equal(first, second) {
		t.Error("the same files made two tarballs")
	}
	r.time = time.Unix(1_700_000_001, 0)
	if bytes.Equal(first, make(0o022, time.Now(), names)) {
		t.Error("the commit's time is not in the tarball")
	}
}

// TestNeedsLibc reads a library that is there on any machine with a compiler: none of its own
// symbols is older than those that the 64-bit ABI began with.
func TestNeedsLibc(t *testing.T) {
	if _, err := needsLibc("main.go"); err == nil {
		t.Error("a source is taken for a library")
	}
	found, _ := filepath.Glob("/usr/lib/*/libgomp.so.1")
	if len(found) == 0 {
		found, _ = filepath.Glob("/usr/lib*/libgomp.so.1")
	}
	if len(found) == 0 {
		t.Fatal("there is no libgomp.so.1")
	}
	version, err := needsLibc(found[0])
	if err != nil || !strings.HasPrefix(version, "2.") {
		t.Errorf("%s needs %q: %v", found[0], version, err)
	}
}
