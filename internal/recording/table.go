package recording

import (
	"bufio"
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
)

// A table has the definitions of all processes of a world, each once. The processes agree on its
// numbers in MPI_Finalize. The first process writes it to STEM.table, a line of JSON for each
// definition and a last line that marks it complete. The last line of each process's STEM.mpi has
// the common numbers of its own definitions. If one of these is missing, or they are of different
// jobs, the process's own lines count, and the trace is the same.
type table struct {
	hash          string
	size          int       // size of the world
	regions       []*Region // by common number; 0: none
	communicators []*communicator
	picked        map[string]choice // by the text of a process's numbers, which many share
}

// choice is what a process's numbers select from a table.
type choice struct {
	regions       []*Region
	communicators []*communicator // nil: not in the table
	good          bool
}

// numbers are a process's common numbers. The lists have the form of lists of ranks, indexed by
// its own numbers; -1: the definition is not in the table.
type numbers struct {
	Table, Hash            string // base name of STEM
	Rows                   int64  // bytes of the region lines
	Regions, Communicators string
}

// table reads each table of a folder once and returns it; nil: there is no complete one.
func (k *pool) table(directory string, n *numbers, size int) *table {
	path := filepath.Join(directory, filepath.Base(n.Table)+".table")
	found, known := k.tables[path]
	if !known {
		found = k.readTable(path, size)
		k.tables[path] = found
	}
	if found == nil || found.hash != n.Hash || found.size != size {
		return nil
	}
	return found
}

// readTable reads a table. It returns nil if the table is missing or incomplete.
func (k *pool) readTable(path string, size int) *table {
	f, err := openRaw(k.open, path)
	if err != nil {
		return nil
	}
	defer f.Close()
	t := &table{
		size: size, regions: []*Region{nil}, communicators: []*communicator{nil},
		picked: map[string]choice{},
	}
	lines := bufio.NewReader(f.from(0))
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return nil // the last line is missing
		}
		switch {
		case bytes.HasPrefix(line, []byte(`{"region":`)):
			r := &Region{}
			if json.Unmarshal(line, r) != nil || r.Number != len(t.regions) {
				return nil
			}
			t.regions = append(t.regions, r)
		case bytes.HasPrefix(line, []byte(`{"communicator":`)):
			var own membership
			own.Size, own.communicators = size, map[int]*communicator{}
			own.line(line, k)
			c := own.communicators[len(t.communicators)]
			if c == nil {
				return nil
			}
			t.communicators = append(t.communicators, c)
		default:
			var end struct {
				Table                  string
				Regions, Communicators int
			}
			if json.Unmarshal(line, &end) != nil || end.Regions != len(t.regions)-1 ||
				end.Communicators != len(t.communicators)-1 {
				return nil
			}
			t.hash = end.Table
			return t
		}
	}
}

// pick returns the elements with the given common numbers. It returns false if one is not in the
// table. The number -1 gives nil if without allows it.
func pick[T any](list []*T, text string, without bool) ([]*T, bool) {
	var picked []*T
	for _, number := range ranks(text, len(list)) {
		switch {
		case number > 0:
			picked = append(picked, list[number])
		case number < 0 && without:
			picked = append(picked, nil)
		default:
			return nil, false
		}
	}
	return slices.Clip(picked), true
}

// choose returns what a process's numbers select.
func (t *table) choose(n *numbers) choice {
	key := n.Regions + "/" + n.Communicators
	c, known := t.picked[key]
	if !known {
		var also bool
		c.regions, c.good = pick(t.regions, n.Regions, false)
		c.communicators, also = pick(t.communicators, n.Communicators, true)
		c.good = c.good && also
		t.picked[key] = c
	}
	return c
}

// agree takes over the world's common definitions: regions, and the communicators that others
// know, too. It changes nothing if there is no valid table.
func (m *membership) agree(directory string, n *numbers, known *pool) {
	t := known.table(directory, n, m.Size)
	if t == nil || n.Rows <= 0 {
		return
	}
	c := t.choose(n)
	if !c.good {
		return
	}
	m.regions, m.rows, m.common = c.regions, n.Rows, c.communicators
	for i, shared := range c.communicators {
		if shared != nil {
			m.communicators[i+1] = shared
		}
	}
}

// isCommon reports whether a line of STEM.mpi defines a communicator that the table has.
func (m *membership) isCommon(line []byte) bool {
	own, is := bytes.CutPrefix(line, []byte(`{"communicator":`))
	if !is || m.rows == 0 {
		return false
	}
	digits, _, _ := bytes.Cut(own, []byte(","))
	i, err := strconv.Atoi(string(digits))
	return err == nil && i > 0 && i <= len(m.common) && m.common[i-1] != nil
}

// lastNumbers reads a process's numbers from the last line of a file; nil: there are none.
func lastNumbers(text []byte) *numbers {
	if len(text) == 0 || text[len(text)-1] != '\n' {
		return nil
	}
	last := text[bytes.LastIndexByte(text[:len(text)-1], '\n')+1:]
	var n numbers
	if !bytes.HasPrefix(last, []byte(`{"table":`)) || json.Unmarshal(last, &n) != nil {
		return nil
	}
	return &n
}
