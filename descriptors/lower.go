package descriptors

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/construct"
	"opari/parse/directive"
)

// Options select what is instrumented.
type Options struct {
	// Lang is the program's language. Only the difference between Fortran and C or C++ matters.
	Lang omp.Language
	// Disable names constructs that are copied unchanged: leaf names, "lock", "region", and
	// "sync" for critical, atomic, master, single, barrier and locks together.
	Disable []string
	// DisableFile and DisableRegion are globs as in path.Match. The first is compared with the
	// file in which a directive stands: its path as written, and the last element of it. The
	// second is compared with the names of critical and user regions and of functions.
	DisableFile   []string
	DisableRegion []string
	// SplitScans allows a loop with an inscan reduction to be split from its parallel. GCC scans
	// in the loop as it does in the combined construct, but clang 19 does not.
	SplitScans bool
	// Functions selects the functions that become regions, by patterns as in FunctionPatterns. If
	// it is nil, none does.
	Functions []string
	// ImplicitParallelBarrier leaves the barrier at the end of parallel implicit.
	ImplicitParallelBarrier bool
	// WholeNames gives the names in Disable the meaning that they have in OPARI2: those of the
	// language, of whole directives. parallelfor, for example, is a combined one, whose fork,
	// begin, end and join stay. barrier also stands for those at the end of parallel.
	WholeNames bool
	// Keys says that regions carry what POMP2's strings say of clauses beyond the facts, and forks
	// in Fortran the values of if and num_threads.
	Keys bool
	// Tasks and Untied say what happens to task directives, and to their untied clauses.
	Tasks, Untied Treatment
}

// sync holds the kinds that the word stands for in --disable, spec pomp.md section 8.
var sync = []omp.Kind{
	omp.KindCritical, omp.KindAtomic, omp.KindMaster, omp.KindMasked, omp.KindSingle,
	omp.KindBarrier, omp.KindLock,
}

// Lower gives each construct and call of t its regions. It reports errors only for user regions
// whose begin and end do not match.
func Lower(t *construct.Tree, o Options) (*Table, source.Diagnostics) {
	return NewLowering(o).Part(t)
}

// A Lowering lowers a file part by part.
type Lowering struct {
	options  Options
	disabled map[string]bool
	ids      int             // number of the regions of earlier parts
	reported map[string]bool // by option: it has excluded something

	// The current attribute: its number, and whether one of its directives is instrumented. If
	// so, all of them are rewritten as pragmas.
	attribute        int32
	rewriteAttribute bool

	// The current part. Its memory serves the next one too.
	table  Table
	pairs  map[*construct.Construct]userPair
	users  map[string]*Region // user regions so far, by name
	diags  source.Diagnostics
	slabs  [][]Region // regions are allocated in slabs, because a file may have a million
	filled int        // number of slabs in use
}

// NewLowering returns a lowering before the first part of a file.
func NewLowering(o Options) *Lowering {
	l := &Lowering{options: o, disabled: map[string]bool{}}
	for _, d := range o.Disable {
		l.disabled[strings.TrimSpace(d)] = true
	}
	if l.disabled["locks"] {
		l.disabled["lock"] = true
	}
	if l.disabled["sync"] {
		for _, d := range sync {
			l.disabled[d.String()] = true
		}
	}
	return l
}

// Part is Lower for the next part of a file. The numbers of regions continue. The table is valid
// until the next call.
func (l *Lowering) Part(t *construct.Tree) (*Table, source.Diagnostics) {
	l.reserve(t)
	l.users, l.diags = nil, nil
	l.pairs = pairUserRegions(t, &l.diags)
	l.constructs(t.Constructs, context{})
	l.calls(t)
	for _, m := range t.Mentions {
		l.table.Coverage = append(l.table.Coverage,
			Coverage{Pos: m.Pos, Directive: m.Text, Reason: m.Reason})
	}
	return &l.table, l.diags
}

