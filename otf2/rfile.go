package otf2

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// rfile reads a file of chunks, record after record. It keeps a block of the file in memory.
type rfile struct {
	files    *openFiles
	path     string
	kind     File
	location uint64
	chunk    int64 // size of a chunk
	buf      []byte
	pos      int   // next byte in buf
	base     int64 // where buf begins in the file
	size     int64 // of the file
	limit    int64 // where the chunk ends
	big      bool
	simple   bool      // plain may read
	last     int64     // where the last record begins
	chunks   int       // so many have begun
	says     [2]uint64 // the first and the last event of the chunk, by its head
	time     uint64
	started  bool
	ended    bool

	maps   *maps // nil: the location has no numbers of its own
	clock  *clock
	before []AttributeValue // the attributes that stand before the next record
}

// slack is how many bytes of a record the reader wants in memory before it looks at it. A longer
// record says its length before.
const slack = 64

// openRFile opens a file; nil: there is none.
func openRFile(files *openFiles, path string, kind File, location uint64, chunk int64) (*rfile,
	error,
) {
	size, err := files.size(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	return &rfile{
		files: files, path: path, kind: kind, location: location, chunk: chunk, size: size,
		clock: &clock{},
	}, nil
}

// offset is where the next byte stands in the file.
func (f *rfile) offset() int64 { return f.base + int64(f.pos) }

func (f *rfile) fail(at int64, format string, args ...any) error {
	f.ended = true
	return &Error{
		Path: f.path, Chunk: at/f.chunk + 1, Offset: at, What: fmt.Sprintf(format, args...),
	}
}

// fill makes the next n bytes available, or as many as the file has.
func (f *rfile) fill(n int) error {
	have := len(f.buf) - f.pos
	if have >= n || f.base+int64(len(f.buf)) >= f.size {
		return nil
	}
	block := max(f.files.block, n)
	if cap(f.buf) < block {
		f.buf = append(make([]byte, 0, block), f.buf[f.pos:]...)
	} else {
		f.buf = f.buf[:copy(f.buf, f.buf[f.pos:])]
	}
	f.base, f.pos = f.base+int64(f.pos), 0
	end := f.base + int64(have)
	want := min(int64(cap(f.buf)-have), f.size-end)
	got, err := f.files.readAt(f.path, f.buf[have:have+int(want)], end)
	f.buf = f.buf[:have+got]
	if err == nil && int64(got) < want {
		err = f.fail(end+int64(got), "the file became shorter while it was read")
	}
	return err
}

// plain reads an Enter or Leave, and a time before it, if all of these are in memory. It returns
// false for anything else, and reads nothing.
func (f *rfile) plain(r *Record) bool {
	if !f.simple || len(f.before) > 0 || f.offset() > f.limit-slack ||
		len(f.buf)-f.pos < slack {
		return false
	}
	b := f.buf[f.pos : f.pos+slack]
	time, at := f.time, 0
	if b[0] == timeStamp {
		time, at = binary.LittleEndian.Uint64(b[1:]), timeSize
	}
	number, n := b[at], b[at+1]
	if number != enterNumber && number != leaveNumber || n > 4 {
		return false
	}
	v := binary.LittleEndian.Uint64(b[at+2:]) & (1<<(8*n) - 1)
	f.last = f.offset() + int64(at)
	f.pos += at + 2 + int(n)
	f.time = time
	r.File, r.Location, r.Time, r.Values[0] = Events, f.location, time, v
	if r.Type = EnterRecord; number == leaveNumber {
		r.Type = LeaveRecord
	}
	if len(r.Attributes) > 0 {
		r.Attributes = r.Attributes[:0]
	}
	return true
}

// The numbers on disk of the events that most of a trace consists of.
const (
	enterNumber = 12
	leaveNumber = 13
)

// next reads the next record into r. It returns false at the end of the file.
func (f *rfile) next(r *Record) (bool, error) {
	if f.plain(r) {
		return true, nil
	}
	for !f.ended {
		if len(f.buf)-f.pos < slack {
			if err := f.fill(slack); err != nil {
				return false, err
			}
		}
		if !f.started || f.offset() >= f.limit {
			if err := f.header(); err != nil {
				return false, err
			}
			continue
		}
		if f.pos == len(f.buf) {
			return false, f.fail(f.offset(), "the file ends without the mark of its end")
		}
		number := f.buf[f.pos]
		switch number {
		case endOfChunk:
			if err := f.skipTo(f.limit); err != nil {
				return false, err
			}
		case endOfFile, endOfBuffer:
			f.ended = true
		case timeStamp:
			if f.kind == Events || f.kind == Snapshots {
				if err := f.stamp(); err != nil {
					return false, err
				}
				continue
			}
			return true, f.record(number, r)
		case attributeSet:
			if f.kind == Events || f.kind == Snapshots {
				if err := f.attributes(); err != nil {
					return false, err
				}
				continue
			}
			return true, f.record(number, r)
		default:
			return true, f.record(number, r)
		}
	}
	return false, nil
}

// header reads the head of a chunk.
func (f *rfile) header() error {
	at := f.offset()
	head := f.buf[f.pos:]
	if len(head) < headerSize {
		return f.fail(at, "the file ends without the mark of its end")
	}
	if head[0] != chunkHeader || head[1] != littleEndian && head[1] != bigEndian {
		return f.fail(at, "no chunk begins here")
	}
	f.big, f.started = head[1] == bigEndian, true
	f.says = [2]uint64{integer(head[2:10], f.big), integer(head[10:18], f.big)}
	f.chunks++
	f.simple = !f.big && f.kind == Events && f.maps == nil && len(f.clock.at) < 2
	f.limit = min(at+f.chunk, f.size)
	f.pos += headerSize
	return nil
}

// skipTo goes on at a later place in the file.
func (f *rfile) skipTo(at int64) error {
	if at >= f.size {
		return f.fail(f.offset(), "the file ends without the mark of its end")
	}
	if in := at - f.base; in < int64(len(f.buf)) {
		f.pos = int(in)
		return nil
	}
	f.base, f.pos, f.buf = at, 0, f.buf[:0]
	return nil
}

func (f *rfile) stamp() error {
	if len(f.buf)-f.pos < timeSize {
		return f.fail(f.offset(), "the file ends in a time")
	}
	if b := f.buf[f.pos+1 : f.pos+timeSize]; f.big {
		f.time = binary.BigEndian.Uint64(b)
	} else {
		f.time = binary.LittleEndian.Uint64(b)
	}
	f.pos += timeSize
	return nil
}

// sized returns the bytes of what has its length before it, after its number.
func (f *rfile) sized(what string) ([]byte, error) {
	at := f.offset()
	head, n := f.buf[f.pos+1:], uint64(0)
	if len(head) < 1 {
		return nil, f.fail(at, "the file ends in %s", what)
	}
	n, skip := uint64(head[0]), 2
	if n == 0xff {
		if len(head) < 9 {
			return nil, f.fail(at, "the file ends in %s", what)
		}
		n, skip = integer(head[1:9], f.big), 10
	}
	if n > uint64(max(f.limit-at-int64(skip), 0)) {
		return nil, f.fail(at, "%s of %d bytes does not fit into its chunk", what, n)
	}
	if err := f.fill(skip + int(n)); err != nil {
		return nil, err
	}
	f.pos += skip
	body := f.buf[f.pos : f.pos+int(n)]
	f.pos += int(n)
	return body, nil
}

func (f *rfile) attributes() error {
	at := f.offset()
	body, err := f.sized("a list of attributes")
	if err != nil {
		return err
	}
	d := decoder{b: body, big: f.big}
	if f.before = d.attributes(f.before[:0]); d.what != "" {
		return f.fail(at, "a list of attributes: %s", d.what)
	}
	return nil
}

// record reads the record with a number.
func (f *rfile) record(number uint8, r *Record) error {
	at := f.offset()
	f.last = at
	k := numbers[f.kind][number]
	r.File, r.Location, r.Time = f.kind, f.location, f.time
	r.Attributes = append(r.Attributes[:0], f.before...)
	f.before = f.before[:0]
	if k != nil && k.Single {
		return f.single(k, r, at)
	}
	name := "the record"
	if k != nil {
		name = k.Name
	}
	body, err := f.sized(name)
	if err != nil {
		return err
	}
	if k == nil {
		r.Type, r.Number = UnknownRecord, number
		return nil
	}
	r.Type = k.Type
	d := decoder{b: body, big: f.big}
	if d.body(k, r); d.what != "" {
		return f.fail(at, "%s: %s", k.Name, d.what)
	}
	f.apply(k, r)
	return nil
}

// single reads an event without a length: Enter, Leave and the like.
func (f *rfile) single(k *RecordKind, r *Record, at int64) error {
	end := min(int64(len(f.buf)), f.limit-f.base)
	d := decoder{b: f.buf[f.pos+1 : end], big: f.big}
	v := d.compressed(map[bool]int{true: 4, false: 8}[k.steps[0].wire == U32])
	if d.what != "" {
		return f.fail(at, "%s: %s", k.Name, d.what)
	}
	f.pos += 1 + d.at
	r.Type, r.Values[0] = k.Type, v
	f.apply(k, r)
	return nil
}

// apply gives an event its global time and numbers.
func (f *rfile) apply(k *RecordKind, r *Record) {
	if f.kind != Events && f.kind != Snapshots {
		return
	}
	r.Time = f.clock.global(f.time)
	for i := range k.Fields {
		if g := &k.Fields[i]; g.Wire == Time {
			r.Values[g.Slot] = f.clock.global(r.Values[g.Slot])
		}
	}
	if f.maps != nil {
		f.maps.apply(k, r)
	}
}

// openFiles opens the files of an archive; few of them are open at a time.
type openFiles struct {
	block int // bytes that are read at a time
	limit int
	open  map[string]*os.File
	order []string // of opening
}

func newOpenFiles(limit int) *openFiles {
	return &openFiles{block: blockSize, limit: max(limit, 1), open: map[string]*os.File{}}
}

func (o *openFiles) get(path string) (*os.File, error) {
	if file := o.open[path]; file != nil {
		return file, nil
	}
	if len(o.order) >= o.limit {
		_ = o.open[o.order[0]].Close()
		delete(o.open, o.order[0])
		o.order = o.order[1:]
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	o.open[path], o.order = file, append(o.order, path)
	return file, nil
}

// size returns the size of a file, which must be a regular one.
func (o *openFiles) size(path string) (int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, &os.PathError{Op: "read", Path: path, Err: errors.New("not a regular file")}
	}
	return info.Size(), nil
}

// readAt reads at an offset. Fewer bytes than requested mean the end of the file.
func (o *openFiles) readAt(path string, b []byte, at int64) (int, error) {
	file, err := o.get(path)
	if err != nil {
		return 0, err
	}
	n, err := file.ReadAt(b, at)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

func (o *openFiles) close() error {
	var errs []error
	for _, file := range o.open {
		errs = append(errs, file.Close())
	}
	o.open, o.order = map[string]*os.File{}, nil
	return errors.Join(errs...)
}
