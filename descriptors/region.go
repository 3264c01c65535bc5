package descriptors

import (
	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/construct"
)

// Barrier says what becomes of the barrier that a region implies.
type Barrier uint8

// The values of Barrier.
const (
	NoBarrier Barrier = iota // the region implies none, or the user wrote nowait
	// Nowait where the directive takes it, then an explicit barrier with its calls.
	MakeExplicit
	// It stays implicit: nowait is not allowed or would change the program.
	KeepImplicit
)

// Region is one instrumented thing. It is a leaf of a directive (with the leaves that cannot be
// split from it, as in `for simd`), a user region, or the call of a lock routine.
type Region struct {
	// ID counts from 1 in the order of the text, outer before inner. A directive that is
	// rewritten without calls has ID 0.
	ID   int
	Kind omp.Kind
	// The row that gives rule and events; nil for user regions and lock calls.
	Leaf *omp.Directive
	// Of the leaf, in the language: "for"; "region" or "lock" where Leaf is nil.
	Name      string
	SubName   string // of a critical, a user region or a lock routine
	Directive string // the complete name as the user wrote it: "parallel for"

	Construct *construct.Construct   // where the region comes from; nil for a lock call
	Call      *construct.RuntimeCall // the lock call; nil for all others
	Outer     *Region                // the lexically enclosing region, or nil

	// Rewritten says that the directive is rewritten from Leaves and Clauses.
	Rewritten bool
	Leaves    []*omp.Directive
	Clauses   []string
	// If and NumThreads are the expressions to evaluate once before a fork or a task creation, or
	// "". The clauses contain variables in their place: IfVar and NumThreadsVar with this ID.
	If, NumThreads string
	// Final is the same for a task's final clause, with FinalVar.
	Final string
	// Trips are the loops of a loop construct whose iterations can be counted before it, else
	// nil; see also forkValues.
	Trips []construct.Trip
	// Handle says that a clause carries the handle of the region's instance into the region. It
	// is false for a fork whose combined directive cannot be split. Then only fork and join are
	// called.
	Handle bool

	Barrier   Barrier
	EndNowait bool // Fortran: the end directive gets nowait
	Sections  int  // the number of sections in a sections region

	File string // as the user knows it, by line markers
	// Begin holds the first and last line of the opening directive, End those of the end
	// directive or the last line of the block.
	Begin, End [2]int
	Facts      omp.Facts
	Schedule   omp.Schedule
	// Of the hint clause: bits of omp_sync_hint_t; OrderFollows where there is an Order, and
	// KeysFollow where there are Keys.
	Hint  int
	Order string // of the items in the depend clauses; see dependOrder
	Keys  string // of clauses, for POMP2; see setKeys
}

// Placed is a construct or call with the regions that it became, outermost first.
type Placed struct {
	Construct *construct.Construct // nil for a lock call
	// Regions are those of the construct, or the one of a user directive. They may be empty for
	// on, off, init and finalize.
	Regions []*Region
	Depth   int // nesting of placed constructs
	// Brace says that the text around the construct must form one statement.
	Brace bool
}

// Coverage says of one directive or lock call whether it is instrumented, and if not, why.
type Coverage struct {
	Pos          source.Position
	Directive    string
	Instrumented bool
	Reason       string // "" if instrumented
}

// Table is the result for one file, or for one part of it.
type Table struct {
	File *source.File
	// Regions are in the order of their IDs, without gaps. Regions[0] has ID 1, or in a later
	// part the next ID after the part before.
	Regions  []*Region
	Placed   []Placed   // in the order of the text, outer before inner
	Coverage []Coverage // in the order of the text: constructs first, then calls and mentions
}

// Count returns how many constructs and user regions of t are instrumented. A combined construct
// counts once, and sections count with their construct. Lock calls alone count as one construct.
func (t *Table) Count() (constructs, users int) {
	locks := 0
	for _, r := range t.Regions {
		switch inner := r.Outer != nil && r.Outer.Construct == r.Construct; {
		case r.Kind == omp.KindRegion:
			users++
		case r.Call != nil:
			locks = 1
		case r.Leaf != nil && !inner && r.Kind != omp.KindSection:
			constructs++
		}
	}
	return max(constructs, locks), users
}
