package parse

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/verify"
)

// wrapConditional puts do ... while(0); around bodies, as the rewriter puts its code. Text in
// another #if branch than the directive goes under the condition that the directive was compiled.
func wrapConditional(tree *construct.Tree) (text string, wrapped, unsafe int) {
	type edit struct {
		at, order int
		text      string
	}
	var edits []edit
	n := 0
	construct.Walk(tree.Constructs, func(c *construct.Construct) {
		switch {
		case c.Kind == construct.NoBlock:
			return
		case c.Unsafe != "":
			unsafe++
			return
		}
		n++
		begin, end := "\ndo\n", "\nwhile(0);\n"
		if c.Conditional {
			name := "c_" + strconv.Itoa(n)
			edits = append(edits,
				edit{tree.File.LineStart(c.Directive.Extent.Start), 0, "#define " + name + "\n"})
			begin, end = "\n#ifdef "+name+begin+"#endif\n",
				"\n#ifdef "+name+end+"#undef "+name+"\n#endif\n"
		}
		edits = append(edits, edit{c.Body.Start, n, begin}, edit{c.Body.End, -n, end})
	})
	slices.SortStableFunc(edits, func(a, b edit) int {
		if a.at != b.at {
			return a.at - b.at
		}
		return a.order - b.order
	})
	var out strings.Builder
	at := 0
	for _, e := range edits {
		out.Write(tree.File.Text[at:e.at])
		out.WriteString(e.text)
		at = e.at
	}
	out.Write(tree.File.Text[at:])
	return out.String(), n, unsafe
}

// checkConfigurations compiles a text under all combinations of macros, both as it is and
// wrapped. It reports whether all of them succeeded.
func checkConfigurations(t *testing.T, name string,
	text []byte, macros []string,
) (wrapped, unsafe int) {
	t.Helper()
	tree, ds := File(source.New(name, text), Options{Verify: verify.Never})
	checkTree(t, tree)
	if ds.HasErrors() {
		t.Errorf("%s: %v\n%s", name, ds, text)
		return 0, 0
	}
	out, wrapped, unsafe := wrapConditional(tree)
	for set := range 1 << len(macros) {
		args := []string{"-std=gnu17", "-D_OPENMP=201511", "-fsyntax-only", "-w", "-x", "c"}
		for i, m := range macros {
			if set>>i&1 != 0 {
				args = append(args, "-D"+m)
			}
		}
		args = append(args, "-")
		if ok, message := check(exec.Command("gcc", args...), string(text)); !ok {
			t.Fatalf("%s: the text itself is wrong: %s\n%s", name, firstLines(message, 6), text)
		}
		if ok, message := check(exec.Command("gcc", args...), out); !ok {
			t.Errorf("%s: with %v: %s\n%s", name, args[6:], firstLines(message, 8), out)
			return wrapped, unsafe
		}
	}
	return wrapped, unsafe
}

// TestConditionalOracle checks the extents that depend on #if against the compiler, under all
// configurations. It uses a real file, and random programs.
func TestConditionalOracle(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Fatal("no gcc to check extents with")
	}
	text, err := os.ReadFile("testdata/branches.c")
	if err != nil {
		t.Fatal(err)
	}
	if wrapped, unsafe := checkConfigurations(t, "branches.c", text,
		[]string{"WIDE", "SPLIT", "DEBUG"}); unsafe > 0 || wrapped < 8 {
		t.Errorf("%d bodies wrapped, %d unsafe", wrapped, unsafe)
	}
	files := 4
	if n, err := strconv.Atoi(os.Getenv("OPARI_RANDOM")); err == nil {
		files = n
	}
	total, left := 0, 0
	for seed := range files {
		g := programs{rand.New(rand.NewPCG(uint64(seed), 1))}
		wrapped, unsafe := checkConfigurations(t,
			fmt.Sprintf("random%d.c", seed), g.file(8), []string{"A", "B", "C"})
		total, left = total+wrapped, left+unsafe
	}
	t.Logf("%d bodies in random programs, %d more are unsafe", total, left)
	if left > total/3 {
		t.Error("too many bodies are unsafe")
	}
}

// programs makes valid C programs whose structure depends on A, B and C.
type programs struct{ *rand.Rand }

func (g programs) file(functions int) []byte {
	var b strings.Builder
	b.WriteString("void g(int); int n, i;\n")
	for k := range functions {
		fmt.Fprintf(&b, "void f%d(void)\n{\n%s}\n", k, g.list(4))
	}
	return []byte(b.String())
}

func (g programs) condition() string {
	m := string(rune('A' + g.IntN(3)))
	o := string(rune('A' + g.IntN(3)))
	return [...]string{
		"#ifdef " + m, "#ifndef " + m, "#if defined(" + m + ")", "#if !defined " +
			m, "#if defined(" + m + ") && !defined(" + o + ")",
		"#if defined " + m + " || defined(" + o + ")",
	}[g.IntN(6)]
}

// list writes a list of statements.
func (g programs) list(depth int) string {
	var b strings.Builder
	for range 1 + g.IntN(3) {
		switch g.IntN(9) {
		case 0:
			fmt.Fprintf(&b, "%s\n%s#else\n%s#endif\n",
				g.condition(), g.list(depth-1), g.list(depth-1))
		case 1:
			fmt.Fprintf(&b, "%s\n%s#endif\n", g.condition(), g.list(depth-1))
		case 2:
			c := g.condition()
			fmt.Fprintf(&b, "%s\n%s{\n#endif\n%s%s\n}\n#endif\n",
				c, g.directive(), g.list(depth-1), c)
		default:
			b.WriteString(g.statement(depth))
		}
		if depth < 0 {
			break
		}
	}
	return b.String()
}

func (g programs) directive() string {
	return [...]string{
		"", "#pragma omp parallel\n", "  # pragma omp critical // c\n",
		"#pragma omp single \\\n  nowait\n",
	}[g.IntN(4)]
}

// statement writes exactly one statement under each configuration.
func (g programs) statement(depth int) string {
	d := depth - 1
	if depth <= 0 {
		return [...]string{
			"g(1);\n", "{}\n", ";\n",
			"{ g(2); g(3); }\n", "if (n) g(4); else g(5);\n",
		}[g.IntN(5)]
	}
	c := g.condition()
	switch g.IntN(14) {
	case 0:
		return "if (n)\n" + g.statement(d)
	case 1:
		return "if (n) {\n" + g.list(d) + "} else\n" + g.statement(d)
	case 2:
		return "for (i = 0; i < n; i++)\n" + g.statement(d)
	case 3:
		return "do\n" + g.statement(d) + "while (n);\n"
	case 4:
		return "{\n" + g.list(d) + "}\n"
	case 5, 6, 7:
		return "#pragma omp parallel\n" + g.statement(d)
	case 8:
		return c + "\n#pragma omp parallel\n#endif\n" + g.statement(d)
	case 9:
		return c + "\n#pragma omp parallel\n#else\n#pragma omp critical\n#endif\n" + g.statement(d)
	case 10:
		return c + "\n" + g.statement(d) + "#else\n" + g.statement(d) + "#endif\n"
	case 11:
		return c + "\nif (n)\n#endif\n" + g.statement(d)
	case 12:
		return c + "\nif (n) {\n#else\n{\n#endif\n" + g.list(d) + "}\n"
	default:
		return "if (n) {\n" + g.list(d) + "}\n" + c + "\nelse\n" + g.statement(d) + "#endif\n"
	}
}
