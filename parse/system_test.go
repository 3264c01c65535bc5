package parse

import (
	"strings"
	"testing"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/ctext"
)

// The parser skips the text of system headers that has nothing to report, and reads the rest.
func TestSystemHeaders(t *testing.T) {
	const user = "# 2 \"f.c\" 2\nvoid f(void) {\n#pragma omp parallel\n{ }\n}\n"
	for _, c := range []struct {
		name, header string
		skipped      bool
		mentions     int
	}{
		{
			"declarations",
			"int printf(const char *, ...);\nstatic int g(void) { return '}' - '{'; }\n", true, 0,
		},
		{"nested headers", "typedef int t;\n# 1 \"/usr/include/b.h\" 1 3 4\nstruct s { int x; " +
			"};\n# 3 \"/usr/include/a.h\" 2 3 4\n\n", true, 0},
		{"nothing", "\n\n", true, 0},
		{
			"its own pragmas",
			"#pragma GCC visibility push(default)\nint x;\n#pragma GCC visibility pop\n", true, 0,
		},
		{"other words", "int __val_comp_iter(int);\nint comp::f(void);\n", true, 0},
		{"a directive", "#pragma omp declare simd\nint g(int);\n", false, 1},
		{"odd spacing", "#pragma   omp declare simd\nint g(int);\n", false, 1},
		{"a directive by operator", "_Pragma(\"omp declare simd\")\nint g(int);\n", false, 1},
		{"a runtime routine", "extern void omp_set_lock(void *);\n", false, 0},
		{"braces in literals", "static int g(void) { return '}'; }\n", false, 0},
		{"half a declaration", "extern int\n", false, 0},
	} {
		text := "# 0 \"f.c\"\n# 1 \"f.c\"\n# 1 \"/usr/include/a.h\" 1 3 4\n" + c.header + user
		f := source.New("f.c", []byte(text))
		p := newParser(f, Options{Lang: omp.C, Preprocessed: true}, partSize)
		read := map[string]bool{}
		for !p.stopped {
			if p.Next(false); p.Tok.Kind == ctext.EOF {
				break
			}
			if p.system.inside {
				read[p.word()] = true
			}
			if p.Tok.Kind == ctext.Hash {
				p.preprocessing()
			} else {
				p.feed()
			}
		}
		words := 0
		for w := range read {
			if w != "#" && w != " " {
				words++
			}
		}
		if skipped := words == 0; skipped != c.skipped {
			t.Errorf("%s: skipped is %v; read %v", c.name, skipped, read)
		}
		tree, ds := File(source.New("f.c", []byte(text)), Options{Lang: omp.C, Preprocessed: true})
		if c.name == "half a declaration" { // the declaration continues in the user's file
			continue
		}
		if len(ds) != 0 || len(tree.Constructs) != 1 || len(tree.Mentions) != c.mentions {
			t.Errorf("%s: %v, %d constructs, mentions %v",
				c.name, ds, len(tree.Constructs), tree.Mentions)
			continue
		}
		con := tree.Constructs[0]
		if con.Directive.Pos.String() != "f.c:3:1" || con.Function != "f" ||
			!strings.HasPrefix(text[con.Body.Start:], "{ }") {
			t.Errorf("%s: construct at %v in %q, body %q", c.name,
				con.Directive.Pos, con.Function, text[con.Body.Start:con.Body.End])
		}
	}
}

