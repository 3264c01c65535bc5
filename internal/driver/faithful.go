package driver

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"opari/internal/omp"
)

// GCC says of the instrumented text what it says of the user's, to the letter, where the message is about lines that stand in it as they
// stand in the user's file: it reads the line that it shows from that file, and the columns are the same. What then tells the two texts apart
// are macros, directives and what was put in, and none of these is on such a line. Messages of which that is known need no second compilation.

// frontEnd holds the warnings that may be taken from the instrumented text: they are about declarations and expressions that stand on a
// line, not about ways through a function, which calls change, and not about places within strings, which preprocessed text has lost.
var frontEnd = setOf("absolute-value", "address", "bool-compare", "bool-operation", "cast-align", "cast-qual", "catch-value=", "char-subscripts", "class-memaccess",
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

// late holds warnings that no front end gives, or that come from behind it too: to look for them with -fsyntax-only is in vain.
var late = setOf("aggressive-loop-optimizations", "alloc-size-larger-than=", "alloc-zero", "alloca-larger-than=", "array-bounds", "array-bounds=", "attribute-warning",
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

// linePlace is a line of a file, by the name that the compiler has for it.
type linePlace struct {
	file string
	line int
}

// A remark is a warning or a note that a compiler gave.
type remark struct {
	at     linePlace
	text   string // with its option
	option string // of the warning, also of the one that a note belongs to
}

// hearing is what a compiler said, as far as it is understood.
type hearing struct {
	remarks []remark
	options map[string]bool    // of the warnings; "" for one without
	places  map[linePlace]bool // the lines that are named or shown
	clear   bool               // nothing else was said
	lost    bool               // among it there may be warnings and notes that are not in remarks
}

var (
	paint   = regexp.MustCompile("\x1b\\[[0-9;]*[mK]")
	shown   = regexp.MustCompile(`^ *(\d*) \|`)
	within  = regexp.MustCompile(`^(?:In file included from |                 from |\S.*: (?:In|At) .*:$)`)
	located = regexp.MustCompile(`^(.+?):(\d+):\d+: +(?:(warning|note): |required |recursively required )(.*)$`)
	mending = regexp.MustCompile(`^ *\+\+\+ \|`)
	idle    = regexp.MustCompile(`^\S+: warning: .*: linker input file unused because linking not done$`)
	option  = regexp.MustCompile(` \[-W([^\]]*)\]$`)
	ours    = regexp.MustCompile(`(?i)pomp_|opari`)
)

// hear reads what GCC said.
func hear(said []byte) *hearing {
	h := &hearing{options: map[string]bool{}, places: map[linePlace]bool{}, clear: !ours.Match(said)}
	var at linePlace
	name := "" // of the last warning's option
	for line := range bytes.Lines(paint.ReplaceAll(said, nil)) {
		line = bytes.TrimRight(line, "\n")
		if m := shown.FindSubmatch(line); m != nil {
			if n, err := strconv.Atoi(string(m[1])); err == nil {
				h.places[linePlace{at.file, n}] = true
			}
			continue
		}
		m := located.FindSubmatch(line)
		if m == nil {
			around := within.Match(line) || idle.Match(line) // the second is said of the command, whatever the text
			h.clear = h.clear && around
			h.lost = h.lost || !around && !mending.Match(line)
			continue
		}
		n, _ := strconv.Atoi(string(m[2]))
		at = linePlace{string(m[1]), n}
		h.places[at] = true
		if string(m[3]) == "warning" {
			name = ""
			if o := option.FindSubmatch(m[4]); o != nil {
				name = string(o[1])
			}
			h.options[name] = true
		}
		if len(m[3]) > 0 {
			h.remarks = append(h.remarks, remark{at, string(m[4]), name})
		}
	}
	return h
}

// all reports whether every warning has an option of the set.
func (h *hearing) all(set map[string]bool) bool {
	for o := range h.options {
		if !set[o] {
			return false
		}
	}
	return true
}

// anyLate reports whether a warning is one that no front end gives.
func (h *hearing) anyLate() bool {
	return slices.ContainsFunc(h.remarks, func(r remark) bool { return r.isLate() })
}

// behind gives the remarks that may come from behind the front end. A warning that only front ends give, and give before they hand a function on, is one of the
// user's text exactly if the front end gives it there: macros keep many back.
func (h *hearing) behind() []remark {
	var rs []remark
	for _, r := range h.remarks {
		if !frontEnd[r.option] || r.isLate() {
			rs = append(rs, r)
		}
	}
	return rs
}

// isLate reports whether a remark belongs to a warning that no front end gives. That of a variable without use is one where the variable lasts as long as the program: in
// English it says so in other words, and elsewhere it might.
func (r *remark) isLate() bool {
	return late[r.option] || r.option == "unused-variable" && !strings.HasPrefix(r.text, "unused ")
}

// holds reports whether h has each of the remarks.
func (h *hearing) holds(remarks []remark) bool {
	count := map[remark]int{}
	for _, w := range h.remarks {
		count[w]++
	}
	for _, w := range remarks {
		if count[w]--; count[w] < 0 {
			return false
		}
	}
	return true
}

// faithful reports whether it is known that the compiler says of the user's text what it said of the instrumented one.
func (s *session) faithful(h *hearing) bool {
	if !s.cmd.gcc() || !h.clear || !h.all(frontEnd) {
		return false
	}
	if len(h.places) == 0 { // nothing was said of a text
		return true
	}
	k := lineKeeper{places: h.places, files: userFiles{}, seen: map[linePlace]bool{}}
	for _, r := range s.results {
		if r.file.pre || r.file.lang == omp.Fortran || !r.eachLine(k.keeps) {
			return false
		}
	}
	return len(k.seen) == len(h.places)
}

// A lineKeeper is shown the lines of a preprocessed text, and holds those at some places against those of the files that they come from.
type lineKeeper struct {
	places map[linePlace]bool
	files  userFiles
	seen   map[linePlace]bool // places that have a line in the text
}

// unsaid matches lines that were put in and that no compiler has anything to say of: calls whose arguments are our own, and barriers. They go by the numbers
// of the lines behind them.
var unsaid = regexp.MustCompile(`^(?:#pragma omp barrier|[{} ]*(?:(?:void \*pomp_[hb]\d+ = )?pomp_\w+\((?:\d+|pomp_[hb]\d+)(?:, (?:\d+|pomp_[hb]\d+))*\);[{} ]*)+)$`)

// keeps reports whether text, the line at a place, is the file's own, or of no interest.
func (k *lineKeeper) keeps(at linePlace, text []byte) bool {
	if !k.places[at] || len(bytes.TrimSpace(text)) == 0 || unsaid.Match(text) {
		return true
	}
	k.seen[at] = true
	return sameColumns(text, k.files.line(at))
}

// A macro may stand for itself: the standard streams do, and names of constants.
var selfNamed = regexp.MustCompile(`\b(?:stdin|stdout|stderr|[A-Z_]*[A-Z][A-Z0-9_]*[A-Z0-9][A-Z0-9_]*)\b`)

// sameColumns reports whether a line of preprocessed text is the line of a file but for comments behind it, each word in its column.
func sameColumns(text, file []byte) bool {
	text = bytes.TrimRight(text, " \t\r")
	if len(text) > len(file) || selfNamed.Match(text) || bytes.Contains(text, []byte("??")) {
		return false
	}
	for i, c := range text {
		if f := file[i]; c != f && (c != ' ' || f != '\t') {
			return false
		}
	}
	rest := bytes.Trim(file[len(text):], " \t\r\f\v")
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		return !bytes.HasSuffix(rest, []byte("\\"))
	case bytes.HasPrefix(rest, []byte("/*")):
		end := bytes.Index(rest[2:], []byte("*/"))
		return end < 0 || 2+end+2 == len(rest)
	}
	return len(rest) == 0
}
