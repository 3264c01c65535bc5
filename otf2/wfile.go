package otf2

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"os"
)

// wfile writes a file of chunks. It keeps a block of the file in memory; the rest of a chunk that
// has no room for the next record stays a hole, which reads as zeros: endOfChunk.
type wfile struct {
	path   string
	chunk  int64 // size of a chunk
	timed  bool
	file   *os.File
	buf    []byte // the block
	base   int64  // where the block begins in the file
	start  int64  // where the chunk begins
	events uint64
	time   uint64
	err    error
}

// blockSize is how many bytes are written at a time.
const blockSize = 1 << 16

func newWFile(path string, chunk int64, timed bool) *wfile {
	f := &wfile{path: path, chunk: chunk, timed: timed, buf: make([]byte, 0, blockSize)}
	f.header()
	return f
}

// header begins a chunk, whose last event is not known yet.
func (f *wfile) header() {
	f.buf = append(f.buf, chunkHeader, littleEndian)
	f.buf = binary.LittleEndian.AppendUint64(f.buf, f.events+1)
	f.buf = binary.LittleEndian.AppendUint64(f.buf, 0)
}

// finish ends a chunk: it says in its header which event is the last.
func (f *wfile) finish() {
	if at := f.start + headerSize - 8 - f.base; at >= 0 {
		binary.LittleEndian.PutUint64(f.buf[at:], f.events)
		return
	}
	var last [8]byte
	binary.LittleEndian.PutUint64(last[:], f.events)
	f.writeAt(last[:], f.start+headerSize-8)
}

// room makes room for a record of at most n bytes with its number, at a time.
func (f *wfile) room(n int, time uint64) error {
	if f.timed {
		n += timeSize
	}
	if int64(n) < f.start+f.chunk-f.base-int64(len(f.buf)) {
		if len(f.buf) > blockSize-256 {
			f.flush()
		}
		return f.err
	}
	if int64(n) >= f.chunk-headerSize {
		return fmt.Errorf("%s: a record of %d bytes is larger than a chunk", f.path, n)
	}
	f.finish()
	f.flush()
	f.start += f.chunk
	f.base = f.start
	f.header()
	if f.timed {
		f.buf = append(f.buf, timeStamp)
		f.buf = binary.LittleEndian.AppendUint64(f.buf, time)
		f.time = time
	}
	return f.err
}

// stamp writes a time if it is another one than that of the record before. A time 0 at the start
// is written with each record.
func (f *wfile) stamp(time uint64) {
	if time > f.time || time == 0 {
		f.buf = append(f.buf, timeStamp)
		f.buf = binary.LittleEndian.AppendUint64(f.buf, time)
		f.time = time
	}
	f.events++
}

// write appends a record of any type.
func (f *wfile) write(k *RecordKind, r *Record) error {
	if f.timed && r.Time < f.time {
		return fmt.Errorf("%s: %s is at %d, after an event at %d", f.path, k.Name, r.Time, f.time)
	}
	most := mostBytes(k, r)
	all, _ := mostOfAttributes(r.Attributes)
	n := 1 + all + most
	if !k.Single {
		n++
		if most > longest {
			n += 8
		}
	}
	if err := f.room(n, r.Time); err != nil {
		return err
	}
	if f.timed {
		f.stamp(r.Time)
		f.buf = appendAttributes(f.buf, r.Attributes)
	}
	f.buf = appendRecord(f.buf, k, r, most)
	return f.err
}

// enter appends an event with one number and nothing else: Enter or Leave.
func (f *wfile) enter(number byte, time uint64, region uint32) error {
	n := len(f.buf)
	if time <= f.time || n > blockSize-256 || region == Undefined32 ||
		f.start+f.chunk-f.base-int64(n) <= slack {
		k := numbers[Events][number]
		r := Record{Type: k.Type, Time: time}
		r.Values[0] = uint64(region)
		return f.write(k, &r)
	}
	b := f.buf[n : n+24 : cap(f.buf)]
	b[0] = timeStamp
	binary.LittleEndian.PutUint64(b[1:], time)
	size := (bits.Len32(region) + 7) / 8
	b[timeSize], b[timeSize+1] = number, byte(size)
	binary.LittleEndian.PutUint64(b[timeSize+2:], uint64(region))
	f.buf = f.buf[:n+timeSize+2+size]
	f.time = time
	f.events++
	return f.err
}

func (f *wfile) flush() {
	f.writeAt(f.buf, f.base)
	f.base += int64(len(f.buf))
	f.buf = f.buf[:0]
}

// writeAt writes to the file. An error stays.
func (f *wfile) writeAt(b []byte, at int64) {
	if f.file == nil && f.err == nil {
		f.file, f.err = os.Create(f.path)
	}
	if f.err == nil {
		_, f.err = f.file.WriteAt(b, at)
	}
}

// close ends the file.
func (f *wfile) close() error {
	f.finish()
	f.buf = append(f.buf, endOfFile, endOfBuffer)
	f.flush()
	if f.file != nil {
		if err := f.file.Close(); f.err == nil {
			f.err = err
		}
	}
	return f.err
}
