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

// withoutFunctions removes the functions from a tree, and puts the constructs inside them in
// their place.
func withoutFunctions(t *construct.Tree) *construct.Tree {
	var lift func(list []*construct.Construct) []*construct.Construct
	lift = func(list []*construct.Construct) []*construct.Construct {
		var out []*construct.Construct
		for _, c := range list {
			c.Inner = lift(c.Inner)
			if c.Kind == construct.FunctionBody {
				out = append(out, c.Inner...)
			} else {
				out = append(out, c)
			}
		}
		// A function that begins in one #if branch and ends after the last one spans directives
		// of the others.
		slices.SortStableFunc(out, func(a, b *construct.Construct) int {
			return a.Extent.Start - b.Extent.Start
		})
		return out
	}
	t.Constructs = lift(t.Constructs)
	return t
}

// functionsOf lists the functions of a text: name, first line, "inline", and why each is left
// alone.
func functionsOf(t *testing.T, text string, o Options) []string {
	t.Helper()
	o.Functions, o.Verify = true, verify.Never
	tree, ds := File(source.New("f.c", []byte(text)), o)
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	var out []string
	construct.Walk(tree.Constructs, func(c *construct.Construct) {
		if c.Kind != construct.FunctionBody {
			return
		}
		line := fmt.Sprintf("%s:%d", c.Directive.Arg, c.Directive.Pos.Line)
		if c.Inline {
			line += " inline"
		}
		if c.KeepOut != "" || c.Unsafe != "" {
			line += ": " + c.KeepOut + c.Unsafe
		}
		out = append(out, line)
	})
	return out
}

func TestFunctions(t *testing.T) {
	c, cxx := omp.C, omp.CPlusPlus
	for _, test := range []struct {
		lang omp.Language
		text string
		want string
	}{
		{c, "int f(void) { return 1; }", "f:1"},
		{c, "static\nint\nf(a, b) int a; char b; { }", "f:3"},
		{c, "f() { }", "f:1: its head has no type: it may be a macro"},
		{c, "main() { }", "main:1"},
		{c, "TEST(a, b) { x(); }", "TEST:1: its head has no type: it may be a macro"},
		{
			c, "struct EXPORT(x) S { int a; };",
			"EXPORT:1: its head is not plain: a macro or #if may stand in it",
		},
		{c, "struct S f(int a) { struct S s = { a }; return s; }", "f:1"},
		{c, "int (*f(int a))(int) { return 0; } int (*g[3])(void) = { 0 };", "f:1"},
		{
			c, "inline int f(void) { } static inline int g(void) { }",
			"f:1 inline: inline and not static: it may not refer to anything static|g:1 inline",
		},
		{
			c, "#define F(n) int n(void) { }\nF(a)\n#define API __attribute__((naked))\nAPI void " +
				"g(void) { asm(\"\"); }",
			"F:2: its body begins in the expansion of a macro|g:4: attribute naked",
		},
		{
			c, "__attribute__((naked)) void f(void) { }\nvoid g(int naked) { }",
			"f:1: attribute naked|g:2",
		},
		{c, "void naked(void);\nvoid f(void) { __asm__(\"ret\"); }", "f:2: it may be naked"},
		{
			c, "int f(void) { int g(int a) { return a; } return g(1); }",
			"f:1|g:1: not in the scope of a file, namespace or class",
		},
		{c, "void f(void) { __label__ a; a: ; }", "f:1: it declares local labels"},
		{c, "double f(double a)\n{\n# 3 \"f.c\"\n#pragma STDC FP_CONTRACT ON\nreturn a; }\nint " +
			"g(void) {\n#pragma omp barrier\n}", "f:1: its body begins with #pragma STDC|g:5"},
		{
			c, "#ifdef A\nint f(int a)\n#else\nint f(long a)\n#endif\n{ }",
			"f:2: its head is not plain: a macro or #if may stand in it",
		},
		{c, "#ifdef A\nint f(int a) {\n#else\nint f(long a) {\n#endif\n}", "f:2|f:4"},
		{
			c, "#ifdef A\nint f(int a)\n#else\nstruct s\n#endif\n{ int x; };",
			"f:2: its head is not plain: a macro or #if may stand in it",
		},
		{
			c, "FOREACH_X int f(void) { }\nMY_INLINE int g(void) { }",
			"f:1|g:2 inline: inline and not static: it may not refer to anything static",
		},
		{c, "#pragma omp declare simd\n#pragma omp declare simd notinbranch\nint f(int a) { " +
			"}\nint g(int a) { }", "f:3: declare simd|g:4"},
		{
			c, "int a(void) { }\nint b(void) { return a(); }\nint d(void) { }\nvoid e(void) " +
				"{\n#pragma omp target\nb();\n}",
			"a:1: a target region may call it|b:2: a target region may call it|d:3|e:4",
		},
		{
			c, "int d(void) { }\n#pragma omp declare target\nint f(void) { return d(); " +
				"}\n#pragma " +
				"omp end declare target\n",
			"d:1: a target region may call it|f:3: inside declare target",
		},
		{cxx, "namespace a::b { namespace { struct S { S() : x{1}, y(2) { } ~S() { } int x, y; " +
			"}; } }", "a::b::(anonymous)::S::S:1 inline|a::b::(anonymous)::S::~S:1 inline"},
		{cxx, "template <class T, int N = (3 > 2)> void S<T, N>::f(T) { }", "S::f:1"},
		{
			cxx, "S::S(int n) : a{n}, b([](int k) { return k; }(n)) { } S::~S() { } S::T::T() { }",
			"S::S:1|S::~S:1|S::T::T:1",
		},
		{
			cxx, "bool S::operator()(int) const { } bool operator<(S, S) { } S::operator bool() " +
				"const { } void *operator new[](unsigned long) { }",
			"S::operator():1|operator<:1|S::operator bool:1|operator new[]:1",
		},
		{cxx, "auto f(int n) -> decltype(n + 1) { } auto g() noexcept(sizeof(int) > 2) -> " +
			"std::function<int(int)> { } std::function<T(int)> h() { }", "f:1|g:1|h:1"},
		{
			cxx, "int f() try { } catch (...) { } S::S() try : a(1) { } catch (...) { throw; }",
			"f:1|S::S:1",
		},
		{
			cxx, "template <class T> requires (sizeof(T) > 1) struct S { void f() { } };",
			"S::f:1 inline",
		},
		{cxx, "template <class T> requires (sizeof(T) > 1) T f(T t) { } template <class T> T g(T " +
			"t) requires (sizeof(T) > 1) { }", "f:1|g:1"},
		{cxx, "int (*p)(int){nullptr}; auto l = [](int x) { return x; }; int v{1}; enum class E " +
			": int { A };", "p:1: its head is not plain: a macro or #if may stand in it"},
		{
			cxx, "constexpr int f() { } consteval int g() { } inline int h() { } extern \"C\" " +
				"int " +
				"i() { } extern \"C\" { int j() { } }",
			"f:1: in a constexpr function|g:1: in a consteval function|h:1 inline|i:1|j:1",
		},
		{
			cxx, "task f() { co_await x; } int g() { return 1; } // co_await",
			"f:1: a coroutine: it may go on elsewhere|g:1",
		},
		{
			cxx, "struct A { A(int) { } MACRO(x) { } int operator/(int) { } friend bool eq(A) { " +
				"} };",
			"A::A:1 inline|A::MACRO:1 inline: its head has no type: it may be a " +
				"macro|A::operator/:1 inline|A::eq:1 inline",
		},
	} {
		if got := strings.Join(functionsOf(t, test.text, Options{Lang: test.lang}),
			"|"); got != test.want {
			t.Errorf("%s\ngot:  %s\nwant: %s", test.text, got, test.want)
		}
	}
}

