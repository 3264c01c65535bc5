package fortran

import (
	"fmt"
	"strings"
	"testing"

	"opari/internal/source"
	"opari/parse/construct"
)

// TestProcedures shows on which lines the regions of procedures begin and end, and why a
// procedure is excluded.
func TestProcedures(t *testing.T) {
	for _, test := range []struct {
		form Form
		text string
		want string
	}{
		{Free, "program p\ninteger i\ni = 1\nend\n", "p 3: 4"},
		{Free, "x = 1\nend\n", "MAIN__ 1: 2"},
		{Free, "subroutine s\nuse m\nimplicit none\ntype t\ninteger a\nend type\n" +
			"type(t) :: x = t(1)\ninteger, parameter :: n = 3\ndata k /1/\n" +
			"call y\nend\n", "s 10: 11"},
		{Free, "function f(x)\nreal f\nif (x > 1) return\nif (x > 2) then\nreturn\nend if\n" +
			"10 return\nend\n", "f 3: 3 then, 5, 7 continue, 8"},
		// Latin-1.
		{Free, "subroutine s(c)\nif (c == '\xe9t\xe9 \xe0 l\xe0') RETURN\nend\n", "s 2: 2 then, 3"},
		{
			Free, "subroutine s(*)\nreturn = 1\nreturns = 2\ngoto 9\nreturn 1\n9 end\n",
			"s 2: 5, 6 continue",
		},
		{Free, "subroutine s\ncontains\nsubroutine t\nend\nend\n", "s 2: 2|s::t 4: 4"},
		{
			Free, "module m\ninterface\nsubroutine i\nend\nend interface\ncontains\n" +
				"subroutine s\n" +
				"!$omp threadprivate(/c/)\n!$omp parallel\n!$omp end parallel\nend\nend\n",
			"m::s 9: 11",
		},
		{
			Free, "pure subroutine s\nend\nelemental function f(x)\nend\n",
			"s: in a PURE procedure, where no call may stand|f: in a PURE procedure, where no " +
				"call may stand",
		},
		{Free, "subroutine s\nx = 1\nentry e\nend\n", "s: it has an ENTRY"},
		{
			Free, "subroutine s\n#if A\nx = 1\n#endif\nend\n",
			"s: its first statement depends on #if",
		},
		{
			Free, "#if A\nsubroutine s(x)\n#else\nsubroutine s(y)\n#endif\nend\n",
			"s: its first statement depends on #if|s: its END is not seen",
		},
		{
			Free, "subroutine s\nx = 1\n!$ if (y) return\nend\n",
			"s: it is left by a line that is compiled with OpenMP only",
		},
		{Fixed, "      SUBROUTINE S\n      F(X) = X\n      IF (Y)\n     & RETURN\n   10 " +
			"CONTINUE\n      RETURN\n      END\n", "s 3 (2): 4 then, 6, 7"},
		{Free, "subroutine s\ninteger a(9)\na(i) = 1\ncall y\nend\n", "s 4 (3): 5"},
		{Free, "subroutine s\n#if A\nf(x) = x\n#endif\ncall y\nend\n", "s 5 (none): 6"},
		{Free, "subroutine s\nf(x) = x\nsave\ncall y\nend\n", "s 4 (none): 5"},
	} {
		tree, ds := File(source.New("f", []byte(test.text)),
			Options{Form: test.form, Functions: true})
		if ds.HasErrors() {
			t.Error(ds)
		}
		var got []string
		construct.Walk(tree.Constructs, func(c *construct.Construct) {
			if c.Kind != construct.FunctionBody {
				return
			}
			line := func(at int) int { return strings.Count(test.text[:at], "\n") + 1 }
			s := c.Directive.Arg
			if c.Unsafe+c.KeepOut != "" {
				got = append(got, s+": "+c.KeepOut+c.Unsafe)
				return
			}
			f := c.Fortran.Function
			s += fmt.Sprintf(" %d", line(f.Enter))
			if f.Declare < 0 {
				s += " (none)"
			} else if f.Declare != f.Enter {
				s += fmt.Sprintf(" (%d)", line(f.Declare))
			}
			s += ":"
			for i, e := range c.Fortran.Function.Exits {
				if i > 0 {
					s += ","
				}
				s += fmt.Sprintf(" %d", line(e.At))
				if e.Word != "" {
					s += " " + e.Word
				}
			}
			got = append(got, s)
		})
		if s := strings.Join(got, "|"); s != test.want {
			t.Errorf("%s\ngot:  %s\nwant: %s", test.text, s, test.want)
		}
	}
}
