package parse

import (
	"fmt"
	"strings"
	"testing"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/verify"
)

// showTree returns a forest as one line per construct: name, flags, and the body's text with
// blanks joined. Inner constructs are indented.
func showTree(t *construct.Tree) string {
	var b strings.Builder
	var show func(list []*construct.Construct, indent string)
	show = func(list []*construct.Construct, indent string) {
		for _, c := range list {
			b.WriteString(indent + c.Directive.Name)
			for _, f := range flagsOf(c) {
				b.WriteString(" <" + f + ">")
			}
			if c.Kind != construct.NoBlock {
				text := string(t.File.Text[c.Body.Start:c.Body.End])
				b.WriteString(strings.TrimRight(": "+strings.Join(strings.Fields(text), " "), " "))
			}
			b.WriteString("\n")
			show(c.Inner, indent+"  ")
		}
	}
	show(t.Constructs, "")
	for _, c := range t.Calls {
		fmt.Fprintf(&b, "call %s %d:%d-%d", c.Name, c.Pos.Line, c.Pos.Column, c.End.Column)
		if c.KeepOut != "" {
			fmt.Fprintf(&b, " <%s>", c.KeepOut)
		}
		if c.NoInstr {
			b.WriteString(" <noinstr>")
		}
		b.WriteString("\n")
	}
	for _, m := range t.Mentions {
		fmt.Fprintf(&b, "mention %d: %s: %s\n", m.Pos.Line, m.Text, m.Reason)
	}
	return b.String()
}

func flagsOf(c *construct.Construct) []string {
	var out []string
	add := func(ok bool, s string) {
		if ok {
			out = append(out, s)
		}
	}
	add(c.Implicit, "implicit")
	add(c.Kind == construct.Sequence, "sequence")
	add(c.Unsafe != "", c.Unsafe)
	add(c.SubStatement, "sub")
	add(c.Conditional, "conditional")
	add(c.NoInstr, "noinstr")
	add(c.KeepOut != "", c.KeepOut)
	add(c.FileScope, "file")
	add(len(c.Header.Declares) > 0, "declares "+strings.Join(c.Header.Declares, ","))
	add(len(c.Cancels) > 0, "cancels "+names(c.Cancels))
	add(c.Function != "f" && !c.FileScope, "in "+c.Function)
	return out
}

// structureCase is a text with its constructs, as showTree returns them, and its diagnostics.
// These are one a line, without the file's name.
type structureCase struct {
	name, text, want, diags string
	cpp, preprocessed       bool
	flags                   []string
}

func (c *structureCase) run(t *testing.T) {
	t.Helper()
	lang := omp.C
	if c.cpp {
		lang = omp.CPlusPlus
	}
	f := source.New("f.c", []byte(c.text))
	tree, ds := File(f,
		Options{Lang: lang, Preprocessed: c.preprocessed, CPPFlags: c.flags, Verify: verify.Never})
	checkTree(t, tree)
	if got, want := showTree(tree), outdent(c.want); got != want {
		t.Errorf("%s:\n got:\n%swant:\n%s", c.name, got, want)
	}
	var got strings.Builder
	for _, d := range ds {
		got.WriteString(strings.TrimPrefix(d.String(), "f.c:") + "\n")
	}
	if want := outdent(c.diags); got.String() != want {
		t.Errorf("%s: diagnostics\n got:\n%swant:\n%s", c.name, got.String(), want)
	}
}

// outdent removes an empty first line, and the tabs with which all lines start.
func outdent(s string) string {
	s = strings.TrimLeft(s, "\n")
	s = strings.TrimRight(s, "\t\n")
	if s == "" {
		return ""
	}
	tabs := s[:len(s)-len(strings.TrimLeft(s, "\t"))]
	return strings.TrimPrefix(strings.ReplaceAll(s, "\n"+tabs, "\n"), tabs) + "\n"
}

