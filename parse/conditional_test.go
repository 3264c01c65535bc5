package parse

import "testing"

// TestConditionals reads texts whose structure depends on #if.
func TestConditionals(t *testing.T) {
	for _, c := range []structureCase{
		{
			name: "a guarded directive",
			text: inFunction("#ifdef X\n#pragma omp parallel\n#endif\n{ a(); }"),
			want: `parallel <conditional>: { a(); }`,
		},
		{
			name: "a guard that always holds",
			text: inFunction("#ifdef _OPENMP\n#pragma omp parallel\n#endif\n{ a(); }\n#ifndef " +
				"_OPENMP\n#pragma omp barrier\n#endif"),
			want: `parallel <conditional>: { a(); }`,
		},
		{
			name: "two directives share a block",
			text: inFunction("#ifdef X\n#pragma omp parallel\n#else\n#pragma omp " +
				"single\n#endif\n{\n#pragma omp barrier\n}"),
			want: `
			parallel <conditional>: { #pragma omp barrier }
			  barrier
			single <conditional>: { #pragma omp barrier }`,
		},
		{
			name: "three directives share a loop, one of them shuts it",
			text: inFunction("#if X == 1\n#pragma omp for\n#elif X == 2\n#pragma omp " +
				"simd\n#else\n#pragma omp taskloop\n#endif\nfor (int i = 0; i < n; i++) " +
				"{\n#pragma omp atomic\nx++;\n}"),
			want: `
			for <conditional> <declares i>: for (int i = 0; i < n; i++) { #pragma omp atomic x++; }
			  atomic <inside simd in one #if branch, where no call may stand>: x++;
			simd <conditional> <declares i>: for (int i = 0; i < n; i++) { #pragma omp atomic x++; }
			taskloop <conditional> <declares i>: for (int i = 0; i < n; i++) { #pragma omp atomic x++; }`,
		},
		{
			name: "the statement is one of two",
			text: inFunction("#pragma omp single\n#if X\n x = a(0);\n#else\n x = a();\n#endif\n " +
				"b();"),
			want: `single: #if X x = a(0); #else x = a(); #endif`,
		},
		{
			name: "the same with an #elif and comments",
			text: inFunction("#pragma omp single\n#if X\n x = a(0); /* c */\n#elif Y // d\n { " +
				"b(); }\n#else\n ;\n#endif /* e */\n b();"),
			want: `single: #if X x = a(0); /* c */ #elif Y // d { b(); } #else ; #endif /* e */`,
		},
		{
			name: "heads in branches, one body",
			text: inFunction("#pragma omp parallel\n#if X\n for (i = 0; i < 2; i++)\n#else\n " +
				"while (x)\n#endif\n { a(); }\n b();"),
			want: `parallel: #if X for (i = 0; i < 2; i++) #else while (x) #endif { a(); }`,
		},
		{
			name: "an else that may be there",
			text: inFunction("#pragma omp parallel\nif (x) a();\n#ifdef X\nelse b();\n#endif\n " +
				"c();"),
			want: `parallel: if (x) a(); #ifdef X else b(); #endif`,
		},
		{
			name: "an else if chain in parts",
			text: inFunction("#pragma omp parallel\nif (x) a();\n#ifdef X\nelse if (y) " +
				"b();\n#endif\nelse c();\n d();"),
			want: `parallel: if (x) a(); #ifdef X else if (y) b(); #endif else c();`,
		},
		{
			name: "a brace in each of two branches",
			text: inFunction("#pragma omp parallel\n#ifdef X\nif (x) {\n#else\n{\n#endif\n " +
				"a();\n}\n b();"),
			want: `parallel: #ifdef X if (x) { #else { #endif a(); }`,
		},
		{
			name: "a block that is open under one condition only",
			text: inFunction("#ifdef X\n#pragma omp parallel\n{\n#endif\n a();\n#pragma omp " +
				"for\n for (;;) ;\n#ifdef X\n}\n#endif\n b();"),
			want: `
			parallel <conditional>: { #endif a(); #pragma omp for for (;;) ; #ifdef X } #endif
			  for: for (;;) ;`,
		},
		{
			name: "the same with the conditions written in other ways",
			text: inFunction("#if defined(X)\n#pragma omp parallel\n{\n#endif\n a();\n#ifndef " +
				"X\n#else\n}\n#endif\n b();"),
			want: `parallel <conditional>: { #endif a(); #ifndef X #else } #endif`,
		},
		{
			name: "closing braces in branches",
			text: inFunction("#pragma omp parallel\n{\n a();\n#ifdef X\n b(); }\n#else\n " +
				"}\n#endif\n c();"),
			want: `parallel: { a(); #ifdef X b(); } #else } #endif`,
		},
		{
			name: "no clean cover",
			text: inFunction("#pragma omp single\n#ifdef X\n a();\n#endif\n b();"),
			want: `single <the body ends in different places, depending on #if> <conditional>: #ifdef X a();`,
		},
		{
			name: "a second statement in a branch",
			text: inFunction("#pragma omp single\n#ifdef X\n a(); c();\n#else\n b();\n#endif\n " +
				"d();"),
			want: `single <the body ends in different places, depending on #if> <conditional>: #ifdef X a();`,
		},
		{
			name: "nested directives over a branch",
			text: inFunction("#pragma omp parallel\n#ifdef X\n#pragma omp for\n#endif\nfor (;;) " +
				"a();\n b();"),
			want: `
			parallel: #ifdef X #pragma omp for #endif for (;;) a();
			  for <sub> <conditional>: for (;;) a();`,
		},
		{
			name: "garbage that is never compiled",
			text: inFunction("#if 0\n don't } } ( \"\n#pragma omp parallel\n#if " +
				"1\n#else\n#endif\n#elif 1\n#pragma omp barrier\n#else\n}}}\n#endif"),
			want: `barrier`,
		},
		{
			name: "garbage under a condition",
			text: inFunction("#pragma omp parallel\n{\n#ifdef NEVER\n do not do } } } this " +
				"(\n#pragma omp barrier\n#endif\n a();\n}\n b();"),
			want: `
			parallel: { #ifdef NEVER do not do } } } this ( #pragma omp barrier #endif a(); }
			mention 7: omp barrier: in an #if branch that cannot be followed: this 'do' has no 'while' after its statement`,
			diags: "6:2: warning: this 'do' has no 'while' after its statement: the rest of this " +
				"#if branch cannot be followed, and directives in it are left as they are\n",
		},
		{
			name: "another language",
			text: "#ifdef __cplusplus\nextern \"C\" {\n#endif\n" +
				inFunction("#pragma omp barrier") + "#ifdef __cplusplus\n}\n#endif\n",
			want: `barrier`,
		},
		{
			name: "a directive in the branch of an else",
			text: inFunction("if (x) a(); else\n#ifdef X\n#pragma omp parallel\n#endif\n b();"),
			want: `parallel <sub> <conditional>: b();`,
		},
		{
			name: "sections under conditions",
			text: inFunction("#pragma omp sections\n{\n#pragma omp section\na();\n#ifdef " +
				"X\n#pragma omp section\n{ b(); }\n#endif\n#pragma omp section\nc(); " +
				"d();\n#ifdef X\ne();\n#endif\n}"),
			want: `
			sections: { #pragma omp section a(); #ifdef X #pragma omp section { b(); } #endif #pragma omp section c(); d(); #ifdef X e(); #endif }
			  section: a();
			  section: { b(); }
			  section <sequence>: c(); d(); #ifdef X e(); #endif`,
		},
		{
			name: "a function with two heads",
			text: "#ifdef X\nvoid f(int a) {\n#else\nvoid g(void) {\n#endif\n#pragma omp " +
				"barrier\n}\nvoid h(void) {\n#pragma omp flush\n}\n",
			want: `
			barrier
			flush <in h>`,
		},
		{
			name: "an include guard, and a name that is defined on the way",
			text: "#ifndef H\n#define H\n#ifdef H\nvoid f(void) {\n#else\nvoid f(void) " +
				"{{\n#endif\n#pragma omp barrier\n}\n#ifndef H\n}\n#endif\n#endif\n",
			want: `barrier`,
		},
		{
			name: "a directive of one branch stands in the body of another",
			text: inFunction("#if A\n#pragma omp parallel for\nfor (;;) {\n#else\n#pragma omp " +
				"parallel\n{\n#endif\n#pragma omp critical\na();\n}\nb();"),
			want: `
			parallel for <conditional>: for (;;) { #else #pragma omp parallel { #endif #pragma omp critical a(); }
			  critical: a();
			parallel <conditional>: { #endif #pragma omp critical a(); }`,
		},
		{
			name: "an #error branch",
			text: inFunction("#pragma omp parallel\n#if X\n{ a(); }\n#else\n#error no\n#endif\n"),
			want: `parallel: #if X { a(); } #else #error no #endif`,
		},
		{
			name: "errors of #if",
			text: "#endif\n#else\n#if X\n#else\n#elif Y\n#endif\n#ifdef Z\n",
			diags: "1:1: error: #endif without #if; remove it, or look for the #if that is " +
				"missing\n2:1: error: #else without #if; remove it, or look for the #if that is " +
				"missing\n5:1: error: #elif after #else\n7:1: error: this #if has no #endif\n",
		},
	} {
		c.run(t)
	}
}
