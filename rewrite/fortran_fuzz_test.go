package rewrite_test

import (
	"bytes"
	"strings"
	"testing"

	"opari/descriptors"
	"opari/fortran"
	"opari/internal/omp"
	"opari/internal/source"
	"opari/rewrite"
)

// FuzzFortran requires that Strip undoes instrumentation, that Instrumented recognizes it, and
// that no inserted line is longer than the form allows.
func FuzzFortran(f *testing.F) {
	for _, s := range []string{
		"!$omp parallel do private(i) &\n!$omp& shared(a)\ndo i = 1, 2; end do; x = 1\nend\n",
		"      do 10 i=1,3\nc$omp atomic\n   10 x = 5hhello\n      end",
		"subroutine s\nimplicit none (external)\n!$omp sections\n x = 1\n!$omp section\n!$omp " +
			"end sections\r\nend\r\n",
		"!$omp parallel\nblock\n!$omp single\nend block\nend block\nend\n",
		"!$pomp inst begin(a)\n!$omp inst end(a)\nend",
		"# 3 \"x\" 3\n!$omp critical(b)\n\n!$omp end critical(b)\nend\n",
		"!p$ x = 1; y = &\n!P$ & 2\n!$omp barrier\nend\n", "CP$ 1 x = 1\ncP$  & 2\n",
	} {
		f.Add([]byte(s), false)
		f.Add([]byte(s), true)
	}
	for _, s := range []string{
		"integer function f(n)\nif (n > 1) return; f = 1\n10 return\n99 end\n",
		"      subroutine s(*)\n      if (x .gt. 1)\n     & RETURN 1\n   10 return\n   20 END",
		"subroutine s; integer i; i = 1; contains; subroutine t\nend; end\n",
		"#if A\nsubroutine s\n#endif\n!$ return\nend\r\n", "x = 1; end",
	} {
		f.Add([]byte(s), false)
		f.Add([]byte(s), true)
	}
	f.Fuzz(func(t *testing.T, text []byte, fixed bool) {
		fortranStrips(t, text, fixed, false, false)
		fortranStrips(t, text, fixed, true, false)
		fortranStrips(t, text, fixed, true, true)
	})
}

func fortranStrips(t *testing.T, text []byte, fixed, functions, off bool) {
	t.Helper()
	form := fortran.Free
	if fixed {
		form = fortran.Fixed
	}
	file := source.New("f", text)
	tree, ds := fortran.File(file, fortran.Options{Form: form, Functions: functions})
	if ds.HasErrors() || rewrite.Instrumented(text) {
		return
	}
	lower := descriptors.Options{Lang: omp.Fortran}
	if functions {
		lower.Functions = []string{"*"}
	}
	table, ds := descriptors.Lower(tree, lower)
	if ds.HasErrors() {
		return
	}
	out, err := rewrite.Instrument(tree, table,
		rewrite.Options{Lang: omp.Fortran, Form: form, SwitchOff: off})
	if err != nil {
		t.Fatal(err)
	}
	if !rewrite.Instrumented(out) {
		t.Fatal("the output is not recognised as instrumented")
	}
	back, err := rewrite.Strip(out)
	if err != nil || !bytes.Equal(back, text) {
		t.Fatalf("strip gives %q back, not %q: %v\n%s", back, text, err, out)
	}
	for line := range strings.Lines(string(out)) {
		if before, _, ok := strings.Cut(line, "!@pomp"); ok && before != "" &&
			len(before) > form.LineLimit() && !strings.Contains(before, "\t") &&
			!bytes.Contains(text, []byte(before)) && strings.HasPrefix(before, "!$omp") {
			t.Fatalf("an inserted line has %d columns: %s", len(line), line)
		}
	}
}
