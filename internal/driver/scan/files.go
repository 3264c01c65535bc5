package scan

import (
	"path/filepath"
	"strings"
	"syscall"

	"opari/internal/driver/commandline"
	"opari/internal/omp"
)

// A search reads the user's own files for directives, without the preprocessor: reading them
// costs less than a preprocessor run. It looks for the words of OpenMP, so it may find something
// where there is nothing; it must never miss anything. System headers hold nothing that is
// instrumented.
//
// Every compilation of a project pays for the search, so it looks at each byte once, in memory
// that it uses again for the next file.
type search struct {
	quotes  []string // folders of -iquote
	folders []string // folders of -I
	seen    map[string]bool
	missing map[string]bool // names that are in none of folders
	openMP  bool            // the compiler defines _OPENMP, and no option says otherwise
	bytes   int
	buffer  []byte // of the file at hand
}

// Beyond these the preprocessor is the quicker way.
const (
	maxFiles = 64
	maxBytes = 4 << 20
)

// HoldNothing reports whether none of the command's sources can hold a directive or a lock call.
func HoldNothing(c *commandline.Command) bool {
	s := search{
		seen: map[string]bool{}, missing: map[string]bool{}, openMP: c.OpenMP,
		buffer: make([]byte, 128<<10),
	}
	for i := range c.Args {
		a := &c.Args[i]
		if a.Kind != commandline.Preprocessor {
			continue
		}
		switch a.Name {
		case "-I":
			s.folders = append(s.folders, a.Value)
		case "-iquote":
			s.quotes = append(s.quotes, a.Value)
		case "-isystem", "-idirafter", "-nostdinc", "-nostdinc++", "-nostdlibinc":
		case "-U":
			s.openMP = s.openMP && a.Value != "_OPENMP"
		case "-D":
			s.openMP = s.openMP && !strings.HasPrefix(a.Value, "_OPENMP")
			if _, nothing := readText([]byte(a.Value)); !nothing {
				return false
			}
		default:
			return false // -include, -Xpreprocessor and the like may bring in anything
		}
	}
	for _, f := range c.Sources() {
		if f.Preprocessed || f.Lang == omp.Fortran || s.file(f.Name) != holdsNothing {
			return false
		}
	}
	return true
}

// A finding is what the search knows of a file.
type finding uint8

const (
	mayHold      finding = iota // it may hold something, or cannot be read
	holdsNothing                // it holds nothing, nor does what it includes
	absent                      // there is none
)

// file looks into a file and the user's headers that it includes.
func (s *search) file(name string) finding {
	name = filepath.Clean(name)
	if s.seen[name] {
		return holdsNothing
	}
	text, is := s.read(name)
	if is != holdsNothing {
		return is
	}
	s.seen[name] = true
	if s.bytes += len(text); s.bytes > maxBytes || len(s.seen) > maxFiles {
		return mayHold
	}
	if s.openMP && !blankUnread(text) {
		return mayHold
	}
	headers, nothing := readText(text)
	if !nothing {
		return mayHold
	}
	dir := filepath.Dir(name)
	for _, h := range headers { // the buffer is used again: text is gone
		if !s.header(dir, h) {
			return mayHold
		}
	}
	return holdsNothing
}

// read returns the bytes of a regular file, which stay until the next call.
func (s *search) read(name string) ([]byte, finding) {
	fd, err := syscall.Open(name, syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
	if err != nil {
		if err == syscall.ENOENT || err == syscall.ENOTDIR {
			return nil, absent
		}
		return nil, mayHold
	}
	defer func() { _ = syscall.Close(fd) }()
	var info syscall.Stat_t
	switch err := syscall.Fstat(fd, &info); {
	case err != nil || info.Size > maxBytes:
		return nil, mayHold
	case info.Mode&syscall.S_IFMT == syscall.S_IFDIR:
		return nil, absent
	case info.Mode&syscall.S_IFMT != syscall.S_IFREG:
		return nil, mayHold
	}
	if int64(len(s.buffer)) <= info.Size {
		s.buffer = make([]byte, 2*info.Size)
	}
	for n := 0; ; {
		got, err := syscall.Read(fd, s.buffer[n:])
		switch {
		case err != nil || n+got == len(s.buffer): // it grows while it is read
			return nil, mayHold
		case got == 0:
			return s.buffer[:n], holdsNothing
		}
		n += got
	}
}

// header looks into the header of a name in its quotes or brackets, if it is one of the user's.
// One that is in none of the user's directories comes from the system.
func (s *search) header(dir, quoted string) bool {
	name := quoted[1 : len(quoted)-1]
	if filepath.IsAbs(name) {
		return s.file(name) == holdsNothing
	}
	if quoted[0] == '"' {
		for _, d := range append([]string{dir}, s.quotes...) {
			if is := s.file(filepath.Join(d, name)); is != absent {
				return is == holdsNothing
			}
		}
	}
	if s.missing[name] {
		return true
	}
	for _, d := range s.folders {
		if is := s.file(filepath.Join(d, name)); is != absent {
			return is == holdsNothing
		}
	}
	s.missing[name] = true
	return true
}
