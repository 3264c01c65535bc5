package recording

import (
	"bufio"
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
)

// A table is what the processes of a world have defined, each definition once: they have agreed on
// its numbers in MPI_Finalize. It stands in STEM.table of the first of them, a line of JSON each,
// with a last line that says that it is whole. Each process has the common numbers of its own
// definitions in the last line of its STEM.mpi. Where one of these is missing, or they are not of
// one job, the process's own lines hold: the trace is the same.
type table struct {
	hash          string
	size          int       // of the world
	regions       []*Region // by common number; 0 is none
	communicators []*communicator
	picked        map[string]choice // by what the numbers of a process say: many say the same
}

// choice is what numbers choose of a table.
type choice struct {
	regions       []*Region
	communicators []*communicator // nil: it is not in the table
	good          bool
}

// numbers are those of a process: lists as of ranks, by its own numbers; -1 for a definition that
// is not in the table.
type numbers struct {
	Table, Hash            string // base name of STEM
	Rows                   int64  // bytes of the lines of the regions
	Regions, Communicators string
}

// table reads each table of a folder once; nil where it is not whole.
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

// readTable reads a table; nil where it is not there or not whole.
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

// pick chooses by common numbers; false where one is not in the table. Those without are nil, which
// they may be where that is said.
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

// choose is what a process's numbers choose.
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

// agree takes what the world has agreed on: regions, and those communicators that others know too.
// It stays as it is where there is no such thing.
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

// isCommon reports whether a line of STEM.mpi is of a communicator that the table has.
func (m *membership) isCommon(line []byte) bool {
	own, is := bytes.CutPrefix(line, []byte(`{"communicator":`))
	if !is || m.rows == 0 {
		return false
	}
	digits, _, _ := bytes.Cut(own, []byte(","))
	i, err := strconv.Atoi(string(digits))
	return err == nil && i > 0 && i <= len(m.common) && m.common[i-1] != nil
}

// lastNumbers reads the last line of a file, if that is a process's numbers.
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
