package descriptors

import (
	"slices"
	"strings"

	"opari/internal/omp"
	"opari/parse/directive"
)

func (l *Lowering) fortran() bool { return l.options.Lang == omp.Fortran }

// splitFortran is splitClauses for Fortran. Its compilers treat the parts of a split directive in
// some ways differently from the combined directive:
//
//   - default(none) is dropped. gfortran exempts the variables of loop bounds from it in a
//     combined directive, but not in its parts.
//   - default(private) would apply to variables that the loop needs shared.
//   - Variables to which the loop assigns values are made shared on parallel by name, because
//     other rules may make them private there, OpenMP 5.2 [5.1.1].
func splitFortran(d *directive.Directive, groups [][]*omp.Directive) ([][]string, bool) {
	s := splitter{
		d: d, groups: groups, out: make([][]string, len(groups)),
		privatizedIn: map[string][]int{},
	}
	for i := range d.Clauses {
		if c := &d.Clauses[i]; !c.AtEnd && !s.placeFortran(c) {
			return nil, false
		}
	}
	if len(s.mustShare) > 0 && groups[0][0].Rule == omp.Fork {
		s.put(0, "shared("+strings.Join(s.mustShare, ", ")+")")
	}
	return s.out, true
}

// placeFortran sends one clause to its group. It fails on a clause that it cannot place with
// certainty.
func (s *splitter) placeFortran(c *directive.Clause) bool {
	if c.Row == nil {
		return false
	}
	first, last := s.takers(c.Row)
	if first < 0 {
		return false
	}
	g := last
	switch c.Row.Split {
	case omp.SplitAllocate, omp.SplitLinear:
		return false
	case omp.SplitPermitted:
		if c.Row == omp.ClauseDefault {
			switch strings.ToLower(c.Args) {
			case "none":
				return true
			case omp.ClauseShared.Name:
			default:
				return false
			}
		}
		for i := first; i <= last; i++ {
			if takes(s.groups[i], c.Row) {
				s.put(i, c.Text)
			}
		}
		return true
	case omp.SplitIf:
		return s.placeFortranIf(c)
	case omp.SplitOutermost:
		g = first
	case omp.SplitFirstprivate:
		if first == 0 && !s.innerLeaf(omp.DirectiveTaskloop, omp.DirectiveDistribute) &&
			!s.sharesItem(c, omp.ClauseLastprivate) {
			g = first
		}
	case omp.SplitReduction:
		if s.groups[0][0].Rule == omp.HostOnly {
			return s.reduceTwice(c)
		}
		if first == 0 && !s.innerLeaf(omp.DirectiveSimd, omp.DirectiveLoop,
			omp.DirectiveTaskloop) && !hasWord(c.Modifiers, omp.ModifierInscan) {
			g = first
		}
	}
	s.put(g, c.Text)
	if g > 0 && (c.Row.Split == omp.SplitLastprivate || c.Row.Split == omp.SplitReduction) {
		s.noteShared(c)
	}
	return true
}

// placeFortranIf is placeIf with the names of Fortran, in any case.
func (s *splitter) placeFortranIf(c *directive.Clause) bool {
	placed := false
	_, last := s.takers(c.Row)
	for i, g := range s.groups {
		for _, leaf := range g {
			if c.Modifiers == "" && leaf.Takes(c.Row) && (i == last || g[0].Rule != omp.HostOnly) ||
				strings.EqualFold(leaf.NameIn(omp.Fortran), c.Modifiers) {
				s.put(i, c.Text)
				placed = true
				break
			}
		}
	}
	return placed
}

// sharesItem reports whether an item of c is also an item of a clause with the given row.
func (s *splitter) sharesItem(c *directive.Clause, row *omp.Clause) bool {
	for i := range s.d.Clauses {
		o := &s.d.Clauses[i]
		if o.Row != row {
			continue
		}
		for _, item := range c.Items {
			if slices.ContainsFunc(o.Items, func(i string) bool {
				return strings.EqualFold(i, item)
			}) {
				return true
			}
		}
	}
	return false
}

// noteShared notes the items of c to which the inner construct assigns values, so the outer
// construct must share them.
func (s *splitter) noteShared(c *directive.Clause) {
	for _, item := range c.Items {
		name := item
		if !strings.HasPrefix(item, "/") { // a common block
			name = baseName(item)
		}
		if name != "" && !slices.ContainsFunc(s.mustShare,
			func(i string) bool { return strings.EqualFold(i, name) }) {
			s.mustShare = append(s.mustShare, name)
		}
	}
}
