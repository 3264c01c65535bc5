package rewrite_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"opari/descriptors"
	"opari/internal/omp"
	"opari/parse"
	"opari/rewrite"
)

// TestFortranMerged requires that adjacent calls become one call, up to the call before a
// construct, and that its number stands for theirs.
func TestFortranMerged(t *testing.T) {
	for _, c := range []struct {
		name, text string
		calls      string // of the output, in their order
		rows       string // the rows after those of the regions, in the text that the library reads
	}{
		{
			"exit and enter", "!$omp barrier\n!$omp barrier\nx = 1\n!$omp barrier\nend\n",
			"x17 x65 x36 x49 x52", "20,33;",
		},
		{
			"begin and enter of a loop", "!$omp parallel do\ndo i = 1, 2\nend do\nend\n",
			"x17 i49 x37 x65 x20", "18,33;38,36,19;",
		},
		{
			"the end of one, the barrier at the end of the next",
			"!$omp parallel\n!$omp critical\nx = 1\n!$omp end critical\n!$omp end parallel\n" +
				"!$omp taskwait\nend\n",
			"x17 x65 x34 x35 x81 x97 x113 x52", "18,33;36,21;22,19;20,49;",
		},
		{"none", "!$omp barrier\nx = 1\n!$omp barrier\nend\n", "x17 x20 x33 x36", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := setting{
				lower: descriptors.Options{Lang: omp.Fortran},
				parse: parse.Options{Lang: omp.Fortran},
			}
			s.write = rewrite.Options{
				Lang: omp.Fortran, Gfortran: true, ByValue: true,
				MergeCalls: true,
			}
			out, table := instrument(t, "f.f90", []byte(c.text), s)
			var calls []string
			for _, m := range regexp.MustCompile(
				`(?m)^call pomp([xi])[0-9a-f]{8}\(%val\(\+(\d+)_8[,)]`).FindAllSubmatch(out, -1) {
				calls = append(calls, string(m[1])+string(m[2]))
			}
			if got := strings.Join(calls, " "); got != c.calls {
				t.Errorf("calls %s, not %s\n%s", got, c.calls, out)
			}
			var data strings.Builder
			for _, m := range regexp.MustCompile(`(?m)^(?:data )?c\(\d+\)/'(.*)'/`).FindAllSubmatch(
				out, -1) {
				data.Write(m[1])
			}
			rows := strings.SplitAfter(data.String(), ";")
			if got := strings.Join(rows[1+len(table.Regions):], ""); got != c.rows &&
				c.rows != "" || !strings.HasPrefix(rows[0], "3,") {
				t.Errorf("%s tells %s, not %s", rows[0], got, c.rows)
			}
			if back, err := rewrite.Strip(out); err != nil || !bytes.Equal(back, []byte(c.text)) {
				t.Errorf("strip gives %q back: %v", back, err)
			}
		})
	}
}

// TestFortranByValue instruments every golden input as opari cc does for gfortran. Strip must
// return the input, and no number may be passed by reference.
func TestFortranByValue(t *testing.T) {
	files, err := filepath.Glob("../testdata/golden/fortran/*.f90")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s := setting{
			lower: descriptors.Options{Lang: omp.Fortran},
			parse: parse.Options{Lang: omp.Fortran},
		}
		s.write = rewrite.Options{
			Lang: omp.Fortran, Gfortran: true, ByValue: true,
			MergeCalls: true,
		}
		out, _ := instrument(t, file, text, s)
		if m := regexp.MustCompile(
			`(?im)^\s*call pomp[xi][0-9a-f_]+\((?:[^%]|%val\(\+?\d+\))[^!]*`).Find(out); m != nil {
			t.Errorf("%s: %s", file, m)
		}
		if back, err := rewrite.Strip(out); err != nil || !bytes.Equal(back, text) {
			t.Errorf("%s: strip does not give it back: %v", file, err)
		}
	}
}

// TestFortranExplicitBarriers compares the constructs whose barrier became explicit with those
// for which pomp_fortran_is_synced derives this from their facts.
func TestFortranExplicitBarriers(t *testing.T) {
	files, err := filepath.Glob("../testdata/golden/fortran/*.f90")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	found := map[bool]int{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, implicit := range []bool{false, true} {
			s := setting{lower: descriptors.Options{
				Lang:                    omp.Fortran,
				ImplicitParallelBarrier: implicit,
			}, parse: parse.Options{Lang: omp.Fortran}}
			s.write = rewrite.Options{
				Lang: omp.Fortran, Gfortran: true, ByValue: true,
				MergeCalls: true,
			}
			_, table := instrument(t, file, text, s)
			for _, r := range table.Regions {
				combined := r.Outer != nil && r.Outer.Construct == r.Construct
				if r.Leaf == nil || combined || !r.Leaf.Kind.OwnBarrier() {
					continue
				}
				met := r.Barrier == descriptors.MakeExplicit
				found[met]++
				if facts := r.Facts&(omp.HasNowait|omp.HasBarrier) == 0; facts != met {
					t.Errorf("%s: %s, region %d: the barrier is explicit: %v, its facts say %v",
						file, r.Leaf.Name, r.ID, met, facts)
				}
			}
		}
	}
	if found[true] < 20 || found[false] < 5 {
		t.Errorf("%d constructs with such a barrier and %d without are too few", found[true],
			found[false])
	}
}
