package directive

import (
	"fmt"
	"strings"
	"testing"

	"opari/internal/omp"
	"opari/internal/source"
)

// parseText parses text, which follows the sentinel, as the directive of a file of its own.
func parseText(text string, s Sentinel, lang omp.Language) (Directive, bool, source.Diagnostics) {
	const before = "#pragma omp"
	f := source.New("f.c", []byte(before+text))
	l := Read(f, source.Extent{Start: len(before), End: len(before) + len(text)})
	var d Directive
	var ds source.Diagnostics
	ok := Parse(f, &l, s, lang, &d, &ds)
	return d, ok, ds
}

// show prints a directive for comparison: name(arg) -> leaves, then each clause as
// name{modifiers|args|items}.
func show(d *Directive) string {
	var b strings.Builder
	b.WriteString(d.Name)
	if d.HasArg {
		fmt.Fprintf(&b, "(%s)", d.Arg)
	}
	b.WriteString(" ->")
	for _, l := range d.Leaves {
		fmt.Fprintf(&b, " [%s]", l.Name)
	}
	for _, c := range d.Clauses {
		fmt.Fprintf(&b, "; %s", c.Name)
		if c.Row == nil {
			b.WriteByte('?')
		}
		if c.HasArgs {
			fmt.Fprintf(&b, "{%s|%s|%s}", c.Modifiers, c.Args, strings.Join(c.Items, "~"))
		}
	}
	return b.String()
}

