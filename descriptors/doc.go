// Package descriptors turns the constructs of a file into numbered regions, each with the facts
// that the measurement library gets about it.
//
// Lower walks the tree of constructs in the order of the text. It decides for each construct
// whether it is instrumented (lower.go), splits combined directives into regions, and sends each
// clause to the region that takes it (split.go; fortran.go for Fortran). It also decides what
// becomes of an implied barrier (facts.go). This construct on lines 2 to 4
//
//	#pragma omp parallel for num_threads(4) schedule(static)
//
// becomes two regions:
//
//	ID  Name      Directive       Clauses                                  Outer
//	1   parallel  "parallel for"  num_threads(pomp_n1) shared(pomp_h1)     none
//	2   for       "parallel for"  schedule(static) nowait                  1
//
// Each region becomes one row of a static table: C's descriptors in table.go, and a text for
// Fortran in fortran_table.go. Package rewrite writes the table and the calls.
package descriptors
