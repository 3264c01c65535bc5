// Package fortran turns Fortran text, in free and fixed form, into the same tree of constructs as
// package parse does C.
//
// scan.go joins physical lines to statements and directives. statement.go tells the statements
// apart on which extents depend. file.go and extent.go follow units, loops and constructs on one
// stack.
//
// # What is written into Fortran
//
// Nothing is declared in the user's units and no clause is added, with these consequences:
//
//   - A call is `call pompxHASH(33)`: a subroutine behind the file's last line and one literal
//     argument, 16 times the region plus the event. gfortran gets the argument by value, which
//     costs next to nothing. `opari cc` merges adjacent calls into one; the merged call has a
//     number that no region uses.
//   - Where IMPLICIT NONE (EXTERNAL) holds, and in submodules, the subroutine is declared
//     EXTERNAL.
//   - The subroutine reaches the library through a common block, because gfortran 12 has no weak
//     symbols. In an object that is linked without the library the block is zero and nothing is
//     called. Under -std=f2003 and -std=f2018 the wrapper uses a module instead.
//   - No handle travels with the program. The routines between the program and libgomp begin each
//     parallel region and each task for the text. Elsewhere a thread joins the instance that was
//     forked last.
//   - A replaced directive becomes a comment with the sentinel `!@pomp$omp`. Each inserted line
//     ends in `!@pomp`.
//
// # What is left alone
//
// Where the preprocessor is still to come, a directive whose name comes from a macro of the file
// is left alone with its end directive, and one with a clause from a macro is not split. A
// directive with an #if inside, and one whose end is in another branch, are not rewritten.
// `default(none)` is dropped from a `parallel do` that is split: gfortran accepts it for the
// whole but not for the parts.
package fortran
