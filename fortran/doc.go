// Package fortran turns Fortran text, in free and fixed form, into the tree of constructs that
// package parse makes of C.
//
// scan.go joins physical lines into statements and directives. statement.go classifies the
// statements on which extents depend. file.go and extent.go track units, loops and constructs on
// one stack. This text
//
//	!$omp parallel do
//	do i = 1, n
//	  a(i) = 2 * a(i)
//	end do
//	!$omp end parallel do
//
// becomes one construct with the leaves `parallel` and `do`. Its body is lines 2 to 4, its extent
// is lines 1 to 5, and its header counts n iterations.
//
// # What is written into Fortran
//
// Package rewrite declares nothing in the user's units, but for functions that may be switched
// off, and adds no clause. This has consequences:
//
//   - A call is `call pompxHASH(33)`: a subroutine after the file's last line and one literal
//     argument, 16 times the region plus the event. gfortran gets the argument by value, which
//     costs almost nothing. `opari cc` merges adjacent calls into one; the merged call has a
//     number that no region uses.
//   - Where IMPLICIT NONE (EXTERNAL) holds, and in submodules, the subroutine is declared
//     EXTERNAL.
//   - The subroutine reaches the library through a common block, because gfortran 12 has no weak
//     symbols. In an object that is linked without the library, the block is zero and nothing is
//     called. Under -std=f2003 and -std=f2018 the wrapper uses a module instead.
//   - No handle travels with the program. The routines between the program and libgomp begin each
//     parallel region and each task for the text. Elsewhere a thread joins the instance that was
//     forked last.
//   - A replaced directive becomes a comment with the sentinel `!@pomp$omp`. Each inserted line
//     ends in `!@pomp`.
//
// # What is not instrumented
//
// Where the preprocessor has not run yet, a directive whose name comes from a macro of the file
// is not instrumented, and neither is its end directive. A directive with a clause from a macro
// is not split. A directive with an #if inside, or with its end in another branch, is not
// rewritten. `default(none)` is dropped from a `parallel do` that is split, because gfortran
// accepts it for the combined directive but not for the parts.
package fortran
