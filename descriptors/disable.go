package descriptors

import (
	"path"
	"strings"

	"opari/internal/omp"
	"opari/parse/directive"
)

// disabledName returns the name by which Disable holds d, or "".
func (l *Lowering) disabledName(d *directive.Directive) string {
	if l.options.WholeNames {
		name := d.Leaves[0].NameIn(l.options.Lang)
		if !l.disabled[name] || len(d.Leaves) > 1 && l.wholeName(d.Leaves[0], d.Leaves[1]) != "" {
			return ""
		}
		return name
	}
	for _, leaf := range d.Leaves {
		if l.disabled[leaf.Name] {
			return leaf.Name
		}
	}
	return ""
}

// wholeName returns the name by which Disable means a combined directive as a whole, or "".
func (l *Lowering) wholeName(first, second *omp.Directive) string {
	if first == omp.DirectiveParallel {
		switch second.Kind {
		case omp.KindFor, omp.KindSections, omp.KindWorkshare:
			return first.Name + second.NameIn(l.options.Lang)
		}
	}
	return ""
}

// hushed returns the name because of which a leaf that follows another one in its directive has no
// calls, although the other one has, or "".
func (l *Lowering) hushed(first, leaf *omp.Directive) string {
	if !l.options.WholeNames {
		return ""
	}
	name := l.wholeName(first, leaf)
	if name == "" {
		name = leaf.NameIn(l.options.Lang)
	}
	if l.disabled[name] {
		return name
	}
	return ""
}

func match(globs []string, names ...string) string {
	for _, g := range globs {
		for _, n := range names {
			if ok, _ := path.Match(g, n); ok && n != "" {
				return g
			}
		}
	}
	return ""
}

// disabledBy begins the reasons that are options.
const disabledBy = "disabled by "

// addCoverage records whether a directive is instrumented. For each option that excludes
// something, the file gets one row without a kind. So the measurement library learns of it, and
// reports can say what their times do not include.
func (l *Lowering) addCoverage(c Coverage) {
	l.table.Coverage = append(l.table.Coverage, c)
	option, is := strings.CutPrefix(c.Reason, disabledBy)
	if !is || l.reported[option] {
		return
	}
	if l.reported == nil {
		l.reported = map[string]bool{}
	}
	l.reported[option] = true
	r := l.add(nil, &context{})
	r.Name, r.SubName = "disabled", option
}
