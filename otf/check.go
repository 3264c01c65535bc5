package otf

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// Problem is a mistake that Check has found.
type Problem struct {
	Error
	Warning bool // readers accept it
}

// checker checks the files of a trace against the rules.
type checker struct {
	manager *FileManager
	master  *MasterControl
	report  func(Problem)
	defined [256]map[uint32]string // by RecordType: the definitions of a token
	missing map[string]bool        // undefined tokens, as reported

	file   *RBuffer
	line   int
	record Record
	seen   bool // the file has had a time line, and then a process line
	placed bool
	calls  map[uint32]*calls // by process, of the file
	last   struct {          // the process of the last line that was right
		process uint32
		*calls  // nil: none
	}
	// Most records of a trace have the same few keywords and tokens.
	letters    [fileKinds][256]*RecordKind // by keywords of one letter
	references [256][]reference            // by RecordType
	met        [256]bool                   // references has the type
}

// calls are the functions that a process is in.
type calls struct {
	stack []uint32
	line  int // of the last enter
}

// reference is a field of a record that refers to a definition.
type reference struct {
	field *Field
	to    RecordType
	known [512 / 64]uint64 // small tokens that are defined, as far as they were met
}

// referred maps fields to the definitions that they refer to.
var referred = map[string]RecordType{
	"function": DefFunctionRecord, "source": DefSclRecord, "sourceFile": DefSclFileRecord,
	"funcGroup": DefFunctionGroupRecord,
	"counter":   DefCounterRecord, "counterGroup": DefCounterGroupRecord,
	"collective": DefCollectiveOperationRecord,
	"procGroup":  DefProcessGroupRecord, "comm": DefProcessGroupRecord, "parent": DefProcessRecord,
	"receiver": DefProcessRecord, "sender": DefProcessRecord, "peer": DefProcessRecord,
	"rootProc": DefProcessRecord, "process": DefProcessRecord,
}

// Check reads all files of a trace and reports mistakes: spelling, order of time, processes in
// the wrong stream, undefined tokens, function calls that do not nest. It returns an error if it
// cannot open the trace.
func Check(trace string, manager *FileManager, report func(Problem),
	progress func(done, size int64),
) error {
	master, err := readMaster(trace, manager)
	if err != nil {
		return err
	}
	c := &checker{manager: manager, master: master, report: report, missing: map[string]bool{}}
	name := stub(trace)
	if findFile(manager, name, 0, Definitions) == "" {
		c.warn(fileName(name, 0, "def"),
			"no global definitions: otfinfo and otfprofile refuse such a trace")
	}
	streams := append([]MapEntry{{}}, master.Entries()...)
	for _, kind := range []FileKind{Definitions, Events, Snapshots, Statistics} {
		for i, e := range streams {
			if e.Stream == 0 && kind != Definitions {
				continue
			}
			path := findFile(manager, name, e.Stream, kind)
			if path == "" {
				if kind == Events {
					c.warn(fileName(name, e.Stream, "events"), "no events of a stream in the "+
						"master file: the C library refuses such a trace")
				}
				continue
			}
			if err := c.checkFile(path, kind, e.Stream); err != nil {
				return err
			}
			if progress != nil {
				progress(int64(int(kind)*len(streams)+i+1), int64(int(fileKinds)*len(streams)))
			}
		}
	}
	return nil
}

func (c *checker) warn(path, what string) {
	c.report(Problem{Error{Path: path, What: what}, true})
}

// say reports a problem of the current line; at is an index into the buffer.
func (c *checker) say(warning bool, at int, format string, args ...any) {
	c.report(Problem{Error{
		Path: c.file.path, Line: c.line, Offset: c.file.base + int64(at),
		What: fmt.Sprintf(format, args...),
	}, warning})
}

