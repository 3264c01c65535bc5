package sampling

import (
	"os"

	"opari/internal/unwind"
)

// stacks gives each stack a number. Stacks with the same callers share their frames.
type stacks struct {
	files   []string
	ofFile  map[string]int32
	frames  []Frame
	ofFrame map[Frame]int32
	open    map[int32]*os.File

	calls   map[Address]bool // whether a call stands before a return address
	decoded map[Address]decoded
	tables  map[int32]*unwind.Table // by file, -1 for the vdso; nil: it has none
}

func newStacks() *stacks {
	return &stacks{
		ofFile: map[string]int32{}, ofFrame: map[Frame]int32{}, calls: map[Address]bool{},
		decoded: map[Address]decoded{}, open: map[int32]*os.File{},
		tables: map[int32]*unwind.Table{},
	}
}

func (s *stacks) close() {
	for _, f := range s.open {
		if f != nil {
			_ = f.Close()
		}
	}
	s.open = nil
}

// file returns the number of a file of code.
func (s *stacks) file(name string) int32 {
	n, known := s.ofFile[name]
	if !known {
		n = int32(len(s.files))
		s.files = append(s.files, name)
		s.ofFile[name] = n
	}
	return n
}

// number returns the number of the innermost frame of a chain of addresses, -1 for none.
//
// The kernel follows frame pointers. Where code uses that register for something else, the chain
// goes on with words that are no return addresses; it is cut before the first of them.
func (s *stacks) number(p *process, chain []uint64) int32 {
	var places [stackMost + 32]Address
	n := 0
	for _, address := range chain {
		if n == len(places) {
			break
		}
		place := p.find(address)
		if n > 0 {
			place.Return = true
			if place.File < 0 || !s.isReturn(place) {
				break
			}
		}
		places[n] = place
		n++
	}
	return s.add(places[:n])
}

// numberOf does the same for places that are known to be those of frames.
func (s *stacks) numberOf(p *process, places []unwind.Place) int32 {
	var all [stackMost]Address
	for i, place := range places {
		all[i] = p.find(place.Address)
		all[i].Return = place.Return
	}
	return s.add(all[:len(places)])
}

// add returns the number of the first of some places, of which each is called by the next.
func (s *stacks) add(places []Address) int32 {
	caller := int32(-1)
	for n := len(places) - 1; n >= 0; n-- {
		f := Frame{Caller: caller, Code: places[n]}
		number, known := s.ofFrame[f]
		if !known {
			number = int32(len(s.frames))
			s.frames = append(s.frames, f)
			s.ofFrame[f] = number
		}
		caller = number
	}
	return caller
}

// isReturn reports whether a call stands before a place. If the file cannot be read, it may.
func (s *stacks) isReturn(place Address) bool {
	is, known := s.calls[place]
	if !known {
		is = s.callBefore(place)
		s.calls[place] = is
	}
	return is
}

// longestCall is the length of the longest instruction that calls, without prefixes.
const longestCall = 7

// code returns a file of code; nil: it cannot be read.
func (s *stacks) code(number int32) *os.File {
	f, known := s.open[number]
	if !known {
		f, _ = os.Open(s.files[number])
		s.open[number] = f
	}
	return f
}

func (s *stacks) callBefore(place Address) bool {
	f := s.code(place.File)
	if f == nil {
		return true
	}
	if place.Offset < longestCall {
		return false
	}
	var code [longestCall]byte
	if _, err := f.ReadAt(code[:], int64(place.Offset)-longestCall); err != nil {
		return true
	}
	return endsInCall(code)
}
