package analysis

// stack holds the open frames of a thread. It grows by parts, because a copy of a stack of
// millions of frames would take as much memory again.
type stack struct {
	parts [][]frame
	n     int
}

const partBits = 10 // a part has 1<<partBits frames

func (s *stack) len() int { return s.n }

func (s *stack) at(i int) *frame { return &s.parts[i>>partBits][i&(1<<partBits-1)] }

func (s *stack) push(f frame) {
	part := s.n >> partBits
	if part == len(s.parts) {
		s.parts = append(s.parts, nil)
		if part > 0 { // few threads get here, so only the first part starts small
			s.parts[part] = make([]frame, 0, 1<<partBits)
		}
	}
	s.parts[part] = append(s.parts[part], f)
	s.n++
}

func (s *stack) pop() {
	s.n--
	part := &s.parts[s.n>>partBits]
	*part = (*part)[:len(*part)-1]
}
