package descriptors

import (
	"slices"
	"strconv"
	"strings"

	"opari/internal/omp"
	"opari/parse/construct"
	"opari/parse/directive"
)

// describe sets the constant facts of r. The facts of a clause belong to the regions whose leaves
// take it.
func (l *Lowering) describe(r *Region, d *directive.Directive, outermost, innermost bool) {
	for i := range d.Clauses {
		c := &d.Clauses[i]
		tied := c.Row == omp.ClauseUntied && l.options.Untied >= Remove
		if c.Row != nil && takes(r.Leaves, c.Row) && !tied {
			r.Facts |= c.Row.Fact
		}
		if c.Row == omp.ClauseSchedule && innermost && len(c.Items) > 0 {
			r.Schedule = omp.ScheduleOf(strings.ToLower(c.Items[0]))
			if r.Schedule == omp.ScheduleStatic && len(c.Items) > 1 {
				r.Schedule = omp.ScheduleStaticChunk
			}
		}
	}
	if innermost {
		r.Hint = d.Hint()
		r.Trips = trips(r)
	}
	r.setOrder(d, l.fortran())
	if l.options.Keys {
		r.setKeys(d, outermost, innermost)
		if l.fortran() && outermost && r.Handle {
			r.Trips = append(r.Trips, forkValues(r)...)
		}
	}
	if r.Leaves[len(r.Leaves)-1] == omp.DirectiveSimd {
		r.Facts |= omp.HasSimd
	}
	if o := d.Clause(omp.ClauseOrdered); o != nil && o.HasArgs && takes(r.Leaves, o.Row) {
		r.Facts |= omp.HasDoacross
	}
	if len(r.Construct.Cancels) > 0 {
		r.Facts |= omp.HasCancel
	}
}

// markCancelled notes that a thread may leave the regions around a cancel directive or a
// cancellation point. These are the regions up to the cancelled construct, or for a taskgroup up
// to the task that ends, OpenMP 5.2 [11.2].
func markCancelled(d *directive.Directive, outer *Region) {
	if len(d.Leaves) == 0 ||
		d.Leaves[0].Kind != omp.KindCancel && d.Leaves[0].Kind != omp.KindCancellationPoint {
		return
	}
	for r := outer; r != nil; r = r.Outer {
		r.Facts |= omp.HasCancel
		switch r.Kind {
		case omp.KindParallel, omp.KindFor, omp.KindSections:
			if d.Has(omp.ClauseNamed(omp.C, r.Leaf.Name)) {
				return
			}
		case omp.KindTask, omp.KindTaskloop:
			if d.Has(omp.ClauseTaskgroup) {
				return
			}
		}
	}
}

// takes reports whether one of the leaves takes clause c.
func takes(leaves []*omp.Directive, c *omp.Clause) bool {
	for _, leaf := range leaves {
		if leaf.Takes(c) {
			return true
		}
	}
	return false
}

// barrier decides what becomes of the barrier that r implies. inside holds the inner groups of
// the combined construct.
func (l *Lowering) barrier(r *Region, inside [][]*omp.Directive, x context) {
	c := r.Construct
	if !r.Leaf.Barrier {
		if r.Leaf.Kind.EndsTogether() && bindsToTeam(r) {
			r.Facts |= omp.HasBarrier
		}
		return
	}
	r.Barrier = MakeExplicit
	if r.Leaf.Rule == omp.Fork {
		// A combined construct has one barrier. An explicit one belongs to the inner part, an
		// implicit one to parallel.
		for _, g := range inside {
			if g[0].Barrier && !l.options.ImplicitParallelBarrier {
				r.Barrier = NoBarrier
				return
			}
		}
		// Threads that leave by cancel do not reach an explicit barrier before the end, OpenMP
		// 5.2 [11.2].
		if l.options.ImplicitParallelBarrier || x.cancelParallel || len(c.Cancels) > 0 ||
			!r.Handle || l.options.WholeNames && l.disabled[omp.DirectiveBarrier.Name] {
			r.Barrier = KeepImplicit
		}
	} else {
		l.worksharingBarrier(r, x)
	}
	if r.Barrier == KeepImplicit {
		r.Facts |= omp.HasBarrier
	}
}

// bindsToTeam reports whether r may bind to a team. This matters for loop, whose barrier depends
// on the region that it binds to. Its threads then meet at its end. It takes no nowait (OpenMP
// 5.2 [11.7]), so the barrier stays inside. Where parallel is part of the same construct, the
// barrier is attributed to parallel.
func bindsToTeam(r *Region) bool {
	if len(r.Construct.Directive.Leaves) > 1 {
		return false
	}
	bind := r.Construct.Directive.Clause(omp.ClauseBind)
	return bind == nil ||
		strings.EqualFold(strings.TrimSpace(bind.Args), omp.DirectiveParallel.Name)
}

