package sampling

const (
	longestInstruction = 15
	before             = 4 * longestInstruction // bytes of code before a place that are decoded
	after              = 240                    // and from there on, for jumps
	furthest           = 3                      // instructions that a sample may stand behind
	soon               = 6                      // instructions in which what was read is written
)

// accessAt returns the access that a sample at code[at:] is about. An interrupt comes when an
// instruction has ended, so a sample mostly stands behind the one that took long. The registers
// still hold what the address of that is made of, unless they have been changed since, or the
// thread came here by a jump.
func accessAt(code []byte, at int) decoded {
	b := decodeBefore(code, at)
	here := decode(code[at:])
	var changed uint32
	for end, n := at, 0; n < furthest; n++ {
		start := b.previous(end)
		if start < 0 || !b.all[start].goesOn || b.target(start, at) {
			break
		}
		i := &b.all[start]
		changed |= i.changes
		if i.memory {
			if i.uses()&changed == 0 {
				return found(code, end, at, i.operand)
			}
			break
		}
		if n == 0 && here.memory {
			break
		}
		end = start
	}
	if !here.memory {
		return decoded{}
	}
	return found(code, at+here.length, at, here.operand)
}

// found returns the access of an instruction that ends at next. One that reads counts as writing if
// its successors write the same place: adding to memory is often a load, an addition and a store,
// and the load takes the time.
func found(code []byte, next, at int, o operand) decoded {
	is := decoded{o, true, int64(next - at)}
	var changed uint32
	if next > at {
		changed = decode(code[at:]).changes
	}
	place := o.place(next)
	for n := 0; n < soon && next < len(code) && o.uses()&changed == 0; n++ {
		i := decode(code[next:])
		if i.length == 0 || i.jumps || !i.goesOn {
			break
		}
		next += i.length
		if i.memory && i.write && i.place(next) == place {
			is.write = true
		}
		changed |= i.changes
	}
	return is
}

// preceding is the code before a place, decoded from each byte.
type preceding struct {
	all     []instruction
	through []int // ways that lead to the place through the instruction at a byte
	targets []int // of jumps near the place
}

// decodeBefore decodes from each byte before a place. Code falls in step soon, so most ways that
// lead to the place are right in their last instructions.
func decodeBefore(code []byte, at int) *preceding {
	b := &preceding{all: make([]instruction, at), through: make([]int, at)}
	for i := range at {
		b.all[i] = decode(code[i:])
	}
	for from := range at {
		i := from
		for i < at && b.all[i].length > 0 {
			i += b.all[i].length
		}
		if i != at {
			continue
		}
		for i = from; i < at; i += b.all[i].length {
			b.through[i]++
		}
	}
	for i := at; i < len(code); {
		is := decode(code[i:])
		if is.length == 0 {
			break
		}
		b.jump(i, is)
		i += is.length
	}
	for i := b.previous(at); i >= 0; i = b.previous(i) {
		b.jump(i, b.all[i])
	}
	return b
}

func (b *preceding) jump(at int, is instruction) {
	if is.jumps {
		b.targets = append(b.targets, at+is.by)
	}
}

// previous returns where the instruction before a place starts; negative: that is unsure.
func (b *preceding) previous(end int) int {
	best, most, all := -1, 0, 0
	for i := max(0, end-longestInstruction); i < end; i++ {
		if n := b.through[i]; n > 0 && i+b.all[i].length == end {
			if all += n; n > most {
				best, most = i, n
			}
		}
	}
	if 2*most <= all {
		return -1
	}
	return best
}

// target reports whether a jump leads behind an instruction at start, up to the place.
func (b *preceding) target(start, at int) bool {
	for _, t := range b.targets {
		if t > start && t <= at {
			return true
		}
	}
	return false
}

// access returns the access that a sample at an address is about.
func (s *stacks) access(p *process, address uint64, registers []uint64) Access {
	place := p.find(address)
	if place.File < 0 || len(registers) == 0 {
		return Access{}
	}
	is, cached := s.decoded[place]
	if !cached {
		var code [before + after]byte
		if f := s.code(place.File); f != nil {
			from := max(int64(place.Offset)-before, 0)
			at := int(int64(place.Offset) - from)
			if n, _ := f.ReadAt(code[:], from); n > at { // near the file's end there is less
				is = accessAt(code[:n], at)
			}
		}
		s.decoded[place] = is
	}
	if !is.known {
		return Access{}
	}
	return Access{is.address(registers, address+uint64(is.next)), is.size, is.write}
}
