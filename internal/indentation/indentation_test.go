package indentation

import (
	"slices"
	"testing"

	"opari/internal/omp"
)

// TestMisleads requires that Misleads finds what GCC 12 warns about, and does not suspect
// well-indented text.
func TestMisleads(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{"if (x)\n  g();\n  h();\n", true},
		{"if (x)\n\tg();\n        h();\n", true},
		{"if (x) g(); h();\n", true},
		{"if (x)\n  g();\nelse\n  h();\n  i();\n", true},
		{"for (;;)\n  if (x)\n    g();\n  h();\n", true},
		{"while (x)\n#ifdef A\n  g();\n#endif\n  h(); /* and */ i();\n", true},
		{"else if (x) {\n} else\n  g();\n  h();\n", true},
		{"if (x)\n  do g(); while (y);\n  h();\n", true},
		{"if constexpr (x)\n  g();\n  h();\n", true},
		{"if (x) g();\n  h();\n", true},
		{"while (x)\n  /* nothing */;\n  h();\n", true},
		{"for (;;);\n{\n  h();\n}\n", true},
		{"if (x) {\n} else\n  if (y)\n    g();\n  h();\n", true},
		{"if (x)\n  g();\nh();\n", false},
		{"while (x);\nh();\n", false},
		{"  if (x)\n      g();\n    h();\n", false},
		{"if (x)\n  g();;\nh();\n", false},
		{"if (x) {\n} else if (y) { g(); }\n  h();\n", false},
		{"if (x) {\n  g();\n  h();\n}\n", false},
		{"if (x)\n  g();\n  else\n    h();\n", false},
		{"if (x) g(); else h();\n", false},
		{"if (x)\n  for (;;) {\n    g(); h();\n  }\nh();\n", false},
		{"if (x)\n  v = (struct s) { 1, 2 };\nh();\n", false},
		{"do\n  g();\nwhile (x);\nh();\n", false},
		{"if (x)\n  g(\"\\n  h();\");\nh();\n", false},
		{"#define M if (x) g(); h();\nM\n", false},
		{"switch (x) {\n  case 1:\n    if (y)\n      break;\n  default:\n    g();\n}\n", false},
		{"if (x", false},
		{"if (x)", false},
		{"else", false},
		{")}]{", false},
	} {
		for _, text := range []string{c.text, "void f(void)\n{\n" + c.text + "}\n"} {
			if got := Misleads([]byte(text), omp.CPlusPlus, nil); got != c.want {
				t.Errorf("%q: %v, want %v", text, got, c.want)
			}
		}
	}
}

// TestMisleadsWhereRead requires that a branch of which the compiler reads no line neither
// misleads nor separates the text around it.
func TestMisleadsWhereRead(t *testing.T) {
	const twice = "void f(int x)\n{\n  if (x)\n    g();\n#if A\n    h();\n#else\n  i();\n" +
		"#endif\n}\n"
	const separated = "void f(int x)\n{\n  if (x)\n    g();\n#ifdef A\n# if B\n  }{\n# endif\n" +
		"  h();\n#endif\n    i();\n}\n"
	for _, c := range []struct {
		text string
		read []int
		want bool
	}{
		{twice, []int{1, 2, 3, 4, 6, 10}, true},
		{twice, []int{1, 2, 3, 4, 8, 10}, false},
		{separated, []int{1, 2, 3, 4, 11, 12}, true},
		{separated, []int{1, 2, 3, 4, 9, 11, 12}, false},
		{separated, []int{1, 2, 3, 4, 7, 11, 12}, false},
		{"#if A\n" + twice + "#endif\n", nil, false},
		{"#endif\n" + twice, []int{2, 3, 4, 5, 7, 11}, true},
	} {
		if got := Misleads([]byte(c.text), omp.C, func(line int) bool {
			return slices.Contains(c.read, line)
		}); got != c.want {
			t.Errorf("%q of which %v are read: %v, want %v", c.text, c.read, got, c.want)
		}
	}
}
