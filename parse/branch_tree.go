package parse

// branches are the #if groups of a text and their branches, as a tree: a group lies in a branch, a branch in a group.
type branches struct {
	groups   []group
	branches []branch // branches[0] is the text outside of every #if
}

// group is an #if with its #endif; branch is one part of it.
type (
	group struct {
		start, end int32 // from the first byte of the #if's line to the end of the #endif's line; end 0: not closed
		parent     int32 // the branch around
	}
	branch struct {
		group      int32
		start, end int32 // from behind the #if, #elif or #else line to the '#' of the next
		depth      int32
		cond       *condition // what must hold for the branch to be compiled, inside the one around
	}
)

func newBranches() branches { return branches{branches: []branch{{group: -1}}} }

// forget keeps the text outside of every #if alone.
func (bs *branches) forget() { bs.branches, bs.groups = bs.branches[:1], bs.groups[:0] }

// open adds a group in branch parent whose #if line begins at start, and gives its index.
func (bs *branches) open(start, parent int32) int32 {
	bs.groups = append(bs.groups, group{start: start, parent: parent})
	return int32(len(bs.groups) - 1)
}

// add adds a branch of a group, which lies in branch outer and begins at start, and gives its index.
func (bs *branches) add(g, outer, start int32, cond *condition) int32 {
	bs.branches = append(bs.branches, branch{group: g, start: start, depth: bs.branches[outer].depth + 1, cond: cond})
	return int32(len(bs.branches) - 1)
}

// around gives the branch around branch b.
func (bs *branches) around(b int32) int32 { return bs.groups[bs.branches[b].group].parent }

// groupOf gives the group of branch b.
func (bs *branches) groupOf(b int32) *group { return &bs.groups[bs.branches[b].group] }

// within reports whether branch b is outer or lies in it.
func (bs *branches) within(b, outer int32) bool {
	for bs.branches[b].depth > bs.branches[outer].depth {
		b = bs.around(b)
	}
	return b == outer
}

// enclosing is the innermost branch that encloses both.
func (bs *branches) enclosing(x, y int32) int32 {
	for x != y {
		if bs.branches[x].depth > bs.branches[y].depth {
			x = bs.around(x)
		} else {
			y = bs.around(y)
		}
	}
	return x
}

// under is the branch just below base that holds b; base itself when b is base.
func (bs *branches) under(base, b int32) int32 {
	for b != base {
		up := bs.around(b)
		if up == base {
			return b
		}
		b = up
	}
	return base
}

// exclusive reports whether x and y lie in different branches of one #if.
func (bs *branches) exclusive(x, y int32) bool {
	if x == y || x == 0 || y == 0 {
		return false
	}
	for x != y {
		bx, by := &bs.branches[x], &bs.branches[y]
		if bx.group == by.group {
			return true
		}
		if bx.depth >= by.depth {
			x = bs.around(x)
		} else {
			y = bs.around(y)
		}
	}
	return false
}
