package parse

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/verify"
)

// Every text that cannot be followed gives errors that say where and what to do.
func TestFileErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{inFunction("#pragma omp parallel\n"), "3:1: error: directive 'parallel' needs a " +
			"statement and is followed by '}'; write the statement that it applies to, or {}"},
		{inFunction("if (x)\n#pragma omp parallel\nelse a();"), "4:1: error: directive " +
			"'parallel' needs a statement and is followed by 'else'; write the statement that it " +
			"applies to, or {}"},
		{"void f(void) {\n#pragma omp parallel\n", "2:1: error: directive 'parallel' needs a " +
			"statement and is followed by the end of the file; write the statement that it " +
			"applies to, or {}"},
		{
			inFunction("#pragma omp sections\n{\n#pragma omp section\n}"),
			"5:1: error: directive 'section' needs a statement and is followed by '}'; write the " +
				"statement that it applies to, or {}",
		},
		{inFunction("a(;"), "3:2: error: this '(' is never closed; close it before '}'"},
		{inFunction("a[1;"), "3:2: error: this '[' is never closed; close it before '}'"},
		{inFunction("a)b;"), "3:2: error: this ')' closes nothing; remove it, or open it"},
		{inFunction("a(]);"), "3:2: error: this '(' is never closed; close it before ']'"},
		{"void f(void) {\n", "1:14: error: this '{' is never closed; close it, or look for an " +
			"'}' that is missing before the next function"},
		{"void f(void) {}\n}\n", "2:1: error: this '}' closes nothing; remove it, or open it"},
		{"int x; /* a\n\n", "1:8: error: this comment is never closed; close it with */"},
		{inFunction("puts(\"a);"), "3:6: error: this string is not closed on its line; close it"},
		{
			inFunction("x = 'a;"),
			"3:5: error: this character literal is not closed on its line; close it",
		},
		{inFunction("x = R\"(a;"), "3:5: error: this raw string is never closed; close it, or " +
			"look for a quote that was meant otherwise"},
		{"#ifdef X\nint x;\n", "1:1: error: this #if has no #endif"},
		{
			"int x;\x00\n",
			"1:7: error: a NUL byte: this is no program text; convert it to UTF-8 if it is UTF-16",
		},
		{inFunction("if ; a();"), "3:1: error: '(' is missing after this word"},
		{inFunction("do a(); b();"), "3:1: error: this 'do' has no 'while' after its statement"},
		{
			inFunction("switch (x) { case 1; }"),
			"3:14: error: this 'case' or 'default' has no colon",
		},
		{inFunction("a(b,\n#pragma omp barrier\n c);"), "4:1: error: a directive stands inside " +
			"parentheses; move it out; arguments of a macro cannot hold directives"},
		{
			"#define M(x) x\n" + inFunction("M(a();\n#pragma omp barrier\n)"),
			"5:1: error: a directive stands in the arguments of macro M; move it out of the " +
				"arguments, or write the macro's text in its place",
		},
		{inFunction("if (x) a(); else"), "4:1: error: a statement is missing before '}'"},
		{inFunction("for (;;)"), "4:1: error: a statement is missing before '}'"},
		{
			inFunction("#pragma omp parallel private(x\na();"),
			"3:29: error: the '(' after 'private' is never closed in this directive",
		},
	} {
		_, ds := File(source.New("f.c", []byte(c.text)), Options{Verify: verify.Never})
		if len(ds) == 0 || strings.TrimPrefix(ds[0].String(), "f.c:") != c.want {
			t.Errorf("%q:\n got %v\nwant %s", c.text, ds, c.want)
		}
	}
}