func TestParseDirective(t *testing.T) {
	for _, c := range []struct {
		text string
		want string
		diag string // part of the only message; "" for no message
	}{
		{text: " parallel", want: "parallel -> [parallel]"},
		{text: "\tparallel\t \tfor\r", want: "parallel for -> [parallel] [for]"},
		{text: " parallel for simd", want: "parallel for simd -> [parallel] [for] [simd]"},
		{
			text: " target teams distribute parallel for simd collapse(2)",
			want: "target teams distribute parallel for simd -> [target] [teams] [distribute] " +
				"[parallel] [for] [simd]; collapse{|2|2}",
		},
		{text: " master taskloop", want: "master taskloop -> [master] [taskloop]"},
		{
			text: " parallel master taskloop simd",
			want: "parallel master taskloop simd -> [parallel] [master] [taskloop] [simd]",
		},
		{
			text: " cancellation point taskgroup",
			want: "cancellation point -> [cancellation point]; taskgroup",
		},
		{text: " cancel for if(cancel: x)", want: "cancel -> [cancel]; for; if{cancel|x|x}"},
		{text: " cancel parallel", want: "cancel -> [cancel]; parallel"},
		{text: " target data map(a)", want: "target data -> [target data]; map{|a|a}"},
		{text: " target_data map(a)", want: "target_data -> [target data]; map{|a|a}"},
		{text: " target map(a)", want: "target -> [target]; map{|a|a}"},
		{
			text: " target enter data map(to:a)",
			want: "target enter data -> [target enter data]; map{to|a|a}",
		},
		{
			text: " begin declare target device_type(any)",
			want: "begin declare target -> [begin declare target]; device_type{|any|any}",
		},
		{text: " end declare target", want: "end declare target -> [end declare target]"},
		{text: " declare target(a, b)", want: "declare target(a, b) -> [declare target]"},
		{text: " ordered simd threads", want: "ordered -> [ordered]; simd; threads"},
		{
			text: " ordered depend(sink: i - 1, j) depend(source)",
			want: "ordered -> [ordered]; depend{sink|i - 1, j|i - 1~j}; depend{|source|source}",
		},
		{text: " ordered doacross(source:)", want: "ordered -> [ordered]; doacross{source||}"},
		{text: " for ordered(2) nowait", want: "for -> [for]; ordered{|2|2}; nowait"},
		{
			text: " taskgroup task_reduction(+:a)",
			want: "taskgroup -> [taskgroup]; task_reduction{+|a|a}",
		},

		// Arguments of names.
		{text: " critical(name)hint(1)", want: "critical(name) -> [critical]; hint{|1|1}"},
		{text: " critical ( name ) ", want: "critical(name) -> [critical]"},
		{text: " flush(a, b)", want: "flush(a, b) -> [flush]"},
		{text: " flush acq_rel", want: "flush -> [flush]; acq_rel"},
		{text: " threadprivate(x)", want: "threadprivate(x) -> [threadprivate]"},
		{text: " depobj(o) depend(inout: x)", want: "depobj(o) -> [depobj]; depend{inout|x|x}"},
		{
			text: " allocate(x) allocator(omp_default_mem_alloc)",
			want: "allocate(x) -> [allocate]; " +
				"allocator{|omp_default_mem_alloc|omp_default_mem_alloc}",
		},
		{
			text: " declare reduction (+ : T : omp_out.x += omp_in.x) initializer(omp_priv = " +
				"f(1, 2))",
			want: "declare reduction(+ : T : omp_out.x += omp_in.x) -> [declare reduction]; " +
				"initializer{|omp_priv = f(1, 2)|omp_priv = f(1, 2)}",
		},
		{text: " scan inclusive(a, b)", want: "scan -> [scan]; inclusive{|a, b|a~b}"},
		{
			text: " parallel (x)", want: "parallel(x) -> [parallel]",
			diag: "1:22: warning: directive 'parallel' takes no argument",
		},

		// Separators.
		{
			text: " parallel private(a)shared(b)default(none)",
			want: "parallel -> [parallel]; private{|a|a}; shared{|b|b}; default{|none|none}",
		},
		{
			text: " parallel,private(a),shared(b) , default(none)",
			want: "parallel -> [parallel]; private{|a|a}; shared{|b|b}; default{|none|none}",
		},
		{text: " for schedule (static ,4)", want: "for -> [for]; schedule{|static ,4|static~4}"},
		{
			text: " for schedule(dynamic,(a)*(b))",
			want: "for -> [for]; schedule{|dynamic,(a)*(b)|dynamic~(a)*(b)}",
		},
		{text: " task untied shared(x)", want: "task -> [task]; untied; shared{|x|x}"},
		{text: " parallel private( )", want: "parallel -> [parallel]; private{||}"},

		// Colons.
		{text: " parallel if(parallel: e)", want: "parallel -> [parallel]; if{parallel|e|e}"},
		{
			text: " parallel if(parallel ? a : b)",
			want: "parallel -> [parallel]; if{|parallel ? a : b|parallel ? a : b}",
		},
		{
			text: " parallel if(parallel: p ? a : b)",
			want: "parallel -> [parallel]; if{parallel|p ? a : b|p ? a : b}",
		},
		{
			text: " parallel if(a ? b ? c : d : e)",
			want: "parallel -> [parallel]; if{|a ? b ? c : d : e|a ? b ? c : d : e}",
		},
		{
			text: " parallel if(parallel::x)",
			want: "parallel -> [parallel]; if{|parallel::x|parallel::x}",
		},
		{
			text: " target data if(target data: x) map(a)",
			want: "target data -> [target data]; if{target data|x|x}; map{|a|a}",
		},
		{
			text: " target parallel for simd if(target: a) if(parallel : b) if(simd:c)",
			want: "target parallel for simd -> [target] [parallel] [for] [simd]; if{target|a|a}; " +
				"if{parallel|b|b}; if{simd|c|c}",
		},
		{
			text: " parallel reduction(+: s, t)",
			want: "parallel -> [parallel]; reduction{+|s, t|s~t}",
		},
		{
			text: " parallel reduction(&&:s)reduction(min:t)",
			want: "parallel -> [parallel]; reduction{&&|s|s}; reduction{min|t|t}",
		},
		{
			text: " for reduction(inscan, +: a[:n], b[0:n][1:2])",
			want: "for -> [for]; reduction{inscan, +|a[:n], b[0:n][1:2]|a[:n]~b[0:n][1:2]}",
		},
		{
			text: " parallel reduction(task,*:x)",
			want: "parallel -> [parallel]; reduction{task,*|x|x}",
		},
		{
			text: " parallel reduction(A::B::f: x)",
			want: "parallel -> [parallel]; reduction{A::B::f|x|x}",
		},
		{
			text: " parallel reduction(::A::operator+ : v)",
			want: "parallel -> [parallel]; reduction{::A::operator+|v|v}",
		},
		{
			text: " for schedule(monotonic, simd: dynamic, 4)",
			want: "for -> [for]; schedule{monotonic, simd|dynamic, 4|dynamic~4}",
		},
		{
			text: " for schedule(nonmonotonic:guided)",
			want: "for -> [for]; schedule{nonmonotonic|guided|guided}",
		},
		{
			text: " simd linear(x: 2) aligned(p,q:64)",
			want: "simd -> [simd]; linear{2|x|x}; aligned{64|p,q|p~q}",
		},
		{text: " simd linear(ref(x), y: 2)", want: "simd -> [simd]; linear{2|ref(x), y|ref(x)~y}"},
		{text: " simd linear(x: val, step(2))", want: "simd -> [simd]; linear{val, step(2)|x|x}"},
		{text: " simd linear(x, y)", want: "simd -> [simd]; linear{|x, y|x~y}"},
		{text: " parallel allocate(a: x, y)", want: "parallel -> [parallel]; allocate{a|x, y|x~y}"},
		{
			text: " parallel allocate(allocator(a), align(8): x)",
			want: "parallel -> [parallel]; allocate{allocator(a), align(8)|x|x}",
		},
		{text: " parallel allocate(x)", want: "parallel -> [parallel]; allocate{|x|x}"},
		{
			text: " target map(always, close, to: x, y[0:n])",
			want: "target -> [target]; map{always, close, to|x, y[0:n]|x~y[0:n]}",
		},
		{
			text: " target map(mapper(m), iterator(int i = 0:n), tofrom : s[i])",
			want: "target -> [target]; map{mapper(m), iterator(int i = 0:n), tofrom|s[i]|s[i]}",
		},
		{text: " target map(always tofrom: x)", want: "target -> [target]; map{always tofrom|x|x}"},
		{
			text: " target map(A::x, a<::b:>)",
			want: "target -> [target]; map{|A::x, a<::b:>|A::x~a<::b:>}",
		},
		{
			text: " target defaultmap(tofrom: scalar) map(a<:0:n:>)",
			want: "target -> [target]; defaultmap{scalar|tofrom|tofrom}; map{|a<:0:n:>|a<:0:n:>}",
		},
		{
			text: " task depend(iterator(it = 0:n:2), in: a[it], b)",
			want: "task -> [task]; depend{iterator(it = 0:n:2), in|a[it], b|a[it]~b}",
		},
		{
			text: " for lastprivate(conditional: x)",
			want: "for -> [for]; lastprivate{conditional|x|x}",
		},
		{
			text: " taskloop grainsize(strict: 4) num_tasks(a ? 1 : 2)",
			want: "taskloop -> [taskloop]; grainsize{strict|4|4}; num_tasks{|a ? 1 : 2|a ? 1 : 2}",
		},
		{text: " teams num_teams(2 : n)", want: "teams -> [teams]; num_teams{2|n|n}"},
		{text: " target device(ancestor: 1)", want: "target -> [target]; device{ancestor|1|1}"},
		{
			text: " parallel private(parallel: x)",
			want: "parallel -> [parallel]; private{parallel|x|x}",
		},
		{
			text: " metadirective when(user={condition(n > 1)}: parallel for) default(nothing)",
			want: "metadirective -> [metadirective]; when{user={condition(n > 1)}|parallel " +
				"for|parallel for}; default{|nothing|nothing}",
		},

		// Literals and brackets.
		{
			text: ` parallel if(strcmp(s, "a ) b") == 0)`,
			want: `parallel -> [parallel]; if{|strcmp(s, "a ) b") == 0|strcmp(s, "a ) b") == 0}`,
		},
		{
			text: ` parallel if(c == ')' || c == '\'' || c == '"')`,
			want: `parallel -> [parallel]; if{|c == ')' || c == '\'' || c == '"'|c == ')' || c == '\'' || c == '"'}`,
		},
		{
			text: ` parallel num_threads(1'000) private(a)`,
			want: `parallel -> [parallel]; num_threads{|1'000|1'000}; private{|a|a}`,
		},
		{
			text: ` parallel if(f(R"x(a)"b)x", 1))`,
			want: `parallel -> [parallel]; if{|f(R"x(a)"b)x", 1)|f(R"x(a)"b)x", 1)}`,
		},
		{
			text: ` parallel if(f(u8R"(a"/*b)")) // c`,
			want: `parallel -> [parallel]; if{|f(u8R"(a"/*b)")|f(u8R"(a"/*b)")}`,
		},
		{
			text: ` parallel if([&](int a, int b) { return a ? b : 0; }(1, 2))`,
			want: `parallel -> [parallel]; if{|[&](int a, int b) { return a ? b : 0; }(1, 2)|[&](int a, int b) { return a ? b : 0; }(1, 2)}`,
		},
		{
			text: ` error message("no: , )") severity(fatal)`,
			want: `error -> [error]; message{|"no: , )"|"no: , )"}; severity{|fatal|fatal}`,
		},

		// Comments and splices.
		{
			text: " parallel /* for */ private(/* , */ a) // shared(b)",
			want: "parallel -> [parallel]; private{|a|a}",
		},
		{text: " para\\\nllel f\\\r\nor", want: "parallel for -> [parallel] [for]"},
		{text: " parallel shared(x, \\\n  y)", want: "parallel -> [parallel]; shared{|x,   y|x~y}"},
		{text: " parallel /\\\n* x *\\\n/ for", want: "parallel for -> [parallel] [for]"},
		{
			text: ` parallel if(s == "/*") private(a)`,
			want: `parallel -> [parallel]; if{|s == "/*"|s == "/*"}; private{|a|a}`,
		},

		// Unknown names.
		{
			text: " frobnicate(x)", want: "frobnicate ->",
			diag: "1:13: warning: unknown OpenMP directive 'frobnicate' is copied through",
		},
		{
			text: " declare nonsense", want: "declare nonsense ->",
			diag: "unknown OpenMP directive 'declare nonsense'",
		},
		{text: " do", want: "do ->", diag: "unknown OpenMP directive 'do'"},
		{text: "", want: " ->", diag: "1:12: warning: an OpenMP directive without a name"},
		{text: " 42", want: " ->", diag: "expected the name of an OpenMP directive"},
		{
			text: " barrier for", want: "barrier for ->",
			diag: "OpenMP has no directive 'barrier for'",
		},
		{
			text: " distribute  parallel", want: "distribute parallel ->",
			diag: "OpenMP has no directive 'distribute parallel'",
		},
		{
			text: " parallel MACRO private(a)",
			want: "parallel -> [parallel]; MACRO?; private{|a|a}",
			diag: "1:22: warning: unknown clause 'MACRO' of directive 'parallel'",
		},
		{
			text: " barrier nowait", want: "barrier -> [barrier]; nowait",
			diag: "directive 'barrier' has no clause 'nowait'",
		},
		{
			text: " parallel + private(a)", want: "parallel -> [parallel]; private{|a|a}",
			diag: "expected a clause of directive 'parallel' and not '+'",
		},

		// Text that cannot be read.
		{
			text: " parallel private(a", want: "parallel -> [parallel]; private",
			diag: "1:29: error: the '(' after 'private' is never closed",
		},
		{
			text: " parallel private(a])", want: "parallel -> [parallel]; private",
			diag: "error: the '(' after 'private' is never closed",
		},
		{
			text: " critical (a", want: "critical -> [critical]",
			diag: "error: the '(' after 'critical' is never closed",
		},
		{
			text: " parallel private(a))", want: "parallel -> [parallel]; private{|a|a}",
			diag: "1:32: error: unexpected ')' in directive 'parallel'",
		},
		{text: " parallel {", want: "parallel -> [parallel]", diag: "error: unexpected '{'"},

		// opari's own.
		{text: " inst begin(loop)", want: "inst begin(loop) ->"},
		{text: " inst  begin ( loop , &x[0] ) ", want: "inst begin(loop , &x[0]) ->"},
		{text: " inst init", want: "inst init ->"},
		{text: " noinstrument", want: "noinstrument ->"},
		{
			text: " inst begin", want: "inst begin ->",
			diag: "error: directive 'inst begin' needs the name of a region",
		},
		{
			text: " inst begin(x", want: "inst begin ->",
			diag: "error: the '(' after 'inst begin' is never closed",
		},
		{text: " inst on(x)", want: "inst on(x) ->", diag: "takes no argument"},
		{text: " inst twist", want: "inst twist ->", diag: "unknown directive 'inst twist'"},
		{
			text: " instrument now", want: "instrument ->",
			diag: "1:24: warning: text after directive 'instrument'",
		},
	} {
		lang := omp.C
		if strings.Contains(c.text, "::") || strings.Contains(c.text, `R"`) {
			lang = omp.CPlusPlus
		}
		if strings.Contains(c.text, "a<::b:>") {
			lang = omp.C
		}
		d, ok, ds := parseText(c.text, OMP, lang)
		if got := show(&d); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.text, got, c.want)
		}
		known := len(d.Leaves) > 0 || d.Own != NotOwn
		if want := known && !ds.HasErrors(); ok != want {
			t.Errorf("%q: reported %v", c.text, ok)
		}
		switch {
		case c.diag == "" && len(ds) > 0, len(ds) > 1:
			t.Errorf("%q: unexpected %v", c.text, ds)
		case c.diag != "" && (len(ds) != 1 || !strings.Contains(ds[0].String(), c.diag)):
			t.Errorf("%q: got %v, want %q", c.text, ds, c.diag)
		}
	}
}

