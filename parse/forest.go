package parse

import (
	"slices"

	"opari/internal/omp"
	"opari/parse/construct"
)

// forest arranges the constructs by their bodies: a construct is inside another if its directive
// is in the other's body.
//
// Directives in exclusive #if branches may share one body, or parts of it. Each of them has the
// body, but what is inside belongs to the first only. If one of them allows no call in its body,
// the constructs inside are kept out too.
//
// forest leaves out an implicit section that is empty or whose end depends on #if.
func (r *resolver) forest() []*construct.Construct {
	n := len(r.constructs)
	parents := make([]int32, n)
	counts := make([]int32, n+1)
	f := forest{r: r}
	for i := range n {
		if !r.leftOut(i) {
			parents[i] = f.add(int32(i))
			counts[parents[i]+1]++
		}
	}
	room := make([]*construct.Construct, n)
	used := 0
	cut := func(n int32) []*construct.Construct {
		s := room[used : used : used+int(n)]
		used += int(n)
		return s
	}
	roots := cut(counts[0])
	for i := range n {
		c := &r.constructs[i]
		if r.leftOut(i) {
			continue
		}
		if k := counts[i+1]; k > 0 {
			c.Inner = cut(k)
		}
		if up := parents[i]; up >= 0 {
			r.constructs[up].Inner = append(r.constructs[up].Inner, c)
		} else {
			roots = append(roots, c)
		}
		if leaf := c.Directive.Cancelled(); leaf != nil {
			r.cancel(parents, int32(i), leaf)
		}
	}
	return roots
}

// LeftOut reports whether construct i is an implicit section about which nothing is certain.
func (r *resolver) leftOut(i int) bool {
	c := &r.constructs[i]
	return c.Implicit && c.Kind != construct.FunctionBody &&
		(c.Body.Len() == 0 || r.extras[i].reason == reasonPaths)
}

// forest is the state of arranging constructs in the order of the text.
type forest struct {
	r    *resolver
	open []openBody // the constructs whose extent has not ended
}

type openBody struct {
	c     int32
	first int32 // the first of the exclusive directives that share the body; usually c itself
}

// add returns the construct around c, or -1.
func (f *forest) add(c int32) int32 {
	r := f.r
	con := &r.constructs[c]
	at := con.Directive.Extent.Start
	for n := len(f.open); n > 0 && r.constructs[f.open[n-1].c].Extent.End <= at; n-- {
		f.open = f.open[:n-1]
	}
	parent, around, first := int32(-1), int32(-1), c
	for k := len(f.open) - 1; k >= 0; k-- {
		o := f.open[k]
		body := r.constructs[o.c].Body
		if isFunction(con) && hasStatement(&r.constructs[o.c]) && r.exclusive(o.c, c) {
			r.cutFunction(con, con.Body.Start)
			return parent
		}
		if r.exclusive(o.c, c) || r.constructs[o.c].Extent.End <= at {
			if first == c && hasStatement(&r.constructs[o.c]) && hasStatement(con) {
				first = o.first
			}
			continue
		}
		if body.Start <= at && at < body.End {
			around = o.c
			if b := r.constructs[o.first].Body; !r.exclusive(o.first, c) &&
				b.Start <= at && at < b.End {
				around = o.first
			}
			if parent < 0 {
				parent = around
			}
			if isFunction(&r.constructs[around]) && !isFunction(con) {
				continue // a function does not bound con, but a directive around it does
			}
			f.keepOut(con, k, around)
			break
		}
	}
	if con.Kind != construct.NoBlock {
		f.open = append(f.open, openBody{c, first})
		f.clip(con, c, around)
	}
	return parent
}

// keepOut keeps con out if it is in the body of a directive that allows no call there, and is the
// child of another directive with that body.
func (f *forest) keepOut(con *construct.Construct, k int, parent int32) {
	if con.KeepOut != "" {
		return
	}
	for ; k >= 0 && f.open[k].first == parent; k-- {
		o := &f.r.constructs[f.open[k].c]
		if f.open[k].c == parent {
			return
		}
		for _, leaf := range o.Directive.Leaves {
			if leaf.Opaque {
				con.KeepOut = "inside " + leaf.Name + " in one #if branch, where no call may stand"
				return
			}
		}
	}
}

// clip keeps bodies properly nested; construct around is the directive around c. Bodies violate
// the nesting only if extents depend on #if; then nothing is inserted.
func (f *forest) clip(con *construct.Construct, c, around int32) {
	if around < 0 {
		return
	}
	r := f.r
	out := &r.constructs[around]
	if isFunction(con) && con.Extent.End > out.Body.End {
		r.cutFunction(con, out.Body.End)
		return
	}
	if con.Extent.End <= out.Body.End || !hasStatement(out) || !hasStatement(con) {
		return
	}
	for _, i := range []int32{around, c} {
		r.extras[i].note(reasonNesting)
		r.constructs[i].Unsafe = r.reasonText(&r.extras[i])
	}
	con.Body.End = max(con.Directive.Extent.End, out.Body.End)
	con.Body.Start = min(con.Body.Start, con.Body.End)
	con.Extent.End = con.Body.End
}

// cutFunction ends con at offset end, since it overlaps a construct, which keeps its constructs.
func (r *resolver) cutFunction(con *construct.Construct, end int) {
	con.Body.End = max(con.Body.Start, end)
	con.Extent.End = con.Body.End
	if con.Unsafe == "" {
		con.Unsafe = r.reasonText(&extra{reason: reasonNesting})
	}
}

// hasStatement reports whether c has a body that edits enclose. It is false for functions,
// because only their start matters.
func hasStatement(c *construct.Construct) bool {
	return c.Kind != construct.NoBlock && !isFunction(c)
}

func isFunction(c *construct.Construct) bool { return c.Kind == construct.FunctionBody }

// exclusive reports whether the directives of two constructs are in different branches of one
// #if.
func (r *resolver) exclusive(a, b int32) bool {
	return r.ifs.Exclusive(r.extras[a].ctx, r.extras[b].ctx)
}

// cancel adds the leaf cancelled to Cancels of the innermost construct around construct i that
// has this leaf.
func (r *resolver) cancel(parents []int32, i int32, cancelled *omp.Directive) {
	for up := parents[i]; up >= 0; up = parents[up] {
		if c := &r.constructs[up]; c.Directive.HasLeaf(cancelled) {
			if !slices.Contains(c.Cancels, cancelled) {
				c.Cancels = append(c.Cancels, cancelled)
			}
			return
		}
	}
}
