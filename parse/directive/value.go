package directive

import (
	"slices"
	"strconv"
	"strings"

	"opari/internal/omp"
)

// Collapse returns how many loops the directive collapses into one. It is 1 without a collapse
// clause, and 0 if the clause's argument is not a number in digits.
func (d *Directive) Collapse() int {
	c := d.Clause(omp.ClauseCollapse)
	if c == nil {
		return 1
	}
	n, err := strconv.Atoi(strings.TrimRight(c.Args, "uUlL"))
	if err != nil {
		return 0
	}
	return n
}

// hints are the names of omp_sync_hint_t without their prefix, in the order of their bits.
var hints = []string{"uncontended", "contended", "nonspeculative", "speculative"}

// Hint returns the value of the hint clause, which is a number, or names of omp_sync_hint_t
// joined by | or +. It is 0 without the clause, and whatever it cannot read counts as 0.
func (d *Directive) Hint() int {
	c := d.Clause(omp.ClauseHint)
	if c == nil {
		return 0
	}
	value := 0
	for _, word := range strings.FieldsFunc(strings.ToLower(c.Args), func(r rune) bool {
		return strings.ContainsRune("|+() \t", r)
	}) {
		word = strings.TrimPrefix(strings.TrimPrefix(word, "omp_sync_hint_"), "omp_lock_hint_")
		if n, err := strconv.ParseUint(word, 0, 8); err == nil {
			value |= int(n)
		} else if i := slices.Index(hints, word); i >= 0 {
			value |= 1 << i
		}
	}
	return value
}

// Cancelled returns the construct type that a cancel directive names, OpenMP 5.2 [16.1]. It
// returns nil for any other directive.
func (d *Directive) Cancelled() *omp.Directive {
	if !d.Is(omp.DirectiveCancel) {
		return nil
	}
	for i := range d.Clauses {
		switch d.Clauses[i].Row {
		case omp.ClauseParallel:
			return omp.DirectiveParallel
		case omp.ClauseFor:
			return omp.DirectiveFor
		case omp.ClauseSections:
			return omp.DirectiveSections
		case omp.ClauseTaskgroup:
			return omp.DirectiveTaskgroup
		}
	}
	return nil
}
