package fortran_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"opari/descriptors"
	"opari/fortran"
	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/construct"
	"opari/rewrite"
)

var (
	layout = map[string]fortran.Form{".f90": fortran.Free, ".f": fortran.Fixed}
	lower  = descriptors.Options{Lang: omp.Fortran, Functions: []string{"*"}}
)

// inParts instruments text in the smallest parts. It also returns their number, and whether the
// text has errors.
func inParts(t *testing.T, text []byte, o fortran.Options) (out []byte, parts int, good bool) {
	t.Helper()
	f := source.New("f", text)
	var rows, body bytes.Buffer
	sink := func(b *bytes.Buffer) func([]byte) error {
		return func(p []byte) error { b.Write(p); return nil }
	}
	w, err := rewrite.NewFortranWriter(f, rewrite.Options{Lang: omp.Fortran, Form: o.Form},
		sink(&rows), sink(&body))
	if err != nil {
		return nil, 0, false
	}
	l, lowered := descriptors.NewLowering(lower), source.Diagnostics{}
	ds := fortran.ReadParts(f, o, 1, func(tree *construct.Tree) bool {
		parts++
		table, ds := l.Part(tree)
		lowered = append(lowered, ds...)
		return w.Part(tree, table) == nil
	})
	if ds.HasErrors() || lowered.HasErrors() {
		return nil, parts, false
	}
	if err := w.Close(&rows); err != nil {
		t.Fatal(err)
	}
	return body.Bytes(), parts, true
}

// atOnce instruments text in one piece.
func atOnce(t *testing.T, text []byte, o fortran.Options) (out []byte, good bool) {
	t.Helper()
	f := source.New("f", text)
	tree, ds := fortran.File(f, o)
	if ds.HasErrors() || rewrite.Instrumented(text) {
		return nil, false
	}
	table, ds := descriptors.Lower(tree, lower)
	if ds.HasErrors() {
		return nil, false
	}
	out, err := rewrite.Instrument(tree, table, rewrite.Options{Lang: omp.Fortran, Form: o.Form})
	if err != nil {
		t.Fatal(err)
	}
	return out, true
}

func compareParts(t *testing.T, text []byte, o fortran.Options) (parts int) {
	t.Helper()
	want, wellFormed := atOnce(t, text, o)
	got, parts, good := inParts(t, text, o)
	if good != wellFormed || !bytes.Equal(got, want) {
		t.Errorf("in %d parts (good: %v):\n%s\nat once (good: %v):\n%s", parts, good, got,
			wellFormed, want)
	}
	return parts
}

// FuzzParts checks that instrumenting in parts gives the same text as instrumenting at once.
func FuzzParts(f *testing.F) {
	files, _ := filepath.Glob("../testdata/golden/fortran/*")
	together := map[string][]byte{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		ext := filepath.Ext(file)
		if form, ok := layout[ext]; ok {
			f.Add(text, form == fortran.Fixed)
			together[ext] = append(together[ext], text...)
		}
	}
	for ext, text := range together {
		f.Add(text, layout[ext] == fortran.Fixed)
	}
	f.Fuzz(func(t *testing.T, text []byte, fixed bool) {
		for _, functions := range []bool{false, true} {
			o := fortran.Options{Functions: functions}
			if o.Form = fortran.Free; fixed {
				o.Form = fortran.Fixed
			}
			compareParts(t, text, o)
		}
	})
}

// TestParts checks that large files are read in parts, and in which ones.
func TestParts(t *testing.T) {
	unit := func(text string) string { return "subroutine s\n" + text + "end\n" }
	barrier := unit("!$omp barrier\n")
	for _, c := range []struct {
		text  string
		parts int
	}{
		{strings.Repeat(barrier, 3), 4}, // the last one is empty
		{"#if A\n" + strings.Repeat(barrier, 3) + "#endif\n" + barrier, 2},
		{"module m\ncontains\n" + strings.Repeat(barrier, 3) + "end\n", 2},
		{barrier + unit("!$pomp inst begin(a)\n") + barrier + unit("!$pomp inst end(a)\n"), 2},
		{unit("!$omp parallel\n") + barrier, 0}, // no end: an error, so no part follows
	} {
		if parts := compareParts(t, []byte(c.text), fortran.Options{}); parts != c.parts {
			t.Errorf("%d parts, want %d:\n%s", parts, c.parts, c.text)
		}
	}
}
