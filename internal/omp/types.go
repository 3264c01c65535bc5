package omp

// Version is an OpenMP version times ten: 25 is 2.5, 52 is 5.2, 60 is 6.0. Zero in an Until field
// means that there is no such version yet.
type Version uint8

// Language is a set of languages.
type Language uint8

// The languages.
const (
	C Language = 1 << iota
	CPlusPlus
	Fortran
	CFamily = C | CPlusPlus
	All     = CFamily | Fortran
)

// Association says which text a directive is associated with, OpenMP 5.2 [2.1].
type Association uint8

// The associations.
const (
	None  Association = iota // stand-alone: barrier, taskwait, flush
	Block                    // a structured block: parallel, single, critical, task
	// A loop nest: for, simd, distribute, taskloop, loop, tile, unroll.
	Loop
	Declaration // the next declaration: declare simd, declare variant
	// The text up to its end directive: declare target, begin declare variant, begin assumes.
	Delimited
	Separating // separates the parts of an enclosing block: section, scan
)

// Rule is how a directive is instrumented. The set is closed.
type Rule uint8

// The rules. Calls are E = enter, B = begin, N = end, X = exit:
const (
	Keep    Rule = iota // copied unchanged
	Fork                // parallel: fork directive { B body N } join
	Enclose             // E directive body X: for, workshare, atomic, taskloop, loop, sections
	// E directive { B body N } X: single, critical, ordered, taskgroup, scope.
	EncloseBody
	Body  // directive { B body N }: master, masked, section
	Point // E directive X: barrier, taskwait, taskyield, flush
	Task  // create_begin directive { B body N } create_end
	// E directive body X, and nothing is instrumented in text that may run on a device: target
	// family, teams.
	HostOnly
)

// Category is the specification's category of a directive, OpenMP 5.2 [2.1].
type Category uint8

// The categories.
const (
	Executable Category = iota
	Declarative
	Informational
	Utility
	Meta
	Subsidiary
)

// FortranEnd says whether the Fortran form has an end directive.
type FortranEnd uint8

// The values of FortranEnd.
const (
	EndNone FortranEnd = iota
	EndOptional
	EndRequired
)

// Directive is a row of the table: one leaf directive.
type Directive struct {
	Name     string // as in C: "for", "target enter data"; words separated by one blank
	Fortran  string // the Fortran spelling where it differs ("do"), else ""
	Synonyms []string
	Langs    Language
	Since    Version
	Until    Version // first version without the directive; 0: none
	Category Category
	Assoc    Association
	End      FortranEnd
	Barrier  bool // an implied barrier ends it unless it has nowait
	Rule     Rule
	// Event is the NAME in POMP_NAME_enter: "For", "Parallel". It is "" where no call belongs to
	// the directive.
	Event  string
	Kind   Kind // as in descriptors and profiles; KindNone where Event is empty
	Opaque bool // no call may stand in its body: simd, loop, target
	// Within names the construct that must be visible around the directive to instrument it.
	// Without that construct, the directive may run on a device.
	Within string
	// Arg says whether the name takes an argument of its own: critical(name), flush(list),
	// threadprivate(list).
	Arg ArgUse
	// StandAloneWith names clauses that make a Block directive stand-alone: ordered with depend,
	// doacross.
	StandAloneWith Words
	Clauses        Words // names of the clauses that it takes, sorted
	ID             int   // index in Directives
}

// ArgUse says whether a directive's name takes a parenthesized argument.
type ArgUse uint8

// The values of ArgUse.
const (
	ArgNone ArgUse = iota
	ArgOptional
	ArgRequired
)

// ClauseArg is the shape of a clause's argument.
type ClauseArg uint8

// The shapes.
const (
	NoArg       ClauseArg = iota // nowait, untied
	OptionalArg                  // ordered, ordered(2); nowait(expr) in 6.0
	List                         // private(a, b)
	Expression                   // num_threads(n), final(e)
	Other                        // schedule(static, 4), default(none)
)

// Split says to which leaves of a combined construct a clause goes when the construct is split,
// OpenMP 5.2 [17.2].
type Split uint8

// The ways of splitting.
const (
	SplitPermitted    Split = iota // to the leaves that take it
	SplitInnermost                 // private: to the innermost leaf that takes it
	SplitOutermost                 // to the outermost leaf that takes it
	SplitFirstprivate              // to parallel, or to the loop when the item is lastprivate too
	SplitLastprivate               // to the loop, and shared on parallel
	// To parallel. A reduction with inscan goes to the loop, if the wrapper compiles with GCC.
	// Otherwise such a construct is not split.
	SplitReduction
	SplitLinear // to the loop, and shared on parallel
	// By its directive-name modifier, else to all leaves that take it.
	SplitIf
	SplitAllocate // with its list items
)

// Colon says which side of a clause's colon has the modifiers. In every clause a directive name
// may also precede the colon: if(parallel: e), and since 6.0 anywhere. A colon counts only if it
// stands outside brackets, is no part of `::` and belongs to no `?`.
type Colon uint8

// The values of Colon.
const (
	// Before it, and only words of Modifiers, which may have arguments: map(always, to: x).
	ColonWords Colon = iota
	// Before it, with any words: reduction(+: s), allocate(a: x), when(selector: directive).
	ColonAny
	ColonAfter // after it: linear(x: 2), aligned(p: 64), defaultmap(tofrom: scalar)
)

// Clause is a row of the clause table.
type Clause struct {
	Name string
	// Fortran is the Fortran spelling where it differs ("do", a construct type of cancel), else
	// "".
	Fortran   string
	Since     Version
	Until     Version
	Arg       ClauseArg
	Colon     Colon
	Modifiers Words // words that may stand at the colon of its argument
	Split     Split
	Fact      Facts // the fact bit that its presence sets in a region's descriptor; 0: none
	ID        int   // index in Clauses
}
