package parse

import "opari/internal/omp"

// kind is the kind of a token. A token of one byte that stands for itself, such as '{', has that byte as its kind.
type kind uint8

// The other kinds.
const (
	kEOF  kind = 0
	kHash kind = 1 // the '#' that starts a preprocessing directive

	kWord     kind = 128 + iota // an identifier, or a keyword that tells nothing about structure
	kNumber                     // a preprocessing number
	kString                     // a string or character literal
	kScope                      // ::
	kArrow                      // ->
	kOp                         // another operator of several bytes
	kMacro                      // the name of a macro of the file, to be looked at before it is taken for a word
	kLock                       // the name of a lock routine
	kPragmaOp                   // _Pragma

	// Keywords. All from kIf on are words.
	kIf
	kElse
	kFor
	kWhile
	kDo
	kSwitch
	kCase
	kDefault
	kTry
	kCatch
	kJump // return, goto, break, continue and their kin
	kThrow
	kExpr // new, sizeof: an expression has begun
	kTag  // struct, union, class, enum
	kNamespace
	kExtern
	kTemplate
	kOperator
	kConstexpr // constexpr, consteval
	kPrefix    // __extension__: what may stand before any statement or declaration
	kAttr      // __attribute__, decltype, alignas: with its parenthesis, part of a declaration
	kAsm
	kRequires
)

// A token as the structure parser sees it.
type token struct {
	kind       kind
	first      bool   // it is the first of its expansion
	last       bool   // it is the last of its expansion
	macro      int32  // the invocation that it comes from; 0 for the user's own text
	ctx        int32  // the #if branch that it stands in
	start, end int    // in the file; of the whole invocation for a token from a macro
	text       []byte // of what comes out of a macro, and of words with backslash-newlines; nil otherwise
}

// keywordsOf holds the words that tell something about structure, by language.
var keywordsOf = map[omp.Language]map[string]kind{omp.C: {}, omp.CPlusPlus: {}}

// lockRoutines are the runtime's lock routines.
var lockRoutines = []string{
	"omp_init_lock", "omp_init_lock_with_hint", "omp_destroy_lock", "omp_set_lock", "omp_unset_lock", "omp_test_lock",
	"omp_init_nest_lock", "omp_init_nest_lock_with_hint", "omp_destroy_nest_lock", "omp_set_nest_lock",
	"omp_unset_nest_lock", "omp_test_nest_lock",
}

func init() {
	add := func(lang omp.Language, k kind, words ...string) {
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
	add(both, kIf, "if")
	add(both, kElse, "else")
	add(both, kFor, "for")
	add(both, kWhile, "while")
	add(both, kDo, "do")
	add(both, kSwitch, "switch")
	add(both, kCase, "case")
	add(both, kDefault, "default")
	add(both, kJump, "return", "goto", "break", "continue")
	add(both, kTag, "struct", "union", "enum")
	add(both, kExtern, "extern")
	add(both, kPrefix, "__extension__", "__transaction_atomic", "__transaction_relaxed")
	add(both, kAttr, "__attribute__", "__attribute", "__declspec", "alignas", "_Alignas", "typeof", "__typeof__", "__typeof", "_Atomic")
	add(both, kAsm, "asm", "__asm__", "__asm")
	add(both, kPragmaOp, "_Pragma")
	add(both, kConstexpr, "constexpr")
	add(omp.CPlusPlus, kConstexpr, "consteval")
	add(omp.CPlusPlus, kTry, "try")
	add(omp.CPlusPlus, kCatch, "catch")
	add(omp.CPlusPlus, kJump, "co_return")
	add(omp.CPlusPlus, kThrow, "throw")
	add(omp.CPlusPlus, kExpr, "new", "delete", "co_await", "co_yield", "sizeof", "alignof", "not", "this", "and", "or", "xor", "bitand", "bitor", "not_eq")
	add(omp.CPlusPlus, kTag, "class")
	add(omp.CPlusPlus, kNamespace, "namespace")
	add(omp.CPlusPlus, kTemplate, "template")
	add(omp.CPlusPlus, kOperator, "operator")
	add(omp.CPlusPlus, kAttr, "decltype", "noexcept", "explicit")
	add(omp.CPlusPlus, kRequires, "requires")
	add(both, kLock, lockRoutines...)
}
