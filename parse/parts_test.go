package parse

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/verify"
)

// pieces lists all that trees hold, with a line for each construct, call and mention. It sorts
// the mentions, because each part has its own sorted by file.
type pieces struct{ constructs, calls, mentions []string }

func (q *pieces) add(t *construct.Tree) {
	var visit func(list []*construct.Construct, depth int)
	visit = func(list []*construct.Construct, depth int) {
		for _, c := range list {
			d := *c
			d.Inner, d.Directive.Leaves, d.Directive.Clauses, d.Header.Nest = nil, nil, nil, nil
			line := fmt.Sprintf("%*s%+v", depth, "", d)
			for _, cl := range c.Directive.Clauses {
				line += fmt.Sprintf(" %s %v %q", cl.Name, cl.Extent, cl.Items)
			}
			for l := c.Header.Nest; l != nil; l = l.Inner {
				line += fmt.Sprintf(" %s %s %s %v %v%s",
					l.From, l.To, l.Step, l.Inclusive, l.Untyped, l.Names)
			}
			q.constructs = append(q.constructs, line)
			visit(c.Inner, depth+1)
		}
	}
	visit(t.Constructs, 0)
	for _, c := range t.Calls {
		q.calls = append(q.calls, fmt.Sprintf("%+v", c))
	}
	for _, m := range t.Mentions {
		q.mentions = append(q.mentions, fmt.Sprintf("%+v", m))
	}
	slices.Sort(q.mentions)
}

// inParts reads text in parts of size. It also returns the number of parts, or 0 if they were
// void.
func inParts(name, text string, o Options, size int) (q pieces, ds source.Diagnostics, parts int) {
	ds, ok := readParts(source.New(name, []byte(text)), o, size, func(t *construct.Tree) bool {
		q.add(t)
		parts++
		return true
	})
	if !ok {
		return pieces{}, nil, 0
	}
	return q, ds, parts
}

// sameInParts compares a reading in parts of size with the reading of the entire file, and
// returns the number of parts.
func sameInParts(t *testing.T, name, text string, o Options, size int) int {
	t.Helper()
	tree, ds := File(source.New(name, []byte(text)), o)
	got, ds2, parts := inParts(name, text, o, size)
	if parts == 0 {
		return 0
	}
	if !slices.Equal(ds, ds2) {
		t.Errorf("%s in parts of %d: diagnostics\n%v, want\n%v", name, size, ds2, ds)
	}
	if ds.HasErrors() {
		return parts
	}
	var want pieces
	want.add(tree)
	for _, k := range []struct {
		what      string
		got, want []string
	}{
		{"constructs", got.constructs, want.constructs},
		{"calls", got.calls, want.calls},
		{"mentions", got.mentions, want.mentions},
	} {
		if !slices.Equal(k.got, k.want) {
			t.Errorf("%s in parts of %d: %s differ\n%s\nwant\n%s", name, size,
				k.what, strings.Join(k.got, "\n"), strings.Join(k.want, "\n"))
		}
	}
	return parts
}

// TestParts checks that a file gives the same constructs wherever it is divided.
func TestParts(t *testing.T) {
	files := corpusFiles(t)
	for _, pattern := range []string{
		"../testdata/golden/*.c",
		"../testdata/golden/*.cc", "../testdata/golden/*.i",
	} {
		m, _ := filepath.Glob(pattern)
		files = append(files, m...)
	}
	parted := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		o := Options{
			Lang: omp.C, Preprocessed: filepath.Ext(file) == ".i",
			CPPFlags: []string{"-I" + filepath.Dir(file)},
		}
		if lang := languageOf(file); lang != 0 {
			o.Lang = lang
		}
		for _, verify := range []verify.Mode{verify.Auto, verify.Never} {
			o.Verify = verify
			for _, size := range []int{1, 2, 7} {
				if sameInParts(t, file, string(text), o, size) > 1 {
					parted++
				}
			}
		}
	}
	if parted < 50 {
		t.Errorf("only %d readings were in parts", parted)
	}
}

const barrier = "#pragma omp barrier\n"

