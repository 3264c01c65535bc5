package eventlog

import (
	"debug/elf"
	"math"
	"strconv"
	"strings"
)

// Calls finds the source lines of calls. The measurement library identifies a call by the path of
// a module and the return address.
type Calls struct {
	places *places
	known  map[string]call
}

type call struct {
	file string
	line int
}

// NewCalls returns a finder that reads each module once.
func NewCalls() *Calls {
	return &Calls{places: &places{modules: map[string]*module{}}, known: map[string]call{}}
}

// Close closes the modules.
func (c *Calls) Close() { c.places.close() }

// Place returns the file and line of PATH+0xADDRESS, where the address counts from the start of
// the module in memory. It returns "" and 0 if the module is missing or has no debugging
// information.
func (c *Calls) Place(text string) (file string, line int) {
	if at, ok := c.known[text]; ok {
		return at.file, at.line
	}
	var at call
	if i := strings.LastIndex(text, "+0x"); i > 0 {
		if address, err := strconv.ParseUint(text[i+3:], 16, 64); err == nil && address > 0 {
			at = c.find(text[:i], address)
		}
	}
	c.known[text] = at
	return at.file, at.line
}

func (c *Calls) find(path string, address uint64) call {
	m := c.places.module(path)
	if m.file == nil {
		return call{}
	}
	base := uint64(math.MaxUint64) // the address at which the linker placed the module
	for _, load := range m.file.Progs {
		if load.Type == elf.PT_LOAD {
			base = min(base, load.Vaddr&^0xfff)
		}
	}
	position := m.line(base + address - 1) // the call ends at its return address
	i := strings.LastIndexByte(position, ':')
	if i < 0 {
		return call{}
	}
	line, err := strconv.Atoi(position[i+1:])
	if err != nil {
		return call{}
	}
	return call{position[:i], line}
}