// checkTree checks the invariants of every tree: extents are in the text, in its order, and
// nested.
func checkTree(t testing.TB, tree *construct.Tree) {
	t.Helper()
	n := len(tree.File.Text)
	var visit func(list []*construct.Construct, within source.Extent)
	visit = func(list []*construct.Construct, within source.Extent) {
		at := within.Start
		for _, c := range list {
			d := c.Directive.Extent
			switch {
			case d.Start < at || d.End > within.End || d.Start >= d.End && !c.Implicit:
				t.Errorf("directive %v of %q does not lie in %v", d,
					c.Directive.Name, source.Extent{Start: at, End: within.End})
			case c.Extent.Start != d.Start || c.Extent.End < d.End || c.Extent.End > within.End:
				t.Errorf("extent %v of %q does not fit the directive's %v in %v",
					c.Extent, c.Directive.Name, d, within)
			case c.Kind != construct.NoBlock &&
				(c.Body.Start < d.End || c.Body.End < c.Body.Start || c.Body.End > c.Extent.End):
				t.Errorf("body %v of %q does not lie in %v behind %v",
					c.Body, c.Directive.Name, c.Extent, d)
			case c.Kind == construct.NoBlock && len(c.Inner) > 0:
				t.Errorf("%q has no body but constructs inside", c.Directive.Name)
			case c.Kind != construct.NoBlock && c.Unsafe == "" && c.Body.Len() == 0:
				t.Errorf("%q has an empty body", c.Directive.Name)
			}
			visit(c.Inner, c.Body)
			at = d.End
		}
	}
	visit(tree.Constructs, source.Extent{Start: 0, End: n})
	for _, c := range tree.Calls {
		if text := tree.File.Text; string(text[c.Extent.Start:c.Extent.End]) != c.Name ||
			text[c.Open] != '(' {
			t.Errorf("call of %s stands at %v, open %d", c.Name, c.Extent, c.Open)
		}
	}
}

// inFunction wraps statements in a function called f.
func inFunction(text string) string { return "void f(void)\n{\n" + text + "\n}\n" }

// Every kind of statement as the body of a directive, in C.
func TestBodies(t *testing.T) {
	for _, body := range []string{
		"{ a(); b(); }", "{}", ";", "a();", "a(), b();", "x = (struct s){ 1, 2 };", "*p = 1;",
		"++x;", "(void)a();", `puts("};{");`,
		"if (x) a();", "if (x) a(); else b();", "if (x) { a(); } else if (y) b(); else { c(); }",
		"if (x) if (y) a(); else b();",
		"if (x) for (;;) if (y) a(); else b();", "if (x) a(); /* else */ else b();",
		"if (x)\n a();\nelse\n b();",
		"for (i = 0; i < n; i++) a(i);",
		"for (int i = 0; i < n; i++) for (j = 0; j < n; j++) { a(i); }", "for (;;) ;",
		"while (x) a();", "do a(); while (x);", "do { a(); } while (({ int q = 1; q; }));",
		"do do a(); while (x); while (y);",
		"do if (x) a(); else b(); while (c);",
		"switch (x) { case 1: a(); break; case 'a' ... 'z': b(); default: c(); }",
		"switch (x) case 1: case 2: a();",
		"lab: a();", "lab: lab2: if (x) a(); else b();", "lab: { a(); }", "goto lab;", "return;",
		"return x ? a : b;", "break;", "asm(\"nop\" : : \"r\"(x));",
		"__asm__ __volatile__ goto (\"}\" : : : : lab);", "__extension__ x = 1;",
		"__extension__ ({ a(); b(); });",
		"__attribute__((fallthrough));", "__attribute__((unused)) if (x) a(); else b();",
		"x = ({ if (x) a(); else b(); 1; }) + 2;", "a(({ int b[] = { 1, 2 }; b[0]; }), 3);",
		"x = c ? '{' : '\\'';", "x = 0x1'0 + 1'000'000;",
		"x = a[(i, 2)] * (b);", "x = y /* } */ + // }\n z;", "x = L\"\\\"}\" \"{\";",
		"x = R\"(}; ')\";", "x = y ? z : w;",
		"%:ifdef X\n%:endif\na();", "<% a<:0:> = 1; %>", "unknown_macro(x) { a(); b(); }",
		"unknown { a(); }", "*(int *)p = b ? c : d;",
		"x\\\n = \\\n1;", "fo\\\nr (;;) a();", "i\\\r\nf (x) a(); el\\\nse b();", "{ lab: }",
		"{ int g(int a) { return a; } g(1); }",
		"__transaction_atomic { a(); }", "{ struct s { int a; } v = { .a = 1 }; enum { A, B = 2 " +
			"}; a(v); }", "{ [[maybe_unused]] int a; a; }",
		"#pragma GCC ivdep\nfor (;;) a();", "{ typeof(x) y = x; __typeof__(int[3]) z; a(y); }",
		"x = sizeof(struct { int a; });",
		"if (x) __attribute__((hot)) lab: a(); else b();",
		"{ int a[] = { [0] = 1, [1 ... 2] = { 3 } }; }", "if (x) {} else ;",
		"x = _Generic((y), int: 1, default: 2);", "{ case 1: ; default: }",
		"__builtin_unreachable();", "é = 1;", "$x = \xe9\xff;",
	} {
		for _, tail := range []string{"b2();", "", "else_();", "while (q) r();"} {
			text := inFunction("#pragma omp parallel\n" + body + " " + tail)
			tree, ds := File(source.New("f.c", []byte(text)), Options{Verify: verify.Never})
			if len(ds) > 0 || len(tree.Constructs) != 1 {
				t.Errorf("%q: %d constructs, %v", body, len(tree.Constructs), ds)
				continue
			}
			checkTree(t, tree)
			c := tree.Constructs[0]
			want := strings.TrimPrefix(body, "%:ifdef X\n%:endif\n")
			if got := text[c.Body.Start:c.Body.End]; got != want || c.Unsafe != "" ||
				c.Function != "f" {
				t.Errorf("body %q before %q, want %q (%s)", got, tail, want, c.Unsafe)
			}
		}
	}
}

