package recording

import (
	"encoding/binary"
	"fmt"
	"os"
	"slices"
)

// record is a decoded record.
type record struct {
	time   uint64 // ticks
	number int    // of the region; of a thread its type
	what   what
	leave  bool
	word   uint64 // of data, which have nothing else
}

// segment is a run of chunks of a thread with nothing missing between them.
type segment []chunk

// segments splits the chunks of a thread where some were lost.
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

// each calls visit with every record of the segment, until that returns false.
func (s segment) each(f *os.File, visit func(*record) (bool, error)) error {
	text := make([]byte, chunkBytes-headerBytes)
	for _, c := range s {
		if _, err := f.ReadAt(text[:8*c.used], c.offset+headerBytes); err != nil {
			return fmt.Errorf("%s: error: byte %d: a chunk of the recording is cut off: %w", f.Name(), c.offset, err)
		}
		r, base := record{time: c.first}, c.first
		for words := text[:8*c.used]; len(words) >= 8; words = words[8:] {
			word := binary.LittleEndian.Uint64(words)
			if word&(1<<opBits-1) == uint64(pause)<<1|1 {
				base = word >> opBits
				r.time = base
				continue
			}
			if what(word>>1&(allKinds-1)) != data {
				r.time = base + uint64(int64((word>>timeShift-base)<<timeShift)>>timeShift) // near to base, on either side
			}
			r.word = word >> opBits
			r.number = int(word >> opBits & (1<<idBits - 1))
			r.what = what(word >> 1 & (allKinds - 1))
			r.leave = word&1 != 0
			if kinds[r.what].name == "" {
				continue
			}
			if more, err := visit(&r); err != nil || !more {
				return err
			}
		}
	}
	return nil
}

// place is what is open: a kind of record and a region.
type place struct {
	what   what
	number int
}

// openAtStart finds what is open when the segment begins, outermost first: what is left in it and was not entered. A thread
// that begins in it has nothing open before.
func (s segment) openAtStart(f *os.File) ([]place, error) {
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
