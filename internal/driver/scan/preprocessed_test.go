package scan

import (
	"testing"

	"opari/internal/omp"
)

func TestMayHoldDirectives(t *testing.T) {
	for text, want := range map[string]bool{
		"int x;\n":                                                      false,
		"#pragma omp parallel\n":                                        true,
		"# pragma\tomp for\n":                                           true,
		"#pragma pomp inst begin(x)\n":                                  true,
		"#pragma once\n#pragma GCC poison\n":                            false,
		"#pragma once\n#pragma omp flush\n":                             true,
		"[[omp::directive(parallel)]] f();":                             true,
		"extern void omp_set_lock (omp_lock_t *) __attribute__((x));\n": false,
		"extern void omp_set_lock (omp_lock_t *);\nomp_set_lock(&l);\n": true,
		"{ omp_test_nest_lock(&l); }":                                   true,
		"omp_get_num_threads();":                                        false,
		"/* pragma */ #pragma \\\nomp parallel\n":                       true,
	} {
		if got := MayHoldDirectives([]byte(text), omp.C); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
