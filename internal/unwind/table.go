package unwind

import (
	"cmp"
	"debug/elf"
	"errors"
	"slices"
)

// Table is the call frame information of a file of code. Its methods must not be called by several
// goroutines at once.
type Table struct {
	section []byte
	address uint64 // of the section
	loads   []elf.ProgHeader
	entries []entry         // by start
	commons map[int]*common // by place; nil: of a kind that is not known
	rows    map[uint64]*Row // by address; nil: none
	shared  map[uint64]*Row // by the first address at which they hold
}

// common is what several entries have in common (a CIE).
type common struct {
	codeAlign    uint64
	dataAlign    int64
	returns      uint64 // the register with the return address
	encoding     byte   // of pointers in entries
	augmented    bool   // entries have augmentation data
	signal       bool   // the frame is the kernel's, for a signal handler
	instructions []byte
	address      uint64 // of the instructions
}

// entry is one function, or a part of one (an FDE).
type entry struct {
	start, end   uint64
	common       *common
	instructions []byte
	address      uint64
}

var errNoTable = errors.New("no call frame information for amd64")

// Open reads the table of a file.
func Open(path string) (*Table, error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return New(f)
}

// New reads the table of a file that is open.
func New(f *elf.File) (*Table, error) {
	section := f.Section(".eh_frame")
	if section == nil || section.Type == elf.SHT_NOBITS || f.Machine != elf.EM_X86_64 ||
		f.Class != elf.ELFCLASS64 {
		return nil, errNoTable
	}
	text, err := section.Data()
	if err != nil {
		return nil, err
	}
	t := newTable(text, section.Addr)
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD {
			t.loads = append(t.loads, p.ProgHeader)
		}
	}
	return t, nil
}

// newTable reads the section that is at an address.
func newTable(section []byte, address uint64) *Table {
	t := &Table{
		section: section, address: address, commons: map[int]*common{}, rows: map[uint64]*Row{},
		shared: map[uint64]*Row{},
	}
	t.read()
	return t
}

// Address returns the address at which the linker put what stands at an offset in the file.
func (t *Table) Address(offset uint64) (uint64, bool) {
	for i := range t.loads {
		if l := &t.loads[i]; offset >= l.Off && offset-l.Off < l.Filesz {
			return offset - l.Off + l.Vaddr, true
		}
	}
	return 0, false
}

// At returns the row of an address; nil: there is none.
func (t *Table) At(address uint64) *Row {
	row, known := t.rows[address]
	if known {
		return row
	}
	if e := t.entry(address); e != nil {
		row = t.row(e, address)
	}
	t.rows[address] = row
	return row
}

func (t *Table) entry(address uint64) *entry {
	i, exact := slices.BinarySearchFunc(t.entries, address,
		func(e entry, address uint64) int { return cmp.Compare(e.start, address) })
	if !exact {
		i--
	}
	if i < 0 || address >= t.entries[i].end {
		return nil
	}
	return &t.entries[i]
}

// read finds all entries. Garbage ends the section.
func (t *Table) read() {
	for at := 0; at+4 <= len(t.section); {
		next, ok := t.readEntry(at)
		if !ok {
			break
		}
		at = next
	}
	slices.SortStableFunc(t.entries, func(a, b entry) int { return cmp.Compare(a.start, b.start) })
}

// body returns what stands at a place: where it ends, and the place of its number, which is 0 for a
// common part. A length of 0 stands between or behind the parts of several objects.
func (t *Table) body(at int) (id, end int, ok bool) {
	r := t.reader(at, len(t.section))
	length := r.fixed(4)
	if length == 0xffffffff {
		length = r.fixed(8)
	}
	if r.failed || length > uint64(len(t.section)-r.at) {
		return 0, 0, false
	}
	return r.at, r.at + int(length), length == 0 || length >= 4
}

func (t *Table) readEntry(at int) (next int, ok bool) {
	id, end, ok := t.body(at)
	if !ok || id == end {
		return end, ok
	}
	r := t.reader(id, end)
	back := r.fixed(4)
	if back == 0 {
		return end, true // a common part: read when an entry needs it
	}
	c := t.commonAt(id, back)
	if c == nil {
		return end, true // of a kind that is not known
	}
	var e entry
	e.common = c
	e.start = r.pointer(c.encoding)
	size := r.pointer(c.encoding & 0x0f)
	if c.augmented {
		r.skip(r.unsigned())
	}
	if r.failed {
		return end, false
	}
	e.end = e.start + size
	e.instructions, e.address = r.rest()
	if size > 0 && e.end > e.start {
		t.entries = append(t.entries, e)
	}
	return end, true
}

// commonAt returns the common part that stands so far before a place; nil: none that is known.
func (t *Table) commonAt(id int, back uint64) *common {
	if back > uint64(id) {
		return nil
	}
	// The distance is to the length of the common part.
	at := id - int(back)
	c, known := t.commons[at]
	if !known {
		c = t.readCommon(at)
		t.commons[at] = c
	}
	return c
}

func (t *Table) readCommon(at int) *common {
	id, end, ok := t.body(at)
	if !ok || id == end {
		return nil
	}
	r := t.reader(id, end)
	if r.fixed(4) != 0 {
		return nil
	}
	version := r.fixed(1)
	if version != 1 && version != 3 {
		return nil
	}
	augmentation := r.string()
	c := &common{codeAlign: r.unsigned(), dataAlign: r.signed()}
	if version == 1 {
		c.returns = r.fixed(1)
	} else {
		c.returns = r.unsigned()
	}
	if augmentation != "" && augmentation[0] != 'z' {
		return nil
	}
	for i, letter := range augmentation {
		switch {
		case i == 0:
			c.augmented = true
			r.unsigned() // the size of what the letters stand for
		case letter == 'L':
			r.fixed(1)
		case letter == 'P':
			encoding := byte(r.fixed(1))
			r.pointer(encoding)
		case letter == 'R':
			c.encoding = byte(r.fixed(1))
		case letter == 'S':
			c.signal = true
		default:
			return nil
		}
	}
	if r.failed || c.returns != ReturnAddress {
		return nil
	}
	c.instructions, c.address = r.rest()
	return c
}
