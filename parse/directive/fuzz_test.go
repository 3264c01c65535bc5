package directive

import (
	"strings"
	"testing"

	"opari/internal/omp"
	"opari/internal/source"
)

// FuzzDirective parses any text and checks what the rewriter relies on. Positions are in the
// directive, and clauses are in order and do not overlap. A clause's text is what the file has at
// its extent, unless something was spliced out or a raw string became an ordinary one.
func FuzzDirective(f *testing.F) {
	for _, s := range []string{
		" parallel for schedule(static, 4) private(i)\\\n reduction(+:s) // x",
		" critical(a) hint(1)", " target map(always, to: a[0:n]) if(target: x ? y : z)",
		" flush /* a */ (x",
		" inst begin(name, &x)", ` parallel if(R"((")(" == 'a')`, " barrier for",
		" linear(x: step(2))",
		" target enter data map(<::> a <% b %> c)", " cancel for", "\\\n", " (",
		" simd linear(ref(x):2)", " parallel if(1'0)",
		" parallel if(uR\"x(\n\\\"\"\"\"\"\"\"?)x\"[0]) shared(x)",
	} {
		f.Add(s, uint8(0))
		f.Add(s, uint8(5))
	}
	f.Fuzz(func(t *testing.T, text string, mode uint8) {
		const before = "#pragma omp"
		lang := []omp.Language{omp.C, omp.CPlusPlus, omp.Fortran}[mode%3]
		file := source.New("f.c", []byte(before+text+"\nint x;\n"))
		entire := source.Extent{Start: len(before), End: len(before) + len(text)}
		l := Read(file, entire)
		checkLogical(t, file, &l, entire)
		var d Directive
		var ds source.Diagnostics
		ok := Parse(file, &l, Sentinel(mode/3%2), lang, &d, &ds)
		if ok && d.Name == "" || ok && ds.HasErrors() {
			t.Fatalf("%q: accepted with %v", text, ds)
		}
		if !ok && len(ds) == 0 {
			t.Fatalf("%q: refused without a word", text)
		}
		checkDirective(t, file, &l, &d, entire)
	})
}

// checkLogical checks that the bytes of l are bytes of the file in ascending order. Exceptions
// are the blanks that replace comments, and raw strings that became ordinary ones.
func checkLogical(t *testing.T, f *source.File, l *Logical, entire source.Extent) {
	last := entire.Start - 1
	for i, c := range l.Text {
		o := l.Offset(i)
		if o < last || o == last && !l.Raw || o >= entire.End {
			t.Fatalf("%q: byte %d stands at %d after %d", l.Text, i, o, last)
		}
		if f.Text[o] != c && !l.Raw && (c != ' ' || f.Text[o] != '/') {
			t.Fatalf("%q: byte %d is %q and in the file %q", l.Text, i, c, f.Text[o])
		}
		last = o
	}
}

func checkDirective(t *testing.T, f *source.File, l *Logical, d *Directive, entire source.Extent) {
	at := entire.Start
	inside := func(what string, e source.Extent) {
		if e.Start < at || e.End < e.Start || e.End > entire.End {
			t.Fatalf("%q: extent %v of %s, which must start at %d or later", l.Text, e, what, at)
		}
		at = e.End
	}
	inside("the name", d.NameExtent)
	for i := range d.Clauses {
		c := &d.Clauses[i]
		if c.Name == "" {
			t.Fatalf("%q: a clause without a name", l.Text)
		}
		if c.Extent.Len() == 0 {
			if i < len(d.Clauses)-1 {
				t.Fatalf("%q: clause %s has no extent", l.Text, c.Name)
			}
			continue // its parenthesis is never closed
		}
		inside(c.Name, c.Extent)
		if len(l.cuts) == 0 && !l.Raw && c.Text != string(f.Text[c.Extent.Start:c.Extent.End]) {
			t.Fatalf("%q: clause %s has the text %q and the extent %v",
				l.Text, c.Name, c.Text, c.Extent)
		}
		if !strings.Contains(c.Text, c.Args) || !strings.Contains(c.Text, c.Modifiers) {
			t.Fatalf("%q: parts of %q are %q and %q", l.Text, c.Text, c.Modifiers, c.Args)
		}
		if (c.Args == "") != (c.Items == nil) {
			t.Fatalf("%q: arguments %q, items %q", l.Text, c.Args, c.Items)
		}
		checkItems(t, c)
	}
}

// checkItems checks that the items in order are all of Args but commas and blanks.
func checkItems(t *testing.T, c *Clause) {
	rest := c.Args
	for i, item := range c.Items {
		rest = strings.TrimLeft(rest, " \t\r\n\f\v")
		if !strings.HasPrefix(rest, item) {
			t.Fatalf("%q: item %q of %q", c.Text, item, c.Args)
		}
		rest = strings.TrimLeft(rest[len(item):], " \t\r\n\f\v")
		if i < len(c.Items)-1 {
			if rest == "" || rest[0] != ',' {
				t.Fatalf("%q: no comma after item %q", c.Text, item)
			}
			rest = rest[1:]
		}
	}
	if strings.TrimSpace(rest) != "" {
		t.Fatalf("%q: %q is in no item", c.Text, rest)
	}
}

func BenchmarkDirective(b *testing.B) {
	for _, bb := range []struct{ name, text string }{
		{"bare", " barrier"},
		{"typical", " parallel for schedule(static, 4) private(i, j) reduction(+: sum) " +
			"num_threads(n)"},
		{"long", " target teams distribute parallel for simd collapse(2) map(always, to: a[0:n], " +
			"b[0:n]) map(tofrom: c) " +
			"num_teams(4) thread_limit(64) reduction(+: x, y) schedule(static) private(i, j, k) " +
			"if(target: n > 100) firstprivate(q)"},
		{"continued", " parallel for \\\n  schedule(static, 4) /* chunks */ \\\n  private(i, j) " +
			"reduction(+: sum)"},
	} {
		b.Run(bb.name, func(b *testing.B) {
			f := source.New("f.c", []byte("#pragma omp"+bb.text+"\n"))
			e := source.Extent{Start: len("#pragma omp"), End: len(f.Text) - 1}
			b.ReportAllocs()
			b.SetBytes(int64(e.Len()))
			// They are parts of larger objects of the scanner.
			var d Directive
			var ds source.Diagnostics
			var l Logical
			for b.Loop() {
				l = Read(f, e)
				if !Parse(f, &l, OMP, omp.C, &d, &ds) {
					b.Fatal(ds)
				}
			}
		})
	}
}
