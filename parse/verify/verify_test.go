package verify

import (
	"os/exec"
	"strings"
	"testing"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/directive"
)

const verifiedText = `#define LOOP(i) for (i = 0; i < 9; i++)
#define END g(2); } g(3);
void g(int);
void f(int a)
{
#pragma omp parallel
  {
#pragma omp for
    LOOP(a)
      g(1);
  }
#pragma omp single
  #if A
  g(1);
  #else
  g(2);
  #endif
#ifdef NEVER
#pragma omp task
  g(4);
#endif
}
`

// treeOf returns a tree of the pragmas of f, without bodies.
func treeOf(f *source.File) *construct.Tree {
	t := &construct.Tree{File: f}
	for _, m := range pragmas(f.Text) {
		t.Constructs = append(t.Constructs,
			&construct.Construct{Directive: directive.Directive{
				Extent: m, Name: "test", Pos: f.Position(m.Start),
			}})
	}
	return t
}

// verifiedTree returns a tree of text whose k-th directive has the k-th of bodies. Each is given
// as the first and last bytes of its text.
func verifiedTree(t *testing.T, text string, bodies ...[2]string) *construct.Tree {
	t.Helper()
	f := source.New("v.c", []byte(text))
	tree := treeOf(f)
	for i, c := range tree.Constructs {
		from := c.Directive.Extent.End
		start := strings.Index(text[from:], bodies[i][0])
		if start < 0 {
			t.Fatalf("no %q", bodies[i][0])
		}
		end := strings.Index(text[from+start:], bodies[i][1])
		if end < 0 {
			t.Fatalf("no %q", bodies[i][1])
		}
		c.Kind = construct.Stmt
		c.Body = source.Extent{Start: from + start, End: from + start + end + len(bodies[i][1])}
		c.Extent = source.Extent{Start: c.Directive.Extent.Start, End: c.Body.End}
	}
	return tree
}

func TestVerify(t *testing.T) {
	good := [][2]string{{"{", ";\n  }"}, {"LOOP", ");"}, {"  #if", "#endif\n"}, {"g", ";"}}
	with := func(i int, from, to string) [][2]string {
		b := append([][2]string(nil), good...)
		b[i] = [2]string{from, to}
		return b
	}
	for _, c := range []struct {
		name   string
		bodies [][2]string
		flags  []string
		want   string // part of the error; "" for no error
	}{
		{"agree", good, nil, ""},
		{"the other branch", good, []string{"-DA"}, ""},
		{"a branch that is never active is not checked", with(3, "g(4)", "}"), nil, ""},
		{
			"one branch instead of both", with(2, "g(1)", ";"), nil,
			"it starts at 14:3 for the scanner and at 16:3 for the C front end",
		},
		{"one branch is the active one", with(2, "g(1)", ";"), []string{"-D", "A"}, ""},
		{
			"too short", with(0, "{", ";"), nil,
			"v.c:6:1: error: the scanner and the C front end disagree about the end of the " +
				"statement after 'test': it ends before 10:12 for the scanner and before 11:4 " +
				"for " +
				"the C front end",
		},
		{"too long", with(1, "LOOP", "}"), nil, "before 11:4 for the scanner and before 10:12 for"},
		{
			"macro and not what follows", with(1, "LOOP", ")"), nil,
			"before 9:12 for the scanner and before 10:12 for",
		},
		{"elsewhere", with(1, "g(1)", ";"), nil, "starts at 10:7 for the scanner and at 9:5 for"},
	} {
		tree := verifiedTree(t, verifiedText, c.bodies...)
		var ds source.Diagnostics
		Tree(tree, Options{Lang: omp.C, Mode: Always, CPPFlags: c.flags}, nil, &ds)
		checkMessage(t, c.name, ds, source.Error, c.want)
	}
}

func checkMessage(t *testing.T, name string,
	ds source.Diagnostics, severity source.Severity, want string,
) {
	t.Helper()
	switch {
	case want == "" && len(ds) > 0:
		t.Errorf("%s: unexpected %v", name, ds)
	case want != "" &&
		(len(ds) != 1 || ds[0].Severity != severity || !strings.Contains(ds[0].String(), want)):
		t.Errorf("%s: got %v, want a message with %q", name, ds, want)
	}
}