// TestPartsKeep checks text that concerns more than one part.
func TestPartsKeep(t *testing.T) {
	f := func(n int, text string) string {
		return fmt.Sprintf("void f%d(void)\n{\n%s}\n", n, text)
	}
	const unknown = "#pragma omp parallel\nFOREACH(x) { a(); }\n"
	for _, c := range []struct {
		what, text string
		parts      int // with parts of one construct; 0: void
		o          Options
	}{
		{"nothing", f(1, barrier) + f(2, barrier) + f(3, ""), 3, Options{}},
		{"in a namespace", "namespace a { namespace {\nclass c {\n" + f(1, barrier) +
			f(2, barrier) + "};\n" + f(3, barrier) + "} }\n" +
			f(4, barrier), 5, Options{Lang: omp.CPlusPlus}},
		{
			"in a local class", "void g() { struct s {\n" + f(1, barrier) +
				f(2, barrier) + "}; }\n",
			2,
			Options{Lang: omp.CPlusPlus},
		},
		{
			"in an #if", "#ifdef A\n" + f(1, barrier) + f(2, barrier) + "#endif\n" + f(3, barrier),
			2,
			Options{},
		},
		{"noinstrument", f(1, barrier) + "#pragma pomp noinstrument\n" + f(2, barrier) +
			f(3, barrier) + "#pragma pomp instrument\n" + f(4, barrier), 5, Options{}},
		{"declare target region", "#pragma omp declare target\n" + f(1, barrier) + f(2, barrier) +
			"#pragma omp end declare target\n" + f(3, barrier), 4, Options{}},
		{"declared target before", "#pragma omp declare target(f2)\n" + f(1, barrier) +
			f(2, barrier) + f(3, barrier), 4, Options{}},
		{
			"declared target behind",
			f(1, barrier) + f(2, barrier) + "#pragma omp declare target to(f1)\n", 0,
			Options{},
		},
		{"user regions", f(1, barrier) + f(2, "#pragma pomp inst begin(x)\n") +
			f(3, "#pragma omp inst end(x)\n") + f(4, barrier), 2, Options{}},
		{"user regions from a macro", "#define B inst begin(x)\n" + f(1, "#pragma omp B\n") +
			f(2, barrier), 1, Options{}},
		{"in doubt", f(1, barrier) + f(2, unknown) + f(3, barrier), 0, Options{}},
		{"in doubt at once", f(1, unknown) + f(2, barrier) + f(3, barrier), 1, Options{}},
		{
			"in doubt in C++", f(1, barrier) + f(2, unknown) + f(3, barrier), 4,
			Options{Lang: omp.CPlusPlus},
		},
		{
			"in doubt, never mind", f(1, barrier) + f(2, unknown) + f(3, barrier), 4,
			Options{Verify: verify.Never},
		},
		{"always verified", f(1, barrier) + f(2, barrier), 1, Options{Verify: verify.Always}},
		{"macros", "#define B {\n" + f(1, barrier) + "#define E }\n" +
			f(2, "#pragma omp parallel\nB E\n") + "#undef B\n" +
			f(3, "#pragma omp parallel\nB;\n"), 4, Options{}},
		{"macros in branches", "#if X\n#define B {\n#else\n#define B\n#endif\n" + f(1, barrier) +
			f(2, "#if X\n#pragma omp parallel\nB\n#endif\na();\n#if X\n}\n#endif\n") +
			f(3, "#if X\n#pragma omp parallel\nB\n#endif\na();\n#if X\n}\n#endif\n"), 4, Options{}},
		{"locks", f(1, "omp_set_lock(&l);\n") + f(2, "#pragma omp target\n{ omp_set_lock(&l); "+
			"}\n") + f(3, "omp_set_lock(&l);\n"), 4, Options{}},
		{"mentions", "#define M _Pragma(\"omp barrier\")\n" + f(1, "M\n") +
			"#define N _Pragma(\"omp flush\")\n" + f(2, "M N\n"), 3, Options{}},
		{"stray else", "#pragma omp parallel\nIF(x) { }\nelse { }\n" + f(1, barrier) +
			f(2, barrier), 4, Options{Verify: verify.Never}},
		{"markers", "# 1 \"a.h\" 1 3\n" + f(1, barrier) + "# 7 \"b.c\" 2\n" + f(2, barrier) +
			"# 1 \"a.h\"\n" + f(3, barrier), 4, Options{Preprocessed: true}},
		{
			"an error late", f(1, barrier) + f(2, barrier) + f(3, "#pragma omp parallel\n"),
			2,
			Options{},
		},
	} {
		if n := sameInParts(t, "f.c", c.text, c.o, 1); n != c.parts {
			t.Errorf("%s: %d parts, want %d", c.what, n, c.parts)
		}
	}
}

// TestPartsTooLarge checks that the file is divided if the front end cannot be asked, since there
// is no reason to read all of it at once.
func TestPartsTooLarge(t *testing.T) {
	text := inFunction(barrier) + inFunction("#pragma omp parallel\nFOREACH(x) { a(); }\n") +
		inFunction(barrier) +
		"/*" + strings.Repeat(" ", verify.MaxText) + "*/\n" + inFunction(barrier)
	if n := sameInParts(t, "f.c", text, Options{}, 1); n < 4 {
		t.Errorf("%d parts", n)
	}
}

// TestPartsEnd checks that no part follows after take has returned false.
func TestPartsEnd(t *testing.T) {
	n := 0
	_, ok := readParts(source.New("f.c", []byte(strings.Repeat(inFunction(barrier), 9))),
		Options{}, 1, func(*construct.Tree) bool {
			n++
			return n < 3
		})
	if n != 3 || !ok {
		t.Errorf("%d parts, %v", n, ok)
	}
}