func TestParseFortranDirective(t *testing.T) {
	for _, c := range []struct{ text, want, diag string }{
		{
			text: " PARALLEL Do PRIVATE(I) Reduction(.And.:L) ",
			want: "parallel do -> [parallel] [for]; private{|I|I}; reduction{.And.|L|L}",
		},
		{
			text: "paralleldoprivate(i)nowait",
			want: "parallel do -> [parallel] [for]; private{|i|i}; nowait",
		},
		{
			text: " paralleldo simd safelen(4)",
			want: "parallel do simd -> [parallel] [for] [simd]; safelen{|4|4}",
		},
		{text: " parallel dosimd", want: "parallel do simd -> [parallel] [for] [simd]"},
		{text: " para llel d o", want: "parallel do -> [parallel] [for]"},
		{
			text: "taskuntiedprivate(x)mergeable",
			want: "task -> [task]; untied; private{|x|x}; mergeable",
		},
		{text: " atomic hint(0)seq_cst", want: "atomic -> [atomic]; hint{|0|0}; seq_cst"},
		{text: " cancel do", want: "cancel -> [cancel]; for"},
		{text: "canceldo", want: "cancel -> [cancel]; for"},
		{
			text: " cancellationpointparallel",
			want: "cancellation point -> [cancellation point]; parallel",
		},
		{text: " parallel workshare", want: "parallel workshare -> [parallel] [workshare]"},
		{
			text: " target map(to: a(1:n), b) device(0)",
			want: "target -> [target]; map{to|a(1:n), b|a(1:n)~b}; device{|0|0}",
		},
		{
			text: ` error message('it''s )')`,
			want: `error -> [error]; message{|'it''s )'|'it''s )'}`,
		},
		{text: ` error message("a\")`, want: `error -> [error]; message{|"a\"|"a\"}`},
		{text: " threadprivate(/blk/, x)", want: "threadprivate(/blk/, x) -> [threadprivate]"},
		{text: " IF (x)", want: "IF ->", diag: "unknown OpenMP directive 'IF'"},
		{text: " INST Begin(Loop)", want: "inst begin(Loop) ->"},
		{text: "instend(loop)", want: "inst end(loop) ->"},
		{text: " for", want: "for ->", diag: "unknown OpenMP directive 'for'"},
	} {
		f := source.New("f.f90", []byte(c.text))
		var l Logical
		l.Append(f.Text, 0)
		var d Directive
		var ds source.Diagnostics
		ok := Parse(f, &l, OMP, omp.Fortran, &d, &ds)
		if got := show(&d); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.text, got, c.want)
		}
		if ok != (c.diag == "") || len(ds) > 1 ||
			len(ds) == 1 && (c.diag == "" || !strings.Contains(ds[0].String(), c.diag)) {
			t.Errorf("%q: %v with %v", c.text, ok, ds)
		}
	}
}

