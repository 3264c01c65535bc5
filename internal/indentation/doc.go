// Package indentation finds statements that look guarded by an if, else, for or while but are
// not.
//
// Compilers warn about them by the columns of the user's file, but not in preprocessed text. So
// where Misleads finds such a statement, `opari cc` asks the compiler about the user's file. In
//
//	if (x)
//	    a();
//	    b();
//
// the guard ends with a(), and b() stands in the column of a(), so Misleads returns true. It
// reads the text as tokens, finds the end of each statement from the last token to the first, and
// compares columns.
package indentation
