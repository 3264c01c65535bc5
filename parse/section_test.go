package parse

import "testing"

// The first section of a sections construct without a directive for it, and blocks without such a
// section.
func TestImplicitSection(t *testing.T) {
	const rest = "#pragma omp section\nc();\n}"
	in := func(s string) string { return inFunction("#pragma omp sections\n{\n" + s) }
	for _, c := range []structureCase{
		{
			name: "one statement",
			text: in("a();\n" + rest),
			want: `
			sections: { a(); #pragma omp section c(); }
			  section <implicit>: a();
			  section: c();`,
		},
		{
			name: "several",
			text: in("a(); if (x) b(); else { d(); }\n" + rest),
			want: `
			sections: { a(); if (x) b(); else { d(); } #pragma omp section c(); }
			  section <implicit> <sequence>: a(); if (x) b(); else { d(); }
			  section: c();`,
		},
		{
			name: "a block",
			text: in("{ a(); }\n" + rest),
			want: `
			sections: { { a(); } #pragma omp section c(); }
			  section <implicit>: { a(); }
			  section: c();`,
		},
		{
			name: "a label, declarations",
			text: in("l: a();\nint i = 0, j[2] = { 1, 2 };\nstruct s { int a; } s;\n" + rest),
			want: `
			sections: { l: a(); int i = 0, j[2] = { 1, 2 }; struct s { int a; } s; #pragma omp section c(); }
			  section <implicit> <sequence>: l: a(); int i = 0, j[2] = { 1, 2 }; struct s { int a; } s;
			  section: c();`,
		},
		{
			name: "no other section",
			text: in("a();\nb();\n}"),
			want: `
			sections: { a(); b(); }
			  section <implicit> <sequence>: a(); b();`,
		},
		{
			name: "combined, and no blanks",
			text: inFunction("#pragma omp parallel sections num_threads(2)\n{a();\n" + rest),
			want: `
			parallel sections: {a(); #pragma omp section c(); }
			  section <implicit>: a();
			  section: c();`,
		},
		{
			name: "none",
			text: in("// nothing\n" + rest),
			want: `
			sections: { // nothing #pragma omp section c(); }
			  section: c();`,
		},
		{
			name: "an empty block",
			text: in("}"),
			want: `
			sections: { }`,
		},
		{
			name: "an empty statement",
			text: in(";\n" + rest),
			want: `
			sections: { ; #pragma omp section c(); }
			  section <implicit>: ;
			  section: c();`,
		},
		{
			name: "no block",
			text: inFunction("#pragma omp sections\na();\nb();"),
			want: `
			sections: a();`,
		},
		{
			name: "a construct first",
			text: in("#pragma omp parallel\n#pragma omp critical\na();\nb();\n" + rest),
			want: `
			sections: { #pragma omp parallel #pragma omp critical a(); b(); #pragma omp section c(); }
			  section <implicit> <sequence>: #pragma omp parallel #pragma omp critical a(); b();
			    parallel: #pragma omp critical a();
			      critical <sub>: a();
			  section: c();`,
		},
		{
			name: "sections first",
			text: in("#pragma omp sections\n{ a();\n#pragma omp section\nb();\n}\n" + rest),
			want: `
			sections: { #pragma omp sections { a(); #pragma omp section b(); } #pragma omp section c(); }
			  section <implicit>: #pragma omp sections { a(); #pragma omp section b(); }
			    sections: { a(); #pragma omp section b(); }
			      section <implicit>: a();
			      section: b();
			  section: c();`,
		},
		{
			name: "a directive alone",
			text: in("#pragma omp taskwait\n" + rest),
			want: `
			sections: { #pragma omp taskwait #pragma omp section c(); }
			  section <implicit>: #pragma omp taskwait
			    taskwait
			  section: c();`,
		},
		{
			name: "cancelled",
			text: in("{\n#pragma omp cancel sections\n}\n" + rest),
			want: `
			sections <cancels sections>: { { #pragma omp cancel sections } #pragma omp section c(); }
			  section <implicit>: { #pragma omp cancel sections }
			    cancel
			  section: c();`,
		},
		{
			name: "a lock call",
			text: in("omp_set_lock(&l);\n" + rest),
			want: `
			sections: { omp_set_lock(&l); #pragma omp section c(); }
			  section <implicit>: omp_set_lock(&l);
			  section: c();
			call omp_set_lock 5:1-16`,
		},
		{
			name: "noinstrument",
			text: in("#pragma pomp noinstrument\na();\n#pragma pomp instrument\n" + rest),
			want: `
			sections: { #pragma pomp noinstrument a(); #pragma pomp instrument #pragma omp section c(); }
			  noinstrument
			  section <implicit> <noinstr>: a();
			  instrument
			  section: c();`,
		},
		{
			name: "another pragma",
			text: in("#pragma GCC ivdep\nfor (;;) a();\n" + rest),
			want: `
			sections: { #pragma GCC ivdep for (;;) a(); #pragma omp section c(); }
			  section <implicit>: #pragma GCC ivdep for (;;) a();
			  section: c();`,
		},
		{
			name: "nothing but other pragmas",
			text: in("#pragma GCC diagnostic push\n#pragma omp nothing\n" + rest),
			want: `
			sections: { #pragma GCC diagnostic push #pragma omp nothing #pragma omp section c(); }
			  nothing
			  section: c();`,
		},
		{
			name: "_Pragma",
			text: in("a();\n_Pragma(\"omp section\") b();\n" + rest),
			want: `
			sections: { a(); _Pragma("omp section") b(); #pragma omp section c(); }
			  section <implicit>: a();
			  section: c();
			mention 6: omp section: given by _Pragma; only the compiler wrapper can instrument it`,
		},
		{
			name: "_Pragma first",
			text: in("_Pragma(\"omp section\") b();\n" + rest),
			want: `
			sections: { _Pragma("omp section") b(); #pragma omp section c(); }
			  section: c();
			mention 5: omp section: given by _Pragma; only the compiler wrapper can instrument it`,
		},
		{
			name: "an attribute", cpp: true,
			text: in("a();\n[[omp::directive(section)]] b();\n" + rest),
			want: `
			sections: { a(); [[omp::directive(section)]] b(); #pragma omp section c(); }
			  section <implicit>: a();
			  section: b();
			  section: c();`,
		},
		{
			name: "an attribute first", cpp: true,
			text: in("[[omp::directive(section)]] b();\n" + rest),
			want: `
			sections: { [[omp::directive(section)]] b(); #pragma omp section c(); }
			  section: b();
			  section: c();`,
		},
		{
			name: "preprocessed", preprocessed: true,
			text: in("# 7 \"g.c\"\na();\n# 9 \"g.c\"\n" + rest),
			want: `
			sections: { # 7 "g.c" a(); # 9 "g.c" #pragma omp section c(); }
			  section <implicit>: a();
			  section: c();`,
		},
		{
			name: "included",
			text: in("a();\n#include \"sections.inc\"\nb();\n}\n#pragma omp " +
				"sections\n{\n#include \"sections.inc\"\nb();\n}"),
			want: `
			sections: { a(); #include "sections.inc" b(); }
			  section <implicit> <sequence> <its body is in an included file>: a(); #include "sections.inc" b();
			sections: { #include "sections.inc" b(); }`,
		},
		{
			name: "what looks like an unknown macro",
			text: in("EACH(x) a b;\n" + rest),
			want: `
			sections: { EACH(x) a b; #pragma omp section c(); }
			  section <implicit>: EACH(x) a b;
			  section: c();`,
		},
		{
			name: "an unknown macro",
			text: in("a();\nSTEP\n" + rest),
			want: `
			sections: { a(); STEP #pragma omp section c(); }
			  section <implicit> <sequence> <the body ends with a macro that is not known; preprocess the file, or give the -I of its header>: a(); STEP
			  section: c();`,
		},
		{
			name: "macros",
			text: "#define OPEN { a();\n#define CALL a();\n#define TWO a(); b\n#define NONE\n" +
				inFunction(
					"#pragma omp sections\nOPEN\nb();\n"+rest+
						"\n#pragma omp sections\n{\nCALL\n"+rest+
						"\n#pragma omp sections\n{\nTWO();\n"+rest+
						"\n#pragma omp sections\n{ NONE\na();\n"+rest+
						"\n#pragma omp sections\n{ NONE\n"+rest),
			want: `
			sections: OPEN b(); #pragma omp section c(); }
			  section <implicit> <sequence> <the body starts inside the expansion of macro OPEN>: OPEN b();
			  section: c();
			sections: { CALL #pragma omp section c(); }
			  section <implicit>: CALL
			  section: c();
			sections: { TWO(); #pragma omp section c(); }
			  section <implicit> <sequence>: TWO();
			  section: c();
			sections: { NONE a(); #pragma omp section c(); }
			  section <implicit>: NONE a();
			  section: c();
			sections: { NONE #pragma omp section c(); }
			  section: c();`,
		},
	} {
		c.run(t)
	}
}

