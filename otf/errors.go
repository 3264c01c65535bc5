package otf

import (
	"errors"
	"fmt"
	"io"
)

// ErrBreak stops reading when a handler returns it. Reading stops after the record that the
// handler got, without an error, and a further call continues there.
//
// Any other error ends reading, too, and is returned (appendix B: OTF_RETURN_BREAK and
// OTF_RETURN_ABORT).
var ErrBreak = errors.New("otf: break")

// Error is a mistake in a file of a trace.
type Error struct {
	Path   string
	Line   int   // from 1; 0: unknown
	Offset int64 // bytes before the mistake, in the uncompressed text
	What   string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.Path, e.What)
	}
	return fmt.Sprintf("%s:%d: byte %d: %s", e.Path, e.Line, e.Offset, e.What)
}

// ignoreEnd returns nil for the end of a file.
func ignoreEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
