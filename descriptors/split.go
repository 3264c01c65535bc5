package descriptors

import (
	"slices"
	"strings"

	"opari/internal/omp"
	"opari/parse/construct"
	"opari/parse/directive"
)

// split makes the regions of c, outermost first, and stores in x what the constructs inside
// inherit. It fails, without making a region, on a combined directive that cannot be split but
// whose calls would have to stand between its parts.
func (l *Lowering) split(c *construct.Construct, x *context) bool {
	d := &c.Directive
	var one [1][]*omp.Directive // most directives have one leaf
	groups := one[:]
	one[0] = d.Leaves
	combined := len(d.Leaves) > 1 && len(group(d.Leaves)) > 1
	var clauses [][]string
	unsplit := true
	if combined {
		groups = group(d.Leaves)
		s, ok := [][]string(nil), c.Fortran == nil || c.Fortran.NoSplit == ""
		switch {
		case !ok:
		case l.fortran():
			s, ok = splitFortran(d, groups)
		default:
			s, ok = splitClauses(d, groups, c.Header, l.options.SplitScans)
		}
		if ok {
			clauses, unsplit = s, false
		} else {
			if d.Leaves[0].Rule == omp.Body {
				return false
			}
			groups = one[:]
		}
	}
	outer := (*Region)(nil)
	for i, g := range groups {
		r := l.add(c, x)
		r.Leaf, r.Leaves = g[0], g
		r.Kind, r.Name = g[0].Kind, g[0].Name
		if l.fortran() {
			r.Name = g[0].NameIn(omp.Fortran)
		}
		if i > 0 {
			r.Outer = outer
		}
		r.Handle = !(unsplit && combined && g[0].Rule == omp.Fork)
		if unsplit {
			r.Clauses = make([]string, 0, len(d.Clauses)+2)
			for k := range d.Clauses {
				if !d.Clauses[k].AtEnd {
					r.Clauses = append(r.Clauses, d.Clauses[k].Text)
				}
			}
		} else {
			r.Clauses, r.Rewritten = clauses[i], true
		}
		r.SubName = subName(d)
		if l.options.Untied >= Remove && d.Has(omp.ClauseUntied) {
			r.tie()
		}
		if i > 0 {
			if name := l.hushed(groups[i-1][0], g[0]); name != "" {
				r.hush(name)
				continue
			}
		}
		outer = r
		l.describe(r, d, i == 0, i == len(groups)-1)
		l.barrier(r, groups[i+1:], *x)
		l.evaluateOnce(r, d)
		if r.Leaf == omp.DirectiveSections {
			r.Sections = countSections(c)
		}
	}
	x.outer = outer
	return true
}

// group divides the leaves of a combined directive where it can be split: after parallel, master
// and masked, and after teams on the host. The leaves after target stay with it, because no call
// may stand between them, and so do composite ones. For `parallel master taskloop simd` the
// groups are
//
//	[parallel] [master] [taskloop simd]
func group(leaves []*omp.Directive) [][]*omp.Directive {
	var groups [][]*omp.Directive
	for len(leaves) > 1 && canSplitAfter(leaves[0]) {
		groups = append(groups, leaves[:1])
		leaves = leaves[1:]
	}
	return append(groups, leaves)
}

// canSplitAfter reports whether a combined directive can be split after the leaf. The leaf must
// have a structured block as its body, where calls may stand.
func canSplitAfter(leaf *omp.Directive) bool {
	return leaf.Rule == omp.Fork || leaf.Rule == omp.Body ||
		leaf.Rule == omp.HostOnly && !leaf.Opaque
}

// splitClauses sends each clause of d to its group. It fails on a clause that it cannot place
// with certainty, and on a reduction with inscan unless scans may be split.
func splitClauses(d *directive.Directive, groups [][]*omp.Directive, header construct.LoopHeader,
	scans bool,
) ([][]string, bool) {
	s := splitter{
		d: d, groups: groups, header: header, scans: scans,
		out: make([][]string, len(groups)), privatizedIn: map[string][]int{},
	}
	for i := range d.Clauses {
		if !s.place(&d.Clauses[i]) {
			return nil, false
		}
	}
	for i := range d.Clauses {
		if c := &d.Clauses[i]; c.Row.Split == omp.SplitAllocate {
			s.allocate(c)
		}
	}
	return s.out, s.share()
}