// The parser guesses nothing if the existence or the end of an implicit section depends on #if.
func TestImplicitSectionConditional(t *testing.T) {
	const rest = "#pragma omp section\nc();\n}"
	in := func(s string) string { return inFunction("#pragma omp sections\n{\n" + s) }
	for _, c := range []structureCase{
		{
			name: "a section in a branch",
			text: in("a();\n#ifdef X\n#pragma omp section\nb();\n#endif\n" + rest),
			want: `
			sections: { a(); #ifdef X #pragma omp section b(); #endif #pragma omp section c(); }
			  section <implicit>: a();
			  section: b();
			  section: c();`,
		},
		{
			name: "the first section in a branch",
			text: in("#ifdef X\n#pragma omp section\na();\n#endif\nb();\n" + rest),
			want: `
			sections: { #ifdef X #pragma omp section a(); #endif b(); #pragma omp section c(); }
			  section <sequence> <conditional>: a(); #endif b();
			  section: c();`,
		},
		{
			name: "the first statement in a branch",
			text: in("#ifdef X\na();\n#endif\nb();\n" + rest),
			want: `
			sections: { #ifdef X a(); #endif b(); #pragma omp section c(); }
			  section: c();`,
		},
		{
			name: "the last statement in a branch",
			text: in("a();\n#ifdef X\nb();\n#endif\n" + rest),
			want: `
			sections: { a(); #ifdef X b(); #endif #pragma omp section c(); }
			  section <implicit> <sequence>: a(); #ifdef X b(); #endif
			  section: c();`,
		},
		{
			name: "all ends in branches",
			text: in("a();\n#ifdef X\nb();\n#else\nd();\n#endif\n" + rest),
			want: `
			sections: { a(); #ifdef X b(); #else d(); #endif #pragma omp section c(); }
			  section <implicit> <sequence>: a(); #ifdef X b(); #else d(); #endif
			  section: c();`,
		},
		{
			name: "two ends",
			text: in("a();\n#ifdef X\nb();\n#pragma omp section\nd();\n#endif\n}"),
			want: `
			sections: { a(); #ifdef X b(); #pragma omp section d(); #endif }
			  section: d();`,
		},
		{
			name: "branches that are not compiled",
			text: in("#if 0\n#pragma omp section\n#endif\n#ifdef X\n#endif\na();\n" + rest),
			want: `
			sections: { #if 0 #pragma omp section #endif #ifdef X #endif a(); #pragma omp section c(); }
			  section <implicit>: a();
			  section: c();`,
		},
		{
			name: "a brace in each branch",
			text: inFunction("#pragma omp sections\n#ifdef X\n{\n#else\n{\n#endif\na();\n" + rest),
			want: `
			sections: #ifdef X { #else { #endif a(); #pragma omp section c(); }
			  section <implicit>: a();
			  section: c();`,
		},
		{
			name: "a directive in a branch",
			text: inFunction("#ifdef _OPENMP\n#pragma omp sections\n#endif\n{\na();\n#ifdef " +
				"_OPENMP\n#pragma omp section\n#endif\nb();\n}"),
			want: `
			sections <conditional>: { a(); #ifdef _OPENMP #pragma omp section #endif b(); }
			  section <conditional>: b();`,
		},
		{
			name: "one of two directives",
			text: inFunction("#ifdef X\n#pragma omp sections nowait\n#else\n#pragma omp " +
				"sections\n#endif\n{\na();\n" + rest),
			want: `
			sections <conditional>: { a(); #pragma omp section c(); }
			  section: c();
			sections <conditional>: { a(); #pragma omp section c(); }`,
		},
		{
			name: "all in a branch",
			text: inFunction("#ifdef X\n#pragma omp sections\n{\na();\n#pragma omp " +
				"section\nb();\n}\n#endif"),
			want: `
			sections: { a(); #pragma omp section b(); }
			  section <implicit>: a();
			  section: b();`,
		},
		{
			name: "two states",
			text: inFunction("#ifdef X\nif (x) {\n#endif\n#pragma omp sections\n{\na();\n" + rest +
				"\n#ifdef X\n}\n#endif"),
			want: `
			sections: { a(); #pragma omp section c(); }
			  section <implicit>: a();
			  section: c();`,
		},
		{
			name: "the block begins and ends in branches",
			text: inFunction("#ifdef X\n#pragma omp " +
				"sections\n{\na();\n#else\n{\nb();\n#endif\nc();\n}"),
			want: `
			sections <conditional>: { a(); #else { b(); #endif c(); }`,
		},
		{
			name: "a macro with two definitions",
			text: "#ifdef X\n#define M _Pragma(\"omp section\")\n#else\n#define M\n#endif\n" +
				in("M a();\n"+rest),
			want: `
			sections: { M a(); #pragma omp section c(); }
			  section: c();
			mention 2: omp section: in the definition of macro M`,
		},
		{
			name: "nothing but a pragma in one branch",
			text: in("#pragma GCC ivdep\n#ifdef X\na();\n#endif\n" + rest),
			want: `
			sections: { #pragma GCC ivdep #ifdef X a(); #endif #pragma omp section c(); }
			  section <implicit> <its body cannot be followed through the #if branches>: #pragma GCC ivdep #ifdef X a(); #endif
			  section: c();`,
		},
	} {
		c.run(t)
	}
}
