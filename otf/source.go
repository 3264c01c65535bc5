package otf

import (
	"errors"
	"io"
	"strings"
)

// source is the text of a file, compressed or not. Offsets count bytes of the file on disk.
type source interface {
	// read returns the text that follows, or 0 and io.EOF at the end.
	read(p []byte) (int, error)
	// seek goes to the first offset at or after at where reading can begin, and returns it. If
	// there is none, it returns the file's size.
	seek(at int64) (int64, error)
	// tell returns how much of the file was read.
	tell() int64
	size() int64
	close() error
}

// readerOf turns a source into an io.Reader.
type readerOf struct{ source }

func (r readerOf) Read(p []byte) (int, error) { return r.read(p) }

// openSource opens the file at path, and inflates it if the name ends in .z. share is how many
// files are read at the same time.
func openSource(manager *FileManager, path string, share int) (source, error) {
	file := manager.reader(path)
	size, err := file.size()
	if err != nil {
		return nil, errors.Join(err, file.close())
	}
	if strings.HasSuffix(path, ".z") {
		return newInflater(file, size, share), nil
	}
	return &plainSource{file: file, length: size}, nil
}

// findFile returns the path of a stream's file, or "" if there is none. A plain file takes
// precedence over a compressed one.
func findFile(manager *FileManager, namestub string, stream uint32, kind FileKind) string {
	path := fileName(namestub, stream, endings[kind])
	for _, p := range []string{path, path + ".z"} {
		if manager.exists(p) {
			return p
		}
	}
	return ""
}

// plainSource is a file without compression.
type plainSource struct {
	file   *managedFile
	at     int64
	length int64
}

func (s *plainSource) read(p []byte) (int, error) {
	n, err := s.file.readAt(p, s.at)
	s.at += int64(n)
	if n == 0 && err == nil {
		err = io.EOF
	}
	if n > 0 {
		err = nil
	}
	return n, err
}

func (s *plainSource) seek(at int64) (int64, error) {
	s.at = min(at, s.length)
	return s.at, nil
}

func (s *plainSource) tell() int64  { return s.at }
func (s *plainSource) size() int64  { return s.length }
func (s *plainSource) close() error { return s.file.close() }
