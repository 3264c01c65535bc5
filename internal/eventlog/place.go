package eventlog

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"opari/internal/symbols"
)

// places finds the source lines of addresses in a process. It uses copies of the process's load
// map.
type places struct {
	// The mappings of later copies come last. find searches backwards, because an earlier copy
	// may list libraries that were unloaded since.
	mappings []mapping
	files    *symbols.Files
	known    map[uint64]string
}

// mapping is an executable part of a file in memory.
type mapping struct {
	start, end, offset uint64
	path               string
}

// readPlaces reads the load maps in the file at path. Addresses whose mapping it cannot read stay
// bare addresses.
func readPlaces(path string) *places {
	p := &places{files: symbols.New(), known: map[uint64]string{}}
	f, err := os.Open(path)
	if err != nil {
		return p
	}
	defer f.Close()
	seen := map[mapping]bool{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var m mapping
		var mode, device string
		var inode uint64
		n, _ := fmt.Sscanf(lines.Text(), "%x-%x %s %x %s %d", &m.start, &m.end, &mode, &m.offset,
			&device, &inode)
		_, name, found := strings.Cut(lines.Text(), "/")
		if n < 6 || !found || !strings.Contains(mode, "x") {
			continue
		}
		if m.path = "/" + name; !seen[m] {
			seen[m] = true
			p.mappings = append(p.mappings, m)
		}
	}
	return p
}

func (p *places) close() { p.files.Close() }

// of names the place of a return address: file:line of the call, or function+offset, or
// file+offset, or the bare address. The name of a file below directory is relative to it.
func (p *places) of(address uint64, directory string) string {
	if s, ok := p.known[address]; ok {
		return s
	}
	s := p.find(address)
	if file, err := filepath.Rel(directory, s); err == nil && filepath.IsAbs(s) &&
		!strings.HasPrefix(file, "..") {
		s = file
	}
	p.known[address] = s
	return s
}

func (p *places) find(address uint64) string {
	call := address - 1 // the call ends at its return address
	for _, m := range slices.Backward(p.mappings) {
		if call < m.start || call >= m.end {
			continue
		}
		offset := call - m.start + m.offset
		if s := place(p.files.At(m.path, offset)); s != "" {
			return s
		}
		return fmt.Sprintf("%s+%#x", filepath.Base(m.path), offset+1)
	}
	return fmt.Sprintf("%#x", address)
}

// place names what lies at an address: the innermost line of the program's own text. A call that
// instrumentation added counts as the line where it was inlined. It returns "" if unknown.
func place(frames []symbols.Frame) string {
	for _, f := range frames {
		if f.Line > 0 {
			return fmt.Sprintf("%s:%d", f.File, f.Line)
		}
	}
	if len(frames) > 0 && frames[0].Function != symbols.Library {
		return fmt.Sprintf("%s+%#x", frames[0].Function, frames[0].Offset+1)
	}
	return ""
}
