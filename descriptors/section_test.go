package descriptors

import (
	"fmt"
	"slices"
	"testing"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse"
)

// TestImplicitSection requires that a section without a directive is a region and is counted, but
// is no directive that the user wrote.
func TestImplicitSection(t *testing.T) {
	const text = `void f(void)
{
#pragma omp parallel sections
  {
#pragma omp critical
    a();
    b();
#pragma omp section
    c();
  }
#pragma omp sections
  {
#pragma omp section
    a();
#ifdef X
#pragma omp section
    b();
#endif
  }
#pragma omp sections
  { a(); }
}
`
	tree, ds := parse.File(source.New("f.c", []byte(text)), parse.Options{Lang: omp.C})
	table, more := Lower(tree, Options{})
	if len(ds)+len(more) > 0 {
		t.Fatal(ds, more)
	}
	var got []string
	for _, r := range table.Regions {
		outer := 0
		if r.Outer != nil {
			outer = r.Outer.ID
		}
		got = append(got, fmt.Sprintf("%d %s/%s %v-%v in %d, %d sections", r.ID, r.Name,
			r.Directive, r.Begin, r.End, outer, r.Sections))
	}
	want := []string{
		"1 parallel/parallel sections [3 3]-[10 10] in 0, 0 sections",
		"2 sections/parallel sections [3 3]-[10 10] in 1, 2 sections",
		"3 section/section [5 5]-[7 7] in 2, 0 sections",
		"4 critical/critical [5 5]-[6 6] in 3, 0 sections",
		"5 section/section [8 8]-[9 9] in 2, 0 sections",
		"6 sections/sections [11 11]-[19 19] in 0, 2 sections",
		"7 section/section [13 13]-[14 14] in 6, 0 sections",
		"8 section/section [16 16]-[17 17] in 6, 0 sections",
		"9 sections/sections [20 20]-[21 21] in 0, 1 sections",
		"10 section/section [21 21]-[21 21] in 9, 0 sections",
	}
	if !slices.Equal(got, want) {
		t.Errorf("regions:\n%q\nwant\n%q", got, want)
	}
	var lines []int
	for _, c := range table.Coverage {
		lines = append(lines, c.Pos.Line)
	}
	if !slices.Equal(lines, []int{3, 5, 8, 11, 13, 16, 20}) {
		t.Errorf("coverage lists lines %v", lines)
	}
	table, _ = Lower(tree, Options{Disable: []string{"section"}})
	n := len(table.Regions)
	// A row without a kind reports the option, once.
	option := slices.IndexFunc(table.Regions, func(r *Region) bool {
		return r.Kind == omp.KindNone
	})
	if n != 6 || table.Regions[1].Sections != 2 || len(table.Coverage) != 7 || option < 0 ||
		table.Regions[option].SubName != "--disable=section" {
		t.Errorf("with --disable=section there are %d regions and %d directives",
			n, len(table.Coverage))
	}
}
