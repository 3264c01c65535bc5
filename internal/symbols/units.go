package symbols

import (
	"cmp"
	"debug/dwarf"
	"debug/elf"
	"path/filepath"
	"slices"
	"strings"
)

// span is a range of addresses that belongs to the element of a list with that index.
type span struct {
	low, high uint64
	index     int
}

// spans are sorted by low. They may overlap.
type spans []span

func (s spans) sort() {
	slices.SortStableFunc(s, func(a, b span) int { return cmp.Compare(a.low, b.low) })
}

// find returns the index of the span with the greatest low that contains pc; -1: there is none.
func (s spans) find(pc uint64) int {
	i, _ := slices.BinarySearchFunc(s, pc, func(e span, pc uint64) int {
		if e.low <= pc {
			return -1
		}
		return 1
	})
	for i--; i >= 0; i-- {
		if pc < s[i].high {
			return s[i].index
		}
	}
	return -1
}

// unit is a compilation unit. Its lines and functions are read when they are first needed.
type unit struct {
	entry     *dwarf.Entry
	directory string
	read      bool
	files     []*dwarf.LineFile
	rows      [][]row // by sequence, each in the order of addresses
	sequences spans
	functions spans
	list      []*function
}

// row says that the code from an address to that of the next row is of a line.
type row struct {
	address uint64
	file    *dwarf.LineFile
	line    int
}

// function is a function with code, or a call that was inlined into one.
type function struct {
	entry  *dwarf.Entry
	ranges [][2]uint64
	file   int64 // of the call
	line   int64
	calls  []*function // inlined into this one
}

// entries reads entries of DWARF in the order of the file.
type entries struct {
	*dwarf.Reader
	last dwarf.Offset
}

// next returns nil at the end, and where damaged information leads back.
func (r *entries) next() *dwarf.Entry {
	e, err := r.Next()
	if err != nil || e == nil || e.Tag != 0 && e.Offset < r.last {
		return nil
	}
	if e.Tag != 0 { // the end of a list has no offset
		r.last = e.Offset + 1
	}
	return e
}

// readUnits reads which addresses each unit has. What the linker dropped has ranges outside the
// code.
func (m *module) readUnits() {
	r := entries{Reader: m.dwarf.Reader()}
	for {
		e := r.next()
		if e == nil || e.Tag == 0 { // damaged information may have no end of these
			break
		}
		r.SkipChildren()
		if e.Tag != dwarf.TagCompileUnit {
			continue
		}
		u := &unit{entry: e}
		u.directory, _ = e.Val(dwarf.AttrCompDir).(string)
		ranges, _ := m.dwarf.Ranges(e)
		for _, part := range ranges {
			if part[0] < part[1] && m.hasCode(part[0]) {
				m.units = append(m.units, span{part[0], part[1], len(m.list)})
			}
		}
		m.list = append(m.list, u)
	}
	m.units.sort()
}

// hasCode reports whether an address lies in the part of the file that can be executed.
func (m *module) hasCode(pc uint64) bool {
	return slices.ContainsFunc(m.file.Progs, func(p *elf.Prog) bool {
		return p.Type == elf.PT_LOAD && p.Flags&elf.PF_X != 0 && pc >= p.Vaddr &&
			pc-p.Vaddr < p.Memsz
	})
}

// inlined returns the frames at an address by DWARF, the innermost first; nil: unknown.
func (m *module) inlined(pc uint64) []Frame {
	at := m.units.find(pc)
	if at < 0 {
		return nil
	}
	u := m.list[at]
	if !u.read {
		u.read = true
		m.readLines(u)
		m.readFunctions(u)
	}
	frame := Frame{Directory: u.directory}
	if i := u.sequences.find(pc); i >= 0 {
		rows := u.rows[i]
		n, _ := slices.BinarySearchFunc(rows, pc, func(r row, pc uint64) int {
			if r.address <= pc {
				return -1
			}
			return 1
		})
		if n > 0 && rows[n-1].file != nil && rows[n-1].line > 0 {
			frame.File, frame.Line = u.path(rows[n-1].file), rows[n-1].line
		}
	}
	i := u.functions.find(pc)
	if i < 0 {
		if frame.Line == 0 {
			return nil
		}
		return []Frame{frame}
	}
	chain := []*function{u.list[i]}
	for in := u.list[i]; in != nil; {
		i := slices.IndexFunc(in.calls, func(f *function) bool { return f.contains(pc) })
		if i < 0 {
			break
		}
		in = in.calls[i]
		chain = append(chain, in)
	}
	var frames []Frame
	for _, f := range slices.Backward(chain) {
		frame.Function = m.name(f.entry)
		frames = append(frames, frame)
		frame.File, frame.Line = "", int(f.line)
		if f.file >= 0 && f.file < int64(len(u.files)) && u.files[f.file] != nil {
			frame.File = u.path(u.files[f.file])
		}
	}
	return frames
}

