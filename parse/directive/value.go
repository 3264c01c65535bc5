package directive

import (
	"slices"
	"strconv"
	"strings"

	"opari/internal/omp"
)

// Collapse is how many loops the directive joins to one: 1 without a collapse clause, 0 where its number is not written in digits.
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

// hints are the names of omp_sync_hint_t behind their prefix, by the number of their bit.
var hints = []string{"uncontended", "contended", "nonspeculative", "speculative"}

// Hint is the value of the hint clause: names of omp_sync_hint_t joined by | or +, or a number. 0 without one; what cannot be read
// counts as 0.
func (d *Directive) Hint() int {
	c := d.Clause(omp.ClauseHint)
	if c == nil {
		return 0
	}
	value := 0
	for _, word := range strings.FieldsFunc(strings.ToLower(c.Args), func(r rune) bool { return strings.ContainsRune("|+() \t", r) }) {
		word = strings.TrimPrefix(strings.TrimPrefix(word, "omp_sync_hint_"), "omp_lock_hint_")
		if n, err := strconv.ParseUint(word, 0, 8); err == nil {
			value |= int(n)
		} else if i := slices.Index(hints, word); i >= 0 {
			value |= 1 << i
		}
	}
	return value
}

// Cancelled is the construct type that a cancel directive names, OpenMP 5.2 [11.3]; nil of any other directive.
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