// TestFunctionsPreprocessed checks that preprocessed text has no macros, and that functions in
// system headers are not reported.
func TestFunctionsPreprocessed(t *testing.T) {
	text := "# 1 \"f.c\"\n# 1 \"/usr/include/x.h\" 1 3\nstatic int system(void) { return 1; }\n# " +
		"2 \"f.c\" 2\nf() { } int\n# 9 \"g.h\" 1\ng(int a) { }\n"
	if got := strings.Join(functionsOf(t, text, Options{Lang: omp.C, Preprocessed: true}),
		"|"); got != "f:2|g:9" {
		t.Error(got)
	}
}

// TestFunctionsBesideDirectives checks that Options.Functions changes nothing about the
// directives, in parts too.
func TestFunctionsBesideDirectives(t *testing.T) {
	files, _ := filepath.Glob("../testdata/golden/*.[ci]*")
	seen := 0
	for _, name := range files {
		if strings.HasSuffix(name, ".golden") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		ext := filepath.Ext(name)
		o := Options{Lang: omp.C, Verify: verify.Never, Preprocessed: ext == ".i" || ext == ".ii"}
		if ext == ".cc" || ext == ".ii" {
			o.Lang = omp.CPlusPlus
		}
		plain, _ := File(source.New(name, text), o)
		o.Functions = true
		with, _ := File(source.New(name, text), o)
		if got, want := showTree(withoutFunctions(with)), showTree(plain); got != want {
			t.Errorf("%s: with functions:\n%s\nwithout:\n%s", name, got, want)
		}
		for _, size := range []int{1, 7} {
			seen += sameInParts(t, name, string(text), o, size)
		}
	}
	if seen < len(files) {
		t.Errorf("only %d parts of %d files", seen, len(files))
	}
}
