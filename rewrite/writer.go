package rewrite

import (
	"bytes"
	"fmt"

	"opari/descriptors"
	"opari/internal/omp"
	"opari/internal/source"
)

// A Writer writes a file anew whose regions come part by part. The text that it makes consists of Head, all that was handed
// to rows, Neck, and all that was handed to body, in this order. Head and Neck tell of all regions: they are to be had at
// the end.
type Writer struct {
	unit
	f          *source.File
	rows, body *printer
	regions    int
	placed     int
	err        error // the first of the sinks
}

// NewWriter stands before the first part of f. rows and body take the text in pieces, which must be used before they return.
// It refuses a text that is instrumented already.
func NewWriter(f *source.File, o Options, rows, body func([]byte) error) (*Writer, error) {
	if Instrumented(f.Text) {
		return nil, instrumentedAlready(f)
	}
	w := &Writer{f: f, unit: unit{
		options: o, used: make([][callPlaces]string, len(omp.Directives)), counted: make([]bool, len(omp.Directives)), met: make([][callPlaces]bool, len(omp.Directives)), locks: map[string]bool{}, controls: map[omp.Control]bool{},
	}}
	w.rows, w.body = w.printer(rows), w.printer(body)
	w.body.copied = w.start()
	return w, nil
}

func instrumentedAlready(f *source.File) error {
	return fmt.Errorf("%s:1:1: error: the file is instrumented already; `opari strip` gives the original back", f.Name)
}

// start is where the user's first line starts: behind a byte order mark.
func (w *Writer) start() int {
	if bytes.HasPrefix(w.f.Text, []byte(byteOrderMark)) {
		return len(byteOrderMark)
	}
	return 0
}

func (w *Writer) printer(sink func([]byte) error) *printer {
	p := &printer{f: w.f, cursor: w.f.NewCursor(), options: w.options, nl: w.f.Newline()}
	p.flush = func(b []byte) {
		if w.err == nil && len(b) > 0 {
			w.err = sink(b)
		}
	}
	return p
}

// Part writes the regions of the next part, and the text up to the last of them.
func (w *Writer) Part(t *descriptors.Table) error {
	w.take(t)
	w.appendRows()
	w.print(w.body, w.edits())
	return w.err
}

// Close writes what is left of the text.
func (w *Writer) Close() error {
	w.closeRows()
	w.closeBody()
	return w.err
}

// Empty reports whether nothing was put into the text so far.
func (w *Writer) Empty() bool { return w.regions+w.placed == 0 }

// take makes t the part at hand.
func (w *Writer) take(t *descriptors.Table) {
	w.table = t
	w.regions += len(t.Regions)
	w.placed += len(t.Placed)
	w.survey()
}

// appendRows prints the descriptors of the part at hand. Whether a row is the last one shows only when the next comes.
func (w *Writer) appendRows() {
	p := w.rows
	for _, r := range w.table.Regions {
		if r.ID > 1 {
			p.lines = append(p.lines, descriptors.RowEnd...)
			if len(p.lines) > 1<<14 {
				p.insert()
			}
		}
		p.lines = r.AppendRow(p.lines)
	}
}

func (w *Writer) closeRows() {
	if w.regions > 0 {
		w.rows.lines = append(w.rows.lines, descriptors.TableEnd...)
		w.rows.insert()
	}
	w.rows.flush(w.rows.out)
	w.rows.out = nil
}

func (w *Writer) closeBody() {
	w.body.copyTo(len(w.f.Text))
	w.body.flush(w.body.out)
	w.body.out = nil
}

// Head is the text up to the rows.
func (w *Writer) Head() []byte {
	p := w.printer(nil)
	p.copyTo(w.start())
	p.lines = w.head(p.lines, w.regions)
	p.marked(false, -1)
	return p.out
}

// Neck is the text between the rows and the user's first line.
func (w *Writer) Neck() []byte {
	p := w.printer(nil)
	p.lines = w.neck(p.lines, w.regions)
	// The line marker that the preprocessor wrote comes first in the user's text; nothing needs to be restored.
	if !w.options.Preprocessed && !w.options.NoLine {
		p.lines = append(p.lines, "#line 1 "+descriptors.Quote(p.f.Name)+"\n"...)
	}
	p.marked(false, -1)
	return p.out
}