func (c *checker) checkFile(path string, kind FileKind, stream uint32) error {
	src, err := openSource(c.manager, path, 1)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	c.file = newRBuffer(c.manager.opener, src, path, kind, stream, readBlock)
	b := c.file
	defer b.close()
	c.line, c.seen, c.placed = 0, false, false
	c.calls, c.last.calls = map[uint32]*calls{}, nil
	for {
		if b.pos >= b.limit {
			if err := b.fill(); err != nil {
				return c.end(err)
			}
		}
		end := b.pos + bytes.IndexByte(b.buf[b.pos:], '\n')
		c.line++
		c.checkLine(b.pos, end)
		b.pos = end + 1
	}
}

// end ends a file: it reports a last line without a line feed, and functions that were not left.
func (c *checker) end(err error) error {
	b := c.file
	var damage *Error
	switch {
	case errors.As(err, &damage):
		c.report(Problem{Error: *damage})
		return nil
	case !errors.Is(err, io.EOF):
		return err
	}
	c.line++
	if b.end > b.pos {
		c.say(false, b.pos, "the last line has no line feed: the file was cut")
	}
	if b.kind == Events {
		for _, p := range c.master.streamProcesses(b.stream) {
			calls := c.calls[p]
			if calls == nil {
				continue
			}
			if n := len(calls.stack); n > 0 {
				c.line = calls.line
				c.report(Problem{
					Error{
						Path: b.path, Line: c.line,
						What: fmt.Sprintf("process %d has not left %d functions at the end", p, n),
					},
					true,
				})
			}
		}
	}
	return nil
}

func (m *MasterControl) streamProcesses(stream uint32) []uint32 {
	e, _ := m.Entry(stream)
	return e.Processes
}

// checkLine checks buf[at:end], which a line feed follows.
func (c *checker) checkLine(at, end int) {
	b := c.file
	class := lineClasses[b.buf[at]]
	switch {
	case at == end:
		c.say(true, at, "empty line")
	case b.kind == Definitions && class != lineBlank:
		c.checkRecord(at, end)
	case class == lineTime:
		c.checkTime(at, end)
	case class == lineProcess:
		c.checkProcess(at, end)
	case class == lineBlank:
		c.say(true, at, "blanks before a record")
	case !c.seen || !c.placed:
		c.say(false, at, "a record without time and process before it: readers skip it")
	case class == lineKey:
	default:
		c.checkRecord(at, end)
	}
}

func (c *checker) checkTime(at, end int) {
	b := c.file
	t, stop := parseHex(b.buf, at)
	if stop != end {
		c.say(false, stop, "%q in a time", b.buf[stop])
		return
	}
	if c.seen && !c.placed {
		c.say(false, at, "no process between two times")
	}
	if c.seen && t < b.time {
		c.say(false, at, "time goes back from %d to %d", b.time, t)
	}
	if t == MaxTime {
		c.say(true, at, "time %d stands for unknown: readers deliver no record of it", t)
	}
	b.time, c.seen, c.placed = t, true, false
}

func (c *checker) checkProcess(at, end int) {
	b := c.file
	v, stop := parseHex(b.buf, at+1)
	if stop != end || stop == at+1 || v > 1<<32-1 {
		c.say(false, at, "no process behind *")
		return
	}
	if !c.seen {
		c.say(false, at, "a process without a time before it: readers skip it")
	}
	b.process, c.placed = uint32(v), true
	if c.last.calls != nil && c.last.process == b.process {
		return
	}
	if stream, known := c.master.StreamOf(b.process); !known {
		c.once(false, at,
			"process %d is not in the master file: readers drop its records", b.process)
	} else if stream != b.stream {
		c.once(false, at, "process %d belongs to stream %x", b.process, stream)
	}
	c.last.process, c.last.calls = b.process, c.calls[b.process]
	if c.last.calls == nil {
		c.last.calls = &calls{}
		c.calls[b.process] = c.last.calls
	}
}

// once reports each problem of a file only once.
func (c *checker) once(warning bool, at int, format string, args ...any) {
	key := c.file.path + fmt.Sprintf(format, args...)
	if !c.missing[key] {
		c.missing[key] = true
		c.say(warning, at, format, args...)
	}
}
