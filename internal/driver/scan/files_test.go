package scan

import (
	"os"
	"path/filepath"
	"testing"

	"opari/internal/driver/commandline"
)

func TestHoldNothing(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("inc/loud.h", "#pragma omp barrier\n")
	write("inc/soft.h", "#include \"soft2.h\"\n#include \"soft.h\"\n")
	write("inc/soft2.h", "int x;\n")
	write("inc/without.h", "#ifndef H\n#define H\n#ifdef _OPENMP\n#include <omp.h>\n#else // "+
		"none\ntypedef int omp_lock_t;\nvoid omp_set_lock(omp_lock_t *);\n#endif\n#endif\n")
	const lock, barrier = "void f(void *l) { omp_set_lock(l); }\n", "#pragma omp barrier\n"
	tests := []struct {
		text string
		args []string
		want bool
	}{
		{"#include <stdio.h>\nint main(void) { return 0; }\n", nil, true},
		{"#pragma omp parallel\n", nil, false},
		{"#pragma o\\\nmp parallel\n", nil, false},
		{"#pragma om\\\np parallel\n", nil, false},
		{"#pragma om\\ \n\\\np parallel\n", nil, false},
		{"#pragma \\\nomp parallel\n", nil, false},
		{"#define X(a) a \\\n  + com\\\nponent\n", nil, true},
		{"_Pragma(STR)\n", nil, false},
		{"_Pragma ( \"GCC poison x\")\n", nil, true},
		{"_Pragma(\"omp parallel\")\n", nil, false},
		{"#define P(x) _Pragma(#x)\n", nil, false},
		{"/* a component */ int compute, omp1, Xomp;\n", nil, true},
		{"#include <omp.h>\nint n(void) { return omp_get_thread_num(); }\n", nil, true},
		{"void f(void *l) { omp_set_lock(l); }\n", nil, false},
		{"#define L(what) omp_ ## what ## _lock\n", nil, false},
		{"#define L(what) omp_set_##what\n", nil, false},
		{"#define L(what) omp_set_ \\\n##what\n", nil, false},
		{"#define L(what) omp_set_/**/##what\n", nil, false},
		{"#pragma pomp inst init\n", nil, false},
		{"#define OMP omp\n", nil, false},
		{"[[omp::directive(parallel)]] f();\n", nil, false},
		{"#include \"inc/soft.h\"\n", nil, true},
		{"#include \"inc/loud.h\"\n", nil, false},
		{"#  include /* x */ \"loud.h\"\n", []string{"-Iinc"}, false},
		{"#include <loud.h>\n", []string{"-I", "inc"}, false},
		{"#include <loud.h>\n", []string{"-isystem", "inc"}, true},
		{"#include \"loud.h\"\n", []string{"-iquote", "inc"}, false},
		{"#include <loud.h>\n", []string{"-iquote", "inc"}, true},
		{"#include HEADER\n", nil, false},
		{"#inc\\\nlude \"inc/loud.h\"\n", nil, false},
		{"# \\\ninclude \"inc/soft.h\"\n", nil, false},
		{"# /* # */ include \"inc/loud.h\"\n", nil, false},
		{"%: include \"inc/loud.h\"\n", nil, false},
		{"??=include \"inc/soft.h\"\n", nil, false},
		{"#include_next <loud.h>\n", []string{"-Iinc"}, false},
		{"#include \"inc\"\n", []string{"-Iinc"}, true},
		{"#include \"inc/none.h\"\nint a = 5 % 3, b = a ? 1 : 2;\n", nil, true},
		{"int x;\n", []string{"-include", "inc/loud.h"}, false},
		{"int x = P;\n", []string{"-DP=_Pragma(\"omp barrier\")"}, false},
		{"int x;\n", []string{"-DX=1", "-UY"}, true},
		{"struct s { omp_lock_t one; omp_nest_lock_t two; };\n", nil, true},
		{"#include \"inc/without.h\"\n", nil, true},
		{"#include \"inc/without.h\"\n", []string{"-U_OPENMP"}, false},
		{"#include \"inc/without.h\"\n", []string{"-D_OPENMP=1"}, false},
		{"#include \"inc/without.h\"\n", []string{"-fno-openmp"}, false},
		{"#undef _OPENMP\n#include \"inc/without.h\"\n", nil, false},
		{"#ifndef _OPENMP\n" + lock + "#endif\n", nil, true},
		{"  # if !defined( _OPENMP )\r\n" + lock + "#if X\n#else\n" + lock +
			"#endif\n#endif", nil, true},
		{"#if defined _OPENMP // on\nint x;\n#elif Y\n" + lock + "#else\n" + lock +
			"#endif\n", nil, true},
		{"#ifdef _OPENMP\n" + lock + "#else\n#endif\n", nil, false},
		{"#ifdef _OPENMP\n#else\n" + lock + "#endif\n" + lock, nil, false},
		{"#ifndef _OPENMP\n#elif X\n" + lock + "#endif\n", nil, false},
		{"#ifndef _OPENMP\n#else\n" + lock + "#endif\n", nil, false},
		{"#if !defined(_OPENMP) || X\n" + lock + "#endif\n", nil, false},
		{"#ifndef _OPENMP_X\n" + lock + "#endif\n", nil, false},
		{"#ifndef X\n" + lock + "#endif // _OPENMP\n", nil, false},
		{"/*\n#ifndef _OPENMP\n*/\n" + barrier + "/*\n#endif\n*/\n", nil, false},
		{"#ifndef _OPENMP\n/*\n#if X\n*/\n#endif\n" + barrier + "/*\n#endif\n*/\n", nil, false},
		{"const char *s = R\"(\n#ifndef _OPENMP\n)\";\n" + barrier +
			"const char *t = R\"(\n#endif\n)\";\n", nil, false},
		{"#define X y \\\n#ifndef _OPENMP\n" + barrier + "#if X\n#endif\n", nil, false},
		{"#ifndef _OPENMP\n#define X y \\\n#endif\n#endif\n" + barrier, nil, false},
		{"#ifndef _OPENMP\n" + lock, nil, false},
	}
	for _, test := range tests {
		write("f.c", test.text)
		c := commandline.Parse([]string{"gcc"},
			append([]string{"-fopenmp", "-c", "f.c"}, test.args...))
		if got := HoldNothing(c); got != test.want {
			t.Errorf("%q with %v: holds nothing: %v", test.text, test.args, got)
		}
	}
}
