package recording

import (
	"encoding/binary"
	"fmt"
)

// open opens the thread's file.
func (t *rawThread) open() (*rawFile, error) {
	f, err := openRaw(t.opener, t.path)
	if err != nil {
		return nil, err
	}
	f.front = t.front
	return f, nil
}

// ReadAt reads within one chunk.
func (f *rawFile) ReadAt(to []byte, offset int64) (int, error) {
	if f.front != nil && offset < chunkBytes {
		return copy(to, f.front[offset:]), nil
	}
	return f.File.ReadAt(to, offset)
}

// capture copies the first chunk of a thread that goes on writing. Records in a chunk do not
// change, except that the library may take back the last ones. Each chunk has its own sequence
// number.
func (t *rawThread) capture() error {
	f, err := openRaw(t.opener, t.path)
	if err != nil {
		return err
	}
	defer f.Close()
	front, after := make([]byte, chunkBytes), make([]byte, headerBytes)
	word := func(of []byte, i int) uint64 { return binary.LittleEndian.Uint64(of[8*i:]) }
	for range 10000 {
		for _, part := range []struct {
			to []byte
			at int64
		}{{front[:headerBytes], 0}, {front[headerBytes:], headerBytes}, {after, 0}} {
			if _, err := f.ReadAt(part.to, part.at); err != nil {
				return fmt.Errorf("%s: error: cut off: %w", t.path, err)
			}
		}
		same := true
		for _, i := range []int{1, 2, 3, 4} { // sequence, first, and both clocks
			same = same && word(front, i) == word(after, i)
		}
		if used := min(word(front, 5), word(after, 5)); same && (used > 0 || word(front, 5) == 0) {
			binary.LittleEndian.PutUint64(front[8*5:], used)
			t.front = front
			return nil
		}
	}
	return fmt.Errorf("%s: error: the thread writes faster than its records can be read", t.path)
}

// later reports whether an appended chunk is the captured one or came after it.
func (t *rawThread) later(c chunk) bool {
	if t.front == nil {
		return false
	}
	sequence := binary.LittleEndian.Uint64(t.front[8:])
	used := binary.LittleEndian.Uint64(t.front[8*5:])
	return c.sequence > sequence || c.sequence == sequence && used > 0
}
