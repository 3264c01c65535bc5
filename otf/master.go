package otf

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// MapEntry is a line of the master file: a stream and its processes, ascending.
type MapEntry struct {
	Stream    uint32
	Processes []uint32
}

// MasterControl maps processes to streams and back (section 3.3). A process belongs to one
// stream; 0 and 2^32-1 are no streams.
type MasterControl struct {
	entries []MapEntry // by stream
	streams map[uint32]uint32
}

func NewMasterControl() *MasterControl {
	return &MasterControl{streams: map[uint32]uint32{}}
}

// stub returns the name of a trace without the ending of the master file.
func stub(name string) string {
	name = strings.TrimSuffix(name, ".z")
	return strings.TrimSuffix(name, ".otf")
}

// fileName returns the name of a stream's file.
func fileName(namestub string, stream uint32, ending string) string {
	return fmt.Sprintf("%s.%x.%s", namestub, stream, ending)
}

var endings = [fileKinds]string{"def", "events", "snaps", "stats"}

// maxMaster is the maximal size of a master file, which has a line for each stream.
const maxMaster = 1 << 28

// ReadMasterControl reads NAMESTUB.otf, or NAMESTUB.otf.z if the plain one is missing.
func ReadMasterControl(namestub string) (*MasterControl, error) {
	return readMaster(namestub, NewFileManager(1))
}

func readMaster(namestub string, manager *FileManager) (*MasterControl, error) {
	path := stub(namestub) + ".otf"
	if !manager.exists(path) && manager.exists(path+".z") {
		path += ".z"
	}
	source, err := openSource(manager, path, 1)
	if err != nil {
		return nil, err
	}
	defer source.close()
	text, err := io.ReadAll(io.LimitReader(readerOf{source}, maxMaster+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxMaster {
		return nil, &Error{Path: path, What: "master file is too large"}
	}
	m := NewMasterControl()
	return m, m.parse(path, text)
}

// parse reads the lines of a master file. Like the C library, it skips lines without a colon, and
// a last line without a line feed. A line must consist of numbers.
func (m *MasterControl) parse(path string, text []byte) error {
	number, at := 0, 0
	for at < len(text) {
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			break
		}
		number++
		line := text[at : at+end]
		if what := m.parseLine(line); what != "" {
			return &Error{Path: path, Line: number, Offset: int64(at), What: what}
		}
		at += end + 1
	}
	if len(m.entries) == 0 {
		return &Error{Path: path, What: "no stream in the master file"}
	}
	return nil
}

// parseLine reads STREAM:PROCESS,PROCESS... and returns what is wrong with it, or "".
func (m *MasterControl) parseLine(line []byte) string {
	head, list, found := bytes.Cut(line, []byte{':'})
	if !found || bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte{'#'}) ||
		bytes.HasPrefix(line, []byte{'i'}) {
		return ""
	}
	stream, ok := parseWord(head)
	if !ok || stream == 0 || stream == 1<<32-1 {
		return fmt.Sprintf("%q is no stream", head)
	}
	for word := range bytes.SplitSeq(list, []byte{','}) {
		process, ok := parseWord(word)
		if !ok {
			return fmt.Sprintf("%q is no process", word)
		}
		m.Append(stream, process)
	}
	return ""
}

// parseWord reads a number with blanks around it. An empty word is 0.
func parseWord(word []byte) (uint32, bool) {
	word = bytes.Trim(word, " \t")
	padded := append(slices.Clone(word), make([]byte, padding)...)
	v, end := parseHex(padded, 0)
	return uint32(v), end == len(word)
}

// Append maps process to stream. It returns false if the process has another stream, or stream is
// no valid number.
func (m *MasterControl) Append(stream, process uint32) bool {
	if stream == 0 || stream == 1<<32-1 {
		return false
	}
	if old, known := m.streams[process]; known {
		return old == stream
	}
	m.streams[process] = stream
	i, known := m.find(stream)
	if !known {
		m.entries = slices.Insert(m.entries, i, MapEntry{Stream: stream})
	}
	e := &m.entries[i]
	at, _ := slices.BinarySearch(e.Processes, process)
	e.Processes = slices.Insert(e.Processes, at, process)
	return true
}

func (m *MasterControl) find(stream uint32) (int, bool) {
	return slices.BinarySearchFunc(m.entries, stream,
		func(e MapEntry, s uint32) int { return cmp.Compare(e.Stream, s) })
}

// Entry returns the entry of a stream.
func (m *MasterControl) Entry(stream uint32) (MapEntry, bool) {
	i, known := m.find(stream)
	if !known {
		return MapEntry{}, false
	}
	return m.entries[i], true
}

// Entries returns all entries by ascending stream. Callers must not change them.
func (m *MasterControl) Entries() []MapEntry { return m.entries }

// NewStreamID returns an unused stream: the highest one plus 1.
func (m *MasterControl) NewStreamID() uint32 {
	if len(m.entries) == 0 {
		return 1
	}
	return m.entries[len(m.entries)-1].Stream + 1
}

// StreamOf returns the stream of a process.
func (m *MasterControl) StreamOf(process uint32) (uint32, bool) {
	s, known := m.streams[process]
	return s, known
}

// MapReverse returns the stream of a process, or makes a new one for it.
func (m *MasterControl) MapReverse(process uint32) uint32 {
	if s, known := m.streams[process]; known {
		return s
	}
	s := m.NewStreamID()
	m.Append(s, process)
	return s
}

// Check returns an error if the mapping is inconsistent: each process must be in exactly the
// stream that it maps to.
func (m *MasterControl) Check() error {
	seen := map[uint32]bool{}
	for _, e := range m.entries {
		for _, p := range e.Processes {
			if s, known := m.streams[p]; !known || s != e.Stream || seen[p] {
				return fmt.Errorf("otf: process %d is not in stream %d alone", p, e.Stream)
			}
			seen[p] = true
		}
	}
	return nil
}

// Write writes NAMESTUB.otf.
func (m *MasterControl) Write(namestub string, manager *FileManager) error {
	file := manager.writer(stub(namestub) + ".otf")
	return errors.Join(file.write(m.text()), file.close())
}

func (m *MasterControl) text() []byte {
	var b []byte
	for _, e := range m.entries {
		b = append(appendHex(b, uint64(e.Stream)), ':')
		for i, p := range e.Processes {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendHex(b, uint64(p))
		}
		b = append(b, '\n')
	}
	return b
}
