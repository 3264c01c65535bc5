package parse

import "testing"

// TestContext checks what a construct knows of its surroundings, and which directives have no
// construct.
func TestContext(t *testing.T) {
	for _, c := range []structureCase{
		{
			name: "sub-statements",
			text: inFunction("if (x)\n#pragma omp parallel\na(); else\n#pragma omp " +
				"parallel\nb();\nfor (;;)\n#pragma omp single\na();\nwhile (x)\n#pragma omp " +
				"critical\na();\ndo\n#pragma omp atomic\nx++; while (x);\nswitch (x)\n#pragma " +
				"omp master\na();\nif (y) lab:\n#pragma omp task\na();\nlab2:\n#pragma omp " +
				"taskgroup\na();\n{\n#pragma omp masked\na();\n}"),
			want: `
			parallel <sub>: a();
			parallel <sub>: b();
			single <sub>: a();
			critical <sub>: a();
			atomic <sub>: x++;
			master <sub>: a();
			task <sub>: a();
			taskgroup: a();
			masked: a();`,
		},
		{
			name: "stand-alone directives as statements",
			text: inFunction("if (x)\n#pragma omp barrier\nelse\n#pragma omp " +
				"taskwait\na();\n#pragma omp parallel\n#pragma omp flush\nb();\n#pragma omp " +
				"ordered depend(sink: i)\nc();\n#pragma omp ordered\nd();\n#pragma omp target " +
				"update to(x)\n#pragma omp taskyield"),
			want: `
			barrier <sub>
			taskwait <sub>
			parallel: #pragma omp flush
			  flush <sub>
			ordered
			ordered: d();
			target update
			taskyield`,
		},
		{
			name: "directives in a row",
			text: inFunction("#pragma omp target\n#pragma omp teams\n#pragma omp distribute " +
				"parallel for\nfor (;;) {\n#pragma omp critical\na();\n}"),
			want: `
			target: #pragma omp teams #pragma omp distribute parallel for for (;;) { #pragma omp critical a(); }
			  teams <sub>: #pragma omp distribute parallel for for (;;) { #pragma omp critical a(); }
			    distribute parallel for <sub>: for (;;) { #pragma omp critical a(); }
			      critical: a();`,
		},
		{
			name: "declared names",
			text: inFunction("#pragma omp for collapse(2)\nfor (int i = 0, *p = q; i < n; i++) " +
				"{\nfor (unsigned long j = 0; j < n; j++) for (int k;;) ;\n}\n" +
				"#pragma omp for\nfor (i = 0; i < n; i++) for (int j;;) ;\n#pragma omp parallel " +
				"for ordered(2)\nfor (size_t i = f(a, b), e = { 1, 2 }; i < e; i++) for (T *j = " +
				"a; ; ) ;\n" +
				"#pragma omp parallel\nfor (int i;;) ;\n#pragma omp for\nfor (x->i = 0, j = 1;;) " +
				";\n#pragma omp for\nfor (*p = 1;;) ;"),
			want: `
			for <declares i,p,j>: for (int i = 0, *p = q; i < n; i++) { for (unsigned long j = 0; j < n; j++) for (int k;;) ; }
			for: for (i = 0; i < n; i++) for (int j;;) ;
			parallel for <declares i,e,j>: for (size_t i = f(a, b), e = { 1, 2 }; i < e; i++) for (T *j = a; ; ) ;
			parallel: for (int i;;) ;
			for: for (x->i = 0, j = 1;;) ;
			for: for (*p = 1;;) ;`,
		},
		{
			name: "declared names in C++", cpp: true,
			text: inFunction("#pragma omp for\nfor (auto &x : v) ;\n#pragma omp for " +
				"collapse(2)\nfor (std::map<int, T>::iterator it = m.begin(); it != m.end(); " +
				"++it) for (const auto& [a, b] : c) ;\n" +
				"#pragma omp for\n#pragma omp tile sizes(2, 2)\nfor (int i{0}; i < 2; i++) for " +
				"(int j(0); j < 2; j++) ;\n#pragma omp for\nfor (int n = 0; auto x : v) ;"),
			want: `
			for <declares x>: for (auto &x : v) ;
			for <declares it,a,b>: for (std::map<int, T>::iterator it = m.begin(); it != m.end(); ++it) for (const auto& [a, b] : c) ;
			for <declares i,j>: #pragma omp tile sizes(2, 2) for (int i{0}; i < 2; i++) for (int j(0); j < 2; j++) ;
			  tile <sub> <declares i,j>: for (int i{0}; i < 2; i++) for (int j(0); j < 2; j++) ;
			for <declares n>: for (int n = 0; auto x : v) ;`,
		},
		{
			name: "cancellation",
			text: inFunction("#pragma omp parallel\n{\n#pragma omp for\nfor (;;) {\n#pragma omp " +
				"cancel for\n#pragma omp cancellation point for\n#pragma omp cancel " +
				"parallel\n}\n#pragma omp sections\n{\n#pragma omp section\n{\n#pragma omp " +
				"cancel sections if(x)\n}\n}\n#pragma omp taskgroup\n#pragma omp " +
				"task\n{\n#pragma omp cancel taskgroup\n}\n}\n#pragma omp parallel for\nfor (;;) " +
				"{\n#pragma omp cancel for\n}"),
			want: `
			parallel <cancels parallel>: { #pragma omp for for (;;) { #pragma omp cancel for #pragma omp cancellation point for #pragma omp cancel parallel } #pragma omp sections { #pragma omp section { #pragma omp cancel sections if(x) } } #pragma omp taskgroup #pragma omp task { #pragma omp cancel taskgroup } }
			  for <cancels for>: for (;;) { #pragma omp cancel for #pragma omp cancellation point for #pragma omp cancel parallel }
			    cancel
			    cancellation point
			    cancel
			  sections <cancels sections>: { #pragma omp section { #pragma omp cancel sections if(x) } }
			    section: { #pragma omp cancel sections if(x) }
			      cancel
			  taskgroup <cancels taskgroup>: #pragma omp task { #pragma omp cancel taskgroup }
			    task <sub>: { #pragma omp cancel taskgroup }
			      cancel
			parallel for <cancels for>: for (;;) { #pragma omp cancel for }
			  cancel`,
		},
		{
			name: "sections and scan",
			text: inFunction("#pragma omp sections\n{\na();\nb();\n#pragma omp " +
				"section\nc();\nd();\nif (x) e();\n#pragma omp section\n{ g(); }\n#pragma omp " +
				"section\n#pragma omp critical\nh();\n}\n#pragma omp simd reduction(inscan, +: " +
				"s)\nfor (;;) {\ns += a();\nb();\n#pragma omp scan inclusive(s)\nc(s);\n}"),
			want: `
			sections: { a(); b(); #pragma omp section c(); d(); if (x) e(); #pragma omp section { g(); } #pragma omp section #pragma omp critical h(); }
			  section <implicit> <sequence>: a(); b();
			  section <sequence>: c(); d(); if (x) e();
			  section: { g(); }
			  section: #pragma omp critical h();
			    critical: h();
			simd: for (;;) { s += a(); b(); #pragma omp scan inclusive(s) c(s); }
			  scan`,
		},
		{
			name: "noinstrument",
			text: inFunction("#pragma pomp noinstrument\n#pragma omp " +
				"barrier\nomp_set_lock(&l);\n#pragma pomp instrument\n#pragma omp " +
				"barrier\n#pragma pomp inst begin(x)\na();\n#pragma pomp inst end(x)\n#pragma " +
				"omp inst init"),
			want: `
			noinstrument
			barrier <noinstr>
			instrument
			barrier
			inst begin
			inst end
			inst init
			call omp_set_lock 5:1-16 <noinstr>`,
		},
		{
			name: "declare target",
			text: "#pragma omp declare target\nvoid f(void) {\n#pragma omp " +
				"barrier\nomp_set_lock(&l);\n}\n#pragma omp end declare target\n#pragma omp " +
				"begin declare target\n#pragma omp end declare target\n" +
				"#pragma omp declare target to(g) device_type(any)\nvoid g(void) {\n#pragma omp " +
				"barrier\n}\nvoid h(void) {\n#pragma omp flush\n}\n#pragma omp declare " +
				"target(h)\n#pragma omp begin declare variant match(device={kind(gpu)})\nvoid " +
				"f(void) {\n#pragma omp taskwait\n}\n#pragma omp end declare variant\nvoid " +
				"f(void) {\n#pragma omp barrier\n}\n",
			want: `
			declare target <file>
			barrier <inside declare target>
			end declare target <file>
			begin declare target <file>
			end declare target <file>
			declare target <file>
			barrier <in a function that declare target names> <in g>
			flush <in a function that declare target names> <in h>
			declare target <file>
			begin declare variant <file>
			taskwait <inside begin declare variant>
			end declare variant <file>
			barrier
			call omp_set_lock 4:1-16 <inside declare target>`,
		},
		{
			name: "constexpr", cpp: true,
			text: "constexpr int f() {\n#pragma omp simd\nfor (;;) ;\nreturn 1;\n}\nconsteval " +
				"int f() {\n#pragma omp barrier\n}\nconstexpr int x = [] { return 1; }();\nint " +
				"f() { if constexpr (x) {\n#pragma omp barrier\n} }\n",
			want: `
			simd <in a constexpr function>: for (;;) ;
			barrier <in a consteval function>
			barrier`,
		},
		{
			name: "metadirective",
			text: inFunction("#pragma omp metadirective when(device={arch(\"nvptx\")}: teams " +
				"loop) default(parallel for)\nfor (;;) {\n#pragma omp critical\na();\n}\n#pragma " +
				"omp metadirective when(user={condition(x)}: barrier)\nb();\n#pragma omp begin " +
				"metadirective when(user={condition(x)}: parallel)\n#pragma omp barrier\n#pragma " +
				"omp end metadirective\n"),
			want: `
			metadirective: for (;;) { #pragma omp critical a(); }
			  critical <inside a metadirective, which may choose a directive where no call may stand>: a();
			metadirective
			begin metadirective
			barrier <inside begin metadirective>
			end metadirective`,
		},
		{
			name: "lock calls", cpp: true,
			text: "extern void omp_set_lock(omp_lock_t *);\nint omp_test_lock(omp_lock_t " +
				"*l);\nvoid omp_unset_lock(omp_lock_t *l) {}\nint y = omp_test_lock(&l);\n" +
				inFunction("omp_init_lock(&l);\nif (omp_test_lock (&l)) omp_unset_lock(/* ) */ "+
					"&l); else omp_set_lock(&l);\nx.omp_set_lock(1); p->omp_set_lock(2); "+
					"N::omp_set_lock(3); ::omp_set_lock(&l);\nf = omp_set_lock; "+
					"(void)omp_test_nest_lock(q(&l));\nreturn omp_test_lock(&l) and not "+
					"omp_test_lock(&m);\n[&] { omp_destroy_nest_lock(&l); }();\nextern int "+
					"omp_test_lock(omp_lock_t *);\nomp_init_lock_with_hint(\n&l, 0);\n#pragma "+
					"omp parallel if(omp_test_lock(&l))\nomp_set_lock /* c */ (omp_test_lock(&m) "+
					"? &l : &m);\nputs(\"omp_set_lock(&l)\"); // omp_set_lock(&l)"),
			want: `
			parallel: omp_set_lock /* c */ (omp_test_lock(&m) ? &l : &m);
			call omp_init_lock 7:1-17
			call omp_test_lock 8:5-22
			call omp_unset_lock 8:25-50
			call omp_set_lock 8:58-73
			call omp_set_lock 9:62-77
			call omp_test_nest_lock 10:25-49
			call omp_test_lock 11:8-24
			call omp_test_lock 11:34-50
			call omp_destroy_nest_lock 12:7-31
			call omp_init_lock_with_hint 14:1-6
			call omp_set_lock 17:1-50
			call omp_test_lock 17:23-39`,
		},
		{
			name: "lock calls in target regions, and as arguments",
			text: "#define TRY(x) do { if (x) a(); } while (0)\n#define SAME(x) (x)\n" +
				inFunction("omp_set_lock(&l);\n#pragma omp target parallel\n{ "+
					"omp_set_lock(&l);\n#pragma omp "+
					"target\nomp_set_lock(&l);\nomp_unset_lock(&l); "+
					"}\nomp_unset_lock(&l);\nTRY(omp_test_lock(&l));\nSAME(omp_test_lock(&l));"),
			want: `
			target parallel: { omp_set_lock(&l); #pragma omp target omp_set_lock(&l); omp_unset_lock(&l); }
			  target: omp_set_lock(&l);
			call omp_set_lock 5:1-16
			call omp_set_lock 7:3-18 <inside target, where no call may stand>
			call omp_set_lock 9:1-16 <inside target, where no call may stand>
			call omp_unset_lock 10:1-18 <inside target, where no call may stand>
			call omp_unset_lock 11:1-18
			call omp_test_lock 13:6-22
			mention 12: omp_test_lock: in the arguments of macro TRY`,
		},
		{
			name: "attributes", cpp: true,
			diags: "23:49: warning: unknown OpenMP directive 'unheard' is copied through",
			text: inFunction("[[omp::directive(parallel for)]] for (;;) " +
				";\n[[omp::sequence(directive(parallel), omp::directive(simd))]] for (;;) " +
				"{\n#pragma omp atomic\nx++;\n}\n#pragma omp parallel\n[[using omp: " +
				"directive(single)]] { a(); }\nb();\n" +
				"if (x) [[omp::sequence(directive(taskwait), " +
				"omp::sequence(directive(barrier)))]];\nelse [[likely, " +
				"omp::directive(critical(name), hint(0))]] c();\nl: [[omp\n:: /* a */ directive " +
				"// b\n(for,\nschedule(static))]] [[likely]] for (;;)\n;\nint i " +
				"[[omp::directive(threadprivate)]];\n" +
				"[[omp::directive(scan, exclusive(i))]] int j;\n[[likely]] " +
				"[[omp::directive(flush)]];\nauto f = [&] () { [[omp::directive(master)]] b(); " +
				"};\n[[vendor::directive(parallel)]] b(); a[[]{return 1;}()]; " +
				"[[omp::directive(taskyield)]];\n<:[omp::sequence(directive(taskwait), " +
				"directive(unheard))]:>;"),
			want: `
			parallel for: for (;;) ;
			parallel: omp::directive(simd))]] for (;;) { #pragma omp atomic x++; }
			  simd <sub>: for (;;) { #pragma omp atomic x++; }
			    atomic: x++;
			parallel: [[using omp: directive(single)]] { a(); }
			  single <sub>: { a(); }
			taskwait <several stand-alone directives stand where one statement must: put braces around> <sub>
			barrier <several stand-alone directives stand where one statement must: put braces around> <sub>
			critical <beside other attributes in the same brackets: give it brackets of its own> <sub>: c();
			for: [[likely]] for (;;) ;
			scan
			flush
			master: b();
			taskyield
			taskwait <in one attribute with a directive that is not known>
			unheard <in one attribute with a directive that is not known>
			mention 18: omp threadprivate: given by an attribute within a declaration: nothing is executed`,
		},
		{
			name: "forms of the line",
			text: inFunction("# /*c*/ pragma /* d\n e */ omp barrier // x\n  " +
				"#\tpragma\tomp\tflush(x) \\\n\n%:pragma omp taskwait\n??=pragma omp " +
				"taskyield\n#pra\\\ngma om\\\np bar\\\nrier\n/* a */ # pragma omp flush /* " +
				"b\n*/\nx = 1;\n#pragma omp barrier\r\n#pragma ompx barrier\n#pragma"),
			want: `
			barrier
			flush
			taskwait
			taskyield
			barrier
			flush
			barrier`,
		},
		{
			name: "no directives",
			text: inFunction("puts(\"\\\n#pragma omp barrier\\\n\"); // \\\n#pragma omp " +
				"barrier\n/*\n#pragma omp barrier\n*/ x = R\"(\n#pragma omp barrier\n)\"; x = " +
				"'a'; x #pragma omp barrier\n;"),
		},
		{
			name: "file scope", text: "#pragma omp threadprivate(x)\n#pragma omp declare " +
				"simd\nvoid f(void) {}\nstruct s {\n#pragma omp nothing\nint a; };\nstatic int x " +
				"=\n#pragma omp requires unified_address\n1;\n",
			want: `
			threadprivate <file>
			declare simd <file>
			nothing <file>
			requires <file>`,
		},
		{
			name: "a byte order mark, and no last newline", text: "\xef\xbb\xbf#pragma omp " +
				"requires unified_address\r\nvoid f(void) {\r\n#pragma omp parallel\r\n  {\r\n  " +
				"}\r\n#pragma omp barrier\r\n} /* end */ // x",
			want: `
			requires <file>
			parallel: { }
			barrier`,
		},
		{
			name: "preprocessed", preprocessed: true,
			text: "# 1 \"f.c\"\n# 1 \"/usr/include/x.h\" 1 3 4\nstatic inline void g(void) " +
				"{\n#pragma omp barrier\n}\n# 7 \"f.c\" 2\nvoid f(void) {\n#pragma omp " +
				"parallel\n# 9 \"f.c\"\n { a(); }\n#if X\n#pragma omp barrier\n#endif\n#define B " +
				"{\n# 20 \"dir/\\\"b\\\\.h\" 1\n omp_set_lock(&l);\n# 30 \"f.c\" 2\n# 31 \"f.c\" " +
				"3 4\n#pragma omp flush\n# 40 \"/usr/include/x.h\"\n#pragma omp flush\n# 41 " +
				"\"f.c\" 2\n}\n",
			want: `
			parallel: { a(); }
			barrier
			flush
			call omp_set_lock 20:2-17
			mention 2: omp barrier: in a system header
			mention 40: omp flush: in a system header`,
		},
	} {
		c.run(t)
	}
}
