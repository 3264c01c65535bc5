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
	// Lang is the program's language; C and C++ are told from Fortran only.
	Lang omp.Language
	// Disable names constructs that are copied through: leaf names, "lock", "region", and "sync" for critical, atomic,
	// master, single, barrier and locks together.
	Disable []string
	// DisableFile and DisableRegion are globs as in path.Match. The first is held against the file that a directive stands in
	// (its path as spelled, and its last element), the second against the names of critical and user regions and of functions.
	DisableFile   []string
	DisableRegion []string
	// SplitScans: a loop with an inscan reduction may be parted from its parallel. GCC scans there as it does in the combined loop, clang
	// 19 does not.
	SplitScans bool
	// Functions selects the functions that are regions, as FunctionPatterns describes; nil: none is.
	Functions []string
	// ImplicitParallelBarrier leaves the barrier at the end of parallel as it is.
	ImplicitParallelBarrier bool
}

// sync is what the word stands for in --disable, spec pomp.md section 8.
var sync = []omp.Kind{
	omp.KindCritical, omp.KindAtomic, omp.KindMaster, omp.KindMasked, omp.KindSingle, omp.KindBarrier, omp.KindLock,
}

// Lower gives each construct and call of t its regions. It reports errors only for user regions that do not pair up.
func Lower(t *construct.Tree, o Options) (*Table, source.Diagnostics) {
	return NewLowering(o).Part(t)
}

// A Lowering lowers a file part by part.
type Lowering struct {
	options  Options
	disabled map[string]bool
	ids      int             // given to regions of earlier parts
	noted    map[string]bool // options that left something alone

	// Of the attribute whose directives are lowered: its number, and whether one of them is instrumented, so that all are
	// written anew, as pragmas.
	attribute int32
	anew      bool

	// Of the part at hand; the memory serves the next one.
	table  Table
	pairs  map[*construct.Construct]userPair
	users  map[string]*Region // user regions seen, by name
	diags  source.Diagnostics
	slabs  [][]Region // regions are cut from slabs: a file may have a million
	filled int        // slabs that are in use
}

// NewLowering stands before the first part of a file.
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

// Part is Lower for the next part of a file, numbered on. The table is good until the next call.
func (l *Lowering) Part(t *construct.Tree) (*Table, source.Diagnostics) {
	l.room(t)
	l.users, l.diags = nil, nil
	l.pairs = pairUserRegions(t, &l.diags)
	l.constructs(t.Constructs, context{})
	l.calls(t)
	for _, m := range t.Mentions {
		l.table.Coverage = append(l.table.Coverage, Coverage{Pos: m.Pos, Directive: m.Text, Reason: m.Reason})
	}
	return &l.table, l.diags
}

// room makes room for what t holds.
func (l *Lowering) room(t *construct.Tree) {
	l.ids += len(l.table.Regions)
	n := 0
	construct.Walk(t.Constructs, func(*construct.Construct) { n++ })
	l.table = Table{
		File: t.File, Regions: slices.Grow(l.table.Regions[:0], n+n/2+len(t.Calls)), Placed: slices.Grow(l.table.Placed[:0], n),
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
	shut           string // why no call may stand here; "" where one may
	cancelParallel bool   // a cancel of the enclosing parallel stands in it
	around         string // the innermost leaf of the nearest executable construct around; "" where none is seen
}

// constructs lowers some that stand in one place, and what is inside.
func (l *Lowering) constructs(list []*construct.Construct, x context) {
	for i, c := range list {
		if c.Attribute != l.attribute {
			l.attribute = c.Attribute
			l.anew = c.Attribute != 0 && l.anyOf(c.Attribute, list[i:], x)
		}
		l.construct(c, x)
	}
}

// construct lowers c and what is inside.
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
	inner := x
	inner.parent = c
	if leaf := c.Directive.Innermost(); leaf != nil && leaf.Category == omp.Executable {
		inner.around = leaf.Name
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
			l.table.Placed = append(l.table.Placed, Placed{c, l.table.Regions[first:], x.depth, brace})
			inner.depth++
			if c.Attribute != 0 {
				for _, r := range l.table.Regions[first:] {
					r.Rewritten = true
				}
			}
		}
	}
	if reason != "" && c.Attribute != 0 && l.anew {
		l.table.Placed = append(l.table.Placed, Placed{c, []*Region{asPragma(c)}, x.depth, false})
		inner.depth++
	}
	if !c.Implicit { // Coverage is of what the user wrote
		l.cover(Coverage{c.Directive.Pos, c.Directive.Name, reason == "", reason})
	}
	inner.shut = shutInside(c, x.shut)
	l.constructs(c.Inner, inner)
}

