package parse

import (
	"opari/parse/branch"
	"opari/parse/ctext"
)

// A pushdown automaton follows the structure of a text, one token after the other. Its stack says
// what is open: blocks, statements that wait for a part, brackets. Nothing recurses, so no input
// can overflow anything.
//
// If the condition of an #if is not known, the automaton continues in several states at once, one
// for each branch. States become one again when their stacks are equal, nearly always at the
// #endif. So one pass over the text finds the extents of all statements under all conditions, in
// linear time.

// frameKind says what a frame of the stack stands for.
type frameKind uint8

const (
	// With one of these on top a statement or declaration may start.
	inScope     frameKind = iota // a file, namespace or class, which holds declarations
	inBlock                      // braces that hold statements, or that are part of an expression
	inSection                    // the statements of a section directive
	inDirective                  // a directive that waits for its statement
	inIf                         // the statement after if (...)
	inElse                       // the statement after else
	inLoop                       // the statement after for (...), while (...), switch (...)
	inDo                         // the statement after do
	inTry                        // the block after try or catch (...)
	inLabel                      // the statement after a label
	inPrefix                     // what follows __extension__ or an attribute

	// With one of these on top the automaton expects something else.
	inItem     // inside a declaration or an expression statement
	inParen    // inside ( or [
	inAngle    // inside template <
	inHead     // before or after the parenthesis of if, for, while, switch, catch
	inCase     // between case and its colon
	maybeElse  // an if statement that may continue with else
	maybeCatch // a try statement that may continue with catch
	inDoTail   // before the while of do ... while
	inDoEnd    // before the ';' of do ... while (...)
	inPragmaOp // in _Pragma ( ... )
)

const lastOpen = inPrefix // the last kind on top of which a statement may start

// A place is an offset, with the facts that decide whether something may be inserted there.
type place struct {
	offset int32
	ctx    int32 // the #if branch
	macro  int32 // the macro invocation whose expansion the place is inside of, or 0
}

// frame is one element of the stack. States share frames, and never change a shared one.
type frame struct {
	kind      frameKind
	sub       ctext.Kind // inHead: the keyword; inParen, inAngle: the closing bracket
	prev      ctext.Kind // inItem: the previous token at this level
	left      uint8
	keepOut   keepOut
	where     where
	flags     uint32
	parent    int32
	depth     int32 // the number of open brackets and directives; limited to maxDepth
	start     int32 // the offset of the first byte
	end       place // of the part that is complete so far
	construct int32 // inDirective, inSection: the construct
	function  int32 // the enclosing function, an index into parser.functions
	// The construct whose loop nest may continue here, plus 1; left is the number of loops that
	// it still needs.
	nest int32
	// inItem: the extent of the name before the last parenthesis; inCase, inAngle: a counts the
	// nested ? or <; inBlock: a is the definition plus 1; inPragmaOp: a is the role.
	a, b int32
	// belowHash is a hash of the frames below, by which equal compares stacks. It is 0 if only
	// one state existed when the frame was made.
	belowHash uint64
}

// where holds facts about a place that a frame hands on to all frames above it.
type where uint8

const (
	executable where = 1 << iota // in a function's body or in a lambda
	inMacroArg                   // in the arguments of a known function-like macro
)

// keepOut is a reason why no call may be inserted in a place.
type keepOut uint8

const (
	keepNone keepOut = iota
	keepConstexpr
	keepConsteval
	keepPragmaOp
	keepMetadirective
)

var keepText = [...]string{
	keepNone:      "",
	keepConstexpr: "in a constexpr function",
	keepConsteval: "in a consteval function",
	keepPragmaOp:  "inside a directive given by _Pragma",
	keepMetadirective: "inside a metadirective, " +
		"which may choose a directive where no call may stand",
}

// state is one path through the #if branches so far.
type state struct {
	top     int32 // the index of the top frame
	lineage int32
	assume  *branch.Assumption
	dead    bool
}

// A lineage is the history of a state since it separated from another. Facts that only dead
// lineages reported do not count.
type lineage struct {
	parent, children int32
	dead             bool
}

const (
	maxDepth  = 10_000 // of open brackets and directives
	maxIfs    = 1000   // of open #if
	maxStates = 24
	maxErrors = 20
)

// stack holds the states and their stacks, which share their common frames.
type stack struct {
	states    []state
	current   *state
	frames    []frame
	floor     int32 // the states share the frames below it
	lineages  []lineage
	openIfs   []openIf // see conditional.go
	kept      int      // the number of states kept in openIfs
	capped    bool     // states were dropped because there were more than maxStates
	deathNote string   // why the first state died in the current branch
	deathAt   int
}

func newStack() stack {
	s := stack{
		states: []state{{}}, lineages: []lineage{{parent: -1}},
		frames: append(make([]frame, 0, 64),
			frame{kind: inScope, parent: -1, construct: -1, function: -1}),
	}
	s.current = &s.states[0]
	return s
}

