package messages

import (
	"strings"
	"sync"
)

// aboutDeclarations are the options of the warnings that opari may take from the instrumented
// text. They are about declarations and expressions on a line. They are not about paths through a
// function, which calls change, nor about places within strings, which preprocessed text has
// lost.
var aboutDeclarations = set(
	"absolute-value", "address", "bool-compare", "bool-operation", "cast-align", "cast-qual",
	"catch-value=", "char-subscripts", "class-memaccess", "conversion",
	"declaration-after-statement", "delete-incomplete", "delete-non-virtual-dtor",
	"deprecated-copy", "deprecated-declarations", "discarded-qualifiers", "div-by-zero",
	"double-promotion", "empty-body", "enum-compare", "enum-conversion", "float-conversion",
	"float-equal", "ignored-qualifiers", "implicit-function-declaration", "implicit-int",
	"incompatible-pointer-types", "int-conversion", "int-in-bool-context", "int-to-pointer-cast",
	"jump-misses-init", "logical-not-parentheses", "logical-op", "long-long", "memset-elt-size",
	"missing-braces", "missing-declarations", "missing-field-initializers", "missing-prototypes",
	"multichar", "narrowing", "nested-externs", "non-virtual-dtor", "old-style-cast",
	"old-style-declaration", "old-style-definition", "overflow", "overloaded-virtual",
	"parentheses", "pedantic", "pointer-arith", "pointer-sign", "pointer-to-int-cast",
	"redundant-decls", "reorder", "shadow", "shadow=local", "shift-count-negative",
	"shift-count-overflow", "shift-negative-value", "sign-compare", "sign-conversion",
	"sizeof-array-argument", "sizeof-pointer-div", "sizeof-pointer-memaccess",
	"strict-prototypes", "suggest-override", "switch", "switch-default", "switch-enum",
	"tautological-compare", "type-limits", "unused-but-set-parameter", "unused-but-set-variable",
	"unused-function", "unused-label", "unused-local-typedefs", "unused-parameter",
	"unused-value", "unused-variable", "useless-cast", "variadic-macros", "virtual-move-assign",
	"vla", "write-strings", "zero-as-null-pointer-constant",
)

// laterPass are the options of the common warnings that a pass after the front end can give.
// -fsyntax-only would not give them.
var laterPass = set(
	"aggressive-loop-optimizations", "alloc-size-larger-than=", "array-bounds", "array-bounds=",
	"attribute-warning", "clobbered", "dangling-pointer", "dangling-pointer=", "format-overflow=",
	"format-truncation=", "free-nonheap-object", "implicit-fallthrough=", "infinite-recursion",
	"maybe-uninitialized", "mismatched-dealloc", "mismatched-new-delete", "nonnull-compare",
	"restrict", "return-type", "string-compare", "stringop-overflow", "stringop-overflow=",
	"stringop-overread", "stringop-truncation", "switch-unreachable", "unused-const-variable=",
	"unused-function", "unused-result", "uninitialized", "use-after-free", "use-after-free=",
)

// set returns a function that returns the set of words, which is made on first use.
func set(words ...string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := make(map[string]bool, len(words))
		for _, w := range words {
			set[w] = true
		}
		return set
	})
}

// ofLaterPass reports whether a message belongs to a warning of a pass after the front end. Such
// a pass words the warning about an unused static variable differently from the front end. In
// languages other than English each such warning counts, as it may come from a later pass.
func (m message) ofLaterPass() bool {
	return laterPass()[m.option] || m.option == "unused-variable" &&
		!strings.HasPrefix(m.text, "unused ")
}
