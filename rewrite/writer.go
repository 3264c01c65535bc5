package rewrite

import (
	"bytes"
	"fmt"

	"opari/descriptors"
	"opari/internal/omp"
	"opari/internal/source"
)

// A Writer rewrites a file whose regions arrive part by part. The text that it makes consists of
// BeforeRows, everything passed to rows, AfterRows, and everything passed to body, in this order.
// BeforeRows and AfterRows depend on all regions, so they are available only at the end.
type Writer struct {
	unit
	f          *source.File
	rows, body *printer
	regions    int
	placed     int
	err        error // the first error that a sink returned
}

// NewWriter returns a writer before the first part of f. rows and body get the text in pieces,
// which they must use before they return. NewWriter refuses a text that is already instrumented.
func NewWriter(f *source.File, o Options, rows, body func([]byte) error) (*Writer, error) {
	if Instrumented(f.Text) {
		return nil, instrumentedAlready(f)
	}
	w := &Writer{f: f, unit: unit{
		options: o, used: make([][callPlaces]string, len(omp.Directives)),
		counted:       make([]bool, len(omp.Directives)),
		barrierMerged: make([][callPlaces]bool, len(omp.Directives)), locks: map[string]bool{},
		controls: map[omp.Control]bool{},
	}}
	w.namesVariables = o.Preprocessed && mayNameVariables(f.Text)
	w.rows, w.body = w.printer(rows), w.printer(body)
	w.body.copied = w.start()
	return w, nil
}

func instrumentedAlready(f *source.File) error {
	return fmt.Errorf("%s:1:1: error: the file is instrumented already; `opari strip` gives the "+
		"original back", f.Name)
}

// start returns the offset of the user's first line, which follows a byte order mark.
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
	w.startPart(t)
	w.appendRows()
	w.print(w.body, w.edits())
	return w.err
}

// Close writes the rest of the text.
func (w *Writer) Close() error {
	w.closeRows()
	w.closeBody()
	return w.err
}

// Empty reports whether nothing has been inserted into the text so far.
func (w *Writer) Empty() bool { return w.regions+w.placed == 0 }

// startPart makes t the current part.
func (w *Writer) startPart(t *descriptors.Table) {
	w.table = t
	w.regions += len(t.Regions)
	w.placed += len(t.Placed)
	constructs, users := t.Count()
	w.constructs += constructs
	w.users += users
	w.survey()
}

// appendRows prints the descriptors of the current part. Only the next row shows that a row is
// not the last one, so each row ends the one before it.
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

// BeforeRows returns the text up to the rows.
func (w *Writer) BeforeRows() []byte {
	p := w.printer(nil)
	p.copyTo(w.start())
	p.lines = w.beforeRows(p.lines, w.regions)
	p.marked(false, -1)
	return p.out
}

// AfterRows returns the text between the rows and the user's first line.
func (w *Writer) AfterRows() []byte {
	p := w.printer(nil)
	p.lines = w.afterRows(p.lines, w.regions)
	// ^The user's text begins with the line marker that the preprocessor wrote, so this text
	// restores nothing.
	if !w.options.Preprocessed && !w.options.NoLine {
		p.lines = append(p.lines, "#line 1 "+descriptors.Quote(p.f.Name)+"\n"...)
	}
	p.marked(false, -1)
	return p.out
}
