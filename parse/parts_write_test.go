package parse_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"opari/descriptors"
	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse"
	"opari/parse/construct"
	"opari/rewrite"
)

// inParts instruments text in parts of size. It also returns the number of parts, or 0 if the
// file must be read at once.
func inParts(t *testing.T, name string, text []byte, po parse.Options,
	wo rewrite.Options, size int,
) (out []byte, parts int) {
	t.Helper()
	f := source.New(name, text)
	var rows, body bytes.Buffer
	sink := func(b *bytes.Buffer) func([]byte) error {
		return func(p []byte) error { b.Write(p); return nil }
	}
	w, err := rewrite.NewWriter(f, wo, sink(&rows), sink(&body))
	if err != nil {
		t.Fatal(err)
	}
	l := descriptors.NewLowering(descriptors.Options{})
	ds, ok := parse.ReadParts(f, po, size, func(tree *construct.Tree) bool {
		table, ds := l.Part(tree)
		if ds.HasErrors() {
			t.Fatalf("%s: %v", name, ds)
		}
		parts++
		return w.Part(table) == nil
	})
	if !ok {
		return nil, 0
	}
	if err := w.Close(); err != nil || ds.HasErrors() {
		t.Fatalf("%s: %v %v", name, err, ds)
	}
	return append(append(append(w.BeforeRows(), rows.Bytes()...), w.AfterRows()...),
		body.Bytes()...), parts
}

func atOnce(t *testing.T, name string, text []byte, po parse.Options, wo rewrite.Options) []byte {
	t.Helper()
	tree, ds := parse.File(source.New(name, text), po)
	if ds.HasErrors() {
		t.Fatalf("%s: %v", name, ds)
	}
	table, ds := descriptors.Lower(tree, descriptors.Options{})
	if ds.HasErrors() {
		t.Fatalf("%s: %v", name, ds)
	}
	out, err := rewrite.Instrument(tree, table, wo)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// locked has lock calls in several functions.
const locked = `#include <omp.h>
omp_lock_t l;
void f(void)
{
#pragma omp parallel num_threads(2)
    omp_set_lock(&l);
#pragma omp flush
}
void g(void)
{
    omp_unset_lock(&l);
#pragma omp parallel
    {
#pragma omp single
        omp_destroy_lock(&l);
    }
}
`

// TestPartsWritten checks that instrumenting in parts gives the same text as instrumenting at
// once. Lock calls are numbered part by part, so there the numbers of regions and the order of
// rows differ, and nothing else.
func TestPartsWritten(t *testing.T) {
	inputs := map[string][]byte{"locked.c": []byte(locked)}
	for _, pattern := range []string{
		"testdata/*.c*", "../testdata/golden/*.c",
		"../testdata/golden/*.cc", "../testdata/golden/*.i",
	} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			inputs[filepath.Base(file)] = text
		}
	}
	parted, numbered := 0, 0
	for name, text := range inputs {
		ext := filepath.Ext(name)
		po, wo := parse.Options{Lang: omp.C, Preprocessed: ext == ".i"},
			rewrite.Options{Lang: omp.C, Preprocessed: ext == ".i"}
		if ext == ".cc" {
			po.Lang, wo.Lang = omp.CPlusPlus, omp.CPlusPlus
		}
		want := atOnce(t, name, text, po, wo)
		for _, size := range []int{1, 3} {
			got, parts := inParts(t, name, text, po, wo, size)
			if parts < 2 {
				continue
			}
			parted++
			if !bytes.Equal(got, want) {
				if numbered++; !bytes.Contains(text, []byte("_lock")) ||
					unnumbered(got) != unnumbered(want) {
					t.Errorf("%s in parts of %d is written as\n%s\nand at once as\n%s",
						name, size, got, want)
				}
			}
			if back, err := rewrite.Strip(got); ext != ".i" &&
				(err != nil || !bytes.Equal(back, text)) {
				t.Errorf("%s in parts of %d: strip does not give the input back: %v",
					name, size, err)
			}
		}
	}
	if parted < 20 || numbered == 0 || numbered == parted {
		t.Errorf("%d files were parted, %d of them numbered otherwise", parted, numbered)
	}
}

var number = regexp.MustCompile(`(pomp_\w+\((?:/\*@\w+\*/)?|pomp_[bhincs]|pomp_d \+ )\d+`)

// unnumbered returns the text without the numbers of regions, and with its rows sorted.
func unnumbered(text []byte) string {
	lines := strings.SplitAfter(number.ReplaceAllString(string(text), "$1"), "\n")
	var rows, rest []string
	for _, l := range lines {
		if strings.HasPrefix(l, "  { \"") {
			rows = append(rows, strings.TrimRight(l, ",;} /*@\n"))
		} else {
			rest = append(rest, l)
		}
	}
	slices.Sort(rows)
	return fmt.Sprint(rows, rest)
}

// TestPartsNumbered checks that the numbers of regions continue from part to part, and that the
// rows have them.
func TestPartsNumbered(t *testing.T) {
	var text bytes.Buffer
	for i := range 10 {
		fmt.Fprintf(&text,
			"void f%d(void)\n{\n#pragma omp parallel\n{\n#pragma omp barrier\n}\n}\n", i)
	}
	wo := rewrite.Options{Lang: omp.C}
	got, parts := inParts(t, "f.c", text.Bytes(), parse.Options{}, wo, 3)
	if want := atOnce(t, "f.c", text.Bytes(), parse.Options{}, wo); parts != 6 ||
		!bytes.Equal(got, want) {
		t.Errorf("%d parts\n%s\nwant\n%s", parts, got, want)
	}
}
