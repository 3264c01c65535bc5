package parse

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/verify"
)

// FuzzAttribute puts any text between the brackets of an attribute before a statement, in C++. It
// checks that the tree is well formed, and that the directives of one attribute divide its text
// in order. It also checks that nothing changes with brackets as digraphs and trigraphs, or with
// blanks and comments between them.
func FuzzAttribute(f *testing.F) {
	for _, s := range []string{
		"omp::directive(parallel)", "omp::directive(parallel for, reduction(+: s), " +
			"num_threads(2))", "using omp: directive(barrier)",
		"omp::sequence(directive(parallel), omp::directive(for))",
		"omp::sequence(omp::sequence(directive(parallel)), directive(single))",
		"likely, omp::directive(flush(a, b))", "omp::directive(critical(name)), gnu::hot(\")\")",
		"using omp: sequence(directive(barrier), directive(taskwait))",
		"omp::directive()", "omp::directive", "omp::sequence()", "omp::directive(parallel",
		"omp :: /* c */ directive ( master ) // d\n", "omp::directive(nonsense)",
		"omp::directive(parallel) ]] [[ omp::directive(for)", "omp::directive(ordered " +
			"depend(sink: i - 1))", "omp::directive(for, ordered(1)), omp::decl(threadprivate(x))",
		"omp::directive(atomic capture), x::y<z>()", "omp::directive(error at(execution) " +
			"message(\"]]\"))", "omp::directive(task, if(a[b[0]]))", "omp::\\\ndirective(barrier)",
		"omp::directive(parallel) R\"(]])\"", "using omp : ", "using omp: directive(section), " +
			"directive(section)",
		"omp::directive(metadirective when(user={condition(0)}: parallel))",
		"\n# 7 \"x.c\"\nomp::directive(barrier)", "M, omp::directive(parallel)", "...",
		"omp::directive(pomp inst begin(x))", "<:<:omp::directive(barrier):>:>",
	} {
		for mode := range uint8(4) {
			f.Add([]byte(s), mode)
		}
	}
	f.Fuzz(func(t *testing.T, inside []byte, mode uint8) {
		statement := []string{
			"for (int i = 0; i < 3; i++) a();",
			";", "{ a(); b(); }", "if (x) a(); else b();",
		}[mode&3]
		text := func(open, shut string) string {
			return "#define M omp::directive(single)\nvoid f() {\n" + open + string(inside) + shut +
				" " + statement + "\n}\nvoid g() {\n#pragma omp flush\n}\n"
		}
		o := Options{Lang: omp.CPlusPlus, Verify: verify.Never, Preprocessed: mode&4 != 0}
		start := time.Now()
		tree, _ := File(source.New("f.cc", []byte(text("[[", "]]"))), o)
		if d := time.Since(start); d > time.Minute {
			t.Errorf("it took %v", d)
		}
		checkTree(t, tree)
		checkAttributes(t, tree)
		sameInParts(t, "f.cc", text("[[", "]]"), o, 1)
		if strings.ContainsAny(string(inside), "[]<>:%\\/\"'#\n\r?") && !plainAttribute(inside) {
			return
		}
		// How the parser recovers from a bracket that nothing opened depends on the lines around
		// it.
		if !balanced(inside) {
			return
		}
		want := namesOf(tree)
		for _, b := range [][2]string{
			{"<:<:", ":>:>"},
			{"[ [", "] ]"},
			{"[<:", ":>]"},
			{"??(??(", "??)??)"},
			{"<:??(", "]:>"},
			{"[\n/* ] */[", "]//\n]"},
		} {
			other, _ := File(source.New("f.cc", []byte(text(b[0], b[1]))), o)
			if got := namesOf(other); got != want {
				t.Errorf("between %s and %s: %s, between [[ and ]]: %s", b[0], b[1], got, want)
			}
		}
	})
}

// plainAttribute reports whether text has only words, scopes, parentheses and commas. Such text
// joins with nothing around it.
func plainAttribute(text []byte) bool {
	return !bytes.ContainsAny(bytes.ReplaceAll(text, []byte("::"), nil), "[]<>:%\\/\"'#\n\r?")
}

// balanced reports whether each parenthesis and brace of text has its partner.
func balanced(text []byte) bool {
	var open []byte
	for _, b := range text {
		switch b {
		case '(':
			open = append(open, ')')
		case '{':
			open = append(open, '}')
		case ')', '}':
			if len(open) == 0 || open[len(open)-1] != b {
				return false
			}
			open = open[:len(open)-1]
		}
	}
	return len(open) == 0
}

// namesOf lists the directives of a tree, with their clauses, and the text of their bodies
// without blanks.
func namesOf(tree *construct.Tree) string {
	var b strings.Builder
	construct.Walk(tree.Constructs, func(c *construct.Construct) {
		b.WriteString(c.Directive.Name + "(" + c.Directive.Arg + ")")
		for _, k := range c.Directive.Clauses {
			b.WriteString(" " + k.Text)
		}
		if c.Kind != construct.NoBlock && c.Attribute == 0 {
			b.Write(tree.File.Text[c.Body.Start:c.Body.End])
		}
		b.WriteString("<" + c.Unsafe + c.KeepOut + ">; ")
	})
	for _, m := range tree.Mentions {
		b.WriteString("mention " + m.Text + ": " + m.Reason + "; ")
	}
	return b.String()
}

// checkAttributes checks that the directives of one attribute follow each other and do not
// overlap.
func checkAttributes(t *testing.T, tree *construct.Tree) {
	last := map[int32]int{}
	construct.Walk(tree.Constructs, func(c *construct.Construct) {
		if c.Attribute == 0 {
			return
		}
		e := c.Directive.Extent
		if e.Start < last[c.Attribute] || e.End <= e.Start {
			t.Errorf("%s at %d to %d, the one before it ends at %d",
				c.Directive.Name, e.Start, e.End, last[c.Attribute])
		}
		last[c.Attribute] = e.End
	})
}