// reserve starts a new table, with room for the contents of t.
func (l *Lowering) reserve(t *construct.Tree) {
	l.ids += len(l.table.Regions)
	n := 0
	construct.Walk(t.Constructs, func(*construct.Construct) { n++ })
	l.table = Table{
		File: t.File, Regions: slices.Grow(l.table.Regions[:0], n+n/2+len(t.Calls)),
		Placed:   slices.Grow(l.table.Placed[:0], n),
		Coverage: slices.Grow(l.table.Coverage[:0], n+len(t.Calls)+len(t.Mentions)),
	}
	if l.slabs == nil {
		l.slabs = [][]Region{make([]Region, 0, min(n+n/4+len(t.Calls), 4096))}
	}
	l.filled = 1
	l.slabs[0] = l.slabs[0][:0]
}

// context is what a construct inherits from those around it.
type context struct {
	outer          *Region
	parent         *construct.Construct
	depth          int
	noCall         string // why no call may stand here; "" where one may
	cancelParallel bool   // the enclosing parallel contains a cancel of itself
	enclosing      string // the innermost leaf of the nearest executable construct around, or ""
}

// constructs lowers the constructs in one place and everything inside them.
func (l *Lowering) constructs(list []*construct.Construct, x context) {
	for i, c := range list {
		if c.Attribute != l.attribute {
			l.attribute = c.Attribute
			l.rewriteAttribute = c.Attribute != 0 && l.anyInstrumented(c.Attribute, list[i:], x)
		}
		l.construct(c, x)
	}
}

// construct lowers c and everything inside it.
func (l *Lowering) construct(c *construct.Construct, x context) {
	if c.Directive.Own != directive.NotOwn {
		l.user(c, x)
		return
	}
	if c.Kind == construct.FunctionBody {
		l.function(c, x)
		return
	}
	reason := l.refusal(c, x)
	if reason == "" && l.options.Tasks == Remove && isTask(&c.Directive) {
		reason = taskRemoved
	}
	inner := x
	inner.parent = c
	if leaf := c.Directive.Innermost(); leaf != nil && leaf.Category == omp.Executable {
		inner.enclosing = leaf.Name
	}
	if slices.Contains(c.Cancels, omp.DirectiveParallel) {
		inner.cancelParallel = true
	}
	markCancelled(&c.Directive, x.outer)
	if reason == "" {
		first := len(l.table.Regions)
		if !l.split(c, &inner) {
			reason = "its clauses cannot be divided between its parts"
		}
		brace := c.SubStatement || x.parent != nil && c.Extent.Start == x.parent.Body.Start
		if reason == "" {
			l.table.Placed = append(l.table.Placed,
				Placed{c, l.table.Regions[first:], x.depth, brace})
			inner.depth++
			if c.Attribute != 0 {
				for _, r := range l.table.Regions[first:] {
					r.Rewritten = true
				}
			}
		}
	}
	if reason != "" && c.Attribute != 0 && l.rewriteAttribute {
		l.table.Placed = append(l.table.Placed,
			Placed{c, []*Region{rewrittenOnly(c)}, x.depth, false})
		inner.depth++
	}
	l.judgeTask(c)
	if reason == taskRemoved {
		l.table.Placed = append(l.table.Placed, Placed{c, []*Region{removed(c)}, x.depth, false})
		inner.depth++
	}
	if !c.Implicit { // the coverage covers only what the user wrote
		l.addCoverage(Coverage{c.Directive.Pos, c.Directive.Name, reason == "", reason})
	}
	inner.noCall = noCallInside(c, x.noCall)
	l.constructs(c.Inner, inner)
}

// refusal returns the reason why c is not instrumented, or "".
func (l *Lowering) refusal(c *construct.Construct, x context) string {
	d := &c.Directive
	switch {
	case len(d.Leaves) == 0:
		return "unknown directive, copied through"
	case c.KeepOut != "":
		return c.KeepOut
	case x.noCall != "":
		return x.noCall
	case c.NoInstr:
		return "between pomp noinstrument and instrument"
	case c.Unsafe != "":
		return c.Unsafe
	}
	first := d.Leaves[0]
	switch {
	case first.Rule == omp.Keep:
		return keepReason(first)
	case first.Within != "" && first.Within != x.enclosing:
		return "no " + first.Within + " is seen around it: it may run on a device"
	case c.FileScope:
		return "at file scope"
	}
	if name := l.disabledName(d); name != "" {
		return disabledBy + "--disable=" + name
	}
	if g := match(l.options.DisableFile, d.Pos.File, path.Base(d.Pos.File)); g != "" {
		return disabledBy + "--disable-file=" + g
	}
	if g := match(l.options.DisableRegion, subName(d), c.Function); g != "" {
		return disabledBy + "--disable-region=" + g
	}
	return ""
}