// A body that ends inside an expansion for the front end makes the construct unsafe, whatever the
// scanner says.
func TestVerifyUnsafe(t *testing.T) {
	const text = "#define END g(2); } g(3);\nvoid g(int);\nvoid f(void)\n{\n#pragma omp " +
		"parallel\n  { END\n}\n"
	tree := verifiedTree(t, text, [2]string{"{", "END"})
	var ds source.Diagnostics
	Tree(tree, Options{Lang: omp.C, Mode: Always}, nil, &ds)
	if want := "the body ends inside the expansion of macro END"; len(ds) > 0 ||
		tree.Constructs[0].Unsafe != want {
		t.Errorf("unsafe: %q, want %q; %v", tree.Constructs[0].Unsafe, want, ds)
	}
}

// The front end runs only if it must: here it could not find a header.
func TestVerifyModes(t *testing.T) {
	const text = "#include \"not-there.h\"\nvoid f(void)\n{\n#pragma omp parallel\n  { }\n}\n"
	const refused = "v.c:1:10: warning: the C front end cannot check this file: include file not " +
		"found"
	for _, c := range []struct {
		name   string
		lang   omp.Language
		verify Mode
		unsure bool
		want   string
	}{
		{"never", omp.C, Never, true, ""},
		{"always", omp.C, Always, false, refused},
		{"auto", omp.C, Auto, false, ""},
		{"auto, unsure", omp.C, Auto, true, refused},
		{"C++", omp.CPlusPlus, Always, true, ""},
	} {
		tree := verifiedTree(t, text, [2]string{"{", "}"})
		var unsure []*construct.Construct
		if c.unsure {
			unsure = tree.Constructs
		}
		var ds source.Diagnostics
		Tree(tree, Options{Lang: c.lang, Mode: c.verify}, unsure, &ds)
		checkMessage(t, c.name, ds, source.Warning, c.want)
		if unsafe := tree.Constructs[0].Unsafe != ""; unsafe != (c.unsure && c.verify != Never) {
			t.Errorf("%s: unsafe: %q", c.name, tree.Constructs[0].Unsafe)
		}
	}
}

// The output of the compiler's own preprocessor needs no flags, and the front end ignores its
// line markers.
func TestVerifyPreprocessed(t *testing.T) {
	cmd := exec.Command("gcc", "-E", "-fopenmp", "-")
	cmd.Stdin = strings.NewReader("#include <stdio.h>\n#define MANY for (int i = 0; i < 9; " +
		"i++)\nint main(void)\n{\n" +
		"  _Pragma(\"omp parallel\") MANY { puts(\"}\"); }\n#pragma omp parallel\n  MANY " +
		"puts(\"a\"); puts(\"b\");\n}\n")
	text, err := cmd.Output()
	if err != nil {
		t.Fatal("no gcc to make preprocessed text with: ", err)
	}
	o := Options{Lang: omp.C, Preprocessed: true, Mode: Always}
	for _, c := range []struct{ end, want string }{
		{`puts("a");`, ""},
		{`puts("b");`, "disagree about the end"},
	} {
		tree := verifiedTree(t, string(text), [2]string{"for", "}\"); }"}, [2]string{"for", c.end})
		var ds source.Diagnostics
		Tree(tree, o, nil, &ds)
		checkMessage(t, c.end, ds, source.Error, c.want)
	}
}

// Each directive that the front end sees must be in the tree, or in a message.
func TestVerifyMissed(t *testing.T) {
	const text = "void f(void)\n{\n#pragma omp parallel\n  { }\n#ifdef NEVER\n#pragma omp " +
		"parallel\n  { }\n#endif\n}\n"
	tree := verifiedTree(t, text, [2]string{"{", "}"}, [2]string{"{", "}"})
	all := tree.Constructs
	o := Options{Lang: omp.C, Mode: Always}
	for _, c := range []struct {
		name       string
		constructs []*construct.Construct
		mentions   []construct.Mention
		want       string
	}{
		{"all", all, nil, ""},
		{
			"active one left out", all[1:], nil,
			"v.c:3:9: error: the scanner and the C front end disagree about whether",
		},
		{"mentioned", all[1:], []construct.Mention{{Pos: all[0].Directive.Pos}}, ""},
		{"inactive one left out", all[:1], nil, ""},
	} {
		tree.Constructs, tree.Mentions = c.constructs, c.mentions
		var ds source.Diagnostics
		Tree(tree, o, nil, &ds)
		checkMessage(t, c.name, ds, source.Error, c.want)
	}
}
