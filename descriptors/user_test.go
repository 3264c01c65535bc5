package descriptors

import (
	"fmt"
	"slices"
	"testing"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse"
)

// TestUnknownDirective: what nobody knows is not instrumented, though its name begins like one of
// opari's own or stands under opari's sentinel.
func TestUnknownDirective(t *testing.T) {
	const text = `void f(void)
{
#pragma omp install x
#pragma pomp inst twist
#pragma pomp frob
#pragma pomp inst on
}
`
	tree, _ := parse.File(source.New("f.c", []byte(text)), parse.Options{Lang: omp.C})
	table, ds := Lower(tree, Options{})
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	var got []string
	for _, c := range table.Coverage {
		got = append(got, fmt.Sprintf("%d %s %v", c.Pos.Line, c.Directive, c.Instrumented))
	}
	want := []string{"3 install false", "4 inst twist false", "5 frob false", "6 inst on true"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}
