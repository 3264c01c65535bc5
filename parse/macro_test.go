package parse

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/verify"
)

// Macros that change where statements start and end.
func TestMacros(t *testing.T) {
	for _, c := range []structureCase{
		{
			name: "braces", text: "#define BEGIN {\n#define END }\n" +
				inFunction("#pragma omp parallel\nBEGIN a(); b(); END\nc();"),
			want: `parallel: BEGIN a(); b(); END`,
		},
		{
			name: "a loop", text: "#define LOOP(i, n) for (int i = 0; i < n; i++)\n" +
				inFunction("#pragma omp for\nLOOP(i, 3)\n  a(i);\nc();"),
			want: `for: LOOP(i, 3) a(i);`,
		},
		{
			name: "a whole statement", text: "#define SWAP(a, b) do { int t = a; a = b; b = t; } " +
				"while (0)\n" + inFunction("#pragma omp critical\nSWAP(x, y);\nc();"),
			want: `critical: SWAP(x, y);`,
		},
		{
			name: "a block without a semicolon", text: "#define TEST(x) { if (x) abort(); }\n" +
				inFunction("#pragma omp critical\nTEST(x)\nc();"),
			want: `critical: TEST(x)`,
		},
		{
			name: "several statements", text: "#define TWO a(); b();\n" +
				inFunction("#pragma omp single\nTWO\nc();"),
			want: `single <the body ends inside the expansion of macro TWO>: TWO`,
		},
		{
			name: "the end of one and the start of another", text: "#define NEXT } {\n" +
				inFunction("{ #pragma\n#pragma omp single\n{ a(); NEXT b(); }\n}"),
			want: `single <the body ends inside the expansion of macro NEXT>: { a(); NEXT`,
		},
		{
			name: "a start inside", text: "#define OPEN { x = 1; {\n" +
				inFunction("#pragma omp parallel\nOPEN a(); } }\nc();"),
			want: `parallel: OPEN a(); } }`,
		},
		{
			name: "an if", text: "#define WHEN(c) if (c)\n" +
				inFunction("#pragma omp single\nWHEN(x) a(); else b();\nc();"),
			want: `single: WHEN(x) a(); else b();`,
		},
		{
			name: "keywords", text: "#define forever for (;;)\n#define otherwise else\n#define " +
				"until(x) while (!(x))\n" +
				inFunction("#pragma omp single\nforever if (x) a(); otherwise b();\n#pragma omp "+
					"master\ndo c(); until(x);"),
			want: "single: forever if (x) a(); otherwise b();\nmaster: do c(); until(x);",
		},
		{
			name: "statements as arguments",
			text: "#define RUN(x) x\n#define CALL(f, ...) f(__VA_ARGS__)\n" +
				inFunction("#pragma omp single\nRUN({ a(); })\n#pragma omp master\nRUN(if (x) "+
					"a();) else b();\n#pragma omp critical\nCALL(a, b, c);"),
			want: `
			single: RUN({ a(); })
			master: RUN(if (x) a();) else b();
			critical: CALL(a, b, c);`,
		},
		{
			name: "pasting, stringizing and nesting",
			text: "#define CAT(a, b) a##b\n#define STR(x) #x\n#define BLOCK(n) CAT(BLO, " +
				"n)\n#define BLOCK2 { puts(STR(}));\n" +
				inFunction("#pragma omp single\nBLOCK(CK2) a(); }\nc(STR({));"),
			want: `single: BLOCK(CK2) a(); }`,
		},
		{
			name: "a macro that uses itself", text: "#define if if\n#define a(x) a({ x; })\n" +
				inFunction("#pragma omp single\nif (x) a(1); else b();"),
			want: `single: if (x) a(1); else b();`,
		},
		{
			name: "an empty one", text: "#define NOTHING\n#define TRACE(x)\n" +
				inFunction("#pragma omp single\nNOTHING for (;;) a();\n#pragma omp "+
					"master\nTRACE(1) { b(); }\n#pragma omp critical\nTRACE(2);\nc();"),
			want: `
			single: NOTHING for (;;) a();
			master: TRACE(1) { b(); }
			critical: TRACE(2);`,
		},
		{
			name: "two definitions, used alike", text: "#ifdef D\n#define CHECK(x) do { if " +
				"(!(x)) abort(); } while (0)\n#else\n#define CHECK(x)\n#endif\n" +
				inFunction("#pragma omp single\nCHECK(x);\nc();"),
			want: `single: CHECK(x);`,
		},
		{
			name: "two definitions that fit together", text: "#ifdef D\n#define B {\n#define E " +
				"}\n#else\n#define B for (;;)\n#define E ;\n#endif\n" +
				inFunction("#pragma omp single\nB a() E\nc();"),
			want: `single: B a() E`,
		},
		{
			name: "two definitions that differ",
			text: "#ifdef D\n#define ONE a(); b();\n#else\n#define ONE a();\n#endif\n" +
				inFunction("#pragma omp single\nONE\nc();"),
			want: `single <the body ends inside the expansion of macro ONE>: ONE`,
		},
		{
			name: "a definition that replaces another", text: "#define X a();\n#undef X\n#define " +
				"X { a(); b(); }\n" + inFunction("#pragma omp single\nX\nc();"),
			want: `single: X`,
		},
		{
			name: "unknown ones", text: inFunction("#pragma omp single\nFOREACH(x, list) { a(); " +
				"}\n#pragma omp master\nIFX(x) a(); else b();\n#pragma omp critical\nDECL(x) for " +
				"(;;) a();"),
			want: `
			single: FOREACH(x, list) { a(); }
			master <an 'else' follows the body: a macro that is not known seems to stand for an if>: IFX(x) a();
			critical <the body ends with a macro that is not known; preprocess the file, or give the -I of its header>: DECL(x)`,
		},
		{
			name: "directives in definitions", text: "#define PAR _Pragma(\"omp parallel for\") " +
				"for (;;)\n#define L(x) omp_set_lock(x)\n" +
				inFunction("PAR { a(); }\n#pragma omp single\nPAR\nb();\nL(&l);"),
			want: `
			single: PAR b();
			mention 1: omp parallel for: in the definition of macro PAR
			mention 2: omp_set_lock: in the definition of macro L`,
		},
		{
			name: "_Pragma", text: inFunction("#pragma omp parallel\n_Pragma(\"omp for\") for " +
				"(;;) a();\n_Pragma(\"omp barrier\")\n_Pragma(\"omp simd\") for (;;) {\n#pragma " +
				"omp atomic\nx++;\n}\nif (x) _Pragma(\"GCC unroll 4\") for (;;) b(); else c();"),
			want: `
			parallel: _Pragma("omp for") for (;;) a();
			atomic <inside a directive given by _Pragma>: x++;
			mention 4: omp for: given by _Pragma; only the compiler wrapper can instrument it
			mention 5: omp barrier: given by _Pragma; only the compiler wrapper can instrument it
			mention 6: omp simd: given by _Pragma; only the compiler wrapper can instrument it`,
		},
		{
			name: "_Pragma with an encoding", text: "#define W _Pragma(L\"omp taskwait\") a();\n" +
				inFunction("#pragma omp parallel\nif (x) _Pragma(L\"omp for\") for (;;) a(); "+
					"else b();\n#pragma omp single\n{ _Pragma(u8\"omp flush\") a(); W }"),
			want: `
			parallel: if (x) _Pragma(L"omp for") for (;;) a(); else b();
			single: { _Pragma(u8"omp flush") a(); W }
			mention 1: omp taskwait: in the definition of macro W
			mention 5: omp for: given by _Pragma; only the compiler wrapper can instrument it
			mention 7: omp flush: given by _Pragma; only the compiler wrapper can instrument it`,
		},
		{
			name: "the directive's name", text: "#define P parallel\n#define N(x) " +
				"num_threads(x)\n" + inFunction("#pragma omp P N(2)\n{ a(); }"),
			want: `parallel <the directive's name comes from macro P>: { a(); }`,
		},
		{
			name: "from the command line", flags: []string{"-DBEGIN={", "-D", "END=}"},
			text: inFunction("#pragma omp parallel\nBEGIN a(); END"),
			want: `parallel: BEGIN a(); END`,
		},
		{
			name: "an include for a body",
			text: inFunction("#pragma omp parallel\n#include \"nowhere.inc\"\na();"),
			want: `parallel <its body is in an included file>:`,
		},
	} {
		c.run(t)
	}
}

