package sampling

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"

	"golang.org/x/sys/unix"
)

// note is one record of the kernel's, with its time.
type note struct {
	time uint64
	text []byte // with the header
}

const (
	headerSize  = 8  // type, misc, size
	trailerSize = 24 // process and thread; time; processor: what PerfBitSampleIDAll appends
)

func (n note) kind() uint32 { return binary.NativeEndian.Uint32(n.text) }
func (n note) misc() uint16 { return binary.NativeEndian.Uint16(n.text[4:]) }

func word(b []byte) uint64 { return binary.NativeEndian.Uint64(b) }
func half(b []byte) uint32 { return binary.NativeEndian.Uint32(b) }

// split appends the notes of a text to all. It ignores notes that are too short for what they are.
func split(all []note, text []byte) []note {
	for len(text) >= headerSize {
		size := int(binary.NativeEndian.Uint16(text[6:]))
		if size < headerSize || size > len(text) {
			break
		}
		n := note{text: text[:size]}
		text = text[size:]
		at := size - trailerSize + 8
		if n.kind() == unix.PERF_RECORD_SAMPLE {
			at = headerSize + 8
		}
		if at < headerSize || size < headerSize+trailerSize {
			continue
		}
		n.time = word(n.text[at:])
		all = append(all, n)
	}
	return all
}

// origin is the thread and the processor of a note.
type origin struct{ pid, tid, cpu int }

func (n note) trailer() origin {
	t := n.text[len(n.text)-trailerSize:]
	return origin{int(int32(half(t))), int(int32(half(t[4:]))), int(half(t[16:]))}
}

// body is the note without header and trailer.
func (n note) body() []byte { return n.text[headerSize : len(n.text)-trailerSize] }

// taken is a sample as the kernel notes it.
type taken struct {
	origin
	values values
	stands bool     // it says where the thread stands; else it has only values
	chain  []uint64 // addresses of code, the innermost first, and markers
	inUser bool     // the thread was in the program's code, not in the kernel
	// registers of the program; nil: unknown
	registers []uint64
	stack     []byte // a copy, from the stack pointer on; nil: there is none
}

// values are what the events of a group have counted, of a thread on a processor.
type values struct {
	enabled, running uint64 // ns in which they could have counted, and in which they did
	words            []byte // pairs: value, number of the event
}

const pair = 16

// readValues reads values, and returns what stands behind them.
func readValues(b []byte) (v values, rest []byte, ok bool) {
	const head = 24
	if len(b) < head || word(b) > uint64((len(b)-head)/pair) {
		return v, nil, false
	}
	end := head + pair*int(word(b))
	return values{word(b[8:]), word(b[16:]), b[head:end]}, b[end:], true
}

// sample reads a note of the kind PERF_RECORD_SAMPLE.
func (n note) sample(c *counting, buffer []uint64) (s taken, ok bool) {
	b := n.text[headerSize:]
	s.origin = origin{int(int32(half(b))), int(int32(half(b[4:]))), int(half(b[16:]))}
	s.chain = buffer[:0]
	b = b[24:]
	if c.valued() {
		if s.values, b, ok = readValues(b); !ok || len(s.values.words) == 0 {
			return s, false
		}
		if first := c.of[word(s.values.words[8:])]; !first.stacks {
			return s, true
		}
	}
	s.stands = true
	if len(b) < 8 || word(b) > uint64(len(b)/8-1) {
		return s, false
	}
	end := 8 + 8*word(b)
	for b := b[8:end]; len(b) > 0; b = b[8:] {
		s.chain = append(s.chain, word(b))
	}
	s.inUser = n.misc()&unix.PERF_RECORD_MISC_CPUMODE_MASK == unix.PERF_RECORD_MISC_USER
	s.registers, b = readRegisters(b[end:])
	if s.registers != nil {
		s.stack = readStack(b)
	}
	return s, true
}

// readRegisters reads the registers of a sample, and returns what stands behind them. Those of
// programs of 32 bits are left out.
func readRegisters(b []byte) (all []uint64, rest []byte) {
	count := bits.OnesCount64(sampledRegisters)
	if count == 0 || len(b) < 8*(1+count) || word(b) != unix.PERF_SAMPLE_REGS_ABI_64 {
		return nil, nil
	}
	all = make([]uint64, count)
	for i := range all {
		all[i] = word(b[8*(1+i):])
	}
	return all, b[8*(1+count):]
}

// readStack reads the copy of a stack: the room that there was, the copy, and how much of it the
// kernel could read.
func readStack(b []byte) []byte {
	if len(b) < 16 || word(b) > uint64(len(b)-16) {
		return nil
	}
	room := word(b)
	return b[8 : 8+min(room, word(b[8+room:]))]
}

// inUser returns the addresses of a chain that lie in the program.
func inUser(chain []uint64) []uint64 {
	const markers = ^uint64(4095) + 1 // the least of them, PERF_CONTEXT_MAX
	const user = ^uint64(511)         // PERF_CONTEXT_USER
	if i := slices.Index(chain, user); i >= 0 {
		chain = chain[i+1:]
		if j := slices.IndexFunc(chain, func(a uint64) bool { return a >= markers }); j >= 0 {
			chain = chain[:j]
		}
		return chain
	}
	return nil
}

// mapped is the news that a process has mapped code.
type mapped struct {
	pid              int
	from, to, offset uint64
	file             string
}

// mapping reads a note of the kind PERF_RECORD_MMAP2.
func (n note) mapping() (mapped, bool) {
	b := n.body()
	const name = 64 // pid, tid; address, length, offset; 24 bytes of identity; protection, flags
	if len(b) < name {
		return mapped{}, false
	}
	m := mapped{pid: int(int32(half(b))), from: word(b[8:]), offset: word(b[24:])}
	m.to = m.from + word(b[16:])
	text := b[name:]
	if i := bytes.IndexByte(text, 0); i >= 0 {
		text = text[:i]
	}
	m.file = string(text)
	return m, m.to > m.from
}

// family reads the threads of a note of the kind PERF_RECORD_FORK or PERF_RECORD_EXIT.
func (n note) family() (thread, parent origin, ok bool) {
	b := n.body()
	if len(b) < 16 {
		return thread, parent, false
	}
	id := func(at int) int { return int(int32(half(b[at:]))) }
	return origin{pid: id(0), tid: id(8)}, origin{pid: id(4), tid: id(12)}, true
}
