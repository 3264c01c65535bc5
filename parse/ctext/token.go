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

// keywordsOf holds, by language, the words that influence the structure.
var keywordsOf = map[omp.Language]map[string]Kind{omp.C: {}, omp.CPlusPlus: {}}

func init() {
	add := func(lang omp.Language, k Kind, words ...string) {
		for _, l := range []omp.Language{omp.C, omp.CPlusPlus} {
			if lang&l == 0 {
				continue
			}
			for _, w := range words {
				keywordsOf[l][w] = k
			}
		}
	}
	both := omp.C | omp.CPlusPlus
	add(both, If, "if")
	add(both, Else, "else")
	add(both, For, "for")
	add(both, While, "while")
	add(both, Do, "do")
	add(both, Switch, "switch")
	add(both, Case, "case")
	add(both, Default, "default")
	add(both, Jump, "return", "goto", "break", "continue")
	add(both, Tag, "struct", "union", "enum")
	add(both, Extern, "extern")
	add(both, Prefix, "__extension__", "__transaction_atomic", "__transaction_relaxed")
	add(both, Attribute, "__attribute__", "__attribute", "__declspec", "alignas", "_Alignas",
		"typeof", "__typeof__", "__typeof", "_Atomic")
	add(both, Asm, "asm", "__asm__", "__asm")
	add(both, PragmaOperator, "_Pragma")
	add(both, Constexpr, "constexpr")
	add(omp.CPlusPlus, Constexpr, "consteval")
	add(omp.CPlusPlus, Try, "try")
	add(omp.CPlusPlus, Catch, "catch")
	add(omp.CPlusPlus, Jump, "co_return")
	add(omp.CPlusPlus, Throw, "throw")
	add(omp.CPlusPlus, Expr, "new", "delete", "co_await", "co_yield", "sizeof", "alignof",
		"not", "this", "and", "or", "xor", "bitand", "bitor", "not_eq")
	add(omp.CPlusPlus, Tag, "class")
	add(omp.CPlusPlus, Namespace, "namespace")
	add(omp.CPlusPlus, Template, "template")
	add(omp.CPlusPlus, Operator, "operator")
	add(omp.CPlusPlus, Attribute, "decltype", "noexcept", "explicit")
	add(omp.CPlusPlus, Requires, "requires")
	for _, r := range omp.LockRoutines {
		add(both, Lock, r.Name)
	}
	for w, k := range keywordsOf[omp.C] {
		if If <= k && k <= Default {
			controls.Slot(w).Kind = k
			controls.Note(w, false)
		}
	}
}
