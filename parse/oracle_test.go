package parse

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"opari/internal/expensive"
	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/verify"
)

// corpusFiles lists the C and C++ files below the directories of OPARI_CORPUS and in testdata.
func corpusFiles(t testing.TB) []string {
	dirs := []string{"testdata"}
	if list := os.Getenv("OPARI_CORPUS"); list != "" {
		dirs = append(dirs, filepath.SplitList(list)...)
	} else {
		t.Log("OPARI_CORPUS names no directories: only testdata is read")
	}
	var files []string
	seen := 0
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if !d.IsDir() && languageOf(path) != 0 {
				if seen++; dir == "testdata" || sampled(seen) {
					files = append(files, path)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// sampled picks every third file of the corpus, or all with OPARI_ALL.
func sampled(number int) bool { return number%3 == 0 || os.Getenv("OPARI_ALL") != "" }

// languageOf returns a file's language by its name, and 0 for other files. C-C++ files of gcc's
// tests count as C.
func languageOf(path string) omp.Language {
	switch filepath.Ext(path) {
	case ".c":
		return omp.C
	case ".C", ".cc", ".cpp", ".cxx":
		return omp.CPlusPlus
	}
	return 0
}

// compiler returns the command that checks the syntax of a file, with the options from its dg-
// comments.
func compiler(path string, text []byte, lang omp.Language, openmp bool) *exec.Cmd {
	cc, x := "gcc", "c"
	args := []string{"-std=gnu17"}
	if lang == omp.CPlusPlus {
		cc, x = "g++", "c++"
		args = []string{"-std=gnu++17"}
	}
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, "dg-options") || strings.Contains(line, "dg-additional-options") {
			for _, w := range strings.FieldsFunc(line, func(r rune) bool {
				return strings.ContainsRune(" \t\"{}*/\n", r)
			}) {
				if strings.HasPrefix(w, "-std=") ||
					strings.HasPrefix(w, "-D") && !strings.Contains(line, "target") {
					args = append(args, w)
				}
			}
		}
	}
	args = append(args, "-fsyntax-only", "-w", "-x", x, "-I", filepath.Dir(path))
	if openmp {
		args = append(args, "-fopenmp")
	} else {
		args = append(args, "-D_OPENMP=201511", "-fpermissive")
		if lang == omp.C {
			args = args[:len(args)-1]
		}
	}
	return exec.Command(cc, append(args, "-")...)
}

// wrap puts do ... while(0); around the bodies of constructs. The text is then valid only if each
// body is exactly one statement.
func wrap(tree *construct.Tree, keep func(*construct.Construct) bool) (string, int) {
	type edit struct {
		at       int
		close    bool
		depth    int
		sequence bool
	}
	var edits []edit
	depth := 0
	var visit func([]*construct.Construct)
	visit = func(list []*construct.Construct) {
		for _, c := range list {
			ok := c.Kind != construct.NoBlock && keep(c)
			if ok {
				depth++
				edits = append(edits,
					edit{c.Body.Start, false, depth, c.Kind == construct.Sequence},
					edit{c.Body.End, true, depth, c.Kind == construct.Sequence})
			}
			visit(c.Inner)
			if ok {
				depth--
			}
		}
	}
	visit(tree.Constructs)
	slices.SortStableFunc(edits, func(a, b edit) int {
		switch {
		case a.at != b.at:
			return a.at - b.at
		case a.close != b.close:
			if a.close {
				return -1
			}
			return 1
		case a.close:
			return b.depth - a.depth
		}
		return a.depth - b.depth
	})
	var out strings.Builder
	text, at := tree.File.Text, 0
	for _, e := range edits {
		out.Write(text[at:e.at])
		at = e.at
		switch {
		case e.close && e.sequence:
			out.WriteString("\n}while(0);\n")
		case e.close:
			out.WriteString("\nwhile(0);\n")
		case e.sequence:
			out.WriteString("\ndo{\n")
		default:
			out.WriteString("\ndo\n")
		}
	}
	out.Write(text[at:])
	return out.String(), len(edits) / 2
}

// wrappable reports whether c can be checked by wrapping its body.
func wrappable(c *construct.Construct) bool {
	return c.Unsafe == "" && !c.Conditional && c.KeepOut != "in a constexpr function"
}

func check(cmd *exec.Cmd, text string) (bool, string) {
	cmd.Stdin = strings.NewReader(text)
	var out bytes.Buffer
	cmd.Stderr = &out
	err := cmd.Run()
	return err == nil, out.String()
}

// deliberate lists files that the compiler accepts although the parser reports errors, with the
// reason.
var deliberate = map[string]string{
	"pr34692.c": "directives in the arguments of a macro",
}

// TestOracle checks the extents against the compiler: the text between do and while(0) must be
// one statement.
func TestOracle(t *testing.T) {
	t.Parallel()
	forEachCorpusFile(t, func(path string, text []byte, lang omp.Language) int {
		tree, ds := File(source.New(path, text), Options{
			Lang:     lang,
			CPPFlags: []string{"-I" + filepath.Dir(path)}, Verify: verify.Never,
		})
		if reportErrors(t, path, ds) {
			return 0
		}
		reportUnsafe(t, tree)
		return checkExtents(t, path, tree, func() *exec.Cmd {
			return compiler(path, text, lang, false)
		})
	})
}

// TestPreprocessedOracle does the same with the output of the compiler's preprocessor.
func TestPreprocessedOracle(t *testing.T) {
	expensive.Compilers(t)
	t.Parallel()
	forEachCorpusFile(t, func(path string, text []byte, lang omp.Language) int {
		pre := compiler(path, text, lang, true)
		pre.Args = slices.Insert(pre.Args, 1, "-E")
		pre.Args = slices.DeleteFunc(pre.Args, func(a string) bool { return a == "-fsyntax-only" })
		pre.Stdin = bytes.NewReader(text)
		out, err := pre.Output()
		if err != nil {
			t.Logf("%s: %v", path, err)
			return 0
		}
		tree, ds := File(source.New(path, out), Options{Lang: lang, Preprocessed: true})
		if reportErrors(t, path, ds) {
			return 0
		}
		reportUnsafe(t, tree)
		for _, m := range tree.Mentions {
			if !strings.Contains(m.Reason, "attribute") {
				t.Errorf("%s:%d: %s: %s", path, m.Pos.Line, m.Text, m.Reason)
			}
		}
		return checkExtents(t, path, tree, func() *exec.Cmd {
			c := compiler(path, text, lang, false)
			return exec.Command(c.Path, append(c.Args[1:len(c.Args)-1], "-fpreprocessed", "-")...)
		})
	})
}

// TestOracleNotices makes sure that the oracle can fail. The text must not compile if any body
// loses its last byte, or starts after its first.
func TestOracleNotices(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Fatal("no gcc to check extents with")
	}
	const path = "testdata/statements.c"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	tree, _ := File(source.New(path, text), Options{Verify: verify.Never})
	var all []*construct.Construct
	construct.Walk(tree.Constructs, func(c *construct.Construct) {
		if c.Kind != construct.NoBlock && c.Body.Len() > 1 {
			all = append(all, c)
		}
	})
	for i, c := range all {
		if i%4 != 0 && testing.Short() {
			continue
		}
		body := c.Body
		for _, wrong := range []source.Extent{
			{Start: body.Start, End: body.End - 1},
			{Start: body.Start + 1, End: body.End},
		} {
			c.Body = wrong
			wrapped, _ := wrap(tree, func(k *construct.Construct) bool { return k == c })
			if ok, _ := check(compiler(path, text, omp.C, false), wrapped); ok {
				t.Errorf("%v: the compiler accepts %q",
					c.Directive.Pos, text[wrong.Start:wrong.End])
			}
		}
		c.Body = body
	}
}

