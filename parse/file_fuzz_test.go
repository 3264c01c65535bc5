package parse

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/verify"
)

// FuzzFile reads any text. It checks that the tree is well formed, that a second reading and one
// in parts give the same result, and that the result comes in time.
func FuzzFile(f *testing.F) {
	for _, s := range []string{
		inFunction("#pragma omp parallel\n{ a(); }"),
		inFunction("#if X\n#pragma omp for\n#else\n#pragma omp simd\n#endif\nfor (;;) ;"),
		"#define B {\n#define E }\n" + inFunction("#pragma omp parallel\nB a(); E"),
		"#pragma omp declare target\nint x;\n#pragma omp end declare target\n",
		inFunction("#pragma omp sections\n{ a();\n#pragma omp section\nb(); c();\n}"),
		inFunction("x = ({ omp_set_lock(&l); }); if (y) try { } catch (...) { }"),
		"#define F(x) x F(x)\n" + inFunction("F(F(if (y) a(); else))"),
		inFunction("#pragma omp parallel\n_Pragma(\"omp for\") for (;;) ;"),
		"# 1 \"a.h\" 1 3\n#pragma omp barrier\n# 2 \"b.c\" 2\n" +
			inFunction("#pragma omp barrier"), "%:pragma omp barrier\n??=pragma omp flush\n",
		inFunction("#pragma omp parallel\n#if A\n if (x) {\n#elif B\n while (y) {\n#else\n " +
			"{\n#endif\n }"), "template <class T> void f() { [[omp::directive(parallel)]] { } }",
		"namespace n {\n" + inFunction("#pragma omp flush") + inFunction("omp_set_lock(&l);") +
			"}\n#pragma omp declare target(f)\n" + inFunction("#pragma pomp inst begin(x)"),
		inFunction("[[omp::sequence(directive(parallel),\n# 7 \"x.c\"\nomp::directive(for, " +
			"schedule(static)))]] for (;;) ;\nif (y) [[using omp: directive(barrier)]]; else " +
			"[[omp::sequence(directive(flush), directive(nonsense))]];"),
		inFunction("#pragma omp sections\n{\n<:<:omp::directive(section):>:> a(); [[likely, " +
			"omp::directive(section)]] b(); }"), "module;\nexport module x;\n#pragma omp barrier\n",
		"\xef\xbb\xbf#if 0\n'\n#endif\n", "\\\n#\\\npragma\\\n omp barrier", "f() { /*", "R\"(",
		"#define X(a,...) a##b #a __VA_ARGS__\nX(1,2)X(})",
	} {
		f.Add([]byte(s), uint8(0))
		f.Add([]byte(s), uint8(1))
		f.Add([]byte(s), uint8(2))
	}
	files, _ := filepath.Glob("testdata/*.c*")
	for _, name := range files {
		if text, err := os.ReadFile(name); err == nil {
			f.Add(text, uint8(0))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, mode uint8) {
		o := Options{Lang: omp.C, Verify: verify.Never, Preprocessed: mode&2 != 0}
		if mode&1 != 0 {
			o.Lang = omp.CPlusPlus
		}
		start := time.Now()
		tree, ds := File(source.New("f.c", text), o)
		if d := time.Since(start); d > time.Minute {
			t.Errorf("it took %v", d)
		}
		checkTree(t, tree)
		again, ds2 := File(source.New("f.c", text), o)
		if showTree(tree) != showTree(again) || len(ds) != len(ds2) {
			t.Error("the second outcome differs")
		}
		sameInParts(t, "f.c", string(text), o, 1+int(mode>>2))
		o.Functions = true
		with, ds3 := File(source.New("f.c", text), o)
		if got, want := showTree(withoutFunctions(with)), showTree(tree); got != want ||
			len(ds) != len(ds3) {
			t.Errorf("with functions the directives are others:\n%s\nwithout:\n%s", got, want)
		}
		sameInParts(t, "f.c", string(text), o, 1+int(mode>>2))
	})
}