// TestDirectiveExtents checks that extents point into the file, through splices and comments.
func TestDirectiveExtents(t *testing.T) {
	const text = "#pragma omp para\\\nllel /* x */ private(a, \\\r\n b) /* y */ nowait // z"
	f := source.New("f.c", []byte(text))
	l := Read(f, source.Extent{Start: len("#pragma omp"), End: len(text)})
	var d Directive
	var ds source.Diagnostics
	Parse(f, &l, OMP, omp.C, &d, &ds)
	for _, c := range []struct {
		got  source.Extent
		want string
	}{
		{d.NameExtent, "para\\\nllel"},
		{d.Clauses[0].Extent, "private(a, \\\r\n b)"},
		{d.Clauses[1].Extent, "nowait"},
	} {
		if got := text[c.got.Start:c.got.End]; got != c.want {
			t.Errorf("extent of %q, want %q", got, c.want)
		}
	}
	if got := d.Clauses[0].Text; got != "private(a,  b)" {
		t.Errorf("text %q", got)
	}
	if len(ds) != 1 || ds[0].Pos.Line != 3 || ds[0].Pos.Column != 13 {
		t.Errorf("the warning about nowait: %v", ds)
	}
	rest := l.From(len(" parallel"))
	if got, want := rest.Offset(3),
		strings.Index(text, "private"); string(rest.Text[:6]) != "   pri" ||
		got != want {
		t.Errorf("%q stands at %d, want %d", rest.Text, got, want)
	}
}

