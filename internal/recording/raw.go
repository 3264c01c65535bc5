package recording

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"

	"opari/internal/omp"
	"opari/internal/pattern"
	"opari/otf"
)

// These numbers describe what the library writes; ompt_bridge/src/trace/trace.h has the same
// ones.
const (
	magic       = 0x3243525441504f // "OPATRC2" in ASCII
	magicShape  = 0xff             // the byte that differs between versions
	magicShift  = 48
	chunkBytes  = 64 << 10
	headerBytes = 512
	chunkWords  = (chunkBytes - headerBytes) / 8
	joinsOffset = 128
	joins       = 32
	metaBytes   = 4096
	costEvents  = 64 // that are timed together
	metaFields  = 12 // words before the program's name
	opBits      = 6
	idBits      = 20
	timeShift   = opBits + idBits
)

// Region is a region of the program, as the library describes it.
type Region struct {
	Number    int    `json:"region"`
	Name      string `json:"name"`     // of the leaf directive
	SubName   string `json:"sub_name"` // of a critical, of a user region, of a lock routine
	Directive string `json:"directive"`
	File      string `json:"file"`
	Begin     [2]int `json:"begin"`
	End       [2]int `json:"end"`
	KindName  string `json:"kind"`

	Facts omp.Facts `json:"facts"`

	Kind omp.Kind `json:"-"` // KindNone if KindName names no kind
}

// UnmarshalJSON reads a region's line.
func (r *Region) UnmarshalJSON(line []byte) error {
	type plain Region
	err := json.Unmarshal(line, (*plain)(r))
	r.Kind = omp.KindNamed(r.KindName)
	return err
}

// Process is the recording of one process. It has a file of its own and one for each thread.
type Process struct {
	open       otf.Opener
	stem       string // DIRECTORY/PID; after an exec DIRECTORY/PID-1
	PID        int
	Program    string
	Lost       uint64        // records
	Failure    syscall.Errno // of the first failure; 0: none
	Complete   bool          // the process ended in order
	identity   identity
	running    bool // it runs or may run; only what it had written by then counts
	kept       bool // the recording stays after its trace is made
	left       leftOut
	generation uint64 // 1; greater in forked children
	tsc        bool
	cost       uint64 // ticks that costEvents events take; 0: unknown
	start, end reading
	// Regions by number; nil is an unknown region. Number 0 stands for all unknown regions.
	// Processes share the elements.
	regions []*Region
	threads []*rawThread
	mpi     *membership  // nil: the process does not use MPI
	kernel  *kernelNotes // nil: the run noted nothing of this process
	endings []string     // endings of other files: mpi; also table in a world's first process
}

// unknownRegion is region 0 of all processes.
var unknownRegion = &Region{}

// reading is the values of both clocks at one moment.
type reading struct{ ticks, ns uint64 }

// chunk is a chunk in a thread's file.
type chunk struct {
	offset         int64
	sequence, used uint64
	first          uint64 // ticks
}

// rawThread is a thread's file.
type rawThread struct {
	opener     otf.Opener
	path       string
	number     int
	front      []byte // a copy of the first chunk, if the process runs
	chunks     []chunk
	last       uint64 // time of the last record, ticks
	self, dock uint64
	joins      [joins]uint64
}

// rawName matches the files of a recording. A thread's number has one spelling and is below 1e9,
// so that its process in a trace never has the number of a group.
var rawName = pattern.Lazy{Text: `^([0-9]+(?:-[0-9]+)?)\.(meta|mpi|table|0|[1-9][0-9]{0,8})$`}

// Read finds the recordings in a directory whose processes have ended, in the order in which
// these began. It leaves the others, together with the rest of their MPI worlds.
func Read(directory string) (processes []*Process, left []*Left, err error) {
	return recorded(directory, Options{})
}