// Every kind of statement as the body of a directive, in C++.
func TestBodiesCPlusPlus(t *testing.T) {
	for _, body := range []string{
		"try { a(); } catch (...) { b(); }",
		"try { a(); } catch (int x) { b(); } catch (std::exception const& e) { c(); }",
		"try { try { a(); } catch (int) {} } catch (...) {}", "for (auto x : v) a(x);",
		"for (auto&& [a, b] : std::map<int, int>{}) { c(a); }",
		"for (int n = 0; auto x : v) a(x);", "if constexpr (x) a(); else b();",
		"if (int i = g(); i > 0) a(); else b();",
		"if consteval { a(); } else { b(); }", "if not consteval { a(); }",
		"if !consteval { a(); } else b();",
		"[&] { a(); }();", "[=](int x) mutable -> int { return x; }(1);",
		"auto l = [&](auto x) { if (x) a(); else b(); };",
		"v.push_back({ 1, 2 });", "T{ 1 }.run();", "T t{ 1, { 2 } };",
		"std::for_each(a, b, [&](int i) { c(i); });", "std::vector<int> v{ 1, 2 };",
		"x = y < z ? 1 : 2;", "a::b::c<int>(d);", "a->b(c).d();", "::g();", "new (p) T{ 1 };",
		"throw x;", "throw;", "delete[] p;",
		"std::function<void(int)> g = [](int) {};", "if (x) [[likely]] a(); else [[unlikely]] b();",
		"[[maybe_unused]] int x = 1;",
		"switch (int q = g(); q) { case A::B: a(); break; default: ; }",
		"auto r = R\"x()\" }; ( {)x\";", "x = 1'000;", "co_await g();",
		"co_return 1;", "return { 1, 2 };", "return [] { a(); };", "while (auto p = next()) " +
			"a(p);", "{ struct L { void m() { a(); } int x{ 1 }; } l; l.m(); }",
		"static_assert(sizeof(int) == 4, \"}\");", "x = a <: 0 :> ;", "x = u8\"}\"_s;",
		"using namespace std;", "decltype(x) y{ 1 };", "a<b<c>> d{ 1 };",
		"x = v<::T>(1);", "if (auto [a, b] = g(); a) c(); else d();",
		"T (*p)(int) = [](int) { return T{}; };", "x = (y) ? T{ 1 } : T{ 2 };",
		"for (co_await auto x : g()) a(x);", "f<[](int x) { return x; }>(1);", "operator_ = 1;",
		"x = a and not b;",
		"template_<int>::template call<int>(x);", "lab: for (auto x : v) a(x);",
		"__extension__ ({ a(); });",
	} {
		for _, tail := range []string{"b2();", "", "while (q) r();"} {
			text := inFunction("#pragma omp parallel\n" + body + " " + tail)
			tree, ds := File(source.New("f.cc", []byte(text)),
				Options{Lang: omp.CPlusPlus, Verify: verify.Never})
			if len(ds) > 0 || len(tree.Constructs) != 1 {
				t.Errorf("%q: %d constructs, %v", body, len(tree.Constructs), ds)
				continue
			}
			checkTree(t, tree)
			c := tree.Constructs[0]
			if got := text[c.Body.Start:c.Body.End]; got != body || c.Unsafe != "" ||
				c.Function != "f" {
				t.Errorf("body %q before %q, want %q (%s)", got, tail, body, c.Unsafe)
			}
		}
	}
}

