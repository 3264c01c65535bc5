package pomp

import (
	"bytes"
	"debug/elf"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
)

// Symbols collects from the symbols of the files of a link, or of a program, which library
// receives the calls of their instrumented code. In case of doubt, it assumes that some library
// does.
type Symbols struct {
	instrumented bool     // a file has code that opari instrumented
	library      bool     // a file defines pomp_unit_1, so a library of this ABI is there
	ours         bool     // ... and it is ours
	shared       bool     // ... and it is a shared one
	others       bool     // a file has code for another interface, whose library receives its calls
	unreadable   bool     // a file could not be read
	file         string   // the first file that defines a routine of another interface
	kind         string   // name of that interface
	callers      []string // files that call such a routine, as instrumented code never does
}

// UncalledLibrary is a measurement library that receives no call of instrumented code, because it
// implements another interface.
type UncalledLibrary struct {
	File      string
	Interface string
}

func (s UncalledLibrary) String() string {
	return s.File + ": the measurement library for " + s.Interface +
		" gets no events, since instrumented code does not call it"
}

// fork is the routine that every measurement library of an interface defines.
type fork struct{ name, kind string }

var forks = []fork{
	{"POMP2_Parallel_fork", "OPARI2 (POMP2_Parallel_fork)"},
	{"pomp2_parallel_fork_", "OPARI2 (pomp2_parallel_fork_)"},
	{"pomp_parallel_fork", "OPARI 1.x (pomp_parallel_fork)"},
	{"pomp_parallel_fork_", "OPARI 1.x (pomp_parallel_fork_)"},
	// This name is also in pomp_lib.h, but a library for that interface defines pomp_unit_1 too.
	// Without pomp_unit_1, no unit calls this routine.
	{"POMP_Parallel_fork", "OPARI 1.x (POMP_Parallel_fork without pomp_unit_1)"},
}

// marks are words, at least one of which occurs in every relevant symbol table.
var marks = [][]byte{
	[]byte("arallel_fork"), []byte("pomp_unit_1"), []byte("pomp_fortran_1"),
	[]byte("POMP2_"), []byte("omp_rd_"), []byte("__gnu_lto_slim"),
}

// UncalledLibrary returns the library that receives no calls. ok is false if there is none, or if
// any library receives them.
func (a *Symbols) UncalledLibrary() (s UncalledLibrary, ok bool) {
	if !a.instrumented || a.library || a.others || a.unreadable || a.file == "" {
		return UncalledLibrary{}, false
	}
	for _, caller := range a.callers {
		if caller != a.file { // a library may call itself
			return UncalledLibrary{}, false
		}
	}
	return UncalledLibrary{a.file, a.kind}, true
}

// HasLibrary reports whether there is a library of this ABI.
func (a *Symbols) HasLibrary() bool { return a.library }

// Replacement reports whether a library of this ABI replaces ours, and whether it is a shared one.
func (a *Symbols) Replacement() (shared, ok bool) { return a.shared, a.library && !a.ours }

// AddInstrumented notes that there is instrumented code outside of the files.
func (a *Symbols) AddInstrumented() { a.instrumented = true }

// AddUnreadable notes an input that cannot be read.
func (a *Symbols) AddUnreadable() { a.unreadable = true }

// Read reads the symbols of an object, an archive, a shared library or a program.
func (a *Symbols) Read(path string) {
	f, err := os.Open(path)
	if err != nil {
		a.unreadable = true
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		a.unreadable = true
		return
	}
	head := make([]byte, len(archiveMagic))
	_, _ = f.ReadAt(head, 0)
	if string(head) == archiveMagic {
		err = a.readArchive(path, f, info.Size())
	} else {
		err = a.readELF(path, f)
	}
	a.unreadable = a.unreadable || err != nil
}

const (
	archiveMagic  = "!<arch>\n"
	archiveHeader = 60 // bytes before each member
)

// readArchive reads the members of an archive. Its index is not enough, because it has no
// undefined symbols.
func (a *Symbols) readArchive(path string, f io.ReaderAt, size int64) error {
	head := make([]byte, archiveHeader)
	for at := int64(len(archiveMagic)); at+archiveHeader <= size; {
		if _, err := f.ReadAt(head, at); err != nil {
			return err
		}
		length, err := strconv.ParseInt(strings.TrimSpace(string(head[48:58])), 10, 64)
		if err != nil || length < 0 || length > size {
			return errors.New("damaged archive")
		}
		at += archiveHeader
		// This skips the index and the table of long names.
		if head[0] != '/' || head[1] >= '0' && head[1] <= '9' {
			if err := a.readELF(path, io.NewSectionReader(f, at, length)); err != nil {
				return err
			}
		}
		at += length + length&1
	}
	return nil
}

func (a *Symbols) readELF(path string, r io.ReaderAt) error {
	f, err := elf.NewFile(r)
	if err != nil {
		return err
	}
	for _, s := range f.Sections { // the loader's few symbols come first
		if a.library {
			return nil
		}
		if s.Type != elf.SHT_SYMTAB && s.Type != elf.SHT_DYNSYM || int(s.Link) >= len(f.Sections) {
			continue
		}
		names, err := f.Sections[s.Link].Data()
		if err != nil {
			return err
		}
		if !containsMark(names) {
			continue
		}
		read := f.Symbols
		if s.Type == elf.SHT_DYNSYM {
			read = f.DynamicSymbols
		}
		symbols, err := read()
		if err != nil {
			return err
		}
		for _, symbol := range symbols {
			a.symbol(path, symbol)
		}
		a.shared = a.library && f.Type == elf.ET_DYN
	}
	return nil
}

func containsMark(names []byte) bool {
	for _, m := range marks {
		if bytes.Contains(names, m) {
			return true
		}
	}
	return false
}

// symbol notes what one symbol shows. Instrumented code has weak references to the library,
// unlike the code of other instrumenters.
func (a *Symbols) symbol(path string, s elf.Symbol) {
	binding, defined := elf.ST_BIND(s.Info), s.Section != elf.SHN_UNDEF
	switch {
	case binding == elf.STB_LOCAL:
	case s.Name == "__gnu_lto_slim":
		a.unreadable = true // its symbols are in another file
	case s.Name == "pomp_unit_1" && defined:
		a.library = true
	case s.Name == "pomp_recording_1" && defined:
		a.ours = true
	case s.Name == "pomp_unit_1" && binding == elf.STB_WEAK, s.Name == "pomp_fortran_1":
		a.instrumented = true
	case strings.HasPrefix(s.Name, "POMP2_Init_reg_"),
		strings.HasPrefix(s.Name, "POMP2_USER_Init_reg_"), strings.HasPrefix(s.Name, "omp_rd_"):
		a.others = true
	default:
		for _, fork := range forks {
			switch {
			case s.Name != fork.name:
			case !defined && binding == elf.STB_GLOBAL:
				a.callers = append(a.callers, path)
			case defined && a.file == "":
				a.file, a.kind = path, fork.kind
			}
		}
	}
}
