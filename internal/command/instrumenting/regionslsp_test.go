package instrumenting

import (
	"path/filepath"
	"testing"

	"opari/internal/instrument"
)

// TestSymbols checks the symbols of all golden sources: each region is one, and editors require
// that a selection lies in its symbol, and a symbol in the one around it.
func TestSymbols(t *testing.T) {
	for _, pattern := range []string{"*.c", "*.cc", "fortran/*.f90"} {
		sources, err := filepath.Glob("../../../testdata/golden/" + pattern)
		if err != nil || len(sources) < 3 {
			t.Fatal(pattern, sources, err)
		}
		for _, source := range sources {
			u, err := prepare(source, &instrument.Options{})
			if err != nil {
				continue // an example of an error, or for options
			}
			fr := describe(u, true)
			files, err := lsp([]fileRegions{fr})
			if err != nil || len(files) == 0 {
				t.Fatal(files, err)
			}
			symbols, diagnostics := 0, 0
			for _, f := range files {
				symbols += count(t, source, f.Symbols, nil)
				diagnostics += len(f.Diagnostics)
			}
			if symbols != len(fr.Regions) || diagnostics != fr.Total.Skipped {
				t.Errorf("%s: %d symbols of %d regions, %d diagnostics of %d", source, symbols,
					len(fr.Regions), diagnostics, fr.Total.Skipped)
			}
		}
	}
}

func count(t *testing.T, source string, symbols []*lspSymbol, around *lspSymbol) int {
	t.Helper()
	n := 0
	for _, s := range symbols {
		if s.Name == "" || !within(s.Selection, s.Range) ||
			around != nil && !within(s.Range, around.Range) {
			t.Errorf("%s: %+v", source, s)
		}
		n += 1 + count(t, source, s.Children, s)
	}
	return n
}

func within(a, b lspRange) bool {
	return a.Start.Line < a.End.Line && b.Start.Line <= a.Start.Line && a.End.Line <= b.End.Line
}

// TestURI checks the names that editors get.
func TestURI(t *testing.T) {
	for _, c := range [][2]string{
		{"a b.c", "file:///here/a%20b.c"},
		{"../%.c", "file:///%25.c"},
		{"/x/./y.c", "file:///x/y.c"},
		{"<stdin>", "untitled:stdin"},
	} {
		if got := uriOf(c[0], "/here"); got != c[1] {
			t.Errorf("%s: %s, want %s", c[0], got, c[1])
		}
	}
}