// The scanner is unsure of what looks like an unknown macro, and of nothing else.
func TestUnsure(t *testing.T) {
	for body, want := range map[string]int{
		"EACH(x) { a(); }": 1, "EACH(x) a b;": 1, "LOOP { a(); } while (x);": 1,
		"if (x) EACH(y) { a(); } else EACH(z) { b(); }": 1,
		"if (x) EACH(y) { a(); }":                       1, "{ EACH(x) { a(); } }": 0, "a(x);": 0,
		"a(b) + c;":                            0,
		"{ int f(int x) { return x; } f(1); }": 0,
		"(a)(b);":                              0, "T(x) = y;": 0, "a(b)(c);": 0,
		"x = (T) { 1 };":              0,
		"while (EACH(x) { a(); } ) ;": 0,
	} {
		p := newParser(source.New("f.c", []byte(inFunction("#pragma omp parallel\n"+body))),
			Options{Lang: omp.C}, singlePart)
		p.run()
		p.finish()
		if got := len(p.unsureConstructs()); got != want {
			t.Errorf("%q: unsure of %d constructs, want %d", body, got, want)
		}
	}
	for _, body := range []string{
		"foo(x) and bar();", "T{ 1 }.run();", "T{ 1 };",
		"decltype(x) y;", "new (p) T{ 1 };", "a<b>(c);", "co_await (x);",
	} {
		p := newParser(source.New("f.cc", []byte(inFunction("#pragma omp parallel\n"+body))),
			Options{Lang: omp.CPlusPlus}, singlePart)
		p.run()
		p.finish()
		if n := len(p.unsureConstructs()); n > 0 {
			t.Errorf("%q: unsure", body)
		}
	}
}

