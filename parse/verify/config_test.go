package verify

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"opari/internal/omp"
	"opari/internal/source"
)

func TestHostFlags(t *testing.T) {
	ask, prelude, user := hostFlags(strings.Fields("-c -o x.o -Wall -I inc -Isrc/ -isystem sys " +
		"-iquoteq -DA=1 -D B -UC -std=c99 -include pre.h -MD -m64 -O2"))
	if got, want := strings.Join(ask, " "),
		"-Iinc -Isrc/ -isystem sys -iquote q -DA=1 -DB -UC -std=c99 -m64 -O2 -fopenmp"; got !=
		want {
		t.Errorf("asked with %q, want %q", got, want)
	}
	if prelude != "#include \"pre.h\"\n" || strings.Join(user, " ") != "inc src" {
		t.Errorf("prelude %q, directories %q", prelude, user)
	}
}

// The front end reads the user's headers like the file itself, and finds them with the user's
// flags.
func TestHeaders(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"own.h": "#pragma once\n#ifdef NEVER\ndon't\n#endif\n#line 7 \"other.h\"\nvoid " +
			"g(int);\nenum { once };\n",
		"inc/flags.h": "#define FOR for (int i = 0; i < 9; i++)\n",
		"pre.h":       "#define HAVE_PRE 1\n",
		"body.inc":    "{ g(1);\n}\n",
		"tail.inc":    "g(1); }\n",
		"inc/open.h":  "int = x;\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const text = `#include "own.h"
#include "own.h"
#include <flags.h>
#include <stddef.h>
void f(void)
{
#if HAVE_PRE
#pragma omp for
  FOR g(1);
#endif
#pragma omp parallel
#include "body.inc"
#pragma omp parallel
  {
#include "tail.inc"
}
`
	f := source.New(filepath.Join(dir, "main.c"), []byte(text))
	o := Options{Lang: omp.C, CPPFlags: []string{
		"-I", filepath.Join(dir, "inc"), "-include", filepath.Join(dir, "pre.h"),
	}}
	u, err := readUnit(f, o, pragmas(f.Text))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		"", "the body starts in " + filepath.Join(dir, "body.inc"),
		"the body ends in " + filepath.Join(dir, "tail.inc"),
	} {
		if got := outcome(&u.statements[i]); got != want {
			t.Errorf("directive %d: %q, want %q", i, got, want)
		}
	}
	if e := u.statements[0].extent; text[e.Start:e.End] != "FOR g(1);" {
		t.Errorf("got %q", text[e.Start:e.End])
	}
	f = source.New(filepath.Join(dir, "bad.c"), []byte("#include <open.h>\n"))
	if _, err := readUnit(f, o, nil); err == nil || !strings.Contains(err.Error(), "open.h:1:") {
		t.Errorf("an error in a header is reported as %v", err)
	}
}
