package verify_test

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse"
	"opari/parse/verify"
)

// corpusFigures counts the results of a run over a corpus.
type corpusFigures struct {
	// Those that gcc accepts; that the front end cannot read; with an error of verification.
	files, unread, disagreed int
	refused                  int // files with errors of the scanner, which are not verified
	// Those compared, and those among them that start or end in a macro.
	statements, unsafe int
	inactive           int // directives in branches that gcc does not see
}

// The scanner and the front end agree on the C files below the directories in OPARI_CORPUS, which
// are separated by colons. Only files count that gcc accepts with the options they name.
func TestCorpusAgreement(t *testing.T) {
	corpus := os.Getenv("OPARI_CORPUS")
	if corpus == "" {
		t.Skip("OPARI_CORPUS names no directories of C files to compare the scanner and the C " +
			"front end on")
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Fatal("no gcc to tell the valid files from the others: ", err)
	}
	var sum corpusFigures
	for _, dir := range filepath.SplitList(corpus) {
		var n corpusFigures
		seen := 0
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && filepath.Ext(path) == ".c" {
				if seen++; seen%3 == 0 || os.Getenv("OPARI_ALL") != "" {
					n.file(t, path)
				}
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
		t.Logf("%s: %+v", dir, n)
		sum = sum.plus(n)
	}
	t.Logf("all: %+v", sum)
	if sum.files == 0 || sum.statements == 0 {
		t.Fatal("nothing was compared")
	}
	compared := sum.files - sum.unread - sum.refused
	agree := 100 * float64(compared-sum.disagreed) / float64(compared)
	t.Logf("agreement in %d of %d files, %.2f %%", compared-sum.disagreed, compared, agree)
	if agree < 99.9 {
		t.Error("want 99.9 %")
	}
	if left := sum.unread + sum.refused; 100*left > sum.files {
		t.Errorf("%d of %d files could not be compared, want 1 %% at most", left, sum.files)
	}
}

func (n corpusFigures) plus(m corpusFigures) corpusFigures {
	return corpusFigures{
		n.files + m.files, n.unread + m.unread, n.disagreed + m.disagreed, n.refused + m.refused,
		n.statements + m.statements, n.unsafe + m.unsafe, n.inactive + m.inactive,
	}
}

// file counts one file, if gcc accepts it.
func (n *corpusFigures) file(t *testing.T, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
		return
	}
	flags := append(dejagnuOptions(text), "-I"+filepath.Dir(path))
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	defer stop()
	if exec.CommandContext(ctx, "gcc",
		append(flags, "-fopenmp", "-fsyntax-only", "-w", path)...).Run() != nil {
		return
	}
	n.files++
	o := parse.Options{Lang: omp.C, CPPFlags: flags, Verify: verify.Never}
	tree, ds := parse.File(source.New(path, text), o)
	if ds.HasErrors() {
		n.refused++
		t.Log(ds)
		return
	}
	said := len(ds)
	v := verify.VerifyTree(tree, verify.Options{Lang: omp.C, CPPFlags: flags}, nil, &ds)
	if v.Unread {
		n.unread++
	}
	if ds.HasErrors() {
		n.disagreed++
	}
	for _, d := range ds[said:] {
		t.Log(d)
	}
	n.statements += v.Statements
	n.unsafe += v.Unsafe
	n.inactive += v.Inactive
}

var (
	dejagnuLine = regexp.MustCompile(`\{ dg-(?:additional-)?options "([^"]*)"\s*(?:\{ target [^}]*)?\}`)
	bearing     = regexp.MustCompile(`^-(std=|D|U|O|f|m|I|ansi)`)
)

// dejagnuOptions returns the options that the test in text asks for.
func dejagnuOptions(text []byte) (flags []string) {
	for _, m := range dejagnuLine.FindAllSubmatch(text, -1) {
		for f := range strings.FieldsSeq(string(m[1])) {
			if bearing.MatchString(f) && !strings.HasPrefix(f, "-fdump") {
				flags = append(flags, f)
			}
		}
	}
	return flags
}
