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

func (p *parser) top() *frame { return &p.frames[p.cur.top] }

// own is the top frame, made the state's own so that it may be changed.
func (p *parser) own() *frame {
	if p.cur.top < p.floor {
		p.frames = append(p.frames, p.frames[p.cur.top])
		p.cur.top = int32(len(p.frames) - 1)
	}
	return &p.frames[p.cur.top]
}

// push adds a frame that starts with the token at hand.
func (p *parser) push(k frameKind) *frame {
	t := &p.frames[p.cur.top]
	f := frame{
		kind: k, keep: t.keep, where: t.where, parent: p.cur.top, depth: t.depth, start: int32(p.Tok.Start), c: -1, fn: t.fn,
	}
	if p.kept > 0 || len(p.states) > 1 {
		f.below = t.hash()
	}
	p.frames = append(p.frames, f)
	p.cur.top = int32(len(p.frames) - 1)
	return &p.frames[p.cur.top]
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
func (p *parser) pop() {
	i := p.cur.top
	p.cur.top = p.frames[i].parent
	if i >= p.floor {
		p.frames = p.frames[:i]
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
	if p.cur.dead {
		return
	}
	live := p.kept
	for i := range p.states {
		if !p.states[i].dead {
			live++
		}
	}
	if live == 1 {
		p.fail(offset, message, hint)
		return
	}
	p.cur.dead = true
	if p.deathNote == "" {
		p.deathNote, p.deathAt = message, offset
	}
	for l := p.cur.lineage; l >= 0; l = p.lineages[l].parent {
		n := &p.lineages[l]
		if n.children > 0 {
			break
		}
		n.dead = true
		if n.parent >= 0 {
			p.lineages[n.parent].children--
		}
	}
}

// fork makes two states of s.
func (p *parser) fork(s state) (a, b state) {
	a, b = s, s
	n := int32(len(p.lineages))
	p.lineages = append(p.lineages, lineage{parent: s.lineage}, lineage{parent: s.lineage})
	p.lineages[s.lineage].children = 2
	a.lineage, b.lineage = n, n+1
	return a, b
}

// settle removes dead states, joins equal ones and frees frames that no state uses. It must be called after a token was
// fed to several states.
func (p *parser) settle() {
	out := p.states[:0]
	for _, s := range p.states {
		if s.dead {
			continue
		}
		joined := false
		for i := range out {
			if p.equal(out[i].top, s.top) {
				out[i].assume = branch.Common(out[i].assume, s.assume)
				joined = true
				break
			}
		}
		if !joined {
			out = append(out, s)
		}
	}
	p.states = out
	p.trim()
}

// trim sets the floor below which frames are shared and cuts off unused ones.
func (p *parser) trim() {
	p.floor = 0
	if n := len(p.openIfs); n > 0 {
		p.floor = p.openIfs[n-1].floor
	}
	used := p.floor - 1
	for i := range p.states {
		used = max(used, p.states[i].top)
	}
	p.frames = p.frames[:used+1]
	if len(p.states) != 1 {
		p.floor = int32(1<<31 - 1)
		return
	}
	p.cur = &p.states[0]
}

// equal reports whether two stacks are equal in all that matters for what follows: all but where things started, and
// names.
func (p *parser) equal(a, b int32) bool {
	if a == b {
		return true
	}
	f, g := &p.frames[a], &p.frames[b]
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
