// Package branch keeps the #if groups of a text, and what is known of their conditions.
package branch

// Tree holds the #if groups of a text and their branches, as a tree: a group lies in a branch, a branch in a group.
type Tree struct {
	Groups   []Group
	Branches []branch // Branches[0] is the text outside of every #if
}

// group is an #if with its #endif; branch is one part of it.
type (
	Group struct {
		Start, End int32 // from the first byte of the #if's line to the end of the #endif's line; end 0: not closed
		parent     int32 // the branch around
	}
	branch struct {
		Group      int32
		start, End int32 // from behind the #if, #elif or #else line to the '#' of the next
		depth      int32
		Cond       *Condition // what must hold for the branch to be compiled, inside the one around
	}
)

// NewTree is the tree of a text without an #if.
func NewTree() Tree { return Tree{Branches: []branch{{Group: -1}}} }

// Forget keeps the text outside of every #if alone.
func (bs *Tree) Forget() { bs.Branches, bs.Groups = bs.Branches[:1], bs.Groups[:0] }

// Open adds a group in branch parent whose #if line begins at start, and gives its index.
func (bs *Tree) Open(start, parent int32) int32 {
	bs.Groups = append(bs.Groups, Group{Start: start, parent: parent})
	return int32(len(bs.Groups) - 1)
}

// Add adds a branch of a group, which lies in branch outer and begins at start, and gives its index.
func (bs *Tree) Add(g, outer, start int32, cond *Condition) int32 {
	bs.Branches = append(bs.Branches, branch{Group: g, start: start, depth: bs.Branches[outer].depth + 1, Cond: cond})
	return int32(len(bs.Branches) - 1)
}

// Around gives the branch around branch b.
func (bs *Tree) Around(b int32) int32 { return bs.Groups[bs.Branches[b].Group].parent }

// GroupOf gives the group of branch b.
func (bs *Tree) GroupOf(b int32) *Group { return &bs.Groups[bs.Branches[b].Group] }

// Within reports whether branch b is outer or lies in it.
func (bs *Tree) Within(b, outer int32) bool {
	for bs.Branches[b].depth > bs.Branches[outer].depth {
		b = bs.Around(b)
	}
	return b == outer
}

// Enclosing is the innermost branch that encloses both.
func (bs *Tree) Enclosing(x, y int32) int32 {
	for x != y {
		if bs.Branches[x].depth > bs.Branches[y].depth {
			x = bs.Around(x)
		} else {
			y = bs.Around(y)
		}
	}
	return x
}

// Under is the branch just below base that holds b; base itself when b is base.
func (bs *Tree) Under(base, b int32) int32 {
	for b != base {
		up := bs.Around(b)
		if up == base {
			return b
		}
		b = up
	}
	return base
}

// Exclusive reports whether x and y lie in different branches of one #if.
func (bs *Tree) Exclusive(x, y int32) bool {
	if x == y || x == 0 || y == 0 {
		return false
	}
	for x != y {
		bx, by := &bs.Branches[x], &bs.Branches[y]
		if bx.Group == by.Group {
			return true
		}
		if bx.depth >= by.depth {
			x = bs.Around(x)
		} else {
			y = bs.Around(y)
		}
	}
	return false
}
