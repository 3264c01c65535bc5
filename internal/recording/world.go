package recording

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A world is the processes of one MPI_COMM_WORLD. The MPI layer (package mpi) writes a file
// STEM.mpi beside the recording of each of them. It has lines of JSON for the process, for the
// offset of its clock at two times, and for its communicators.
type world struct {
	name      string
	processes []*Process // by rank, without those that left no recording
	size      int
	there     map[int]bool // ranks in processes
}

// membership is a process's place in its world.
type membership struct {
	World         string
	Rank, Size    int
	Host          string
	Node          int // rank of the first process with the same clock
	Threads       int // MPI_THREAD_SINGLE 0 .. MPI_THREAD_MULTIPLE 3
	clocks        []clockOffset
	communicators map[int]*communicator // by the process's own number
	Recorded      int                   // number of ranks that record together; 0: all
	// Size in bytes of the region lines that the table replaces; 0: there is no table.
	rows    int64
	regions []*Region // the table's regions, by the process's own number - 1
	// The table's communicators, by the process's own number - 1. An entry is nil if no other
	// process knows that communicator.
	common   []*communicator
	numbered []*communicator // communicators again, for fast access by small numbers
}

// clockOffset says how far rank 0's clock was ahead at time NS of the process's clock, and how
// wrong that may be; all in ns.
type clockOffset struct{ NS, Ahead, Error int64 }

// communicator is a communicator as one process knows it.
type communicator struct {
	Name    string
	Members string // ranks of the world: "0-3,8,12-20:4"; -1: a process of another world
	Remote  string // remote group of an intercommunicator
	Times   int    // number of earlier communicators with the same members
	// The ranks in the world that messages and collective operations address: the remote group's,
	// if there is one.
	members []int
}

// key returns a text that is equal in two processes if they mean the same communicator.
func (c *communicator) key() string {
	a, b := c.Members, c.Remote
	if b != "" && a > b {
		a, b = b, a
	}
	return a + "/" + b + "/" + strconv.Itoa(c.Times)
}

// readMembership reads STEM.mpi. It returns nil if there is no such file or MPI was not
// initialized. It skips incomplete lines and communicators that the table has.
func readMembership(path string, known *pool) (*membership, error) {
	f, err := openRaw(known.open, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(f.from(0))
	if err != nil {
		return nil, err
	}
	m := &membership{communicators: map[int]*communicator{}}
	n := lastNumbers(text)
	for line := range bytes.Lines(text) {
		if line[len(line)-1] != '\n' {
			break
		}
		if m.isCommon(line) {
			continue
		}
		m.line(line, known)
		if n != nil && m.Size > 0 {
			m.agree(filepath.Dir(path), n, known)
			n = nil
		}
	}
	for number, c := range m.communicators {
		for number < 1<<16 && number >= len(m.numbered) {
			m.numbered = append(m.numbered, nil)
		}
		if number < len(m.numbered) {
			m.numbered[number] = c
		}
	}
	if m.World == "" || m.Size <= 0 || m.Rank < 0 || m.Rank >= m.Size {
		return nil, nil
	}
	return m, nil
}

// communicator returns the communicator with a number of the process's own; nil: there is none.
func (m *membership) communicator(number int) *communicator {
	if number < len(m.numbered) {
		return m.numbered[number]
	}
	return m.communicators[number]
}

func (m *membership) line(line []byte, known *pool) {
	var row struct {
		World         string
		Clock         string
		Communicator  int
		Name, Members *string
		Remote        string
		Times         int
		clockOffset
	}
	if json.Unmarshal(line, &row) != nil {
		return
	}
	switch {
	case row.World != "" && m.World == "":
		_ = json.Unmarshal(line, m)
		if m.Size > 1<<peerBits { // a message's record has no room for such a rank
			m.World, m.Size = "", 0
		}
	case row.Clock != "":
		m.clocks = append(m.clocks, row.clockOffset)
	case row.Communicator >= 1<<idBits: // a record has no room for such a number
	case row.Communicator > 0 && row.Members != nil:
		c := &communicator{
			Members: known.text(*row.Members), Remote: known.text(row.Remote),
			Times: row.Times,
		}
		c.members = known.members(cmp.Or(c.Remote, c.Members), m.Size)
		if row.Name != nil {
			c.Name = *row.Name
		}
		m.communicators[row.Communicator] = c
	case row.Communicator > 0 && row.Name != nil:
		if c := m.communicators[row.Communicator]; c != nil {
			c.Name = *row.Name
		}
	}
}

// Whole reports whether the recordings in a directory are of one world, and include all processes
// that record together. These may be only a part of the job.
func Whole(directory string) bool {
	files, err := filepath.Glob(filepath.Join(directory, "*.mpi"))
	if err != nil || len(files) == 0 {
		return false
	}
	world := ""
	for _, file := range files {
		m, err := readMembership(file, newPool(openSystem))
		if err != nil || m == nil || m.Recorded != len(files) || world != "" && m.World != world {
			return false
		}
		world = m.World
	}
	return true
}

// ranks reads a list of ranks; -1 stands for what is no rank of the world. A correct list names
// each rank once, so a damaged one is cut at that length.
func ranks(text string, size int) []int {
	var list []int
	most := size + len(text)
	if text == "" {
		return nil
	}
	for part := range strings.SplitSeq(text, ",") {
		part, by, _ := strings.Cut(part, ":")
		first, last, run := strings.Cut(part, "-")
		if first == "" { // -1
			list = append(list, -1)
			continue
		}
		from, err := strconv.Atoi(first)
		to, step := from, 1
		if run && err == nil {
			to, err = strconv.Atoi(last)
		}
		if by != "" && err == nil {
			step, err = strconv.Atoi(by)
		}
		if err != nil || step < 1 || to >= size || from < 0 {
			list = append(list, -1)
			continue
		}
		for r := from; r <= to && len(list) < most; r += min(step, size) {
			list = append(list, r)
		}
	}
	return list
}

// worlds divides processes into worlds and those without a world. If two processes claim one
// rank, the first gets it. The first process of a world decides its size.
func worlds(processes []*Process) (found []*world, others []*Process) {
	byName := map[string]*world{}
	for _, p := range processes {
		if p.mpi == nil {
			others = append(others, p)
			continue
		}
		w := byName[p.mpi.World]
		if w == nil {
			w = &world{name: p.mpi.World, size: p.mpi.Size, there: map[int]bool{}}
			byName[w.name] = w
			found = append(found, w)
		}
		if w.there[p.mpi.Rank] || p.mpi.Size != w.size {
			others = append(others, p)
			continue
		}
		w.there[p.mpi.Rank] = true
		w.processes = append(w.processes, p)
	}
	for _, w := range found {
		slices.SortFunc(w.processes, func(a, b *Process) int { return a.mpi.Rank - b.mpi.Rank })
	}
	return found, others
}

// id returns the number of a rank's thread in the trace, where it is a process. Thread 0 of rank
// 0 is 1.
func (w *world) id(rank, thread int) uint32 { return uint32(thread*w.size + rank + 1) }
