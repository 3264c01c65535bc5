// Package parse reads C and C++ text and returns the tree of its OpenMP constructs.
//
// A pushdown automaton reads the text token by token. Its stack says what is open: blocks,
// brackets, statements that wait for a part. Nothing recurses, so no input can overflow anything.
// For the text
//
//	void f(int n) {
//	#pragma omp for
//	    for (int i = 0; i < n; i++)
//	        g(i);
//	}
//
// the stack is inScope, inItem, inBlock when the pragma comes, which adds inDirective. At the
// first token after it, the body of the construct starts. `for` becomes inHead, and inLoop after
// its parenthesis. The ';' after g(i) ends the statement on top. That ends inLoop and inDirective
// too, so the body of the construct ends there.
//
// # Branches of #if
//
// If the condition of an #if is not known, the automaton continues in several states at once, one
// for each branch. States become one again when their stacks are equal, nearly always at the
// #endif. So one pass over the text finds the extents of all statements under all conditions, in
// linear time. Package branch keeps the groups and conditions, package macro the macros that
// change where statements end.
//
// # Large files
//
// A file with a million regions takes little more memory than its text, because the stages hand
// on parts of it. [Parts] ends a part between two declarations. It does so after some thousand
// constructs, if nothing in the automaton's state concerns both sides. A part is a Tree like any
// other.
//
// The rest of the file remains one part if something concerns all of it: user regions, which pair
// up, or verify.Always. Later text may concern parts that were already taken: an extent that the
// C front end has to confirm, or `declare target(f)` after f. It makes them void, and the caller
// reads the entire file again.
//
// # Functions
//
// With Options.Functions each function definition becomes a construct without a directive, of
// kind FunctionBody. The automaton takes anything for a function that has braces in the right
// place. But a call may only be inserted in a real function. So package head reads the head again
// by a strict grammar. If that does not know the head, the function is left alone with a reason.
//
// # C++
//
// The same automaton follows C++, without knowing names or types. These things differ:
//
//   - A directive in an attribute becomes a construct like that of a pragma. The directives of
//     one [[...]] share its text, and the last one takes the ';' of a stand-alone directive.
//   - In a module unit nothing may be declared before the first line, so its directives are left
//     alone. So are those in constexpr and consteval functions.
package parse
