package symbols

import (
	"bytes"
	"cmp"
	"debug/dwarf"
	"debug/elf"
	"encoding/hex"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// debugFolder has the separate debug files of the system. Tests change it.
var debugFolder = "/usr/lib/debug"

// module is a file of code.
type module struct {
	file    *elf.File // nil: unreadable
	debug   *elf.File // a separate file with DWARF or symbols; nil: there is none
	dwarf   *dwarf.Data
	symbols []symbol // functions, by start
	units   spans    // of units
	list    []*unit
	names   map[dwarf.Offset]string
	main    string // name of a Fortran program, which the linker calls MAIN__; "": none is read
}

// symbol is a function of the symbol table.
type symbol struct {
	name       string
	start, end uint64
	library    bool // part of opari's library
}

func open(path string) *module {
	m := &module{names: map[dwarf.Offset]string{}}
	if is, err := os.Stat(path); err != nil || !is.Mode().IsRegular() {
		return m
	}
	f, err := elf.Open(path)
	if err != nil {
		return m
	}
	m.file = f
	from := f
	if f.Section(".debug_info") == nil && f.Section(".zdebug_info") == nil {
		if m.debug = separate(f, path); m.debug != nil {
			from = m.debug
		}
	}
	m.readSymbols(path)
	if m.dwarf, err = from.DWARF(); err == nil {
		m.readUnits()
	}
	return m
}

func (m *module) close() {
	for _, f := range []*elf.File{m.file, m.debug} {
		if f != nil {
			_ = f.Close()
		}
	}
}

// separate opens the file with the debugging information that was split off; nil: there is none
// at hand.
func separate(f *elf.File, path string) *elf.File {
	id := buildID(f)
	if len(id) > 1 {
		digits := hex.EncodeToString(id)
		name := filepath.Join(debugFolder, ".build-id", digits[:2], digits[2:]+".debug")
		if d, err := elf.Open(name); err == nil {
			if bytes.Equal(buildID(d), id) {
				return d
			}
			_ = d.Close()
		}
	}
	section := f.Section(".gnu_debuglink")
	if section == nil {
		return nil
	}
	text, err := section.Data()
	end := bytes.IndexByte(text, 0)
	if err != nil || end < 1 || len(text) < 8 {
		return nil
	}
	name, sum := string(text[:end]), f.ByteOrder.Uint32(text[len(text)-4:])
	if path, err = filepath.Abs(path); err != nil {
		return nil
	}
	for _, folder := range []string{
		filepath.Dir(path), filepath.Join(filepath.Dir(path), ".debug"),
		filepath.Join(debugFolder, filepath.Dir(path)),
	} {
		candidate := filepath.Join(folder, name)
		if candidate == path || !hasSum(candidate, sum) {
			continue
		}
		if d, err := elf.Open(candidate); err == nil {
			return d
		}
	}
	return nil
}

// hasSum reports whether a file has the check sum that a .gnu_debuglink gives.
func hasSum(path string, sum uint32) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	hash := crc32.NewIEEE()
	_, err = io.Copy(hash, f)
	return err == nil && hash.Sum32() == sum
}

// buildID returns the number that the linker gave the file; nil: it gave none.
func buildID(f *elf.File) []byte {
	s := f.Section(".note.gnu.build-id")
	if s == nil {
		return nil
	}
	text, err := s.Data()
	if err != nil || len(text) < 16 {
		return nil
	}
	name, size := f.ByteOrder.Uint32(text), f.ByteOrder.Uint32(text[4:])
	if name != 4 || uint64(size) > uint64(len(text)-16) {
		return nil
	}
	return text[16 : 16+size]
}

// readSymbols reads the functions of all symbol tables.
func (m *module) readSymbols(path string) {
	name := filepath.Base(path)
	all := strings.HasPrefix(name, "libpomp.so") || strings.HasPrefix(name, "libopari-")
	for _, f := range []*elf.File{m.debug, m.file} {
		if f == nil {
			continue
		}
		symbols, _ := f.Symbols()
		dynamic, _ := f.DynamicSymbols()
		m.addSymbols(symbols, all)
		m.addSymbols(dynamic, all)
	}
	// Of several names at an address, the one that a program most likely calls counts: fmax, not
	// fmaxf32x or __fmax.
	slices.SortStableFunc(m.symbols, func(a, b symbol) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end),
			cmp.Compare(underscores(a.name), underscores(b.name)),
			cmp.Compare(len(a.name), len(b.name)))
	})
	m.symbols = slices.CompactFunc(m.symbols, func(a, b symbol) bool { return a.start == b.start })
}

// underscores returns how many underscores a name begins with.
func underscores(name string) int { return len(name) - len(strings.TrimLeft(name, "_")) }

// addSymbols adds the functions of a table. If the program is linked with opari's library, the
// local functions of that library's source file belong to it, and so do the functions of the
// runtime that it puts itself before.
func (m *module) addSymbols(symbols []elf.Symbol, all bool) {
	linked := slices.ContainsFunc(symbols, func(s elf.Symbol) bool {
		return s.Name == "pomp_unit_1" && s.Section != elf.SHN_UNDEF
	})
	source := ""
	for _, s := range symbols {
		switch elf.ST_TYPE(s.Info) {
		case elf.STT_FILE:
			source = s.Name
		case elf.STT_FUNC:
			if s.Value == 0 || s.Section == elf.SHN_UNDEF {
				continue
			}
			bind := elf.ST_BIND(s.Info)
			ours := all || linked && (bind == elf.STB_LOCAL &&
				(source == "pomp.c" || source == "mpi_layer.c") ||
				strings.HasPrefix(s.Name, "POMP_") || strings.HasPrefix(s.Name, "pomp_") ||
				bind == elf.STB_WEAK && runtimeName(s.Name))
			m.symbols = append(m.symbols,
				symbol{s.Name, s.Value, s.Value + max(s.Size, 1), ours})
		}
	}
}

// runtimeName reports whether a function is one of the OpenMP runtime.
func runtimeName(name string) bool {
	for _, prefix := range []string{"GOMP_", "omp_", "ompt_", "__kmpc_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// symbol returns the function at an address; nil: none is known.
func (m *module) symbol(pc uint64) *symbol {
	i, exact := slices.BinarySearchFunc(m.symbols, pc,
		func(s symbol, pc uint64) int { return cmp.Compare(s.start, pc) })
	if !exact {
		i--
	}
	if i < 0 || pc >= m.symbols[i].end {
		return nil
	}
	return &m.symbols[i]
}