// Macros come from headers that the file includes with quotes. These are beside the file, or
// found by -I.
func TestMacroHeaders(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("a.h",
		"#ifndef A_H\n#define A_H\n#include \"sub/b.h\"\n#define BEGIN {\n#if 0\n#define BEGIN "+
			"wrong }\n#else\n#endif\n#endif\n#include \"a.h\"\n")
	write("inc/sub/b.h",
		"#define END \\\n  }\nstatic inline void g(void) {\n#pragma omp parallel\n{}\n}\n")
	write("inc/c.h", "#define LOOP for (;;)\n")
	write("forced.h", "#define THEN(x) if (x)\n")
	text := "#include \"a.h\"\n#include <stdio.h>\n#include <c.h>\n" +
		inFunction("#pragma omp parallel\nBEGIN a(); END\nb();\n#pragma omp for\nLOOP\n "+
			"a();\n#pragma omp single\nTHEN(x)\na(); else b();")
	tree, ds := File(source.New(filepath.Join(dir, "f.c"), []byte(text)), Options{
		CPPFlags: []string{
			"-I", filepath.Join(dir, "inc"), "-include",
			filepath.Join(dir, "forced.h"),
		}, Verify: verify.Never,
	})
	checkTree(t, tree)
	want := "parallel: BEGIN a(); END\nfor: LOOP a();\nsingle: THEN(x) a(); else b();\nmention " +
		"4: omp parallel: in an included file; only the compiler wrapper can instrument it\n"
	if got := showTree(tree); got != want || len(ds) > 0 {
		t.Errorf("got:\n%s%v\nwant:\n%s", got, ds, want)
	}
	if len(tree.Mentions) != 1 || !strings.HasSuffix(tree.Mentions[0].Pos.File, "b.h") {
		t.Errorf("mentions: %v", tree.Mentions)
	}
}

