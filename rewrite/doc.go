// Package rewrite writes the instrumented text of a program: the user's text with inserted lines
// that report each region to a measurement library.
//
// Instrument takes the regions of package descriptors and makes edits, each of which inserts
// complete lines at a byte offset. The rule of a construct decides which pieces it gets (rules.go
// for C and C++, fortran_rules.go for Fortran). A printer sorts the edits and copies the text
// between them (edit.go). From lines 2 and 3 of a file,
//
//	#pragma omp critical
//	  a[0]++;
//
// the edits before the directive, at the start of the body and after the body make this text:
//
//	pomp_critical_enter(1); /*@*/
//	#line 2 /*@*/
//	#pragma omp critical
//	{ pomp_critical_begin(1); /*@*/
//	#line 3 /*@*/
//	  a[0]++;
//	pomp_critical_end(1); } /*@*/
//	pomp_critical_exit(1); /*@*/
//	#line 4 /*@*/
//
// Every inserted line ends in a mark, so Strip can return the user's text byte for byte
// (strip.go).
//
// The calls go to functions that the prologue defines for each unit (prologue.go, wrappers.go). A
// function tests the unit's active word and calls the library only while somebody measures. Bits
// of that word let a library ask for more details (detail.go) or for fewer, merged calls
// (merged.go). Text that comes from a preprocessor contains these tests itself (direct.go).
//
// Fortran has no prologue. Its calls go to a subroutine after the user's last line
// (fortran_dispatcher.go).
package rewrite
