package parse

import (
	"slices"

	"opari/internal/omp"
	"opari/parse/construct"
)

// forest arranges the constructs by their bodies: a construct is inside another when its directive stands in the other's
// body.
//
// Where directives in exclusive #if branches share one body, or parts of it, each of them has the body, and what is inside
// belongs to the first only. Where one of them lets no call stand in its body, what is inside is kept out.
//
// An implicit section that is none, or of which it depends on #if where it ends, is left out.
func (r *resolver) forest() []*construct.Construct {
	n := len(r.cs)
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
		c := &r.cs[i]
		if r.leftOut(i) {
			continue
		}
		if k := counts[i+1]; k > 0 {
			c.Inner = cut(k)
		}
		if up := parents[i]; up >= 0 {
			r.cs[up].Inner = append(r.cs[up].Inner, c)
		} else {
			roots = append(roots, c)
		}
		if leaf := c.Directive.Cancelled(); leaf != nil {
			r.cancel(parents, int32(i), leaf)
		}
	}
	return roots
}

// leftOut reports whether construct i is an implicit section of which there is nothing certain to say.
func (r *resolver) leftOut(i int) bool {
	c := &r.cs[i]
	return c.Implicit && c.Kind != construct.FunctionBody && (c.Body.Len() == 0 || r.aux[i].reason == reasonPaths)
}

// forest is the state of arranging constructs in the order of the text.
type forest struct {
	r    *resolver
	open []openBody // constructs whose extent is not over
}

type openBody struct {
	c     int32
	first int32 // the first of the exclusive directives that share the body; c itself in most cases
}

// Add gives the construct that c is inside of, or -1.
func (f *forest) add(c int32) int32 {
	r := f.r
	con := &r.cs[c]
	at := con.Directive.Extent.Start
	for n := len(f.open); n > 0 && r.cs[f.open[n-1].c].Extent.End <= at; n-- {
		f.open = f.open[:n-1]
	}
	parent, first := int32(-1), c
	for k := len(f.open) - 1; k >= 0; k-- {
		o := f.open[k]
		body := r.cs[o.c].Body
		if con.Kind == construct.FunctionBody && hasStatement(&r.cs[o.c]) && r.exclusive(o.c, c) {
			r.cutFunction(con, con.Body.Start)
			return parent
		}
		if r.exclusive(o.c, c) || r.cs[o.c].Extent.End <= at {
			if first == c && hasStatement(&r.cs[o.c]) && hasStatement(con) {
				first = o.first
			}
			continue
		}
		if body.Start <= at && at < body.End {
			parent = o.c
			if b := r.cs[o.first].Body; !r.exclusive(o.first, c) && b.Start <= at && at < b.End {
				parent = o.first
			}
			f.keepOut(con, k, parent)
			break
		}
	}
	if con.Kind != construct.NoBlock {
		f.open = append(f.open, openBody{c, first})
		f.clip(con, c, parent)
	}
	return parent
}

// keepOut keeps con out when a directive in whose body it stands, but whose child it is not, lets no call stand there.
func (f *forest) keepOut(con *construct.Construct, k int, parent int32) {
	if con.KeepOut != "" {
		return
	}
	for ; k >= 0 && f.open[k].first == parent; k-- {
		o := &f.r.cs[f.open[k].c]
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

// clip keeps bodies properly nested. They are not only where extents depend on #if, and then nothing is inserted.
func (f *forest) clip(con *construct.Construct, c, parent int32) {
	if parent < 0 {
		return
	}
	r := f.r
	out := &r.cs[parent]
	if con.Kind == construct.FunctionBody && con.Extent.End > out.Body.End {
		r.cutFunction(con, out.Body.End)
		return
	}
	if con.Extent.End <= out.Body.End || !hasStatement(out) || !hasStatement(con) {
		return
	}
	for _, i := range []int32{parent, c} {
		r.aux[i].note(reasonNesting)
		r.cs[i].Unsafe = r.reasonText(&r.aux[i])
	}
	con.Body.End = max(con.Directive.Extent.End, out.Body.End)
	con.Body.Start = min(con.Body.Start, con.Body.End)
	con.Extent.End = con.Body.End
}

// cutFunction ends con at offset end, since it overlaps a construct: what that construct has inside stays there.
func (r *resolver) cutFunction(con *construct.Construct, end int) {
	con.Body.End = max(con.Body.Start, end)
	con.Extent.End = con.Body.End
	if con.Unsafe == "" {
		con.Unsafe = r.reasonText(&extra{reason: reasonNesting})
	}
}

// hasStatement reports whether c has a body that edits enclose. Of a function only the start matters.
func hasStatement(c *construct.Construct) bool {
	return c.Kind != construct.NoBlock && c.Kind != construct.FunctionBody
}

// Exclusive reports whether two constructs' directives stand in different branches of one #if.
func (r *resolver) exclusive(a, b int32) bool {
	return r.ifs.Exclusive(r.aux[a].ctx, r.aux[b].ctx)
}

// cancel tells the innermost construct around construct i that has the leaf cancelled that it is cancelled.
func (r *resolver) cancel(parents []int32, i int32, cancelled *omp.Directive) {
	for up := parents[i]; up >= 0; up = parents[up] {
		if c := &r.cs[up]; c.Directive.HasLeaf(cancelled) {
			if !slices.Contains(c.Cancels, cancelled) {
				c.Cancels = append(c.Cancels, cancelled)
			}
			return
		}
	}
}