func (st *stack) top() *frame { return &st.frames[st.current.top] }

// own returns the top frame, which it copies if other states share it, so that the caller may
// change it.
func (st *stack) own() *frame {
	if st.current.top < st.floor {
		st.frames = append(st.frames, st.frames[st.current.top])
		st.current.top = int32(len(st.frames) - 1)
	}
	return &st.frames[st.current.top]
}

// push adds a frame that starts with the current token.
func (p *parser) push(k frameKind) *frame { return p.pushAt(k, p.Tok.Start) }

// pushAt adds a frame that starts at an offset.
func (st *stack) pushAt(k frameKind, start int) *frame {
	t := &st.frames[st.current.top]
	f := frame{
		kind: k, keepOut: t.keepOut, where: t.where, parent: st.current.top,
		depth: t.depth, start: int32(start), construct: -1, function: t.function,
	}
	if st.kept > 0 || len(st.states) > 1 {
		f.belowHash = t.hash()
	}
	st.frames = append(st.frames, f)
	st.current.top = int32(len(st.frames) - 1)
	return &st.frames[st.current.top]
}

// hash returns a number that is the same for all equal stacks with f on top.
func (f *frame) hash() uint64 {
	h := f.belowHash
	if h == 0 {
		h = uint64(f.parent) + 1
	}
	for _, v := range [...]uint64{
		uint64(f.kind) | uint64(f.sub)<<8 | uint64(f.left)<<16 | uint64(f.keepOut)<<24 |
			uint64(f.where)<<32 | uint64(f.comparedPrev())<<40,
		uint64(f.flags) | uint64(uint32(f.construct))<<32,
		uint64(uint32(f.end.offset)) | uint64(uint32(f.end.ctx))<<32,
		uint64(uint32(f.end.macro)) | uint64(uint32(f.nest))<<32,
		uint64(uint32(f.comparedCounter())),
	} {
		h = (h ^ v) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h | 1
}

// comparedPrev returns the part of prev that influences what follows.
func (f *frame) comparedPrev() ctext.Kind {
	if f.kind == inItem || f.kind == inHead {
		return f.prev
	}
	return 0
}

// comparedCounter returns the part of a that influences what follows.
func (f *frame) comparedCounter() int32 {
	if f.kind == inCase || f.kind == inAngle || f.kind == inPragmaOp {
		return f.a
	}
	return 0
}

// pop removes the top frame.
func (st *stack) pop() {
	i := st.current.top
	st.current.top = st.frames[i].parent
	if i >= st.floor {
		st.frames = st.frames[:i]
	}
}

// deeper counts one more open bracket or directive on f, and stops at the limit.
func (p *parser) deeper(f *frame) {
	if f.depth++; f.depth > maxDepth {
		if p.die(p.Tok.Start, "more than 10000 brackets and directives stand inside one another",
			"split the code into functions"); !p.current.dead {
			p.stopped = true
		}
	}
}

// die ends the current state because the text makes no sense in it. If it is the only living
// state, die reports the error instead.
func (p *parser) die(offset int, message, hint string) {
	switch {
	case p.current.dead:
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

// kill ends the current state, and the lineages that have no other living state.
func (st *stack) kill(offset int, message string) {
	st.current.dead = true
	if st.deathNote == "" {
		st.deathNote, st.deathAt = message, offset
	}
	for l := st.current.lineage; l >= 0; l = st.lineages[l].parent {
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

// settle removes dead states, joins equal ones and frees frames that no state uses. The caller
// must call it after it has fed a token to several states.
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

// trim cuts off unused frames, and sets the floor below which frames are shared.
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
	st.current = &st.states[0]
}

// equal reports whether two stacks are equal in all that influences what follows. Names and the
// places where things started do not.
func (st *stack) equal(a, b int32) bool {
	if a == b {
		return true
	}
	f, g := &st.frames[a], &st.frames[b]
	if f.parent != g.parent && (f.belowHash != g.belowHash || f.belowHash == 0) {
		return false
	}
	return f.kind == g.kind && f.sub == g.sub && f.flags == g.flags && f.construct == g.construct &&
		f.end == g.end && f.keepOut == g.keepOut &&
		f.where == g.where && f.nest == g.nest && f.left == g.left &&
		f.comparedPrev() == g.comparedPrev() &&
		f.comparedCounter() == g.comparedCounter()
}

// feed gives the current token to every state.
func (p *parser) feed() {
	if p.atSections {
		p.firstToken()
	}
	if len(p.states) == 1 {
		p.step()
		if p.current.dead {
			p.settle()
		}
		return
	}
	for i := range p.states {
		p.current = &p.states[i]
		p.step()
	}
	p.settle()
}
