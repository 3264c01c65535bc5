// Package omp holds the facts of OpenMP as tables: directives, clauses, versions, associations,
// instrumentation rules and events.
//
// A row of Directives is a leaf directive:
//
//	{
//		Name: "single", Langs: All, Since: 10, Assoc: Block, End: EndRequired, Barrier: true,
//		Rule: EncloseBody, Event: "Single", Kind: KindSingle,
//		Clauses: words("allocate copyprivate firstprivate nowait private"),
//	}
//
// It says that the calls of single are POMP_Single_enter, begin, end and exit, and that a barrier
// ends it. Combined and composite names have no row. They are sequences of leaves, which Lookup
// finds: "parallel for" is the leaves `parallel` and `for`.
//
// The parser, the rewriter, the C library's event list and the generated documents take all their
// facts from these tables. `go generate` writes the C list, docs/reference/directives.md and
// rows.go.
package omp