// The rewriter may write a clause on one line, so a raw string over several lines becomes an
// ordinary one.
func TestRawStringInClause(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{" parallel if(R\"(a\nb)\"[0]) shared(x)", `if("a\nb"[0])`},
		{" parallel if(u8R\"d()\"\n\\?)d\"[0]) /* R\"(\n)\" */ shared(x)", `if(u8")\"\n\\\?"[0])`},
		{" parallel if(R\"(a)\"[0]) /*\n*/ shared(x)", `if(R"(a)"[0])`},
		{" parallel if(\"R\"[0]) \\\n shared(x)", `if("R"[0])`},
		{" parallel if(R\"(\r\n)\"[0] == R\"(\n)\"[0]) shared(x)", `if("\n"[0] == "\n"[0])`},
	} {
		d, ok, ds := parseText(c.text, OMP, omp.C)
		if !ok || len(ds) > 0 || len(d.Clauses) != 2 || d.Clauses[0].Text != c.want {
			t.Errorf("%q: %v %v, want %s", c.text, show(&d), ds, c.want)
			continue
		}
		at := d.Clauses[1].Extent.Start - len("#pragma omp")
		if got := c.text[at:]; got != "shared(x)" {
			t.Errorf("%q: the clause behind is taken to stand at %q", c.text, got)
		}
	}
}

