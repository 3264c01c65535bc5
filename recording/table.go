package recording

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
)

// A table is what the processes of a world have defined, each definition once: they have agreed on its numbers in MPI_Finalize. It stands in STEM.table of the
// first of them, a line of JSON each, with a last line that says that it is whole. Each process has the common numbers of its own definitions in the last line of
// its STEM.mpi. Where one of these is missing, or they are not of one job, the process's own lines hold: the trace is the same.
type table struct {
	hash          string
	regions       []*Region // by common number; 0 is none
	communicators []*communicator
}

// numbers are those of a process: lists as of ranks, by its own numbers; -1 for a definition that is not in the table.
type numbers struct {
	Table, Hash            string // base name of STEM
	Rows                   int64  // bytes of the lines of the regions
	Regions, Communicators string
}

// tables are those of a folder, each read once; nil where it is not whole.
type tables map[string]*table

func (t tables) of(directory string, n *numbers, size int) *table {
	path := filepath.Join(directory, filepath.Base(n.Table)+".table")
	found, known := t[path]
	if !known {
		found = readTable(path, size)
		t[path] = found
	}
	if found == nil || found.hash != n.Hash {
		return nil
	}
	return found
}

// readTable reads a table; nil where it is not there or not whole.
func readTable(path string, size int) *table {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	t := &table{regions: []*Region{nil}, communicators: []*communicator{nil}}
	lines := bufio.NewReader(f)
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
			own.line(line)
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
			if json.Unmarshal(line, &end) != nil || end.Regions != len(t.regions)-1 || end.Communicators != len(t.communicators)-1 {
				return nil
			}
			t.hash = end.Table
			return t
		}
	}
}

// pick chooses by common numbers; false where one is not in the table. Those without are the zero value.
func pick[T any](list []T, text string, mustBe bool) ([]T, bool) {
	var picked []T
	for _, number := range ranks(text, len(list)) {
		var one T
		if number > 0 {
			one = list[number]
		} else if mustBe || number == 0 {
			return nil, false
		}
		picked = append(picked, one)
	}
	return picked, true
}

// agreed takes what the world has agreed on: regions, and those communicators that others know too. It reports whether there is such a thing.
func (m *membership) agreed(n *numbers, t *table) bool {
	regions, good := pick(t.regions, n.Regions, true)
	communicators, also := pick(t.communicators, n.Communicators, false)
	if !good || !also || n.Rows <= 0 {
		return false
	}
	m.regions, m.rows, m.common = regions, n.Rows, communicators
	for i, c := range communicators {
		if c != nil {
			m.communicators[i+1] = c
		}
	}
	return true
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
