package rewrite_test

import (
	"bytes"
	"testing"

	"opari/descriptors"
	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse"
	"opari/parse/verify"
	"opari/rewrite"
)

// FuzzFunctions requires, in C and in C++, that Strip undoes the instrumentation of functions,
// and that each function has one number.
func FuzzFunctions(f *testing.F) {
	for _, s := range []string{
		"int f(void) { return 1; } int g(a) int a; {}",
		"int f() try { } catch (...) { }\nA::A() : x{1} {\\\n}",
		"#if A\nint f(int a)\n{\n#else\nint f(long a) {\n#endif\n}\r\n",
		"int f(void)\n<%\n#pragma omp barrier\n%>", "int f(void) ??<\n??>",
		"struct A { void f() {// c\n} };",
		"int f(){[[omp::directive(parallel)]]{omp_set_lock(&l);}}",
		"template <class T> requires (C<T>) T f(T t) { return t; }",
		"int f(void){ int g(int a) { return a; } }", "A A(){#00}",
		"#define F(x) int x(void) {\nF(a) }",
	} {
		f.Add([]byte(s), false)
		f.Add([]byte(s), true)
	}
	f.Fuzz(func(t *testing.T, text []byte, cxx bool) {
		lang := omp.C
		if cxx {
			lang = omp.CPlusPlus
		}
		tree, ds := parse.File(source.New("f", text),
			parse.Options{Lang: lang, Verify: verify.Never, Functions: true})
		if ds.HasErrors() || rewrite.Instrumented(text) {
			return
		}
		table, ds := descriptors.Lower(tree,
			descriptors.Options{Lang: lang, Functions: []string{"*"}})
		if ds.HasErrors() {
			return
		}
		out, err := rewrite.Instrument(tree, table, rewrite.Options{Lang: lang})
		if err != nil {
			t.Fatal(err)
		}
		back, err := rewrite.Strip(out)
		if err != nil || !bytes.Equal(back, text) {
			t.Fatalf("strip gives %q back, not %q: %v\n%s", back, text, err, out)
		}
		functions := 0
		for _, r := range table.Regions {
			if r.Name == "function" {
				functions++
			}
		}
		if n := bytes.Count(out, []byte("/*@f*/")); n != functions {
			t.Fatalf("%d functions, %d entries:\n%s", functions, n, out)
		}
	})
}
