// Package construct is the tree of constructs that a file holds, whatever its language.
package construct

import (
	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/directive"
)

// Tree is what one file holds: its directives as a forest of constructs, and the runtime calls to wrap.
type Tree struct {
	File       *source.File
	Constructs []*Construct  // outermost ones, in the order of the text
	Calls      []RuntimeCall // calls of lock routines, in the order of the text
	// Mentions are directives that have no construct: in macro definitions, in headers not read, in `_Pragma`. They are
	// never instrumented, and never passed over in silence either.
	Mentions []Mention
	// Activated are the ends of the sentinels !P$ of Fortran lines that instrumenting makes code.
	Activated []int
}

// BlockKind says what a directive's body is.
type BlockKind uint8

// The kinds of body.
const (
	NoBlock      BlockKind = iota // stand-alone directive, or a declarative one
	Stmt                          // one statement of any kind
	Sequence                      // several statements: a section without braces
	FunctionBody                  // what stands between a function's braces, empty where its end depends on #if; there is no directive
)

// Construct is a directive with its extent and what is inside.
type Construct struct {
	Directive directive.Directive
	Extent    source.Extent // from the directive's '#' to the end of its body; of the directive alone where there is none
	Kind      BlockKind
	// Attribute is not 0 where the directive is given by an attribute: all those of one attribute have one number.
	Attribute int32
	// Body is the associated statement: from the first byte of its first token (which may be the '#' of the next
	// directive) to the end of its last. Where the end depends on an #if it covers all branches, and starts and ends at
	// line boundaries outside the #if.
	Body source.Extent
	// Start and end in a macro expansion, or in another file: Unsafe says why nothing may be inserted around the body
	// ("the body ends inside the expansion of macro END"). Such a construct is not instrumented.
	Unsafe string
	// SubStatement: the directive stands where one statement must stand (body of if, else, for, while, do, of another
	// directive, or of a label in such a place), so that whatever is put around it needs braces.
	SubStatement bool
	// Conditional: the body's start or end is not in the same #if branch as the directive; what is written there must be
	// guarded by a condition of its own, that the directive was compiled.
	Conditional bool
	// Implicit: it is the first section of a sections construct, or a function, and has no directive. Directive is then what it would
	// be, with an empty extent where it begins.
	Implicit bool
	// Inline is said of functions: it is declared inline, or stands in its class.
	Inline bool
	// FileScope: the directive stands outside any function body.
	FileScope bool
	NoInstr   bool       // between `pomp noinstrument` and `instrument`
	KeepOut   string     // why no call may stand here: "inside declare target", "in a constexpr function"; else ""
	Header    LoopHeader // of the associated loop, for Loop association
	// Inner are the directives inside the body, in the order of the text. Where directives in exclusive #if branches share a
	// body, each has it, so that their extents overlap; what is inside belongs to the first only.
	Inner []*Construct
	// Cancels holds the construct types named by the cancel directives whose innermost enclosing such construct this
	// is: a `for` with `cancel for` inside has {omp.DirectiveFor}.
	Cancels []*omp.Directive
	// Function is the name of the enclosing function, "" at file scope.
	Function string

	Fortran *InFortran // nil in C
}

// InFortran is what a construct has in Fortran only.
type InFortran struct {
	End *directive.Directive // the end directive, nil without one; its clauses are also among those of Directive
	// Whole says why a combined directive must not be split; "" where it may be.
	Whole string
	// DeclareAt is where EXTERNAL must be declared for what is called around the construct, at the start of a line; 0 where no
	// declaration is needed.
	DeclareAt int
	Function  *FortranFunction // of kind FunctionBody only
}

// FortranFunction is where the region of a main program or procedure begins and ends.
type FortranFunction struct {
	Enter int // the start of a line, or of a statement behind a semicolon
	Exits []FortranExit
}

// FortranExit is a way out of it: a RETURN, the END, or CONTAINS.
type FortranExit struct {
	At int // of the statement, or of the RETURN in an IF statement; of its line where nothing else stands before it
	// Word is what must stand before the call, in the line of At: "then", to make an IF construct of an IF statement, which ends at
	// After; "continue", to have the label; else "".
	Word  string
	After int
}

// RuntimeCall is a call of a lock routine in the source text.
type RuntimeCall struct {
	Name    string        // "omp_set_lock"
	Extent  source.Extent // of the identifier
	Open    int           // offset of the '(' that follows
	KeepOut string        // as in Construct
	NoInstr bool
	Pos     source.Position
	End     source.Position // of the closing parenthesis
}

// Mention is a directive that is seen but cannot be placed.
type Mention struct {
	Pos    source.Position
	Text   string // the directive, as far as it is known
	Reason string // "in the definition of macro PAR"
}