// Two things end the text that is skipped: a macro of a system header in the user's file, and a
// header of the user's that the system's includes.
func TestSystemHeadersGiveWay(t *testing.T) {
	const text = "# 1 \"f.c\"\n# 1 \"/usr/include/a.h\" 1 3 4\nint a;\n# 1 \"mine.h\" 1\nstatic " +
		"void g(void) {\n#pragma omp barrier\n}\n" +
		"# 9 \"/usr/include/a.h\" 2 3 4\nint b;\n# 2 \"f.c\" 2\nvoid f(int *p) {\n#pragma omp " +
		"single\n" +
		"# 4 \"f.c\" 3 4\n*p = 1;\n# 4 \"f.c\"\n}\n"
	tree, ds := File(source.New("f.c", []byte(text)), Options{Lang: omp.C, Preprocessed: true})
	if len(ds) > 0 || len(tree.Constructs) != 2 ||
		tree.Constructs[0].Directive.Pos.String() != "mine.h:2:1" ||
		tree.Constructs[1].Directive.Pos.String() != "f.c:3:1" {
		t.Errorf("%v %v", ds, tree.Constructs)
	}
}

// The parser reads a header that mentions OpenMP, and skips the headers around it.
func TestSystemHeadersPartly(t *testing.T) {
	const plain = "static int %s(int a) { return a; }\n"
	text := "# 1 \"f.cc\"\n# 1 \"/usr/include/all.h\" 1 3\nextern \"C\" {\n# 1 " +
		"\"/usr/include/a.h\" 1 3\n" + strings.ReplaceAll(plain, "%s", "one") +
		"# 3 \"/usr/include/all.h\" 2 3\n# 1 \"/usr/include/omp.h\" 1 3\nextern void " +
		"omp_set_lock(void *);\n# 4 \"/usr/include/all.h\" 2 3\n" +
		"# 1 \"/usr/include/b.h\" 1 3\n" + strings.ReplaceAll(plain, "%s", "two") +
		"# 5 \"/usr/include/all.h\" 2 3\n}\n" +
		"# 2 \"f.cc\" 2\nvoid f(void *l) {\n#pragma omp parallel\nomp_set_lock(l);\n}\n"
	f := source.New("f.cc", []byte(text))
	p := newParser(f, Options{Lang: omp.CPlusPlus, Preprocessed: true}, partSize)
	read := map[string]bool{}
	p.take = func(*construct.Tree) bool { return true }
	for p.Next(false); p.Tok.Kind != ctext.EOF; p.Next(false) {
		if read[p.word()] = true; p.Tok.Kind == ctext.Hash {
			p.preprocessing()
		} else {
			p.feed()
		}
	}
	if read["one"] || read["two"] || !read["omp_set_lock"] || !read["l"] {
		t.Errorf("read: %v", read)
	}
	tree, ds := File(source.New("f.cc", []byte(text)),
		Options{Lang: omp.CPlusPlus, Preprocessed: true})
	if len(ds) != 0 || len(tree.Constructs) != 1 || len(tree.Calls) != 1 ||
		tree.Constructs[0].Function != "f" {
		t.Errorf("%v, %d constructs, %d calls", ds, len(tree.Constructs), len(tree.Calls))
	}
}

// A brace in a comment or literal does not close what is still open, even if a later header
// mentions OpenMP.
func TestSystemHeadersBraces(t *testing.T) {
	for _, brace := range []string{
		"/* } */ int x;\n", "int x; // }\n",
		"static char x() { return '}' + '}'; } char y = '{';\n", "const char *x = \"}\";\n",
	} {
		text := "# 1 \"f.cc\"\n# 1 \"/usr/include/all.h\" 1 3\nnamespace n {\n" + brace +
			"# 3 \"/usr/include/all.h\" 3\nint z;\n# 4 \"/usr/include/all.h\" 3\n" +
			"extern \"C\" void omp_set_lock(void *);\n}\n# 2 \"f.cc\" 2\nvoid f() {\n#pragma omp " +
			"parallel\n{ }\n}\n"
		tree, ds := File(source.New("f.cc", []byte(text)),
			Options{Lang: omp.CPlusPlus, Preprocessed: true})
		if len(ds) != 0 || len(tree.Constructs) != 1 || tree.Constructs[0].Function != "f" {
			t.Errorf("%q: %v, %d constructs", brace, ds, len(tree.Constructs))
		}
	}
}
