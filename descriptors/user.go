package descriptors

import (
	"strings"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/directive"
)

// A userPair connects the begin of a user region with its end.
type userPair struct {
	begin *construct.Construct
	end   *construct.Construct // the last one: end, not altend
}

// pairUserRegions finds the region of every inst begin, altend and end. Regions pair up by name
// within the file, not by nesting, because a region may begin in one branch and end in several.
func pairUserRegions(t *construct.Tree, ds *source.Diagnostics) map[*construct.Construct]userPair {
	open := map[string]*construct.Construct{}
	ended := map[string]bool{}
	pairs := map[*construct.Construct]userPair{}
	construct.Walk(t.Constructs, func(c *construct.Construct) {
		d := &c.Directive
		switch d.Own {
		case directive.InstBegin:
			name := userName(d)
			if b := open[name]; b != nil && !ended[name] {
				ds.Errorf(t.File, d.Extent.Start,
					"region %q begins again before its end; it began at line %d", name,
					b.Directive.Pos.Line)
			}
			open[name], ended[name] = c, false
			pairs[c] = userPair{begin: c}
		case directive.InstEnd, directive.InstAltend:
			name := userName(d)
			b := open[name]
			if b == nil {
				ds.Errorf(t.File, d.Extent.Start, "%s(%s) without a begin(%s) before it",
					strings.TrimPrefix(d.Name, "inst "), name, name)
				return
			}
			if d.Own == directive.InstEnd {
				ended[name] = true
				pairs[b] = userPair{b, c}
			}
			pairs[c] = userPair{begin: b}
		}
	})
	construct.Walk(t.Constructs, func(c *construct.Construct) {
		if c.Directive.Own != directive.InstBegin {
			return
		}
		if pairs[c].end == nil {
			name := userName(&c.Directive)
			ds.Errorf(t.File, c.Directive.Extent.Start,
				"region %q has no end; write #pragma pomp inst end(%s)", name, name)
		}
	})
	return pairs
}

// userName returns the name of a user region: the first argument of begin(name, pointer).
func userName(d *directive.Directive) string {
	name, _ := d.UserRegion()
	return name
}

// user lowers one of POMP's own directives.
func (l *Lowering) user(c *construct.Construct, x context) {
	d := &c.Directive
	reason := ""
	switch {
	case c.KeepOut != "":
		reason = c.KeepOut
	case x.noCall != "":
		reason = x.noCall
	case c.FileScope && !d.Own.MarksText():
		reason = "at file scope"
	case l.disabled["region"] && d.Arg != "":
		reason = disabledBy + "--disable=region"
	case c.NoInstr && !d.Own.MarksText():
		reason = "between pomp noinstrument and instrument"
	default:
		if g := match(l.options.DisableRegion, userName(d)); g != "" {
			reason = disabledBy + "--disable-region=" + g
		}
	}
	l.addCoverage(Coverage{d.Pos, d.Name, reason == "", reason})
	if reason != "" {
		return
	}
	p := Placed{Construct: c, Depth: x.depth, Brace: c.SubStatement || x.parent != nil &&
		c.Extent.Start == x.parent.Body.Start}
	if pair, ok := l.pairs[c]; ok {
		r := l.users[userName(d)]
		if d.Own == directive.InstBegin {
			r = l.add(c, &x)
			r.Kind, r.Name, r.SubName = omp.KindRegion, "region", userName(d)
			if pair.end != nil {
				e := pair.end.Directive.Pos.Line
				r.End = [2]int{e, e}
			}
			if l.users == nil {
				l.users = map[string]*Region{}
			}
			l.users[r.SubName] = r
		}
		if r == nil {
			return // its begin is not instrumented, so neither is its end
		}
		p.Regions = []*Region{r}
	}
	l.table.Placed = append(l.table.Placed, p)
}