// If the scanner met an unknown macro, the front end's end of the body counts.
func TestVerifyUnknownMacro(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "macros.h"),
		[]byte("#define STEP(x) g(x);\n#define EACH(x) for (x = 0; x < 9; x++)\n"+
			"#define TWO(x) g(x); g(x);\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	const start = "#include <macros.h>\nvoid g(int);\nvoid f(int a)\n{\n#pragma omp parallel\n"
	for _, c := range []struct{ body, rest, unsafe string }{
		{"STEP(1)", " g(2);", ""},
		{"EACH(a) g(2);", "", ""},
		{"TWO(1)", " g(2);", "the body ends inside the expansion of macro TWO"},
	} {
		f := source.New(filepath.Join(dir, "m.c"), []byte(start+c.body+c.rest+"\n}\n"))
		o := Options{Lang: omp.C, CPPFlags: []string{"-isystem", dir}}
		tree, ds := File(f, o)
		if len(ds) > 0 || len(tree.Constructs) != 1 {
			t.Errorf("%s%s: %v", c.body, c.rest, ds)
			continue
		}
		d := tree.Constructs[0]
		if d.Unsafe != c.unsafe {
			t.Errorf("%s%s: unsafe: %q, want %q", c.body, c.rest, d.Unsafe, c.unsafe)
		}
		if got := string(f.Text[d.Body.Start:d.Body.End]); c.unsafe == "" && got != c.body {
			t.Errorf("%s%s: body %q", c.body, c.rest, got)
		}
	}
}