type splitter struct {
	d            *directive.Directive
	groups       [][]*omp.Directive
	header       construct.LoopHeader
	scans        bool // a loop that scans may be split from its parallel
	out          [][]string
	privatizedIn map[string][]int // by variable: the groups in which it is privatized
	mustShare    []string         // items that inner groups privatize and outer groups must share
}

// takers returns the outermost and the innermost group that take the clause, or -1 if none does.
func (s *splitter) takers(c *omp.Clause) (first, last int) {
	first, last = -1, -1
	for i, g := range s.groups {
		if takes(g, c) {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	return first, last
}

func (s *splitter) put(g int, text string) { s.out[g] = append(s.out[g], text) }

// items notes where the items of c are privatized.
func (s *splitter) items(c *directive.Clause, g int) {
	for _, i := range c.Items {
		s.privatizedIn[variable(i)] = []int{g}
		if g > 0 {
			s.mustShare = append(s.mustShare, i)
		}
	}
}

func (s *splitter) place(c *directive.Clause) bool {
	if c.Row == nil {
		return false
	}
	first, last := s.takers(c.Row)
	if first < 0 {
		return false
	}
	g := last
	switch c.Row.Split {
	case omp.SplitAllocate:
		return true
	case omp.SplitPermitted:
		for i := first; i <= last; i++ {
			if takes(s.groups[i], c.Row) {
				s.put(i, c.Text)
			}
		}
		return true
	case omp.SplitIf:
		return s.placeIf(c)
	case omp.SplitOutermost:
		g = first
	case omp.SplitInnermost:
		// parallel takes private, as in the POMP paper, unless a simd, loop, taskloop or
		// distribute needs it.
		if first == 0 && !s.innerLeaf(omp.DirectiveSimd, omp.DirectiveLoop, omp.DirectiveTaskloop,
			omp.DirectiveDistribute) {
			g = first
		}
		for _, i := range c.Items {
			s.privatizedIn[variable(i)] = []int{g}
		}
		s.put(g, c.Text)
		return true
	case omp.SplitFirstprivate:
		if first == 0 && !s.innerLeaf(omp.DirectiveTaskloop, omp.DirectiveDistribute) &&
			!s.alsoLastprivate(c) {
			g = first
		}
	case omp.SplitReduction:
		inscan := hasWord(c.Modifiers, omp.ModifierInscan)
		switch {
		case inscan && (!s.scans || s.groups[0][0].Rule == omp.HostOnly):
			return false
		case s.groups[0][0].Rule == omp.HostOnly:
			return s.reduceTwice(c)
		}
		if first == 0 && !inscan && !s.innerLeaf(omp.DirectiveSimd, omp.DirectiveLoop,
			omp.DirectiveTaskloop) {
			g = first
		}
	case omp.SplitLastprivate, omp.SplitLinear:
	}
	s.put(g, c.Text)
	s.items(c, g)
	return true
}

// alsoLastprivate reports whether an item of firstprivate clause c must become firstprivate at
// the loop. It must if it is lastprivate or linear there too, because then the outer group shares
// it.
func (s *splitter) alsoLastprivate(c *directive.Clause) bool {
	for i := range s.d.Clauses {
		o := &s.d.Clauses[i]
		if o.Row != omp.ClauseLastprivate && o.Row != omp.ClauseLinear {
			continue
		}
		for _, item := range c.Items {
			if slices.ContainsFunc(o.Items, func(other string) bool {
				return unqualified(other) == unqualified(item)
			}) {
				return true
			}
		}
	}
	return false
}

// reduceTwice sends a reduction to teams and to distribute, because the result of each team is
// reduced again over the league. The modifier task is not for teams, OpenMP 5.2 [5.5.8]. A loop
// construct that binds to teams takes a reduction only if it is combined with teams.
func (s *splitter) reduceTwice(c *directive.Clause) bool {
	if hasWord(c.Modifiers, omp.ModifierTask) || s.innerLeaf(omp.DirectiveLoop) {
		return false
	}
	for g := range s.groups {
		if takes(s.groups[g], c.Row) {
			s.put(g, c.Text)
			for _, i := range c.Items {
				s.privatizedIn[variable(i)] = append(s.privatizedIn[variable(i)], g)
			}
		}
	}
	return true
}

// variable returns the variable of a list item: b for A::b[2:3].
func variable(item string) string {
	item, _, _ = strings.Cut(item, "[")
	return unqualified(item)
}

// unqualified returns b for A::b. In a member function of A the two may be the same.
func unqualified(item string) string {
	return strings.TrimSpace(item[strings.LastIndexByte(item, ':')+1:])
}

// placeIf sends an if clause to the leaf that its directive-name modifier names. Without a
// modifier, it sends the clause to every leaf that takes it. Before OpenMP 6.0, teams takes none,
// so it gets the clause only if no other leaf can be meant.
func (s *splitter) placeIf(c *directive.Clause) bool {
	if c.Modifiers == "" {
		_, last := s.takers(c.Row)
		for i, g := range s.groups {
			if takes(g, c.Row) && (i == last || g[0].Rule != omp.HostOnly) {
				s.put(i, c.Text)
			}
		}
		return true
	}
	for i, g := range s.groups {
		for _, leaf := range g {
			if leaf.Name == c.Modifiers {
				s.put(i, c.Text)
				return true
			}
		}
	}
	return false
}

// allocate sends each item to the group that privatizes it.
func (s *splitter) allocate(c *directive.Clause) {
	byGroup := make([][]string, len(s.groups))
	for _, i := range c.Items {
		homes := s.privatizedIn[variable(i)]
		if len(homes) == 0 {
			homes = []int{0}
		}
		for _, g := range homes {
			byGroup[g] = append(byGroup[g], i)
		}
	}
	for g, items := range byGroup {
		if len(items) == 0 {
			continue
		}
		text := "allocate("
		if c.Modifiers != "" {
			text += c.Modifiers + ": "
		}
		s.put(g, text+strings.Join(items, ", ")+")")
	}
}

// share adds a shared clause to the outer groups for the items that inner groups privatize, where
// the default is not shared. A loop with simd also assigns its iteration variables, OpenMP 5.2
// [5.1.1]. share fails when these are unknown.
func (s *splitter) share() bool {
	def := s.d.Clause(omp.ClauseDefault)
	if def == nil || def.Args == omp.ClauseShared.Name || !takes(s.groups[0], def.Row) {
		return true
	}
	if s.innerLeaf(omp.DirectiveSimd, omp.DirectiveLoop) {
		if len(s.header.Variables) == 0 {
			return false
		}
		s.mustShare = append(s.mustShare, s.header.Variables...)
	}
	var names []string
	for _, i := range s.mustShare {
		n := baseName(i)
		if n != "" && !slices.Contains(names, n) && !slices.Contains(s.header.Declares, n) {
			names = append(names, n)
		}
	}
	if len(names) > 0 {
		s.put(0, "shared("+strings.Join(names, ", ")+")")
	}
	return true
}

// baseName returns the variable of a list item: a for a[0:n], N::a for N::a.
func baseName(item string) string {
	from := 0
	if n := strings.LastIndex(item, "::"); n >= 0 && !strings.ContainsAny(item[:n], "[(") {
		from = n + 2
	}
	n := strings.IndexFunc(item[from:], func(r rune) bool {
		return !(r == '_' || r == '$' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' ||
			r >= 'A' && r <= 'Z' || r >= 0x80)
	})
	if n < 0 {
		return item
	}
	return item[:from+n]
}

// innerLeaf reports whether a group after the first one contains one of the leaves.
func (s *splitter) innerLeaf(leaves ...*omp.Directive) bool {
	for _, g := range s.groups[1:] {
		for _, leaf := range g {
			if slices.Contains(leaves, leaf) {
				return true
			}
		}
	}
	return false
}

func hasWord(list, word string) bool {
	for _, w := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		if strings.EqualFold(w, word) {
			return true
		}
	}
	return false
}
