package eventlog

import (
	"strconv"
	"strings"

	"opari/internal/symbols"
)

// Calls finds the source lines of calls. The measurement library identifies a call by the path of
// a module and the return address.
type Calls struct {
	files *symbols.Files
	known map[string]call
}

type call struct {
	file string
	line int
}

// NewCalls returns a finder that reads each module once.
func NewCalls() *Calls {
	return &Calls{files: symbols.New(), known: map[string]call{}}
}

// Close closes the modules.
func (c *Calls) Close() { c.files.Close() }

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
			for _, f := range c.files.Loaded(text[:i], address-1) { // the call ends at its return
				if f.Line > 0 {
					at = call{f.File, f.Line}
					break
				}
			}
		}
	}
	c.known[text] = at
	return at.file, at.line
}
