// Package directive is the grammar of directives and clauses, for all languages.
package directive

import (
	"slices"

	"opari/internal/omp"
	"opari/internal/source"
)

// Sentinel tells `#pragma omp` from `#pragma pomp`.
type Sentinel uint8

// The sentinels.
const (
	OMP Sentinel = iota
	POMP
)

// Directive is what the user wrote on one directive line.
type Directive struct {
	Extent   source.Extent // from the '#' to the end of the last physical line of the directive, without its newline
	Sentinel Sentinel
	Own      Own // NotOwn of OpenMP's directives and of unknown ones
	// Leaves are the rows of the table that the name consists of: `parallel for simd` has three. Empty for opari's own and
	// for unknown directives.
	Leaves []*omp.Directive
	Name   string // words joined by one space, as written: "parallel for", "inst begin", "master"
	// NameExtent is where the name stands: from its first word's first byte to its last word's end. The two may lie on
	// different physical lines.
	NameExtent source.Extent
	// Arg is the parenthesised argument that belongs to the name and not to a clause, without the parentheses:
	// critical(name), flush(a,b), inst begin(name), cancel's construct type is a clause and is not here. HasArg tells ()
	// from nothing. Of a function it is the name with the scopes around it: "ns::A::f"; template arguments are left out.
	Arg     string
	HasArg  bool
	Clauses []Clause
	Pos     source.Position
}

// Has reports whether the directive carries the clause.
func (d *Directive) Has(row *omp.Clause) bool { return d.Clause(row) != nil }

// StandsAlone reports whether a clause makes the directive stand alone that else takes a block: ordered with depend.
func (d *Directive) StandsAlone() bool {
	leaf := d.Innermost()
	return leaf != nil && slices.ContainsFunc(d.Clauses, func(c Clause) bool { return leaf.StandsAloneWith(c.Row) })
}

// Innermost is the last of the directive's leaves, or nil.
func (d *Directive) Innermost() *omp.Directive {
	if len(d.Leaves) == 0 {
		return nil
	}
	return d.Leaves[len(d.Leaves)-1]
}

// Is reports whether the directive consists of one leaf and which.
func (d *Directive) Is(leaf *omp.Directive) bool { return len(d.Leaves) == 1 && d.Leaves[0] == leaf }

// HasLeaf reports whether leaf is part of the directive.
func (d *Directive) HasLeaf(leaf *omp.Directive) bool { return slices.Contains(d.Leaves, leaf) }

// Clause is the first clause of a row, or nil.
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
	Row    *omp.Clause // nil when the table does not know it
	Extent source.Extent
	// Text is the clause as it may be written again on another line: spliced, comments removed, all tokens and the
	// blanks between them kept: "schedule(static, 4)".
	Text      string
	HasArgs   bool
	AtEnd     bool     // Fortran: it stands on the end directive
	Modifiers string   // before the colon that ends the modifiers: "+" in reduction(+: s), "parallel" in if(parallel: e); ""
	Args      string   // after the modifiers, without the outer parentheses, trimmed
	Items     []string // Args split at the commas of depth 0, trimmed; nil without arguments
}
