// Package ctext cuts C and C++ text into tokens, and has the lexical helpers that the other
// packages under parse share.
//
// A Lexer reads one token at a time into Lexer.Tok. It passes over blanks, comments and
// backslash-newlines. It gives the caller the '#' of a preprocessing directive and leaves the
// rest of the line to them. The text
//
//	#pragma omp for
//	for (i = 0; i < n; ++i)
//
// gives Hash at offset 0. The caller moves Pos to the end of that line. Then follow For, '(',
// Word, '=', Number, ';', Word, '<', Word, ';', Op, Word, ')' and EOF, each with its offsets.
//
// A token carries only what the search for the ends of statements needs: no values, no types, and
// no keywords that do not change the structure.
package ctext

import "opari/internal/omp"

// Kind is the kind of a token. A token of one byte that stands for itself, such as '{', has that
// byte as its kind.
type Kind uint8

// The kinds of the other tokens.
const (
	EOF  Kind = 0
	Hash Kind = 1 // the '#' that starts a preprocessing directive

	Word   Kind = 128 + iota // an identifier, or a keyword without influence on the structure
	Number                   // a preprocessing number
	String                   // a string or character literal, raw strings among them
	Scope                    // ::
	Arrow                    // ->
	Op                       // another operator of several bytes
	// The name of a macro of the file, which the caller looks up before taking it as a word.
	Macro
	Lock           // the name of a lock routine
	PragmaOperator // _Pragma

	// Keywords. The kinds from If on are all keywords.
	If
	Else
	For
	While
	Do
	Switch
	Case
	Default
	Try
	Catch
	Jump // return, goto, break, continue and their kin
	Throw
	Expr // new, sizeof and the like: an expression has begun
	Tag  // struct, union, class, enum
	Namespace
	Extern
	Template
	Operator
	Constexpr // constexpr, consteval
	Prefix    // __extension__ and the like, which may stand before any statement or declaration
	// __attribute__, decltype, alignas: part of a declaration, together with its parentheses
	Attribute
	Asm
	Requires
)

// Token is a token as the parser of statements sees it.
type Token struct {
	Kind       Kind
	First      bool   // the first token of its macro expansion
	Last       bool   // the last token of its macro expansion
	Macro      int32  // the macro invocation that it comes from; 0 for the user's own text
	Branch     int32  // the #if branch that it stands in
	Start, End int    // in the file; a token from a macro has the extent of the entire invocation
	Text       []byte // set for tokens from macros and words with backslash-newlines; nil otherwise
}

// keywords holds the words that influence the structure.
var keywords = []struct {
	langs omp.Language
	kind  Kind
	words omp.Words
}{
	{omp.CFamily, If, "if"},
	{omp.CFamily, Else, "else"},
	{omp.CFamily, For, "for"},
	{omp.CFamily, While, "while"},
	{omp.CFamily, Do, "do"},
	{omp.CFamily, Switch, "switch"},
	{omp.CFamily, Case, "case"},
	{omp.CFamily, Default, "default"},
	{omp.CFamily, Jump, "return goto break continue"},
	{omp.CFamily, Tag, "struct union enum"},
	{omp.CFamily, Extern, "extern"},
	{omp.CFamily, Prefix, "__extension__ __transaction_atomic __transaction_relaxed"},
	{omp.CFamily, Attribute, "__attribute__ __attribute __declspec alignas _Alignas typeof " +
		"__typeof__ __typeof _Atomic"},
	{omp.CFamily, Asm, "asm __asm__ __asm"},
	{omp.CFamily, PragmaOperator, "_Pragma"},
	{omp.CFamily, Constexpr, "constexpr"},
	{omp.CPlusPlus, Constexpr, "consteval"},
	{omp.CPlusPlus, Try, "try"},
	{omp.CPlusPlus, Catch, "catch"},
	{omp.CPlusPlus, Jump, "co_return"},
	{omp.CPlusPlus, Throw, "throw"},
	{omp.CPlusPlus, Expr, "new delete co_await co_yield sizeof alignof not this and or xor " +
		"bitand bitor not_eq"},
	{omp.CPlusPlus, Tag, "class"},
	{omp.CPlusPlus, Namespace, "namespace"},
	{omp.CPlusPlus, Template, "template"},
	{omp.CPlusPlus, Operator, "operator"},
	{omp.CPlusPlus, Attribute, "decltype noexcept explicit"},
	{omp.CPlusPlus, Requires, "requires"},
}

// keywordsOf calls each with the words of a language that influence the structure.
func keywordsOf(lang omp.Language, each func(word string, k Kind)) {
	for _, row := range keywords {
		if row.langs&lang == 0 {
			continue
		}
		for w := range row.words.All() {
			each(w, row.kind)
		}
	}
	for _, r := range omp.LockRoutines {
		each(r.Name, Lock)
	}
}
