package parse

import (
	"opari/parse/branch"
	"opari/parse/ctext"
)

// The structure of a text is followed by a pushdown automaton that is fed one token after the other. Its stack says what
// is open: blocks, statements that wait for a part, brackets. Nothing recurses, so no input can overflow anything.
//
// Where the text has an #if whose condition is not known, the automaton goes on in several states at once, one for each
// branch, which become one again where their stacks are equal: nearly always at the #endif. So one pass over the text
// gives the extents of all statements under all conditions, in linear time.

// frameKind says what a frame of the stack stands for.
type frameKind uint8

const (
	// With one of these on top a statement or declaration may start.
	inScope     frameKind = iota // a file, namespace or class: it holds declarations
	inBlock                      // braces that hold statements, or that stand in an expression
	inSection                    // the statements of a section directive
	inDirective                  // a directive that waits for its statement
	inIf                         // the statement after if (...)
	inElse                       // the statement after else
	inLoop                       // the statement after for (...), while (...), switch (...)
	inDo                         // the statement after do
	inTry                        // the block after try or catch (...)
	inLabel                      // the statement after a label
	inPrefix                     // what follows __extension__ or an attribute

	// With one of these on top something else is expected.
	inItem     // inside a declaration or an expression statement
	inParen    // inside ( or [
	inAngle    // inside template <
	inHead     // before or after the parenthesis of if, for, while, switch, catch
	inCase     // between case and its colon
	maybeElse  // an if statement that may go on with else
	maybeCatch // a try statement that may go on with catch
	inDoTail   // before the while of do ... while
	inDoEnd    // before the ';' of do ... while (...)
	inPragmaOp // in _Pragma ( ... )
)

const lastOpen = inPrefix // the last kind with which a statement may start

// A place is an offset with what decides whether something may be inserted there.
type place struct {
	offset int32
	ctx    int32 // the #if branch
	macro  int32 // the invocation inside whose expansion the place lies, or 0
}

// frame is one element of the stack. Frames are shared between states and then not changed.
type frame struct {
	kind   frameKind
	sub    ctext.Kind // inHead: the keyword; inParen, inAngle: the closing bracket
	prev   ctext.Kind // inItem: the token before, at this level
	left   uint8
	keep   keepOut
	where  where
	flags  uint32
	parent int32
	depth  int32 // how many brackets and directives are open; limited
	start  int32 // offset of the first byte
	end    place // of what is complete so far
	c      int32 // inDirective, inSection: the construct
	fn     int32 // the function, an index of parser.functions
	nest   int32 // the construct whose loop nest this may continue, plus 1; left says how many loops it still wants
	a, b   int32 // inItem: the extent of the name before the last parenthesis; inCase, inAngle: a counter
	// below is a hash of the frames below, for comparing stacks; 0 where there was only one state when the frame was made.
	below uint64
}

// where holds what a frame hands down to all above it.
type where uint8

const (
	executable where = 1 << iota // in a function's body or in a lambda
	inMacroArg                   // in the arguments of a known function-like macro
)

// keepOut is a reason why no call may stand in a place.
type keepOut uint8

const (
	keepNone keepOut = iota
	keepConstexpr
	keepConsteval
	keepPragmaOp
	keepMetadirective
)

var keepText = [...]string{
	keepNone:          "",
	keepConstexpr:     "in a constexpr function",
	keepConsteval:     "in a consteval function",
	keepPragmaOp:      "inside a directive given by _Pragma",
	keepMetadirective: "inside a metadirective, which may choose a directive where no call may stand",
}

// state is one way through the #if branches so far.
type state struct {
	top     int32 // index of the top frame
	lineage int32
	assume  *branch.Assumption
	dead    bool
}

// A lineage is the history of a state since it parted from another. What only a dead one saw does not count.
type lineage struct {
	parent, children int32
	dead             bool
}

const (
	maxDepth  = 10_000 // Open brackets and directives
	maxIfs    = 1000   // open #if
	maxStates = 24
	maxErrors = 20
)

// stack holds the states and their stacks, which share what they have in common.
type stack struct {
	states    []state
	cur       *state // the one at hand
	frames    []frame
	floor     int32 // frames below it are shared
	lineages  []lineage
	openIfs   []openIf // see conditional.go
	kept      int      // states kept in openIfs
	capped    bool     // states were dropped because there were too many
	deathNote string   // why the first state died in the branch at hand
	deathAt   int
}

func newStack() stack {
	s := stack{
		states: []state{{}}, lineages: []lineage{{parent: -1}},
		frames: append(make([]frame, 0, 64), frame{kind: inScope, parent: -1, c: -1, fn: -1}),
	}
	s.cur = &s.states[0]
	return s
}

func (st *stack) top() *frame { return &st.frames[st.cur.top] }

// own is the top frame, made the state's own so that it may be changed.
func (st *stack) own() *frame {
	if st.cur.top < st.floor {
		st.frames = append(st.frames, st.frames[st.cur.top])
		st.cur.top = int32(len(st.frames) - 1)
	}
	return &st.frames[st.cur.top]
}

// push adds a frame that starts with the token at hand.
func (p *parser) push(k frameKind) *frame { return p.pushAt(k, p.Tok.Start) }

