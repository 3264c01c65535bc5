package messages

import "strings"

// aboutDeclarations are the options of the warnings that may be taken from the instrumented text: they are about declarations and expressions
// on a line, not about paths through a function, which calls change, and not about places within strings, which preprocessed text has
// lost.
var aboutDeclarations = setOf("absolute-value", "address", "bool-compare", "bool-operation", "cast-align", "cast-qual", "catch-value=", "char-subscripts", "class-memaccess",
	"conversion", "declaration-after-statement", "delete-incomplete", "delete-non-virtual-dtor", "deprecated-copy", "deprecated-declarations",
	"discarded-qualifiers", "div-by-zero", "double-promotion", "empty-body", "enum-compare", "enum-conversion", "float-conversion", "float-equal",
	"ignored-qualifiers", "implicit-function-declaration", "implicit-int", "incompatible-pointer-types", "int-conversion", "int-in-bool-context",
	"int-to-pointer-cast", "jump-misses-init", "logical-not-parentheses", "logical-op", "long-long", "memset-elt-size", "missing-braces", "missing-declarations",
	"missing-field-initializers", "missing-prototypes", "multichar", "narrowing", "nested-externs", "non-virtual-dtor", "old-style-cast",
	"old-style-declaration", "old-style-definition", "overflow", "overloaded-virtual", "parentheses", "pedantic", "pointer-arith", "pointer-sign",
	"pointer-to-int-cast", "redundant-decls", "reorder", "shadow", "shadow=local", "shift-count-negative", "shift-count-overflow", "shift-negative-value", "sign-compare",
	"sign-conversion", "sizeof-array-argument", "sizeof-pointer-div", "sizeof-pointer-memaccess", "strict-prototypes", "suggest-override", "switch",
	"switch-default", "switch-enum", "tautological-compare", "type-limits", "unused-but-set-parameter", "unused-but-set-variable",
	"unused-function", "unused-label", "unused-local-typedefs", "unused-parameter", "unused-value", "unused-variable", "useless-cast",
	"variadic-macros", "virtual-move-assign", "vla", "write-strings", "zero-as-null-pointer-constant")

// laterPass are the options of the warnings that a later pass than the front end gives, alone or too: -fsyntax-only would not give
// them.
var laterPass = setOf("aggressive-loop-optimizations", "alloc-size-larger-than=", "alloc-zero", "alloca-larger-than=", "array-bounds", "array-bounds=", "attribute-warning",
	"clobbered", "coverage-mismatch", "dangling-pointer", "dangling-pointer=", "disabled-optimization", "format-overflow=", "format-truncation=", "frame-larger-than=",
	"free-nonheap-object", "implicit-fallthrough=", "infinite-recursion", "inline", "larger-than=", "lto-type-mismatch", "maybe-uninitialized", "mismatched-dealloc",
	"mismatched-new-delete", "missing-profile", "nonnull-compare", "null-dereference", "odr", "openacc-parallelism", "restrict", "return-type", "stack-usage=",
	"string-compare", "stringop-overflow", "stringop-overflow=", "stringop-overread", "stringop-truncation", "strict-overflow", "suggest-attribute=cold",
	"suggest-attribute=const", "suggest-attribute=malloc", "suggest-attribute=noreturn", "suggest-attribute=pure", "suggest-final-methods", "suggest-final-types",
	"switch-unreachable", "trampolines", "unused-const-variable=", "unused-function", "unused-result", "uninitialized", "use-after-free", "use-after-free=",
	"vector-operation-performance", "vla-larger-than=")

func setOf(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}

// ofLaterPass reports whether a message belongs to a warning that a later pass than the front end gives. It gives the warning about an
// unused variable with static storage, in other words than the front end; in other languages than English it might.
func (m message) ofLaterPass() bool {
	return laterPass[m.option] || m.option == "unused-variable" && !strings.HasPrefix(m.text, "unused ")
}
