package symbols

import (
	"debug/elf"
	"math"
	"path/filepath"
	"strings"
)

// Library is the function that stands for opari's library, and for what opari inserted.
const Library = "<opari>"

// Frame is a function and the place in it. In a list of frames, each is inlined into the next.
type Frame struct {
	Function string // as the source spells it, without parameters; "": unknown
	Offset   uint64 // of the address in Function; 0 if there is a line
	File     string // "": unknown
	Line     int
	// Directory is where the compiler ran. File is below it, or absolute, if the command line
	// named it so.
	Directory string
}

// Files looks addresses up in files of code. It reads each file once. Its methods must not be
// called by several goroutines at once.
type Files struct{ modules map[string]*module }

// New returns Files that have read nothing yet.
func New() *Files { return &Files{modules: map[string]*module{}} }

// Close closes all files.
func (f *Files) Close() {
	for _, m := range f.modules {
		m.close()
	}
}

// At returns what lies at an offset in a file, the innermost frame first; nil: unknown. A return
// address is behind its call, so the call is what lies one byte before.
func (f *Files) At(path string, offset uint64) []Frame {
	m := f.module(path)
	if m.file == nil {
		return nil
	}
	for _, load := range m.file.Progs {
		if load.Type == elf.PT_LOAD && offset >= load.Off && offset-load.Off < load.Filesz {
			return m.frames(offset - load.Off + load.Vaddr)
		}
	}
	return nil
}

// Loaded does the same for an address that counts from the start of the file in memory.
func (f *Files) Loaded(path string, address uint64) []Frame {
	m := f.module(path)
	if m.file == nil {
		return nil
	}
	base := uint64(math.MaxUint64) // the address at which the linker placed the file
	for _, load := range m.file.Progs {
		if load.Type == elf.PT_LOAD {
			base = min(base, load.Vaddr&^0xfff)
		}
	}
	return m.frames(base + address)
}

func (f *Files) module(path string) *module {
	m := f.modules[path]
	if m == nil {
		m = open(path)
		f.modules[path] = m
	}
	return m
}

// frames returns the frames at an address as the linker gave it.
func (m *module) frames(pc uint64) []Frame {
	symbol := m.symbol(pc)
	if symbol != nil && symbol.library {
		return []Frame{{Function: Library}}
	}
	if frames := m.inlined(pc); frames != nil {
		// DWARF may know a function by an internal name: ___pthread_mutex_lock.
		if last := &frames[len(frames)-1]; symbol != nil && (last.Function == "" ||
			underscores(symbol.name) < underscores(last.Function)) {
			last.Function = fromSymbol(symbol.name)
		}
		return hideLibrary(frames)
	}
	if symbol == nil {
		return nil
	}
	return []Frame{{Function: fromSymbol(symbol.name), Offset: pc - symbol.start}}
}

// hideLibrary makes one frame of the frames in a row that are in text which opari added: in a file
// <opari>, or in functions that its instrumentation defines.
func hideLibrary(frames []Frame) []Frame {
	var all []Frame
	for _, f := range frames {
		if !added(f.File) && !strings.HasPrefix(f.Function, "pomp_") {
			all = append(all, f)
		} else if n := len(all); n == 0 || all[n-1].Function != Library {
			all = append(all, Frame{Function: Library})
		}
	}
	return all
}

// added reports whether name names text that a compiler or opari made, such as <built-in> or
// <opari>.
func added(name string) bool { return strings.HasPrefix(filepath.Base(name), "<") }