// worksharingBarrier decides for a region that may take nowait.
func (l *Lowering) worksharingBarrier(r *Region, x context) {
	c := r.Construct
	d := &c.Directive
	if n := d.Clause(omp.ClauseNowait); n != nil {
		r.Barrier = NoBarrier
		if n.HasArgs { // OpenMP 6.0: nowait(expression) decides at run time
			r.Barrier = KeepImplicit
		}
		return
	}
	switch {
	case !takes(r.Leaves, omp.ClauseNowait), d.Has(omp.ClauseCopyprivate), x.cancelParallel,
		len(c.Cancels) > 0:
		r.Barrier = KeepImplicit
	}
	for i := range d.Clauses { // nowait is not allowed with these, OpenMP 5.2 [5.5.8]
		if cl := &d.Clauses[i]; cl.Row == omp.ClauseReduction &&
			(hasWord(cl.Modifiers, omp.ModifierTask) || hasWord(cl.Modifiers, omp.ModifierInscan)) {
			r.Barrier = KeepImplicit
		}
	}
	if r.Barrier == MakeExplicit {
		if l.fortran() {
			r.EndNowait = true
		} else {
			r.Clauses = append(r.Clauses, omp.ClauseNowait.Name)
			r.Rewritten = true
		}
		if out := r.Outer; l.options.ImplicitParallelBarrier && out != nil && out.Construct == c &&
			out.Barrier == KeepImplicit {
			r.Barrier = NoBarrier // the threads meet at the end of parallel
		}
	}
}

// evaluateOnce moves the expressions of if, num_threads and final from the clauses to variables.
// So the program evaluates them once, for the call and for the directive. It also adds the clause
// for the handle.
func (l *Lowering) evaluateOnce(r *Region, d *directive.Directive) {
	if r.Leaf.Rule != omp.Fork && r.Leaf.Rule != omp.Task || l.fortran() {
		return
	}
	id := strconv.Itoa(r.ID)
	own := r.Leaf.Name
	for i := range d.Clauses {
		c := &d.Clauses[i]
		at := slices.Index(r.Clauses, c.Text)
		if at < 0 {
			continue
		}
		switch {
		case c.Row == omp.ClauseNumThreads && len(c.Items) == 1 && c.Modifiers == "" &&
			r.Leaf.Rule == omp.Fork:
			r.NumThreads, r.Clauses[at] = c.Args, "num_threads("+NumThreadsVar+id+")"
		case c.Row == omp.ClauseFinal && c.Modifiers == "" && r.Leaf.Rule == omp.Task:
			r.Final, r.Clauses[at] = c.Args, "final("+FinalVar+id+")"
		case c.Row == omp.ClauseIf && (c.Modifiers == "" || c.Modifiers == own):
			if c.Modifiers == "" && !r.Handle {
				break // the clause also decides about the inner leaves
			}
			r.If = c.Args
			r.Clauses[at] = "if(" + IfVar + id + ")"
			if c.Modifiers != "" {
				r.Clauses[at] = "if(" + own + ": " + IfVar + id + ")"
			}
		}
		r.Rewritten = r.Rewritten || r.NumThreads != "" || r.If != "" || r.Final != ""
	}
	if r.Handle {
		clause := "firstprivate(" // a task may run when the variable is gone
		if r.Leaf.Rule == omp.Fork {
			// Read only while measuring is on, because another thread's first access costs a
			// cache miss.
			clause = "shared("
		}
		r.Clauses = append(r.Clauses, clause+HandleVar+id+")")
		r.Rewritten = true
	}
}

// Names of the variables that are added around a fork or a task creation. The region's ID
// follows.
const (
	HandleVar = "pomp_h"
	// BegunVar is each thread's own, in the body of a fork: the handle if begin was called, else
	// null.
	BegunVar = "pomp_b"
	IfVar    = "pomp_i"
	FinalVar = "pomp_f"
	// EnteredVar is the address of the word that shows that the thread is in the runtime to
	// create a task. It is null if the text has nothing to reset.
	EnteredVar = "pomp_e"
	// ExecutorVar holds what the begin of a single returned, or -1 on a thread that does not
	// execute the block.
	ExecutorVar   = "pomp_s"
	NumThreadsVar = "pomp_n"
)

// countSections returns the number of section regions in c, including a first one without a
// directive.
func countSections(c *construct.Construct) int {
	n := 0
	for _, i := range c.Inner {
		if i.Directive.Is(omp.DirectiveSection) {
			n++
		}
	}
	return n
}
