package eventlog

import (
	"bufio"
	"cmp"
	"debug/dwarf"
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// places finds the source lines of addresses in a process. It uses copies of the process's load
// map.
type places struct {
	// The mappings of later copies come last. find searches backwards, because an earlier copy
	// may list libraries that were unloaded since.
	mappings []mapping
	modules  map[string]*module
	known    map[uint64]string
}

// mapping is an executable part of a file in memory.
type mapping struct {
	start, end, offset uint64
	path               string
}

// module is a file with code.
type module struct {
	file    *elf.File // nil: unreadable
	dwarf   *dwarf.Data
	symbols []elf.Symbol // functions, by address
}

// readPlaces reads the load maps in the file at path. Addresses whose mapping it cannot read stay
// bare addresses.
func readPlaces(path string) *places {
	p := &places{modules: map[string]*module{}, known: map[uint64]string{}}
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

func (p *places) close() {
	for _, m := range p.modules {
		if m.file != nil {
			_ = m.file.Close()
		}
	}
}

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
		if s := p.module(m.path).place(offset); s != "" {
			return s
		}
		return fmt.Sprintf("%s+%#x", filepath.Base(m.path), offset+1)
	}
	return fmt.Sprintf("%#x", address)
}

func (p *places) module(path string) *module {
	if m, ok := p.modules[path]; ok {
		return m
	}
	m := &module{}
	p.modules[path] = m
	f, err := elf.Open(path)
	if err != nil {
		return m
	}
	m.file = f
	m.dwarf, _ = f.DWARF()
	symbols, _ := f.Symbols()
	dynamic, _ := f.DynamicSymbols()
	for _, s := range append(symbols, dynamic...) {
		if elf.ST_TYPE(s.Info) == elf.STT_FUNC && s.Value != 0 {
			m.symbols = append(m.symbols, s)
		}
	}
	slices.SortFunc(m.symbols, func(a, b elf.Symbol) int { return cmp.Compare(a.Value, b.Value) })
	return m
}

// place names what lies at an offset in the file; "" if unknown.
func (m *module) place(offset uint64) string {
	if m.file == nil {
		return ""
	}
	for _, load := range m.file.Progs {
		if load.Type == elf.PT_LOAD && offset >= load.Off && offset < load.Off+load.Filesz {
			pc := offset - load.Off + load.Vaddr
			if s := m.line(pc); s != "" {
				return s
			}
			return m.symbol(pc)
		}
	}
	return ""
}

// line names a line of the program's own text. A call that instrumentation added counts as the
// line where it was inlined.
func (m *module) line(pc uint64) string {
	if m.dwarf == nil {
		return ""
	}
	unit, err := m.dwarf.Reader().SeekPC(pc)
	if err != nil {
		return ""
	}
	lines, err := m.dwarf.LineReader(unit)
	if err != nil || lines == nil {
		return ""
	}
	entry, ok := lineEntry(lines, pc)
	if !ok || entry.File == nil || entry.Line == 0 {
		return ""
	}
	if added(entry.File.Name) {
		files := lines.Files()
		for _, call := range slices.Backward(m.inlined(unit, pc)) {
			file, _ := call.Val(dwarf.AttrCallFile).(int64)
			line, _ := call.Val(dwarf.AttrCallLine).(int64)
			if file >= 0 && file < int64(len(files)) && files[file] != nil &&
				!added(files[file].Name) {
				return position(files[file].Name, int(line))
			}
		}
	}
	return position(entry.File.Name, entry.Line)
}

// lineEntry finds the row of a line table that pc belongs to. LineReader.SeekPC fails for a unit
// with code in several sections.
func lineEntry(lines *dwarf.LineReader, pc uint64) (dwarf.LineEntry, bool) {
	var last, next dwarf.LineEntry
	for last.EndSequence = true; lines.Next(&next) == nil; last = next {
		if !last.EndSequence && last.Address <= pc && pc < next.Address {
			return last, true
		}
	}
	return last, false
}

// added reports whether name names text that a compiler or opari made, such as <built-in> or
// <opari>.
func added(name string) bool { return strings.HasPrefix(filepath.Base(name), "<") }

// position formats a line as file:line. It strips the compiler's directory, which debug/dwarf
// puts even before an absolute name.
func position(name string, line int) string {
	if i := strings.LastIndex(name, "//"); i >= 0 {
		name = name[i+1:]
	}
	return fmt.Sprintf("%s:%d", filepath.Clean(name), line)
}

// inlined lists the calls that were inlined at pc, the outermost first.
func (m *module) inlined(unit *dwarf.Entry, pc uint64) []*dwarf.Entry {
	var chain []*dwarf.Entry
	r := m.dwarf.Reader()
	r.Seek(unit.Offset)
	if _, err := r.Next(); err != nil {
		return nil
	}
	for depth := 0; depth >= 0; {
		e, err := r.Next()
		if err != nil || e == nil {
			break
		}
		if e.Tag == 0 {
			depth--
			continue
		}
		switch e.Tag {
		case dwarf.TagInlinedSubroutine:
			if m.contains(e, pc) {
				chain = append(chain, e)
			}
		case dwarf.TagSubprogram, dwarf.TagLexDwarfBlock, dwarf.TagNamespace:
			// The body of a region may be listed inside another function.
		default:
			r.SkipChildren()
			continue
		}
		if e.Children {
			depth++
		}
	}
	return chain
}

func (m *module) contains(e *dwarf.Entry, pc uint64) bool {
	ranges, err := m.dwarf.Ranges(e)
	return err == nil &&
		slices.ContainsFunc(ranges, func(r [2]uint64) bool { return pc >= r[0] && pc < r[1] })
}

func (m *module) symbol(pc uint64) string {
	i, exact := slices.BinarySearchFunc(m.symbols, pc,
		func(s elf.Symbol, pc uint64) int { return cmp.Compare(s.Value, pc) })
	if !exact {
		i--
	}
	if i < 0 || pc >= m.symbols[i].Value+max(m.symbols[i].Size, 1) {
		return ""
	}
	return fmt.Sprintf("%s+%#x", m.symbols[i].Name, pc+1-m.symbols[i].Value)
}