func recorded(directory string, o Options) (processes []*Process, left []*Left, err error) {
	entries, err := os.ReadDir(directory)
	if err != nil {
		return nil, nil, err
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return readFiles(directory, names, openSystem, o)
}

// readFiles reads the named files in a directory.
func readFiles(directory string, names []string, open otf.Opener, o Options) (processes []*Process,
	left []*Left, err error,
) {
	byStem, endings := map[string][]string{}, map[string][]string{}
	known := newPool(open)
	var busy []string // MPI worlds with a process that may run
	for _, name := range names {
		switch m := rawName.Get().FindStringSubmatch(name); {
		case m == nil || m[2] == "meta":
		case m[2] == "mpi" || m[2] == "table":
			endings[m[1]] = append(endings[m[1]], m[2])
		default:
			byStem[m[1]] = append(byStem[m[1]], name)
		}
	}
	for _, name := range names {
		m := rawName.Get().FindStringSubmatch(name)
		if m == nil || m[2] != "meta" {
			continue
		}
		p, err := readProcess(filepath.Join(directory, m[1]), known)
		if err != nil {
			return nil, nil, err
		}
		reason := p.reasonToLeave(ownIdentity())
		if reason != nil && !reason.Runs && o.Waited && p.mpi != nil {
			reason = nil
		}
		if reason != nil && !o.Force {
			left = append(left, reason)
			if p.mpi != nil {
				busy = append(busy, p.mpi.World)
			}
			continue
		}
		p.running, p.kept = reason != nil, reason != nil || o.Keep
		p.endings = endings[m[1]]
		if err := p.addThreads(directory, byStem[m[1]], known); err != nil {
			return nil, nil, err
		}
		processes = append(processes, p)
	}
	slices.SortStableFunc(processes, before)
	return slices.DeleteFunc(processes, func(p *Process) bool {
		return p.mpi != nil &&
			slices.Contains(busy, p.mpi.World)
	}), left, nil
}

// addThreads adds the threads from the named files. If the process runs, it reads the regions
// again afterwards: the library defines each region before it writes a record of it.
func (p *Process) addThreads(directory string, names []string, known *pool) error {
	for _, name := range names {
		if err := p.addThread(filepath.Join(directory, name)); err != nil {
			return err
		}
	}
	slices.SortFunc(p.threads, func(a, b *rawThread) int { return a.number - b.number })
	if !p.running {
		return nil
	}
	now, err := readProcess(p.stem, known)
	if err == nil {
		p.regions, p.mpi = now.regions, now.mpi
	}
	return err
}

func before(a, b *Process) int {
	for _, d := range [][2]uint64{
		{a.start.ns, b.start.ns},
		{a.generation, b.generation},
		{uint64(a.PID), uint64(b.PID)},
	} {
		if d[0] != d[1] {
			return map[bool]int{true: -1, false: 1}[d[0] < d[1]]
		}
	}
	return 0
}

func readProcess(stem string, known *pool) (*Process, error) {
	path := stem + ".meta"
	f, err := openRaw(known.open, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	page := make([]byte, metaBytes)
	if _, err := f.ReadAt(page, 0); err != nil {
		return nil, fmt.Errorf("%s: error: not a recording, or cut off", path)
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(page[8*i:]) }
	switch version := word(0) >> magicShift; {
	case word(0) == magic:
	case word(0)&^(magicShape<<magicShift) == magic&^(magicShape<<magicShift) && version >= '1' &&
		version <= '9':
		return nil, fmt.Errorf("%s: error: a recording of format %c; this opari reads format %c: "+
			"take the opari whose library recorded it", path, rune(version),
			rune(magic>>magicShift))
	default:
		return nil, fmt.Errorf("%s: error: not a recording", path)
	}
	p := &Process{
		open: known.open, stem: stem, PID: int(word(1)), tsc: word(2) != 0, Lost: word(7),
		Failure: syscall.Errno(word(8)), generation: word(10), cost: word(11),
	}
	p.start, p.end = reading{word(3), word(4)}, reading{word(5), word(6)}
	p.Complete = p.end.ns != 0
	p.identity, p.left = readIdentity(page), readLeftOut(page)
	name := page[8*metaFields : leftOutAt]
	p.Program = string(name[:max(bytes.IndexByte(name, 0), 0)])
	p.regions = []*Region{unknownRegion}
	if p.mpi, err = readMembership(stem+".mpi", known); err != nil {
		return nil, err
	}
	rows := int64(metaBytes)
	if p.mpi != nil && p.mpi.rows > 0 {
		p.regions = append(p.regions, p.mpi.regions...)
		rows += min(p.mpi.rows, math.MaxInt64-rows)
	}
	if err := p.readRegions(bufio.NewReader(f.from(rows)), known); err != nil {
		return nil, err
	}
	if p.left.functions == 0 {
		return p, nil
	}
	return p, p.readOff(bufio.NewReader(f.from(metaBytes)))
}

// readRegions reads the lines of the regions. It skips a line that is incomplete, so that region
// has no name.
func (p *Process) readRegions(r *bufio.Reader, known *pool) error {
	for {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		row := known.regions[string(line)]
		if row == nil {
			row = new(Region)
			if json.Unmarshal(line, row) != nil || row.Number <= 0 || row.Number >= 1<<idBits {
				continue
			}
			known.regions[string(line)] = row
		}
		for len(p.regions) <= row.Number {
			p.regions = append(p.regions, nil)
		}
		p.regions[row.Number] = row
	}
}

func (p *Process) addThread(path string) error {
	number, err := strconv.Atoi(filepath.Ext(path)[1:])
	if err != nil {
		return err
	}
	t := &rawThread{opener: p.open, path: path, number: number}
	if p.running {
		if err := t.capture(); err != nil {
			return err
		}
	}
	f, err := t.open()
	if err != nil {
		return err
	}
	defer f.Close()
	is, err := f.Stat()
	if err != nil {
		return err
	}
	header := make([]byte, headerBytes)
	for n := int64(1); ; n++ { // the first chunk is the newest, so it comes last
		offset := n * chunkBytes
		if offset+chunkBytes > is.Size() {
			offset = 0
		}
		if _, err := f.ReadAt(header, offset); err != nil {
			return nil // the file ends before the first record
		}
		word := func(i int) uint64 { return binary.LittleEndian.Uint64(header[8*i:]) }
		if word(0) != magic || word(5) > chunkWords {
			return fmt.Errorf("%s: error: byte %d: not a chunk of a recording", path, offset)
		}
		if at := (reading{word(3), word(4)}); at.ticks > p.end.ticks && !p.Complete {
			p.end = at
		}
		c := chunk{offset: offset, first: word(2), sequence: word(1), used: word(5)}
		if offset > 0 && t.later(c) {
			continue
		}
		if k := len(t.chunks); k == 0 || t.chunks[k-1].sequence < c.sequence {
			t.chunks = append(t.chunks, c)
		}
		if offset == 0 {
			t.self, t.dock = word(7), word(8)
			for i := range t.joins {
				t.joins[i] = word(joinsOffset/8 + i)
			}
			p.threads = append(p.threads, t)
			last := t.chunks[len(t.chunks)-1]
			t.last = last.first
			return segment{last}.each(f, func(r *record) (bool, error) {
				t.last = r.time
				return true, nil
			})
		}
	}
}

// Records returns how many records the library has written.
func (p *Process) Records() uint64 {
	var n uint64
	for _, t := range p.threads {
		for _, c := range t.chunks {
			n += c.used
		}
	}
	return n
}

// Remove removes the recording's files, unless the recording is to stay.
func (p *Process) Remove() error {
	var err error
	if p.kept {
		return nil
	}
	for _, t := range p.threads {
		err = errors.Join(err, os.Remove(t.path))
	}
	for _, ending := range p.endings {
		err = errors.Join(err, os.Remove(p.stem+"."+ending))
	}
	return errors.Join(err, os.Remove(p.stem+".meta"))
}
