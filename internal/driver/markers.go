package driver

import (
	"bytes"
	"io"
	"os"

	"opari/descriptors"
)

// behindMarkers writes the instrumented text with the declarations that open it behind the markers that open text, the
// preprocessed one: a compiler takes the names of the source and of the working directory from the first two lines. It gives
// the declarations a file name of their own, as if they came from a system header, so that no debugger takes them for the
// user's lines.
func (d *Draft) behindMarkers(w io.Writer, name string, text []byte) error {
	if len(d.head) == 0 || bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		return d.Write(w)
	}
	n := markerLine(text)
	first := text[:n]
	if m := markerLine(text[n:]); m > 0 && bytes.HasSuffix(text[n:n+m], []byte("//\"\n")) {
		n += m
	}
	if _, err := w.Write(append(text[:n:n], "# 1 \"<opari>\" 3\n"...)); err != nil {
		return err
	}
	if err := d.prologue(w); err != nil {
		return err
	}
	if markerLine(text[n:]) == 0 { // nothing says where the text goes on
		if len(first) == 0 {
			first = []byte("# 1 " + descriptors.Quote(name) + "\n")
		}
		if _, err := w.Write(first); err != nil {
			return err
		}
	}
	return d.body.copyTo(w, int64(n))
}

// markerLine is the length of the line marker that text begins with, 0 for none.
func markerLine(text []byte) int {
	if !bytes.HasPrefix(text, []byte("# ")) {
		return 0
	}
	return bytes.IndexByte(text, '\n') + 1
}

// create writes a file.
func create(name string, mode os.FileMode, fill func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	err = fill(f)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}
