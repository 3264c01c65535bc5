// Package parse turns C and C++ text into a tree of constructs.
//
// A pushdown automaton reads the text token by token. Its stack says what is open: blocks,
// brackets, statements that wait for a part. Nothing recurses, so no input overflows anything.
//
// # Branches of #if
//
// Where the condition of an #if is not known, the automaton goes on in several states at once,
// one for each branch. States whose stacks are equal become one again, nearly always at the
// #endif. So one pass over the text gives the extents of all statements under all conditions, in
// linear time. Package branch keeps the groups and conditions, package macro the macros that
// change where statements end.
//
// # Large files
//
// A file with a million regions takes little more memory than its text, because the stages hand
// on parts of it. [Parts] ends a part between two declarations, once some thousand constructs are
// gathered and nothing of the automaton's state bears on both sides. A part is a Tree like any
// other.
//
// What bears on the whole file keeps the rest of it in one part: user regions, which pair up, and
// verify.Always. What shows only later that it bears on parts that were taken makes them void,
// and the file is read again as a whole: an extent that the C front end has to confirm, or
// `declare target(f)` behind f.
//
// # Functions
//
// With Options.Functions each function definition becomes a construct without a directive, of
// kind FunctionBody. The automaton takes for a function what has braces in its place. A call may
// only stand in a real one, so package head reads the head again by a strict grammar, and what
// that does not know is left alone with a reason.
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
