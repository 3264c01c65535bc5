// Package descriptors lowers constructs to numbered regions, combined ones split here, and writes their context
// descriptors in C.
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
	NoBarrier   Barrier = iota // none is implied, or the user wrote nowait
	MakeItPlain                // it is made explicit: nowait where the directive takes it, then a barrier with its calls
	LeaveItBe                  // it stays where it is, because nowait is not allowed or would change the program
)

// Region is one thing that is instrumented: a leaf of a directive (with the leaves that cannot be parted from it, as in
// `for simd`), a region that the user marked, or the call of a lock routine.
type Region struct {
	ID        int // from 1, in the order of the text, outer before inner; 0 of a directive that is written anew and has no calls
	Kind      omp.Kind
	Leaf      *omp.Directive // the row that gives rule and events; nil for user regions and lock calls
	Name      string         // of the leaf, as in the language: "for"; "region" and "lock" where Leaf is nil
	SubName   string         // of a critical, of a user region, of the lock routine
	Directive string         // the whole name as the user wrote it: "parallel for"

	Construct *construct.Construct   // what it comes from; nil for a lock call
	Call      *construct.RuntimeCall // the lock call; nil for all others
	Outer     *Region                // the lexically enclosing region, or nil

	// Rewritten says that the directive is written anew, from Leaves and Clauses.
	Rewritten bool
	Leaves    []*omp.Directive
	Clauses   []string
	// If and NumThreads are the expressions to evaluate once before a fork or task creation; "" where there is none.
	// The clauses hold the names of the variables in their place, IfVar and NumThreadsVar of this ID.
	If, NumThreads string
	Final          string // the same of a task's final clause, with FinalVar
	// Trips are the loops of a loop construct where their iterations can be counted before it; nil where they cannot.
	Trips []construct.Trip
	// Handle says that the handle of the region instance travels into the region by a clause. It is false for a
	// fork whose combined directive cannot be split: then only fork and join are called.
	Handle bool

	Barrier   Barrier
	EndNowait bool // Fortran: nowait is to be written on the end directive
	Sections  int  // of a sections region

	File       string // as the user knows it: line markers count
	Begin, End [2]int // first and last line of the opening directive, and of its end or the end of the block
	Facts      omp.Facts
	Schedule   omp.Schedule
	Hint       int    // of the hint clause: bits of omp_sync_hint_t; OrderFollows where there is an Order
	Order      string // of the items of its depend clauses, see dependOrder
}

// Placed is a construct or call with the regions that it was lowered to, outermost first.
type Placed struct {
	Construct *construct.Construct // nil for a lock call
	Regions   []*Region            // of the construct; of a user directive that has a region; may be empty for on, off, init, finalize
	Depth     int                  // nesting of placed constructs
	// Brace says that what is written around the construct must be one statement.
	Brace bool
}

// Coverage tells of one directive or lock call whether it is instrumented, and if not, why.
type Coverage struct {
	Pos          source.Position
	Directive    string
	Instrumented bool
	Reason       string // "" when instrumented
}

// Table is the outcome for one file, or for one part of it.
type Table struct {
	File     *source.File
	Regions  []*Region  // by ID, in steps of one: Regions[0] has ID 1, or in a part the one that follows that of the part before
	Placed   []Placed   // in the order of the text, outer before inner
	Coverage []Coverage // in the order of the text; constructs first, then calls and mentions
}