func (f *function) contains(pc uint64) bool {
	return slices.ContainsFunc(f.ranges,
		func(r [2]uint64) bool { return pc >= r[0] && pc < r[1] })
}

// path returns the name of a file. debug/dwarf puts the compiler's directory even before an
// absolute name, which clang writes only for the unit's own file.
func (u *unit) path(f *dwarf.LineFile) string {
	name, _ := u.entry.Val(dwarf.AttrName).(string)
	if filepath.IsAbs(name) && f.Name == filepath.Join(u.directory, name) {
		return filepath.Clean(name)
	}
	return filepath.Clean(f.Name)
}

// readLines reads the unit's line table. A sequence ends where no code follows.
func (m *module) readLines(u *unit) {
	lines, err := m.dwarf.LineReader(u.entry)
	if err != nil || lines == nil {
		return
	}
	var e dwarf.LineEntry
	var rows []row
	for lines.Next(&e) == nil {
		if !e.EndSequence {
			rows = append(rows, row{e.Address, e.File, e.Line})
			continue
		}
		if len(rows) > 0 && m.hasCode(rows[0].address) {
			u.sequences = append(u.sequences, span{rows[0].address, e.Address, len(u.rows)})
			u.rows = append(u.rows, rows)
		}
		rows = nil
	}
	u.sequences.sort()
	u.files = lines.Files()
}

func (m *module) readFunctions(u *unit) {
	r := entries{Reader: m.dwarf.Reader()}
	r.Seek(u.entry.Offset)
	if e := r.next(); e == nil || !e.Children {
		return
	}
	m.readCalls(u, &r, nil)
	u.functions.sort()
}

// readCalls reads the entries below one, up to its end. in is the function that they stand in. It
// returns false at the end of what it can read.
func (m *module) readCalls(u *unit, r *entries, in *function) bool {
	for {
		e := r.next()
		if e == nil {
			return false
		}
		inner := in
		switch e.Tag {
		case 0:
			return true
		case dwarf.TagSubprogram: // the body of a region may be listed inside another function
			inner = &function{entry: e}
			if is, _ := e.Val(dwarf.AttrMainSubprogram).(bool); is {
				m.main, _ = e.Val(dwarf.AttrName).(string)
			}
			inner.ranges, _ = m.dwarf.Ranges(e)
			for _, part := range inner.ranges {
				if m.hasCode(part[0]) {
					u.functions = append(u.functions, span{part[0], part[1], len(u.list)})
				}
			}
			u.list = append(u.list, inner)
		case dwarf.TagInlinedSubroutine:
			inner = &function{entry: e}
			inner.ranges, _ = m.dwarf.Ranges(e)
			inner.file, _ = e.Val(dwarf.AttrCallFile).(int64)
			inner.line, _ = e.Val(dwarf.AttrCallLine).(int64)
			if in != nil {
				in.calls = append(in.calls, inner)
			}
		case dwarf.TagLexDwarfBlock, dwarf.TagNamespace, dwarf.TagModule:
		default:
			r.SkipChildren()
			continue
		}
		if e.Children && !m.readCalls(u, r, inner) {
			return false
		}
	}
}

// name returns the readable name of a function. The entry may refer to another one that has it.
func (m *module) name(e *dwarf.Entry) string {
	known, is := m.names[e.Offset]
	if is {
		return known
	}
	offset, name := e.Offset, ""
	for range 8 {
		linkage, _ := e.Val(dwarf.AttrLinkageName).(string)
		if strings.HasPrefix(linkage, "_") && readable(linkage) != linkage {
			name = linkage // with its class or module
			break
		}
		if own, is := e.Val(dwarf.AttrName).(string); is && name == "" {
			name = own
		}
		to, is := e.Val(dwarf.AttrAbstractOrigin).(dwarf.Offset)
		if !is {
			if to, is = e.Val(dwarf.AttrSpecification).(dwarf.Offset); !is {
				break
			}
		}
		r := m.dwarf.Reader()
		r.Seek(to)
		next, err := r.Next()
		if err != nil || next == nil {
			break
		}
		e = next
	}
	if name = readable(name); name == "MAIN__" && m.main != "" {
		name = m.main
	}
	m.names[offset] = name
	return name
}