// Function definitions in all shapes: each body has a directive that must know its function.
func TestFunctionNames(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"int g(int a) {@}", "g"},
		{"g() {@}", "g"},
		{"int g(a, b) int a; char *b; {@}", "g"},
		{"int (*g(int a))(int) {@}", "g"},
		{"struct s *g(struct s *p) {@}", "g"},
		{"struct s { int a; } g(void) {@}", "g"},
		{"static inline __attribute__((noinline)) void g(void) {@}", "g"},
		{"int g(void) __attribute__((cold)); int g(void) {@}", "g"},
		{"extern int h(int) __THROW __attribute_pure__; int g(void) {@}", "g"},
		{"API(int) g(void) {@}", "g"},
		{"int x = 1, y[] = { 1, 2 }; int g(void) {@}", "g"},
		{"void g(int n, int a[n][n]) {@}", "g"},
		{"void f(void) { int g(int x) {@} }", "g"},
		{"enum { A } g(void) {@}", "g"},
		{"typedef struct { int a; } s; s g(void) {@}", "g"},
		{"DEFINE(x) int g(void) {@}", "g"},
		{"int h(), g() {@}", "g"},
		{"asm(\"nop\"); void g(void) {@}", "g"},
		{"+void N::g() const noexcept(true) override {@}", "g"},
		{"+template <class T = int, int N = (1 > 0)> auto g(T t) -> decltype(t) {@}", "g"},
		{"+S::S(int a) : a(a), b{ a }, T<int>(a) {@}", "S"},
		{"+S::~S() {@}", "S"},
		{"+struct S { S() : a{} {@} int a; };", "S"},
		{"+class S : public T { public: void g() {@} private: int x; };", "g"},
		{"+namespace a::b { inline namespace c { void g() {@} } }", "g"},
		{"+extern \"C\" { void g() {@} }", "g"},
		{"+extern \"C\" void g() {@}", "g"},
		{"+bool operator()(int a) const {@}", "operator"},
		{"+S& operator=(const S& o) {@}", "operator"},
		{"+S::operator bool() const {@}", "operator"},
		{"+void g() try {@} catch (...) {}", "g"},
		{"+S::S() try : a(1) {@} catch (...) { }", "S"},
		{"+template <class T> requires C<T> void g(T) {@}", "g"},
		{"+template <class T> void g(T) requires (sizeof(T) > 1) {@}", "g"},
		{"+template <class T> requires requires (T t) { t.a(); } void g(T) {@}", "g"},
		{"+auto g() -> std::vector<int> {@}", "g"},
		{"+[[nodiscard]] int g() {@}", "g"},
		{"+explicit(true) S(int) {@}", "S"},
		{"+auto l = [](int a) {@};", ""},
		{"+void g() & {@}", "g"},
		{"+void g() && noexcept {@}", "g"},
		{"+friend void g() {@}", "g"},
		{"+decltype(auto) g() {@}", "g"},
		{"+S::S(Ts... a) : Ts(a)... {@}", "S"},
		{"+void f() { struct L { void g() {@} }; }", "g"},
		{"+alignas(8) int x; void g() {@}", "g"},
		{"+std::map<int, int> m{ { 1, 2 } }; void g() {@}", "g"},
		{"+int f9 [[a({b, for})]] (int l) {@}", "f9"},
		{"+void g(int a = T{ 1 }.x, int b = [] { return 1; }()) {@}", "g"},
		{"+template <> struct X<int> { template <class U> U g() {@} };", "g"},
		{"+concept C = requires (T t) { t.a(); }; void g() {@}", "g"},
		{"+int operator\"\" _x(const char *) {@}", "operator"},
	} {
		text, lang := c.text, omp.C
		if strings.HasPrefix(text, "+") {
			text, lang = text[1:], omp.CPlusPlus
		}
		text = strings.Replace(text, "@",
			"\n#pragma omp barrier\nfor (int i = 0; i < 2; i++) if (x) a(); else b();\n#pragma "+
				"omp parallel\na();\n", 1) +
			"\nint after(void) {\n#pragma omp flush\n}\n"
		tree, ds := File(source.New("f.c", []byte(text)), Options{Lang: lang})
		checkTree(t, tree)
		if len(ds) > 0 || len(tree.Constructs) != 3 {
			t.Errorf("%q: %d constructs, %v", c.text, len(tree.Constructs), ds)
			continue
		}
		for i, want := range []string{c.want, c.want, "after"} {
			if k := tree.Constructs[i]; k.Function != want || k.FileScope || k.SubStatement {
				t.Errorf("%q: %s in function %q, want %q; at file scope %v",
					c.text, k.Directive.Name, k.Function, want, k.FileScope)
			}
		}
	}
}

// names joins the names of leaves.
func names(leaves []*omp.Directive) string {
	var all []string
	for _, leaf := range leaves {
		all = append(all, leaf.Name)
	}
	return strings.Join(all, ",")
}
