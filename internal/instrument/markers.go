package instrument

import (
	"bytes"
	"io"

	"opari/descriptors"
	"opari/internal/omp"
)

// behindMarkers writes the instrumented text. Its opening declarations come after the markers
// that open the preprocessed text, because a compiler takes two names from the first two lines:
// the source's and the working directory's. The declarations get a file name of their own, as if
// from a system header, so that no debugger shows them as the user's lines.
func (d *Draft) behindMarkers(w io.Writer, name string, text []byte) error {
	if len(d.head) == 0 || bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		return d.Write(w)
	}
	n := markerLength(text)
	first := text[:n]
	if m := markerLength(text[n:]); m > 0 && bytes.HasSuffix(text[n:n+m], []byte("//\"\n")) {
		n += m
	}
	if _, err := w.Write(append(text[:n:n], "# 1 \"<opari>\" 3\n"...)); err != nil {
		return err
	}
	if err := d.prologue(w); err != nil {
		return err
	}
	if markerLength(text[n:]) == 0 { // no marker says where the text goes on
		if len(first) == 0 {
			first = []byte("# 1 " + descriptors.Quote(name) + "\n")
		}
		if _, err := w.Write(first); err != nil {
			return err
		}
	}
	return d.body.copyTo(w, int64(n))
}

// markerLength returns the length of the line marker at the beginning of text; 0: there is none.
func markerLength(text []byte) int {
	if !bytes.HasPrefix(text, []byte("# ")) {
		return 0
	}
	return bytes.IndexByte(text, '\n') + 1
}

// WriteForCompiler writes what the compiler proper reads in place of the source called name: the
// instrumented text of draft, or the preprocessed text if draft is nil.
func WriteForCompiler(w io.Writer, lang omp.Language, name string, text []byte,
	draft *Draft,
) error {
	switch {
	case lang == omp.Fortran:
		return writeFortran(w, name, text, draft)
	case draft != nil:
		return draft.behindMarkers(w, name, text)
	}
	_, err := w.Write(text)
	return err
}

// writeFortran is WriteForCompiler for Fortran. gfortran wants the name of the source at the
// beginning of a preprocessed text. No declarations precede the text.
func writeFortran(w io.Writer, name string, text []byte, draft *Draft) error {
	if n := markerLength(text); !namesSource(text) || n > 0 && markerLength(text[n:]) == 0 {
		marker := nameMarker(name)
		if n > 0 && namesSource(text) { // the text has only one marker
			marker = string(text[:n])
		}
		if _, err := io.WriteString(w, marker); err != nil {
			return err
		}
	}
	if draft == nil {
		_, err := w.Write(text)
		return err
	}
	return draft.body.copyTo(w, 0)
}

// nameMarker returns markers with the name of the source, to precede its text. There are two,
// because gfortran removes a second line that is a marker, and the first letter of one that is
// not.
func nameMarker(name string) string {
	marker := "# 1 " + descriptors.Quote(name) + "\n"
	return marker + marker
}

// namesSource reports whether the text begins with a line marker.
func namesSource(text []byte) bool { return bytes.HasPrefix(text, []byte("# 1 ")) }
