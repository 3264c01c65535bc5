// Package construct holds the tree of a file's constructs, which the parsers for C, C++ and
// Fortran build and the later stages read.
//
// A Construct is a directive with its extent, its body, and the constructs inside the body. It
// holds byte offsets and no text. The file
//
//	#pragma omp parallel
//	{
//	    work();
//	    #pragma omp barrier
//	}
//	#pragma omp flush
//
// gives a Tree of two Constructs. The first has the Directive `parallel`, a Body from '{' to '}'
// of Kind Stmt, and the `barrier` as its only element of Inner. The second has the Directive
// `flush` and the Kind NoBlock.
package construct

import (
	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/directive"
)

// Tree holds the directives of one file, as a forest of constructs, and the runtime calls to
// wrap.
type Tree struct {
	File       *source.File
	Constructs []*Construct  // the outermost ones, in the order of the text
	Calls      []RuntimeCall // the calls of lock routines, in the order of the text
	// Mentions are the directives without a construct: those in macro definitions, in headers
	// that are not read, and in `_Pragma`. They are never instrumented, and always reported.
	Mentions []Mention
	// Activated holds, for each Fortran line that instrumenting turns into code, the end of its
	// sentinel !P$.
	Activated []int
}

// BlockKind is the kind of a directive's body.
type BlockKind uint8

// The kinds of body.
const (
	NoBlock  BlockKind = iota // a stand-alone or declarative directive
	Stmt                      // one statement of any kind
	Sequence                  // several statements: a section without braces
	// The text between a function's braces, without a directive; empty if its end depends on #if.
	FunctionBody
)

// Construct is a directive with its extent and what is inside.
type Construct struct {
	Directive directive.Directive
	// From the directive's '#' to the end of its body, or of the directive if it has none.
	Extent source.Extent
	Kind   BlockKind
	// Attribute is not 0 if an attribute holds the directive. All directives of one attribute
	// share one number.
	Attribute int32
	// Body is the associated statement. It goes from the first byte of its first token, which may
	// be the '#' of the next directive, to the end of its last token. If the end depends on an
	// #if, Body covers all branches, and starts and ends at line boundaries outside the #if.
	Body source.Extent
	// Unsafe says why nothing may be inserted around the body: an end of it is inside a macro
	// expansion or in another file. An example is "the body ends inside the expansion of macro
	// END". Such a construct is not instrumented.
	Unsafe string
	// SubStatement says that the grammar allows only one statement here, so whatever is put
	// around the directive needs braces. Such a place is the body of if, else, for, while, do or
	// another directive, or follows a label there.
	SubStatement bool
	// Conditional says that the body starts or ends in another #if branch than the directive. The
	// text written there needs a condition of its own, which holds if the directive was compiled.
	Conditional bool
	// Implicit says that there is no directive: this is a function, or the first section of a
	// sections construct. Directive is then what the directive would be, with an empty extent at
	// its start.
	Implicit bool
	// Inline says that a function is declared inline or defined inside its class.
	Inline bool
	// FileScope says that the directive is outside all function bodies.
	FileScope bool
	NoInstr   bool // between `pomp noinstrument` and `instrument`
	// Why no call may be inserted here, such as "inside declare target" or "in a constexpr
	// function"; or "".
	KeepOut string
	Header  LoopHeader // of the associated loop, for directives that are associated with loops
	// Inner holds the directives inside the body, in the order of the text. If directives in
	// exclusive #if branches share a body, each has it as its Body, so that their extents
	// overlap. The constructs inside it belong to the first directive only.
	Inner []*Construct
	// Cancels holds the construct types that cancel directives name for this construct. It is the
	// innermost construct of that type around them: a `for` with `cancel for` inside has
	// {omp.DirectiveFor}.
	Cancels []*omp.Directive
	// Function is the name of the enclosing function; "" at file scope.
	Function string

	Fortran *InFortran // nil in C and C++
}

// InFortran holds the facts that a construct has in Fortran only.
type InFortran struct {
	End *directive.Directive // the end directive, or nil; its clauses are also in Directive
	// NoSplit says why a combined directive must not be split; or "".
	NoSplit string
	// If and Threads are the arguments of if and num_threads on parallel, where these may be
	// evaluated twice; else "".
	If, Threads string
	// DeclareAt is the start of the line at which EXTERNAL must be declared for the routines
	// called around the construct. It is 0 if they need no declaration.
	DeclareAt int
	Function  *FortranFunction // for the kind FunctionBody only
}

// FortranFunction says where the region of a main program or procedure begins and ends.
type FortranFunction struct {
	Enter int // the start of a line, or of a statement after a semicolon
	// Declare is where a declaration of a local variable may stand, like Enter. It is negative if
	// there is no such place, or if the variable would be saved.
	Declare int
	Exits   []FortranExit
}

// FortranExit is a way out of a main program or procedure: a RETURN, the END, or CONTAINS.
type FortranExit struct {
	// The start of the statement, or of the RETURN in an IF statement; the start of the line if
	// nothing else is before it.
	At int
	// Word must be written before the call, in the line of At; or it is "". "then" makes an IF
	// construct of an IF statement, which ends at After. "continue" takes the label.
	Word  string
	After int
}

// RuntimeCall is a call of a lock routine in the source text.
type RuntimeCall struct {
	Name    string        // "omp_set_lock"
	Extent  source.Extent // of the identifier
	Open    int           // the offset of the '(' that follows
	KeepOut string        // as in Construct
	NoInstr bool
	Pos     source.Position
	End     source.Position // the position of the closing parenthesis
}

// Mention is a directive that the parser sees but cannot place.
type Mention struct {
	Pos    source.Position
	Text   string // the directive, as far as it is known
	Reason string // "in the definition of macro PAR"
}
