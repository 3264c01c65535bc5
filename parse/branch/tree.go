// Package branch keeps the #if groups of a file, and evaluates their conditions as far as
// possible.
//
// A Tree has a Group for each #if ... #endif, and a branch for each part of one. Branch 0 is the
// text outside every #if. In
//
//	#ifdef _OPENMP
//	...              // branch 1
//	#else
//	...              // branch 2
//	#endif
//
// both branches are in one Group. The Condition of branch 1 is known to be true, since opari is
// for compilations with OpenMP; branch 2 is never compiled.
//
// Other conditions depend on atoms, such as `defined DEBUG`. A state of the parser carries
// Assumptions about atoms. So a state that went through `#ifdef DEBUG` skips a later
// `#ifndef DEBUG`.
package branch

// Tree holds the #if groups of a file and their branches: each group is in a branch, each branch
// in a group.
type Tree struct {
	Groups   []Group
	Branches []branch // Branches[0] is the text outside every #if
}

// A Group is an #if with its #endif. A branch is one part of it.
type (
	Group struct {
		// From the first byte of the #if's line to the end of the #endif's line; End is 0 without
		// #endif.
		Start, End int32
		parent     int32 // the branch around the group
	}
	branch struct {
		Group int32
		// From after the line of #if, #elif or #else to the '#' that ends the branch.
		start, End int32
		depth      int32
		Cond       *Condition // must hold for the branch to be compiled if the one around it is
	}
)

// NewTree returns the tree of a file without an #if.
func NewTree() Tree { return Tree{Branches: []branch{{Group: -1}}} }

// Reset removes all groups, and all branches but the text outside every #if.
func (bs *Tree) Reset() { bs.Branches, bs.Groups = bs.Branches[:1], bs.Groups[:0] }

// Open adds a group in branch parent, whose #if line begins at start, and returns its index.
func (bs *Tree) Open(start, parent int32) int32 {
	bs.Groups = append(bs.Groups, Group{Start: start, parent: parent})
	return int32(len(bs.Groups) - 1)
}

// Add adds a branch to group g and returns its index. The branch begins at start and is in branch
// outer.
func (bs *Tree) Add(g, outer, start int32, cond *Condition) int32 {
	bs.Branches = append(bs.Branches,
		branch{Group: g, start: start, depth: bs.Branches[outer].depth + 1, Cond: cond})
	return int32(len(bs.Branches) - 1)
}

// Parent returns the branch around branch b.
func (bs *Tree) Parent(b int32) int32 { return bs.Groups[bs.Branches[b].Group].parent }

// GroupOf returns the group of branch b.
func (bs *Tree) GroupOf(b int32) *Group { return &bs.Groups[bs.Branches[b].Group] }

// Within reports whether branch b is outer or inside it.
func (bs *Tree) Within(b, outer int32) bool {
	for bs.Branches[b].depth > bs.Branches[outer].depth {
		b = bs.Parent(b)
	}
	return b == outer
}

// Enclosing returns the innermost branch that encloses x and y.
func (bs *Tree) Enclosing(x, y int32) int32 {
	for x != y {
		if bs.Branches[x].depth > bs.Branches[y].depth {
			x = bs.Parent(x)
		} else {
			y = bs.Parent(y)
		}
	}
	return x
}

// ChildAround returns the child of branch base that is b or encloses b. It returns base if b is
// base.
func (bs *Tree) ChildAround(base, b int32) int32 {
	for b != base {
		up := bs.Parent(b)
		if up == base {
			return b
		}
		b = up
	}
	return base
}

// Exclusive reports whether x and y are in different branches of one #if.
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
			x = bs.Parent(x)
		} else {
			y = bs.Parent(y)
		}
	}
	return false
}
