package scan

import (
	"path/filepath"
	"strings"
	"syscall"

	"opari/internal/driver/commandline"
	"opari/internal/omp"
)

// A search reads the user's own files for directives without the preprocessor, which would take
// longer. It looks for the words of OpenMP, so it may find something where there is nothing, but
// it never misses anything. System headers contain nothing to instrument. Every compilation of a
// project pays for the search, so it looks at each byte once and uses its memory again for the
// next file.
type search struct {
	quotes  []string // folders of -iquote
	folders []string // folders of -I
	seen    map[string]bool
	missing map[string]bool // names that are in none of folders
	openMP  bool            // the compiler defines _OPENMP, and no option changes that
	bytes   int
	buffer  []byte // contents of the current file
}

// Above these limits the preprocessor is faster.
const (
	maxFiles = 64
	maxBytes = 4 << 20
)

// HoldNothing reports that none of the command's sources can contain a directive or a lock call.
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
			return false // -include, -Xpreprocessor and the like may include anything
		}
	}
	for _, f := range c.Sources() {
		if f.Preprocessed || f.Lang == omp.Fortran || s.file(f.Name) != holdsNothing {
			return false
		}
	}
	return true
}

// A finding is the search's result for a file.
type finding uint8

const (
	mayHold      finding = iota // it may contain something, or cannot be read
	holdsNothing                // neither it nor what it includes contains anything
	absent                      // there is no such file
)

// file searches a file and the user's headers that it includes.
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
	for _, h := range headers { // the buffer is reused, so text is no longer valid
		if !s.header(dir, h) {
			return mayHold
		}
	}
	return holdsNothing
}

// read returns the bytes of a regular file; they are valid until the next call.
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
		case err != nil || n+got == len(s.buffer): // the file grows meanwhile
			return nil, mayHold
		case got == 0:
			return s.buffer[:n], holdsNothing
		}
		n += got
	}
}

// header searches a header, named in quotes or brackets, if it is the user's. A header in none of
// the user's directories is the system's.
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
