package recording

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"sync"
	"syscall"

	"opari/otf"
)

// record is a decoded record.
type record struct {
	time   uint64 // ticks
	number int    // number of the region; for thread, its type
	what   what
	leave  bool
}

// segment is a run of chunks of a thread with nothing missing between them.
type segment []chunk

// segments splits the chunks of a thread wherever chunks were lost.
func (t *rawThread) segments() []segment {
	var all []segment
	for i, c := range t.chunks {
		if i == 0 || t.chunks[i-1].sequence+1 != c.sequence {
			all = append(all, nil)
		}
		all[len(all)-1] = append(all[len(all)-1], c)
	}
	return all
}

// decode turns r, the previous record, into the record of a word. base is the full time near
// which the others are. It returns false if the word holds only a time, or is of an unknown kind.
func (r *record) decode(word uint64, base *uint64) bool {
	w := what(word >> 1 & (allKinds - 1))
	if w == pause {
		if word&1 != 0 {
			*base = word >> opBits
			r.time = *base
		}
		return false
	}
	if w != data {
		r.time = near(word, *base)
	}
	r.number = int(word >> opBits & (1<<idBits - 1))
	r.what = w
	r.leave = word&1 != 0
	return named>>w&1 != 0
}

// named has a bit for each known kind of record.
var named = func() (bits uint32) {
	for w := range kinds {
		if kinds[w].name != "" {
			bits |= 1 << w
		}
	}
	return bits
}()

// each calls visit for every record of the segment until visit returns false.
func (s segment) each(f *rawFile, visit func(*record) (bool, error)) error {
	err := words(f, s, func(text []byte, c chunk) error {
		r, base := record{time: c.first}, c.first
		for ; len(text) >= 8; text = text[8:] {
			if !r.decode(binary.LittleEndian.Uint64(text), &base) {
				continue
			}
			if more, err := visit(&r); err != nil {
				return err
			} else if !more {
				return errEnough
			}
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

var errEnough = errors.New("enough was seen")

// place identifies what is open: a kind of record and a region.
type place struct {
	what   what
	number int
}

// openAtStart finds what is open when the segment begins, outermost first: the places that the
// segment leaves and does not enter before. A thread that begins in the segment has nothing open.
func (s segment) openAtStart(f *rawFile) ([]place, error) {
	var inside, open []place
	err := s.each(f, func(r *record) (bool, error) {
		switch {
		case r.what == thread:
			return false, nil
		case kinds[r.what].point:
		case !r.leave:
			inside = append(inside, place{r.what, r.number})
		default:
			at := place{r.what, r.number}
			for i := len(inside) - 1; i >= 0; i-- {
				if inside[i] == at {
					inside = inside[:i]
					return true, nil
				}
			}
			inside = inside[:0]
			open = append(open, at)
		}
		return true, nil
	})
	slices.Reverse(open)
	return open, err
}

// openSystem opens a file of the system. It avoids os.OpenFile for reading, because that tries in
// vain to use the poller, which takes five more system calls per file.
func openSystem(path string, flags int) (otf.File, error) {
	if flags != os.O_RDONLY {
		f, err := os.OpenFile(path, flags, 0o666)
		if err != nil {
			return nil, err
		}
		return f, nil
	}
	for {
		f, err := syscall.Open(path, flags|syscall.O_CLOEXEC, 0)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return nil, &os.PathError{Op: "open", Path: path, Err: err}
		default:
			return os.NewFile(uintptr(f), path), nil
		}
	}
}

// rawFile is an open file of a recording. The first chunk of a running thread changes all the
// time, so rawFile reads it once and keeps that copy.
type rawFile struct {
	otf.File
	path  string
	front []byte // copy of the first chunk; nil: read the file's
}

func openRaw(open otf.Opener, path string) (*rawFile, error) {
	f, err := open(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	return &rawFile{File: f, path: path}, nil
}

// from returns a reader of the file from a place to its end.
func (f *rawFile) from(at int64) io.Reader { return io.NewSectionReader(f, at, math.MaxInt64-at) }

// rooms has memory for the words of chunks.
var rooms = sync.Pool{New: func() any { return new([chunkBytes - headerBytes]byte) }}

// words calls visit with the words of each chunk.
func words(f *rawFile, chunks []chunk, visit func(text []byte, c chunk) error) error {
	room := rooms.Get().(*[chunkBytes - headerBytes]byte)
	defer rooms.Put(room)
	for _, c := range chunks {
		text := room[:8*c.used]
		if _, err := f.ReadAt(text, c.offset+headerBytes); err != nil {
			return fmt.Errorf("%s: error: byte %d: a chunk of the recording is cut off: %w", f.path,
				c.offset, err)
		}
		if err := visit(text, c); err != nil {
			return err
		}
	}
	return nil
}

// near returns the time of a record, which is near base, before or after it.
func near(word, base uint64) uint64 {
	return base + uint64(int64((word>>timeShift-base)<<timeShift)>>timeShift)
}
