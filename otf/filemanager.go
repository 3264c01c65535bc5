package otf

import (
	"errors"
	"io"
	"os"
	"slices"
	"syscall"
)

// FileManager limits how many files of traces are open at a time. It closes the least recently
// used one and opens it again when needed (section 2.2: n files through m descriptors).
type FileManager struct {
	limit  int
	open   []*managedFile // least recently used first
	pack   *compressor
	opener Opener
}

// File is an open file of the system, or a substitute.
type File interface {
	io.ReaderAt
	io.Writer // appends
	io.Closer
	Stat() (os.FileInfo, error)
}

// Opener opens a file; flags are those of os.OpenFile. For a missing file the error is
// fs.ErrNotExist.
type Opener func(path string, flags int) (File, error)

func openSystem(path string, flags int) (File, error) {
	file, err := os.OpenFile(path, flags, 0o666)
	if err != nil {
		return nil, err
	}
	return file, nil
}

// NewFileManager returns a FileManager for at most limit open files of the system, like
// NewFileManagerOf.
func NewFileManager(limit int) *FileManager { return NewFileManagerOf(limit, openSystem) }

// NewFileManagerOf returns a FileManager that opens files with opener: at most limit at a time,
// and at least one.
//
// The system's limit may lower this number. The FileManager leaves eight descriptors and half of
// the others to the rest of the process. It closes files when no descriptor is free.
func NewFileManagerOf(limit int, opener Opener) *FileManager {
	var r syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r) == nil {
		limit = int(min(uint64(limit), (max(r.Cur, 8)-8)/2))
	}
	return &FileManager{limit: max(limit, 1), pack: newCompressor(), opener: opener}
}

// Open returns how many files are open now.
func (m *FileManager) Open() int { return len(m.open) }

// exists reports whether there is a file. A file that cannot be opened for another reason exists.
func (m *FileManager) exists(path string) bool {
	file := m.reader(path)
	_, err := file.get()
	return !errors.Is(errors.Join(err, file.close()), os.ErrNotExist)
}

// managedFile is a file that its manager may close and open again between two calls.
type managedFile struct {
	manager *FileManager
	path    string
	writing bool
	begun   bool // created here, so opening it again appends
	packed  bool // it has a block of compressed text, written or on its way
	file    File
}

func (m *FileManager) reader(path string) *managedFile {
	return &managedFile{manager: m, path: path}
}

func (m *FileManager) writer(path string) *managedFile {
	return &managedFile{manager: m, path: path, writing: true}
}

// get returns the open file.
func (f *managedFile) get() (File, error) {
	m := f.manager
	if f.file != nil {
		if last := len(m.open) - 1; m.open[last] != f {
			m.open = append(slices.Delete(m.open, slices.Index(m.open, f),
				slices.Index(m.open, f)+1), f)
		}
		return f.file, nil
	}
	for len(m.open) >= m.limit {
		if err := m.open[0].close(); err != nil {
			return nil, err
		}
	}
	file, err := f.open()
	for len(m.open) > 0 && (errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)) {
		m.limit = len(m.open)
		if err := m.open[0].close(); err != nil {
			return nil, err
		}
		file, err = f.open()
	}
	if err != nil {
		return nil, err
	}
	f.file, f.begun = file, true
	m.open = append(m.open, f)
	return file, nil
}

func (f *managedFile) open() (File, error) {
	flags := os.O_RDONLY
	if f.writing {
		flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
		if f.begun {
			flags = os.O_WRONLY | os.O_APPEND
		}
	}
	return f.manager.opener(f.path, flags)
}

// close closes the file, temporarily or finally.
func (f *managedFile) close() error {
	if f.file == nil {
		return nil
	}
	m := f.manager
	i := slices.Index(m.open, f)
	m.open = slices.Delete(m.open, i, i+1)
	file := f.file
	f.file = nil
	return file.Close()
}

// write appends b.
func (f *managedFile) write(b []byte) error {
	file, err := f.get()
	if err != nil {
		return err
	}
	_, err = file.Write(b)
	return err
}

// readAt reads at an offset. Fewer bytes than requested mean the end of the file.
func (f *managedFile) readAt(b []byte, at int64) (int, error) {
	file, err := f.get()
	if err != nil {
		return 0, err
	}
	n, err := file.ReadAt(b, at)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

// size returns how many bytes the file has.
func (f *managedFile) size() (int64, error) {
	file, err := f.get()
	if err != nil {
		return 0, err
	}
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, &os.PathError{Op: "read", Path: f.path, Err: errors.New("not a regular file")}
	}
	return info.Size(), nil
}
