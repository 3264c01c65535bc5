package parse

import (
	"testing"

	"opari/internal/omp"
	"opari/internal/source"
)

func TestTypes(t *testing.T) {
	const text = `
typedef double real;
extern int grid[];
static real field[8][4];
int grid[3];
struct node { int a; char b; } *head;
void f(int n, real *x, int m[n])
{
  long x2 = 0;
  double v[n];
  {
    short n = 2; unsigned char later;
#pragma omp parallel
    { int late = n; x2 += late; }
  }
  for (char i = 0; i < 3; i++)
#pragma omp task
    v[i] = 0;
  static float keep;
#pragma omp single
  ;
#ifdef NEVER
#pragma omp barrier
#endif
}
`
	f := source.New("types.c", []byte(text))
	o := Options{Lang: omp.C}
	tree := treeOf(f)
	types, err := TypesOf(tree, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at   int
		name string
		want Var
		ok   bool
	}{
		{0, "n", Var{CType: "short", Size: 2}, true},
		{1, "n", Var{CType: "int", Size: 4}, true},
		{0, "x", Var{Size: 8, Pointer: true}, true},
		{0, "m", Var{Size: 8, Pointer: true}, true},
		{0, "x2", Var{CType: "long", Size: 8}, true},
		{1, "v", Var{Size: -1, Array: true}, true},
		{1, "i", Var{CType: "char", Size: 1}, true},
		{0, "grid", Var{Size: 12, Array: true, Global: true}, true},
		{0, "field", Var{Size: 256, Array: true, Global: true}, true},
		{0, "head", Var{Size: 8, Pointer: true, Global: true}, true},
		{2, "keep", Var{CType: "float", Size: 4, Global: true}, true},
		{1, "keep", Var{}, false}, // declared later
		{0, "late", Var{}, false}, // declared inside
		{1, "later", Var{}, false},
		{0, "real", Var{}, false}, // a type
		{0, "nothing", Var{}, false},
		{3, "n", Var{}, false}, // not active
	} {
		got, ok := types.Lookup(tree.Constructs[c.at], c.name)
		if c.want.CType == "" {
			got.CType = ""
		}
		if ok != c.ok || ok && got != c.want {
			t.Errorf("%s at directive %d: got %+v, %v; want %+v, %v", c.name, c.at, got, ok, c.want, c.ok)
		}
	}
	if _, err := TypesOf(&Tree{File: source.New("bad.c", []byte("int x = ;\n"))}, o); err == nil {
		t.Error("no error for a file that is no C")
	}
}

// treeOf is a tree of the pragmas of f, without bodies.
func treeOf(f *source.File) *Tree {
	t := &Tree{File: f}
	for _, m := range pragmas(f.Text) {
		t.Constructs = append(t.Constructs, &Construct{Directive: Directive{Extent: m, Name: "test", Pos: f.Position(m.Start)}})
	}
	return t
}