func TestUserRegion(t *testing.T) {
	for arg, want := range map[string][2]string{
		"name": {"name", ""}, " a , &x[0] ": {"a", "&x[0]"}, "a, f(b, c)": {"a", "f(b, c)"},
		"": {"", ""},
	} {
		d := Directive{Arg: arg}
		if name, pointer := d.UserRegion(); name != want[0] || pointer != want[1] {
			t.Errorf("%q: %q and %q", arg, name, pointer)
		}
	}
}

// Many directives share the arrays of clauses and items: none may see those of another.
func TestDirectivesDoNotShare(t *testing.T) {
	var all []Directive
	for i := range 300 {
		d, _, _ := parseText(fmt.Sprintf(" parallel private(a%d, b%d) shared(c%d) if(x)", i, i, i),
			OMP, omp.C)
		all = append(all, d)
	}
	many := strings.Repeat(" private("+strings.Repeat("x,", 200)+"y)", 100)
	if d, _, _ := parseText(" parallel"+many, OMP, omp.C); len(d.Clauses) != 100 ||
		len(d.Clauses[99].Items) != 201 {
		t.Errorf("%d clauses", len(d.Clauses))
	}
	for i := range all {
		d := &all[i]
		_ = append(d.Clauses, Clause{Name: "intruder"})
		_ = append(d.Clauses[0].Items, "intruder")
	}
	for i := range all {
		want := fmt.Sprintf("parallel -> [parallel]; private{|a%d, b%d|a%d~b%d}; "+
			"shared{|c%d|c%d}; if{|x|x}", i, i, i, i, i, i)
		if got := show(&all[i]); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	}
}

// Each of opari's own directives is found under either sentinel, and in Fortran in any case and
// without blanks.
func TestOwn(t *testing.T) {
	for o := NotOwn + 1; o < owns; o++ {
		argument := ""
		if o.Named() {
			argument = "(r)"
		}
		spelled := map[omp.Language][]string{
			omp.C: {o.String()},
			omp.Fortran: {
				o.String(), strings.ToUpper(o.String()),
				strings.ReplaceAll(o.String(), " ", ""),
			},
		}
		for lang, texts := range spelled {
			for _, text := range texts {
				for _, s := range []Sentinel{OMP, POMP} {
					d, ok, ds := parseText(" "+text+argument, s, lang)
					if !ok || len(ds) > 0 || d.Own != o || d.Name != o.String() ||
						len(d.Leaves) > 0 {
						t.Errorf("%q: %v, %q, %v", text, ok, d.Name, ds)
					}
				}
			}
		}
	}
	for _, text := range []string{" inst twist", " install", " parallel", " INST BEGIN(r)"} {
		if d, _, _ := parseText(text, OMP, omp.C); d.Own != NotOwn {
			t.Errorf("%q is taken for %q", text, d.Own)
		}
	}
}
