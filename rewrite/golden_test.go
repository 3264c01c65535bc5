package rewrite_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"opari/descriptors"
	"opari/fortran"
	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse"
	"opari/parse/construct"
	"opari/rewrite"
)

var update = flag.Bool("update", false, "write the golden files anew")

const goldenDir = "../testdata/golden"

// setting is what a golden input asks for in its first line: /* golden: --disable=sync */.
type setting struct {
	lower descriptors.Options
	write rewrite.Options
	parse parse.Options
}

var wish = regexp.MustCompile(`^(?:/\*|[!c]) golden: (.*?)(?: \*/|\r?\n)`)

func settingOf(t *testing.T, name string, text []byte) setting {
	s := setting{write: rewrite.Options{Lang: omp.C}, parse: parse.Options{Lang: omp.C}}
	if ext := filepath.Ext(name); ext == ".cc" || ext == ".ii" {
		s.write.Lang, s.parse.Lang = omp.CPlusPlus, omp.CPlusPlus
	} else if src, ok := fortran.SourceOf(name); ok {
		s.lower.Lang, s.write.Lang, s.parse.Lang = omp.Fortran, omp.Fortran, omp.Fortran
		s.write.Form = src.Form
	}
	if ext := filepath.Ext(name); ext == ".i" || ext == ".ii" {
		s.write.Preprocessed, s.parse.Preprocessed = true, true
	}
	m := wish.FindSubmatch(text)
	if m == nil {
		return s
	}
	for w := range strings.FieldsSeq(string(m[1])) {
		key, value, _ := strings.Cut(w, "=")
		switch key {
		case "--disable":
			s.lower.Disable = strings.Split(value, ",")
		case "--disable-region":
			s.lower.DisableRegion = strings.Split(value, ",")
		case "--functions":
			s.lower.Functions, s.parse.Functions = strings.FieldsFunc(value, func(r rune) bool { return r == ',' }), true
			if value == "" {
				s.lower.Functions = []string{}
			}
		case "--parallel-barrier":
			s.lower.ImplicitParallelBarrier = value == "implicit"
		case "--nosrc":
			s.write.NoLine = true
		default:
			t.Fatalf("%s: the golden line asks for %s, which the test does not know", name, w)
		}
	}
	return s
}

// instrument runs the stages over text and fails the test on any error.
func instrument(t testing.TB, name string, text []byte, s setting) ([]byte, *descriptors.Table) {
	t.Helper()
	f := source.New(name, text)
	var tree *construct.Tree
	var ds source.Diagnostics
	if s.parse.Lang == omp.Fortran {
		tree, ds = fortran.File(f, fortran.Options{Form: s.write.Form, Functions: s.parse.Functions})
	} else {
		tree, ds = parse.File(f, s.parse)
	}
	if ds.HasErrors() {
		t.Fatalf("parse: %v", ds)
	}
	table, ds := descriptors.Lower(tree, s.lower)
	if ds.HasErrors() {
		t.Fatalf("lower: %v", ds)
	}
	out, err := rewrite.Instrument(tree, table, s.write)
	if err != nil {
		t.Fatal(err)
	}
	return out, table
}

func goldenInputs(t testing.TB) []string {
	var in []string
	for _, pattern := range []string{"*.c", "*.cc", "*.i", "*.ii", "fortran/*.f", "fortran/*.f90", "fortran/*.F90"} {
		m, err := filepath.Glob(filepath.Join(goldenDir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		in = append(in, m...)
	}
	if len(in) == 0 {
		t.Fatal("no golden inputs in " + goldenDir)
	}
	return in
}

func TestGolden(t *testing.T) {
	inputs := map[string]bool{}
	for _, in := range goldenInputs(t) {
		inputs[in+".golden"] = true
		t.Run(filepath.Base(in), func(t *testing.T) {
			text, err := os.ReadFile(in)
			if err != nil {
				t.Fatal(err)
			}
			name := filepath.Base(in)
			got, _ := instrument(t, name, text, settingOf(t, name, text))
			if *update {
				if err := os.WriteFile(in+".golden", got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(in + ".golden")
			if err != nil {
				t.Fatalf("%v (run go test ./rewrite -update)", err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("the output differs from %s.golden; run `go test ./rewrite -update` and look at git diff\n%s", name, firstDifference(got, want))
			}
		})
	}
	goldens, _ := filepath.Glob(filepath.Join(goldenDir, "*.golden"))
	more, _ := filepath.Glob(filepath.Join(goldenDir, "fortran", "*.golden"))
	for _, g := range append(goldens, more...) {
		if !inputs[g] {
			t.Errorf("%s has no input beside it", g)
		}
	}
}

func firstDifference(got, want []byte) string {
	g, w := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range g {
		if i >= len(w) || !bytes.Equal(g[i], w[i]) {
			s := "got:  " + string(g[i])
			if i < len(w) {
				s += "\nwant: " + string(w[i])
			}
			return s
		}
	}
	return "got ends early"
}

// TestGoldenStrip takes the insertions out of every golden file again.
func TestGoldenStrip(t *testing.T) {
	for _, in := range goldenInputs(t) {
		if ext := filepath.Ext(in); ext == ".i" || ext == ".ii" {
			continue // preprocessed text goes to the compiler only
		}
		text, err := os.ReadFile(in)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(in)
		out, _ := instrument(t, name, text, settingOf(t, name, text))
		back, err := rewrite.Strip(out)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !bytes.Equal(back, text) {
			t.Errorf("%s: strip does not give the input back\n%s", name, firstDifference(back, text))
		}
		if !rewrite.Instrumented(out) {
			t.Errorf("%s: the output is not recognised as instrumented", name)
		}
	}
}

// TestGoldenCoversTable holds every row of the dictionary that has events against the golden inputs: in C, and in both source
// forms of Fortran.
func TestGoldenCoversTable(t *testing.T) {
	seen := map[string]map[omp.Kind]bool{"C": {}, fortran.Free.String(): {}, fortran.Fixed.String(): {}}
	for _, in := range goldenInputs(t) {
		text, err := os.ReadFile(in)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(in)
		_, table := instrument(t, name, text, settingOf(t, name, text))
		way := "C"
		if src, ok := fortran.SourceOf(name); ok {
			way = src.Form.String()
		}
		for _, r := range table.Regions {
			seen[way][r.Kind] = true
		}
	}
	for i := range omp.Directives {
		d := &omp.Directives[i]
		for way, kinds := range seen {
			lang := omp.Fortran
			if way == "C" {
				lang = omp.C
			}
			if d.Rule != omp.Keep && d.Langs&lang != 0 && !kinds[d.Kind] {
				t.Errorf("directive %s has rule and events but no golden file shows it in %s", d.NameIn(lang), way)
			}
		}
	}
}
