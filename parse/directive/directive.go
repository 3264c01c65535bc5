// Package directive reads the text of one directive: its name, its clauses and their arguments,
// for C, C++ and Fortran.
//
// A Logical joins the lines of a directive, drops comments, and knows the file offset of each
// byte. Parse divides it by the tables of package omp. The text
//
//	#pragma omp parallel for reduction(+: s) \
//	    schedule(static, 4)   // by rows
//
// gives a Directive with the Name "parallel for", the Leaves parallel and for, and two Clauses:
//
//	{Name: "reduction", Modifiers: "+", Args: "s", Items: ["s"], Text: "reduction(+: s)"}
//	{Name: "schedule", Args: "static, 4", Items: ["static", "4"], Text: "schedule(static, 4)"}
//
// A clause that the table does not know keeps its text, so that the rewriter can copy it through.
// Problems go to source.Diagnostics.
package directive

import (
	"slices"

	"opari/internal/omp"
	"opari/internal/source"
)

// Sentinel distinguishes `#pragma omp` from `#pragma pomp`.
type Sentinel uint8

// The sentinels.
const (
	OMP Sentinel = iota
	POMP
)

// Directive is what the user wrote on one directive line.
type Directive struct {
	Extent   source.Extent // from the '#' to the end of the last physical line, without its newline
	Sentinel Sentinel
	Own      Own // NotOwn for OpenMP's directives and for unknown ones
	// Leaves are the rows of the table that the name consists of: `parallel for simd` has three.
	// It is empty for opari's own and for unknown directives.
	Leaves []*omp.Directive
	Name   string // words joined by one space, as written: "parallel for", "inst begin", "master"
	// NameExtent goes from the first byte of the name's first word to the end of its last word.
	// The two may lie on different physical lines.
	NameExtent source.Extent
	// Arg is the argument in parentheses that belongs to the name and not to a clause, without
	// the parentheses: critical(name), flush(a,b), inst begin(name). The construct type of cancel
	// is a clause, so it is not here. HasArg distinguishes () from no parentheses. For a
	// function, Arg is its name with the scopes around it, without template arguments:
	// "ns::A::f".
	Arg     string
	HasArg  bool
	Clauses []Clause
	Pos     source.Position
}

// Has reports whether the directive carries the clause.
func (d *Directive) Has(row *omp.Clause) bool { return d.Clause(row) != nil }

// StandsAlone reports whether a clause makes the directive stand alone, although its row in the
// table has a block. An example is `ordered` with `depend`.
func (d *Directive) StandsAlone() bool {
	leaf := d.Innermost()
	return leaf != nil && slices.ContainsFunc(d.Clauses,
		func(c Clause) bool { return leaf.StandsAloneWith(c.Row) })
}

// Innermost returns the last of the directive's leaves, or nil.
func (d *Directive) Innermost() *omp.Directive {
	if len(d.Leaves) == 0 {
		return nil
	}
	return d.Leaves[len(d.Leaves)-1]
}

// Is reports whether the directive consists of this one leaf.
func (d *Directive) Is(leaf *omp.Directive) bool {
	return len(d.Leaves) == 1 && d.Leaves[0] == leaf
}

// HasLeaf reports whether leaf is part of the directive.
func (d *Directive) HasLeaf(leaf *omp.Directive) bool { return slices.Contains(d.Leaves, leaf) }

// Clause returns the first clause of a row, or nil.
func (d *Directive) Clause(row *omp.Clause) *Clause {
	for i := range d.Clauses {
		if d.Clauses[i].Row == row {
			return &d.Clauses[i]
		}
	}
	return nil
}

// Clause is one clause of a directive.
type Clause struct {
	Name   string
	Row    *omp.Clause // nil if the table does not have the clause
	Extent source.Extent
	// Text is the clause in a form that may be written on another line: backslash-newlines and
	// comments are gone, all tokens and the blanks between them are kept. An example is
	// "schedule(static, 4)".
	Text    string
	HasArgs bool
	AtEnd   bool // Fortran: the clause stands on the end directive
	// Before the colon that ends the modifiers: "+" in reduction(+: s), "parallel" in
	// if(parallel: e); "" without modifiers.
	Modifiers string
	Args      string   // what follows the modifiers, trimmed, without the outer parentheses
	Items     []string // Args split at the commas of depth 0, trimmed; nil without arguments
}
