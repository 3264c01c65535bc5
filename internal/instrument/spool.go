package instrument

import (
	"bytes"
	"io"
	"os"
)

// A spool keeps what is written to it and returns it from the start. It keeps a large amount in a
// file, otherwise in memory.
type spool struct {
	open   func() (*os.File, error) // opens a new file without a name
	blocks [][]byte
	size   int64
	file   *os.File // nil while blocks has everything
}

// spoolLimit is how many bytes a spool keeps in memory.
var spoolLimit int64 = 16 << 20

// write keeps a copy of b.
func (s *spool) write(b []byte) error {
	s.size += int64(len(b))
	if s.file == nil && (s.size <= spoolLimit || s.open == nil) {
		s.blocks = append(s.blocks, append([]byte(nil), b...))
		return nil
	}
	if s.file == nil {
		var err error
		if s.file, err = s.open(); err != nil {
			return err
		}
		for _, block := range s.blocks {
			if _, err := s.file.Write(block); err != nil {
				return err
			}
		}
		s.blocks = nil
	}
	_, err := s.file.Write(b)
	return err
}

// copyTo writes s to w without the first skip bytes.
func (s *spool) copyTo(w io.Writer, skip int64) error {
	if s.file != nil {
		if _, err := s.file.Seek(skip, io.SeekStart); err != nil {
			return err
		}
		_, err := io.Copy(w, s.file)
		return err
	}
	for _, b := range s.blocks {
		n := min(skip, int64(len(b)))
		skip -= n
		if _, err := w.Write(b[n:]); err != nil {
			return err
		}
	}
	return nil
}

// reader returns a reader of what was written.
func (s *spool) reader() (io.Reader, error) {
	if s.file != nil {
		_, err := s.file.Seek(0, io.SeekStart)
		return s.file, err
	}
	blocks := make([]io.Reader, len(s.blocks))
	for i, b := range s.blocks {
		blocks[i] = bytes.NewReader(b)
	}
	return io.MultiReader(blocks...), nil
}

// close frees the memory and the file.
func (s *spool) close() {
	if s.file != nil {
		_ = s.file.Close()
	}
	*s = spool{}
}
