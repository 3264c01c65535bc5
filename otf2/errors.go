package otf2

import (
	"errors"
	"fmt"
)

// ErrBreak stops reading when a handler returns it. Reading stops after the record that the
// handler got, without an error, and a further call continues there. Any other error ends reading
// and is returned.
var ErrBreak = errors.New("otf2: break")

// Error is a mistake in a file of an archive.
type Error struct {
	Path   string
	Chunk  int64 // from 1; 0: the file as a whole
	Offset int64 // bytes before the mistake
	What   string
}

func (e *Error) Error() string {
	if e.Chunk == 0 {
		return fmt.Sprintf("%s: %s", e.Path, e.What)
	}
	return fmt.Sprintf("%s: chunk %d: byte %d: %s", e.Path, e.Chunk, e.Offset, e.What)
}