// Deep, long and explosive texts give an answer in time: a tree, or the expected error.
func TestLimits(t *testing.T) {
	many := 100_000
	if testing.Short() {
		many = 10_500
	}
	r := strings.Repeat
	// cut ends text before the last line that begins with start, so that nothing is cut in the
	// middle.
	cut := func(text, start string) string { return text[:strings.LastIndex(text, start)] }
	lines := func(format string) string {
		var b strings.Builder
		for i := range many {
			fmt.Fprintf(&b, format, i, i, i)
		}
		return b.String()
	}
	for _, c := range []struct{ name, text, want string }{
		{"braces", r("{", many), "more than 10000 brackets"},
		{"blocks", inFunction(r("{", many) + r("}", many)), "more than 10000 brackets"},
		{
			"parentheses", inFunction("x = " + r("(", many) + r(")", many) + ";"),
			"more than 10000 brackets",
		},
		{
			"allowed nesting",
			inFunction(r("{", 9000) + "\n#pragma omp barrier\n" + r("}", 9000)), "",
		},
		{
			"directives", inFunction(r("#pragma omp parallel\n", many) + "a();"),
			"more than 10000 brackets",
		},
		{"allowed directives", inFunction(r("#pragma omp parallel\n", 9000) + "a();"), ""},
		{"else if", inFunction(r("if (x) a(); else ", many) + "b();"), ""},
		{"if if", inFunction(r("if (x) ", many) + "b();"), ""},
		{"if if else else", inFunction(r("if (x) ", many) + "b();" + r(" else c();", many)), ""},
		{"do do while while", inFunction(r("do ", many) + "b();" + r(" while (x);", many)), ""},
		{"labels", inFunction(lines("l%d: m%d: n%d:\n") + ";"), ""},
		{"cases", inFunction("switch (x) {" + lines("case %d: case -%d: case ~%d: ") + ";}"), ""},
		{"#if in a row", inFunction(lines("#if A%d\n a%d();\n#else\n b%d();\n#endif\n")), ""},
		{"#if nested", r("#if A\n", many) + r("#endif\n", many), "more than 1000 #if"},
		{"allowed #if nested", r("#ifdef A\n", 900) + inFunction("#pragma omp parallel\na();") +
			r("#endif\n", 900), ""},
		{
			"open blocks under #if",
			inFunction(cut(lines("#if A%d\n if (x%d) {} /* %d */ else\n#endif\n")[:many*10],
				"#if") + ";"), "",
		},
		{
			"directives under #if",
			inFunction(lines("#if A%d\n#pragma omp parallel if(x%d + y%d)\n#endif\n") + ";"), "",
		},
		{"directives under #elif", inFunction("#if Z\n" +
			lines("#elif A%d\n#pragma omp parallel if(x%d + y%d)\n") + "#endif\n;"), ""},
		{"garbage in branches", inFunction(lines("#if A%d\n } } %d ) ( %d \n#endif\n")), ""},
		{
			"unclosed quotes in branches",
			inFunction("#if A\n" + r("\"\\\"", many) + "\n#endif\n"), "",
		},
		{"quotes in #error", "#if 0\n" + r("#error don't \"\\\"' /*\"*/ '\n", many) +
			"#endif\n", ""},
		{"a macro bomb", "#define A0 {x;}\n" + func() string {
			var b strings.Builder
			for i := range 60 {
				fmt.Fprintf(&b, "#define A%d A%d A%d\n", i+1, i, i)
			}
			return b.String()
		}() + inFunction("A60"), "expand to too much text"},
		{"macros in a chain", "#define A0 {x;}\n" + lines("#define B%d A%d /* %d */\n")[:0] +
			func() string {
				var b strings.Builder
				for i := range 20_000 {
					fmt.Fprintf(&b, "#define A%d A%d\n", i+1, i)
				}
				return b.String()
			}() + inFunction("A20000"), ""},
		{"macros that use one another", func() string {
			var b strings.Builder
			for i := range 2000 {
				fmt.Fprintf(&b, "#define A%d A%d A%d {\n", i, (i*7+1)%2000, (i*11+3)%2000)
			}
			return b.String()
		}() + inFunction("A1"), "expand to too much text"},
		{"nested macro arguments", "#define F(x) if (y) x\n" +
			inFunction(r("F(", 5000)+"a();"+r(")", 5000)), "expand to too much text"},
		{
			"plain nested macro arguments",
			"#define F(x) (x)\n" + inFunction("z = "+r("F(", 5000)+"a"+r(")", 5000)+";"), "",
		},
		{"many macros", lines("#define M%d(x) { x; } /* %d %d */\n") +
			inFunction(lines("M%d(a) b%d(); c%d();\n")), ""},
		{"macros of two minds", "#if A\n#define B {\n#define E }\n#else\n#define B\n#define " +
			"E\n#endif\n" + inFunction(r("B a(); E\n", many)), ""},
		{"nested macros of two minds", "#if A\n#define B {\n#define E }\n#else\n#define " +
			"B\n#define E\n#endif\n" + inFunction(r("B ", 5000)+r("E ", 5000)), ""},
		{
			"digit separators",
			inFunction("x = 1" + r("'1", many) + ";\n#define X 1" + r("'1", many) + "/\n"), "",
		},
		{"a long line", inFunction("x = " + r("a + ", 2*many) + "b;"), ""},
		{"continued lines", "#define X " + r("a \\\n", many) + "\n" +
			inFunction("#pragma omp parallel private("+r("x, \\\n", many)+"y)\na();"), ""},
		{"comments", r("/**/ //*\n", many) + r("/* * \\ */", many), ""},
		{"splices", inFunction(r("\\\n", many) + "a" + r("\\\nb", many) + ";"), ""},
		{"hashes", r("#\n", many) + r("#!x\n", many), ""},
		{"_Pragma", inFunction(r("_Pragma(\"omp parallel\") ", many) + ";"), ""},
		{"attributes", inFunction(r("[[a]] __attribute__((b)) ", many) + ";"), ""},
		{"sections", inFunction("#pragma omp sections\n{\n" +
			r("#pragma omp section\na(); b();\n", many) + "}"), ""},
		{"templates", r("template <class T = A<B<C>>> ", many) + "void f() {}", ""},
		{"lambdas", inFunction("x = " + r("[] { return ", 3000) + "1" + r("; }", 3000) + ";"), ""},
		{"commas", "int a[] = {" + r("{1,2},", many) + "};", ""},
		{
			"exclusive conditions",
			inFunction(lines("#if A\n#pragma omp parallel\n#else\n#pragma omp single\n#endif\n{ " +
				"a%d(%d, %d); }\n")), "",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, lang := range []omp.Language{omp.C, omp.CPlusPlus} {
				start := time.Now()
				tree, ds := File(source.New("f.c", []byte(c.text)),
					Options{Lang: lang, Verify: verify.Never})
				took := time.Since(start)
				got := ""
				for _, d := range ds {
					if d.Severity == source.Error {
						got = d.String()
						break
					}
				}
				if c.want == "" && got != "" || !strings.Contains(got, c.want) {
					t.Errorf("got %q, want %q", got, c.want)
				}
				if len(ds) > maxErrors+2 {
					t.Errorf("%d diagnostics", len(ds))
				}
				if took > time.Minute {
					// Quadratic work would take hours; this is no goal for speed.
					t.Errorf("it took %v", took)
				} else if testing.Verbose() {
					t.Logf("%v for %d bytes", took, len(c.text))
				}
				checkTree(t, tree)
			}
		})
	}
}
