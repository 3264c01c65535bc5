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

// setting holds the options that a golden input requests in its first line: /* golden:
// --disable=sync */.
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
			value, s.write.SwitchOff = strings.CutPrefix(value, "auto,")
			s.lower.Functions, s.parse.Functions = strings.FieldsFunc(value,
				func(r rune) bool { return r == ',' }), true
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
		tree, ds = fortran.File(f, fortran.Options{
			Form:      s.write.Form,
			Functions: s.parse.Functions,
		})
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

// golden is an input. Its name says its language and its source form; file holds its output.
type golden struct {
	name, file string
	text       []byte
}

// goldenInputs returns the files in testdata/golden. A Fortran text that serves both source forms
// is one file in free form, and an input in fixed form too.
func goldenInputs(t testing.TB) []golden {
	t.Helper()
	var in []golden
	names := map[string]bool{}
	for _, pattern := range []string{
		"*.c", "*.cc", "*.i", "*.ii", "fortran/*.f", "fortran/*.f90",
		"fortran/*.F90",
	} {
		m, err := filepath.Glob(filepath.Join(goldenDir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range m {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			in = append(in, golden{filepath.Base(file), file + ".golden", text})
			names[file] = true
		}
	}
	for _, g := range in {
		stem, free := strings.CutSuffix(g.file, ".f90.golden")
		switch fixed := stem + ".f"; {
		case !free || !servesBothForms(g.text):
		case names[fixed]:
			t.Errorf("%s: its free form would do for both", fixed)
		default:
			in = append(in, golden{filepath.Base(fixed), fixed + ".golden", g.text})
		}
	}
	if len(in) == 0 {
		t.Fatal("no golden inputs in " + goldenDir)
	}
	return in
}

// statement is a line of fixed form: a label in columns 1 to 5, or none, and the statement in
// columns 7 to 72.
var statement = regexp.MustCompile(`^[ 0-9]{5} .{0,66}$`)

// servesBothForms reports whether a text means the same in both of Fortran's source forms: comments
// and directives begin in column 1, statements in column 7, and no line is continued.
func servesBothForms(text []byte) bool {
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, "\n")
		fits := len(line) == 0 || line[0] == '!' || statement.Match(line)
		if !fits || bytes.HasSuffix(line, []byte("&")) {
			return false
		}
	}
	return true
}

func TestServesBothForms(t *testing.T) {
	longComment := "      x = 1\n!$omp barrier\n\n!" + strings.Repeat(" a long comment", 6) + "\n"
	longLine := "      x = 1" + strings.Repeat(" + 1", 16)
	for text, want := range map[string]bool{
		longComment:                            true,
		longLine:                               false,
		"   10 x = 1\n":                        true,
		"     1 x\n":                           false,
		"x = 1\n":                              false,
		"      x = &\n      1\n":               false,
		"!$omp parallel &\n!$omp private(x)\n": false,
		"\xef\xbb\xbf!$omp barrier\n":          false,
		"      x = 1\r\n":                      true,
	} {
		if servesBothForms([]byte(text)) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

func TestGolden(t *testing.T) {
	inputs := map[string]bool{}
	for _, in := range goldenInputs(t) {
		inputs[in.file] = true
		t.Run(in.name, func(t *testing.T) {
			got, _ := instrument(t, in.name, in.text, settingOf(t, in.name, in.text))
			if *update {
				if err := os.WriteFile(in.file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(in.file)
			if err != nil {
				t.Fatalf("%v (run go test ./rewrite -update)", err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("the output differs from %s.golden; run `go test ./rewrite -update` and "+
					"look at git diff\n%s", in.name, firstDifference(got, want))
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

// TestGoldenStrip removes the insertions from every golden file.
func TestGoldenStrip(t *testing.T) {
	for _, in := range goldenInputs(t) {
		if ext := filepath.Ext(in.name); ext == ".i" || ext == ".ii" {
			continue // only the compiler gets preprocessed text
		}
		name, text := in.name, in.text
		out, _ := instrument(t, name, text, settingOf(t, name, text))
		back, err := rewrite.Strip(out)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if !bytes.Equal(back, text) {
			t.Errorf("%s: strip does not give the input back\n%s", name,
				firstDifference(back, text))
		}
		if !rewrite.Instrumented(out) {
			t.Errorf("%s: the output is not recognised as instrumented", name)
		}
	}
}

// TestGoldenCoversTable requires that the golden inputs contain every row of omp.Directives that
// has events: in C, and in both source forms of Fortran.
func TestGoldenCoversTable(t *testing.T) {
	seen := map[string]map[omp.Kind]bool{
		"C": {}, fortran.Free.String(): {},
		fortran.Fixed.String(): {},
	}
	for _, in := range goldenInputs(t) {
		name, text := in.name, in.text
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
				t.Errorf("directive %s has rule and events but no golden file shows it in %s",
					d.NameIn(lang), way)
			}
		}
	}
}