// forEachCorpusFile calls f for each file that the compiler accepts. f returns the number of
// constructs checked.
func forEachCorpusFile(t *testing.T, f func(path string, text []byte, lang omp.Language) int) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Fatal("no gcc to check extents with")
	}
	files, constructs, refused := 0, 0, 0
	for _, path := range corpusFiles(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, lang := range languagesOf(path) {
			if !accepted(path, text, lang) {
				refused++
				continue
			}
			files++
			constructs += f(path, text, lang)
		}
	}
	t.Logf("%d constructs with a body in %d files; %d files that the compiler refuses",
		constructs, files, refused)
	if constructs == 0 {
		t.Error("nothing was checked")
	}
}

// acceptance keeps what accepted has found out: both oracles go through the same files.
var acceptance sync.Map

// accepted reports whether the compiler takes the file as it is.
func accepted(path string, text []byte, lang omp.Language) bool {
	ask := sync.OnceValue(func() bool {
		ok, _ := check(compiler(path, text, lang, true), string(text))
		return ok
	})
	known, _ := acceptance.LoadOrStore(fmt.Sprint(path, " ", lang), ask)
	return known.(func() bool)()
}

// languagesOf lists the languages in which a file is checked. gcc's c-c++-common is for both.
func languagesOf(path string) []omp.Language {
	if strings.Contains(path, "c-c++-common") {
		return []omp.Language{omp.C, omp.CPlusPlus}
	}
	return []omp.Language{languageOf(path)}
}

// reportErrors reports whether the parser has errors for a file that the compiler accepts.
func reportErrors(t *testing.T, path string, ds source.Diagnostics) bool {
	if !ds.HasErrors() {
		return false
	}
	if why := deliberate[filepath.Base(path)]; why != "" {
		t.Logf("%s: refused: %s", path, why)
		return true
	}
	for _, d := range ds {
		if d.Severity == source.Error {
			t.Errorf("%s: %s", path, d)
		}
	}
	return true
}

func reportUnsafe(t *testing.T, tree *construct.Tree) {
	checkTree(t, tree)
	construct.Walk(tree.Constructs, func(c *construct.Construct) {
		if c.Unsafe != "" {
			t.Logf("unsafe: %v %s: %s", c.Directive.Pos, c.Directive.Name, c.Unsafe)
		}
	})
}

// checkExtents wraps the bodies of tree, compiles the text, and gives the number of bodies. Where
// the compiler refuses it, that says something only if it takes the text without the wrapping.
func checkExtents(t *testing.T, path string, tree *construct.Tree, compiler func() *exec.Cmd) int {
	wrapped, n := wrap(tree, wrappable)
	if n == 0 {
		return 0
	}
	if ok, message := check(compiler(), wrapped); !ok {
		if ok, _ := check(compiler(), string(tree.File.Text)); !ok {
			t.Logf("%s: not accepted without -fopenmp", path)
			return 0
		}
		t.Errorf("%s: a body is not one statement:\n%s", path, firstLines(message, 6))
	}
	return n
}

func firstLines(s string, n int) string {
	lines := strings.SplitAfter(s, "\n")
	return strings.Join(lines[:min(n, len(lines))], "")
}