// refusal says why c is not instrumented, or "".
func (l *Lowering) refusal(c *construct.Construct, x context) string {
	d := &c.Directive
	switch {
	case len(d.Leaves) == 0:
		return "unknown directive, copied through"
	case c.KeepOut != "":
		return c.KeepOut
	case x.shut != "":
		return x.shut
	case c.NoInstr:
		return "between pomp noinstrument and instrument"
	case c.Unsafe != "":
		return c.Unsafe
	}
	first := d.Leaves[0]
	switch {
	case first.Rule == omp.Keep:
		return keepReason(first)
	case first.Within != "" && first.Within != x.around:
		return "no " + first.Within + " is seen around it: it may run on a device"
	case c.FileScope:
		return "at file scope"
	}
	for _, leaf := range d.Leaves {
		if l.disabled[leaf.Name] {
			return disabledBy + "--disable=" + leaf.Name
		}
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
	case leaf.Category == omp.Informational || leaf.Category == omp.Utility || leaf.Category == omp.Meta:
		return "not executable"
	default:
		return "no event: no call may stand in or around " + leaf.Name
	}
}

// shutInside is why no call may stand in the body of c, when outside is why none may stand around it.
func shutInside(c *construct.Construct, outside string) string {
	if outside != "" {
		return outside
	}
	for _, leaf := range c.Directive.Leaves {
		if leaf.Opaque {
			return "inside " + leaf.Name + ", where no call may stand"
		}
	}
	if o := c.Directive.Clause(omp.ClauseOrder); o != nil && strings.HasSuffix(o.Args, "concurrent") {
		return "inside order(concurrent), where no call may stand"
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

// subName is the name that an OpenMP directive carries, of critical only.
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
		r.File, r.Begin = begin.File, [2]int{begin.Line, begin.Line + bytes.Count(f.Text[e.Start:e.End], []byte{'\n'})}
		r.End = r.Begin
		if c.Fortran != nil && c.Fortran.End != nil {
			end := c.Fortran.End
			first := end.Pos.Line
			r.End = [2]int{first, first + bytes.Count(f.Text[end.Extent.Start:end.Extent.End], []byte{'\n'})}
		} else if c.Kind != construct.NoBlock {
			end := f.Position(max(c.Extent.Start, c.Extent.End-1)).Line
			r.End = [2]int{end, end}
		}
	}
	return r
}

// disabledBy begins the reasons that are options.
const disabledBy = "disabled by "

// cover tells of a directive. By an option that leaves something alone the file has a row without a kind, once: so the measurement library
// learns of it, and reports can say what their times have in them.
func (l *Lowering) cover(c Coverage) {
	l.table.Coverage = append(l.table.Coverage, c)
	option, is := strings.CutPrefix(c.Reason, disabledBy)
	if !is || l.noted[option] {
		return
	}
	if l.noted == nil {
		l.noted = map[string]bool{}
	}
	l.noted[option] = true
	r := l.add(nil, &context{})
	r.Name, r.SubName = "disabled", option
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
			r.File, r.Begin, r.End = c.Pos.File, [2]int{c.Pos.Line, c.Pos.Line}, [2]int{c.End.Line, c.End.Line}
		}
		l.cover(Coverage{c.Pos, c.Name, reason == "", reason})
	}
}
