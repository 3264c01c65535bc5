package verify

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"opari/internal/omp"
	"opari/internal/source"
)

var pragmaLine = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*pragma[ \t]+omp(?:[^\\\n]|\\.|\\\r?\n)*`)

// pragmas returns the extents of the pragma lines of text.
func pragmas(text []byte) (marks []source.Extent) {
	for _, m := range pragmaLine.FindAllIndex(text, -1) {
		start := m[0] + bytes.IndexByte(text[m[0]:], '#')
		marks = append(marks, source.Extent{Start: start, End: m[1]})
	}
	return marks
}

func TestNormalise(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"#line 3 \"f.c\"\nint a;\n", "             \nint a;\n"},
		{"# 3 \"f.c\" 2\nint a;\n", "           \nint a;\n"},
		{
			"#if 0\ndon't /* x\n#ifdef A\n#else\n#endif\ny\n#else\nint b;\n#endif\n",
			"#if 0\n          \n        \n     \n      \n \n#else\nint b;\n#endif\n",
		},
		{
			"#if 0 /* no */\n/* \n#endif */ x\n#endif\n",
			"#if 0 /* no */\n   \n           \n#endif\n",
		},
		{"#ifdef A\ndon't \"x\n#endif\n", "#ifdef A\ndon     \n#endif\n"},
		{"#error don't\n", "#error don  \n"},
		{"a<:1:>=<%2%>;\n", "a[ 1] ={ 2} ;\n"},
		{"%: define A %:%: b\n", "#  define A # #  b\n"},
		{"s = R\"x(a\"\n)b)x\";\n", "s = \"\"    \n     ;\n"},
		{"s = u\"a\" U'b' L\"c\" u8\"d\";", "s =  \"a\"  'b' L\"c\" u8\"d\";"},
		{"x = 1.5q + 0x1p3W + 0.5f + 12;", "x = 1.5  + 0x1p3  + 0.5f + 12;"},
		{"#define A \\ \t\n 1\n", "#define A   \\\n 1\n"},
		{"#define A \\ \r\n 1\n", "#define A  \\\r\n 1\n"},
		{"[[gnu::unused, x(\"]]\")]] int a; b[c[1]];", "                         int a; b[c[1]];"},
		{"s = \"a\\\"b'\\\\\"; c = '\\'';\n", "s = \"a\\\"b'\\\\\"; c = '\\'';\n"},
		{"/*@1@*/ // @ \\\n@\nx", "/* 1 */ //   \\\n \nx"},
		{"'\\", "  "},
	} {
		out, deep := normalise([]byte(c.in), nil)
		if string(out) != c.want || deep {
			t.Errorf("normalise(%q)\n got %q deep %v\nwant %q", c.in, out, deep, c.want)
		}
	}
}

// FuzzNormalise checks that any text keeps its length and newlines, and does not crash the
// normaliser.
func FuzzNormalise(f *testing.F) {
	for _, s := range []string{
		"#if 0\n'\n#endif", "R\"(", "[[a", "%:",
		"'\\", "#", "a\\ \n", "#pragma omp a\\\nb\n{ %> }", "/*@",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		out, _ := normalise(in, pragmas(in))
		if len(out) != len(in) {
			t.Fatalf("%d bytes became %d", len(in), len(out))
		}
		for i := range in {
			if (in[i] == '\n') != (out[i] == '\n') {
				t.Fatalf("newline at %d changed", i)
			}
		}
	})
}

func TestMarks(t *testing.T) {
	for _, s := range []string{
		"#pragma omp parallel", "#\\\npragma omp for", "#pragma omp parallel\\\n private(a)",
		"%:pragma omp a", "#pragma\\\r\n omp b",
	} {
		for _, k := range []int{0, 7, 4321} {
			b := []byte(s)
			writeMark(b, k)
			if ids := marksIn(append([]byte("\n /* @ */ "), b...)); len(ids) != 1 || ids[0] != k {
				t.Errorf("mark %d in %q became %q, read as %v", k, s, b, ids)
			}
		}
	}
	b := []byte("#\\\np\\\nr\\\na\\\ng\\\nm\\\na")
	if writeMark(b, 123456789); bytes.ContainsAny(b, "/*@") {
		t.Errorf("a mark without room left %q", b)
	}
}

func TestTooDeep(t *testing.T) {
	for _, c := range []struct {
		text string
		deep bool
	}{
		{strings.Repeat("(", 999), false},
		{strings.Repeat("(", 5000), true},
		{strings.Repeat("if(a)", 5000), true},
		{strings.Repeat("else if(a) { b(); } ", 5000), false},
		{strings.Repeat("!", 30000), true},
		{strings.Repeat("1,", 100000), false},
	} {
		if _, deep := normalise([]byte(c.text), nil); deep != c.deep {
			t.Errorf("%.20s... deep: %v", c.text, deep)
		}
	}
	macros := "#define A0 (\n"
	for i := range 20 {
		macros += fmt.Sprintf("#define A%d A%d A%d\n", i+1, i, i)
	}
	for _, text := range []string{strings.Repeat("(", 200000), macros + "int a = A20;\n"} {
		if _, err := readUnit(source.New("deep.c", []byte(text)),
			Options{Lang: omp.C}, nil); err != errDeep {
			t.Errorf("%.10q...: %v", text, err)
		}
	}
}

// Statements as the front end sees them. Brackets [ ... ] mark the body of each pragma, and are
// removed before the text is used; reasons are in order.
func TestStatements(t *testing.T) {
	const decl = "extern int a, b, n; extern void g(int);\n"
	for _, c := range []struct {
		name, text string
		reasons    []string // "inactive", "none", or why it is unsafe
	}{
		{"compound", "#pragma omp parallel\n[{ g(1); }]", nil},
		{"if else", "#pragma omp parallel\n[if (a) g(1); else\n g(2);] g(3);", nil},
		{"nested", "#pragma omp parallel\n#pragma omp for\n[for (a = 0; a < n; a++)\n g(a);] " +
			"g(2);", nil},
		{"substatement", "if (a)\n#pragma omp parallel\n [g(1);]\nelse g(2);", nil},
		{"digraph", "#pragma omp parallel\n[<% g(1); %>]", nil},
		{"label and do", "x: ;\n#pragma omp parallel\n[do { g(1); } while (a);] g(2);", nil},
		{"case", "switch (a) { case 1:\n#pragma omp parallel\n [g(1);] break; }", nil},
		{"statement expression", "#pragma omp parallel\n[a = ({ g(1); 2; });] b = 1;", nil},
		{"nothing follows", "g(1);\n#pragma omp barrier\n", []string{"none"}},
		{"macro is the whole", "#define B { g(1); }\n#pragma omp parallel\n[B] g(2);", nil},
		{"macro call is the end", "#define LOOP(x) for (x = 0; x < n; x++) { g(x); }\n#pragma " +
			"omp for\n[LOOP(a /* ) */ )] g(2);", nil},
		{
			"macro opens",
			"#define FOR for (a = 0; a < n; a++)\n#pragma omp for\n[FOR { g(a); }] g(1);", nil,
		},
		{
			"ends inside", "#define TWO g(1); g(2)\n#pragma omp parallel\nTWO;",
			[]string{"the body ends inside the expansion of macro TWO"},
		},
		{
			"ends inside a call", "#define END(x) g(x); } g(2);\n#pragma omp parallel\n{ END(1)",
			[]string{"the body ends inside the expansion of macro END"},
		},
		{"branches", "#pragma omp parallel\n#if 1\n[g(1);]\n#else\n g(2);\n#endif\n", nil},
		{"inactive", "#ifdef NO\n#pragma omp parallel\n{ g(1); }\n#endif\n", []string{"inactive"}},
		{"unpaired quote", "#ifdef NO\n don't\n#endif\n#pragma omp parallel\n[{ g(1); }]", nil},
		{"_Pragma", "_Pragma(\"omp parallel\") { g(1); }\n#pragma omp parallel\n[g(2);]", nil},
		{"continued", "#pragma omp parallel \\\n if(a)\n[g(1);]", nil},
		{"extension", "#pragma omp parallel\n__extension__ [a = 1;]", nil},
	} {
		text := decl + "void f(void) {\n" + c.text + "\n}\n"
		var starts, ends []int
		var plain []byte
		for i := range len(text) {
			switch text[i] {
			case '[':
				starts = append(starts, len(plain))
			case ']':
				ends = append(ends, len(plain))
			default:
				plain = append(plain, text[i])
			}
		}
		f := source.New(c.name+".c", plain)
		u, err := readUnit(f, Options{Lang: omp.C}, pragmas(plain))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for i, s := range u.statements {
			if got, want := outcome(&s), reasonAt(c.reasons, i); got != want {
				t.Errorf("%s: pragma %d: %q, want %q", c.name, i, got, want)
			} else if want == "" && (s.extent.Start != starts[0] || s.extent.End != ends[0]) {
				t.Errorf("%s: pragma %d: got %q, want %q", c.name, i,
					plain[s.extent.Start:s.extent.End], plain[starts[0]:ends[0]])
			}
		}
	}
}

func outcome(s *ccStatement) string {
	switch {
	case !s.active:
		return "inactive"
	case s.reason() != "":
		return s.reason()
	case !s.found:
		return "none"
	}
	return ""
}

func reasonAt(reasons []string, i int) string {
	if i < len(reasons) {
		return reasons[i]
	}
	return ""
}