func keepReason(leaf *omp.Directive) string {
	switch {
	case leaf.Category == omp.Declarative:
		return "declarative: nothing is executed"
	case leaf.Category == omp.Informational || leaf.Category == omp.Utility ||
		leaf.Category == omp.Meta:
		return "not executable"
	default:
		return "no event: no call may stand in or around " + leaf.Name
	}
}

// noCallInside returns the reason why no call may stand in the body of c. outside is the reason
// why none may stand around it.
func noCallInside(c *construct.Construct, outside string) string {
	if outside != "" {
		return outside
	}
	for _, leaf := range c.Directive.Leaves {
		if leaf.Opaque {
			return "inside " + leaf.Name + ", where no call may stand"
		}
	}
	if o := c.Directive.Clause(omp.ClauseOrder); o != nil &&
		strings.HasSuffix(o.Args, "concurrent") {
		return "inside order(concurrent), where no call may stand"
	}
	return ""
}

// subName returns the name that an OpenMP directive carries. Only critical has one.
func subName(d *directive.Directive) string {
	if d.Leaves[0] == omp.DirectiveCritical {
		return strings.TrimSpace(d.Arg)
	}
	return ""
}

// add makes the next region.
func (l *Lowering) add(c *construct.Construct, x *context) *Region {
	s := &l.slabs[l.filled-1]
	if len(*s) == cap(*s) {
		s = l.slab()
	}
	*s = append(*s, Region{ID: l.ids + len(l.table.Regions) + 1, Construct: c, Outer: x.outer})
	r := &(*s)[len(*s)-1]
	l.table.Regions = append(l.table.Regions, r)
	if c != nil {
		r.Directive = c.Directive.Name
		f := l.table.File
		begin, e := c.Directive.Pos, c.Directive.Extent
		r.File, r.Begin = begin.File, [2]int{
			begin.Line,
			begin.Line + bytes.Count(f.Text[e.Start:e.End], []byte{'\n'}),
		}
		r.End = r.Begin
		if c.Fortran != nil && c.Fortran.End != nil {
			end := c.Fortran.End
			first := end.Pos.Line
			r.End = [2]int{first, first + bytes.Count(f.Text[end.Extent.Start:end.Extent.End],
				[]byte{'\n'})}
		} else if c.Kind != construct.NoBlock {
			end := f.Position(max(c.Extent.Start, c.Extent.End-1)).Line
			r.End = [2]int{end, end}
		}
	}
	return r
}

// slab takes one more slab into use.
func (l *Lowering) slab() *[]Region {
	if l.filled == len(l.slabs) {
		l.slabs = append(l.slabs, make([]Region, 0, 1024))
	}
	l.filled++
	s := &l.slabs[l.filled-1]
	*s = (*s)[:0]
	return s
}

// calls gives each lock call its region.
func (l *Lowering) calls(t *construct.Tree) {
	for i := range t.Calls {
		c := &t.Calls[i]
		reason := c.KeepOut
		switch {
		case reason != "":
		case c.NoInstr:
			reason = "between pomp noinstrument and instrument"
		case l.disabled["lock"]:
			reason = disabledBy + "--disable=lock"
		default:
			if g := match(l.options.DisableFile, c.Pos.File, path.Base(c.Pos.File)); g != "" {
				reason = disabledBy + "--disable-file=" + g
			}
		}
		if reason == "" {
			r := l.add(nil, &context{})
			r.Kind, r.Name = omp.KindLock, "lock"
			if strings.Contains(c.Name, "nest") {
				r.Kind, r.Name = omp.KindNestLock, "nest_lock"
			}
			r.SubName, r.Directive, r.Call = c.Name, c.Name, c
			r.File, r.Begin, r.End = c.Pos.File, [2]int{c.Pos.Line, c.Pos.Line},
				[2]int{c.End.Line, c.End.Line}
		}
		l.addCoverage(Coverage{c.Pos, c.Name, reason == "", reason})
	}
}