// pushAt adds a frame that starts at an offset.
func (st *stack) pushAt(k frameKind, start int) *frame {
	t := &st.frames[st.cur.top]
	f := frame{
		kind: k, keep: t.keep, where: t.where, parent: st.cur.top, depth: t.depth, start: int32(start), c: -1, fn: t.fn,
	}
	if st.kept > 0 || len(st.states) > 1 {
		f.below = t.hash()
	}
	st.frames = append(st.frames, f)
	st.cur.top = int32(len(st.frames) - 1)
	return &st.frames[st.cur.top]
}

// hash is a number that equal stacks with f on top have in common.
func (f *frame) hash() uint64 {
	h := f.below
	if h == 0 {
		h = uint64(f.parent) + 1
	}
	for _, v := range [...]uint64{
		uint64(f.kind) | uint64(f.sub)<<8 | uint64(f.left)<<16 | uint64(f.keep)<<24 | uint64(f.where)<<32 | uint64(f.comparedPrev())<<40,
		uint64(f.flags) | uint64(uint32(f.c))<<32, uint64(uint32(f.end.offset)) | uint64(uint32(f.end.ctx))<<32,
		uint64(uint32(f.end.macro)) | uint64(uint32(f.nest))<<32, uint64(uint32(f.comparedCounter())),
	} {
		h = (h ^ v) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h | 1
}

// comparedPrev is the part of prev that matters for what follows.
func (f *frame) comparedPrev() ctext.Kind {
	if f.kind == inItem || f.kind == inHead {
		return f.prev
	}
	return 0
}

// comparedCounter is the same for the counter.
func (f *frame) comparedCounter() int32 {
	if f.kind == inCase || f.kind == inAngle || f.kind == inPragmaOp {
		return f.a
	}
	return 0
}

// pop removes the top frame.
func (st *stack) pop() {
	i := st.cur.top
	st.cur.top = st.frames[i].parent
	if i >= st.floor {
		st.frames = st.frames[:i]
	}
}

// deeper counts one more bracket or directive on f and gives up when there are too many.
func (p *parser) deeper(f *frame) {
	if f.depth++; f.depth > maxDepth {
		if p.die(p.Tok.Start, "more than 10000 brackets and directives stand inside one another", "split the code into functions"); !p.cur.dead {
			p.stopped = true
		}
	}
}

// die ends the state at hand because the text makes no sense in it. The last of all states cannot die: it complains.
func (p *parser) die(offset int, message, hint string) {
	switch {
	case p.cur.dead:
	case p.living() == 1:
		p.fail(offset, message, hint)
	default:
		p.kill(offset, message)
	}
}

// living counts the states that are not dead.
func (st *stack) living() int {
	n := st.kept
	for i := range st.states {
		if !st.states[i].dead {
			n++
		}
	}
	return n
}

// kill ends the state at hand, and the lineages that only it went on.
func (st *stack) kill(offset int, message string) {
	st.cur.dead = true
	if st.deathNote == "" {
		st.deathNote, st.deathAt = message, offset
	}
	for l := st.cur.lineage; l >= 0; l = st.lineages[l].parent {
		n := &st.lineages[l]
		if n.children > 0 {
			break
		}
		n.dead = true
		if n.parent >= 0 {
			st.lineages[n.parent].children--
		}
	}
}

// fork makes two states of s.
func (st *stack) fork(s state) (a, b state) {
	a, b = s, s
	n := int32(len(st.lineages))
	st.lineages = append(st.lineages, lineage{parent: s.lineage}, lineage{parent: s.lineage})
	st.lineages[s.lineage].children = 2
	a.lineage, b.lineage = n, n+1
	return a, b
}

// settle removes dead states, joins equal ones and frees frames that no state uses. It must be called after a token was
// fed to several states.
func (st *stack) settle() {
	out := st.states[:0]
	for _, s := range st.states {
		if s.dead {
			continue
		}
		joined := false
		for i := range out {
			if st.equal(out[i].top, s.top) {
				out[i].assume = branch.Common(out[i].assume, s.assume)
				joined = true
				break
			}
		}
		if !joined {
			out = append(out, s)
		}
	}
	st.states = out
	st.trim()
}

// trim sets the floor below which frames are shared and cuts off unused ones.
func (st *stack) trim() {
	st.floor = 0
	if n := len(st.openIfs); n > 0 {
		st.floor = st.openIfs[n-1].floor
	}
	used := st.floor - 1
	for i := range st.states {
		used = max(used, st.states[i].top)
	}
	st.frames = st.frames[:used+1]
	if len(st.states) != 1 {
		st.floor = int32(1<<31 - 1)
		return
	}
	st.cur = &st.states[0]
}

// equal reports whether two stacks are equal in all that matters for what follows: all but where things started, and
// names.
func (st *stack) equal(a, b int32) bool {
	if a == b {
		return true
	}
	f, g := &st.frames[a], &st.frames[b]
	if f.parent != g.parent && (f.below != g.below || f.below == 0) {
		return false
	}
	return f.kind == g.kind && f.sub == g.sub && f.flags == g.flags && f.c == g.c && f.end == g.end && f.keep == g.keep &&
		f.where == g.where && f.nest == g.nest && f.left == g.left && f.comparedPrev() == g.comparedPrev() &&
		f.comparedCounter() == g.comparedCounter()
}

// feed gives the token at hand to every state.
func (p *parser) feed() {
	if p.atSections {
		p.firstToken()
	}
	if len(p.states) == 1 {
		p.step()
		if p.cur.dead {
			p.settle()
		}
		return
	}
	for i := range p.states {
		p.cur = &p.states[i]
		p.step()
	}
	p.settle()
}
