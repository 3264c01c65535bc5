package instrument

import (
	"errors"
	"io"
	"os"

	"opari/descriptors"
	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse"
	"opari/parse/construct"
	"opari/rewrite"
)

// A Draft is a text on its way through the stages, part by part. Of a large file only one part is
// in memory as constructs and regions. The prologue has the number of regions, so the rest of the
// text waits for it.
type Draft struct {
	Diags    source.Diagnostics     // diagnostics of all stages
	Empty    bool                   // nothing was inserted into the text
	Coverage []descriptors.Coverage // coverage, if requested

	Module string // Fortran: an inserted module, whose file nobody needs; "": none

	head, neck []byte
	rows, body spool
}

// DraftOptions say how to draft a text.
type DraftOptions struct {
	Lang         omp.Language
	Preprocessed bool
	Optimized    bool // preprocessed text: the compiler optimizes
	Sanitized    bool // preprocessed text: a sanitizer instruments the code
	// Fortran: Tag distinguishes two objects of one program that come from the same file.
	Tag string
	GCC bool // the compiler is GCC
	// the compiler rejects or warns of what is in no Fortran standard
	Strict       bool
	NoUnderscore bool                // external names get no underscore
	Mentions     []construct.Mention // Fortran: as in parse.Tree
	// Repeat says that the preprocessor runs over the instrumented text, too, although the text
	// is already preprocessed.
	Repeat  bool
	Folder  string                               // as in source.File
	Symbols func(constructs, users int) []string // as in rewrite.Options

	Coverage bool // keep the coverage; then the file is read in one piece
	// Scratch opens a file for what memory should not hold. The file must have no name, so that
	// none remains.
	Scratch func() (*os.File, error)

	inOnePiece bool // the file cannot be read in parts
}

// NewDraft instruments text. name is the file's name as the user spelled it. Diags says whether
// the text can be written; the error is about scratch files. The caller must close the draft.
func NewDraft(name string, text []byte, d DraftOptions, o *Options) (*Draft, error) {
	f := source.New(name, text)
	f.Folder = d.Folder
	if d.Lang == omp.Fortran {
		return fortranDraft(f, d, o)
	}
	draft, err := newDraft(f, d, o)
	if errors.Is(err, errVoid) {
		d.inOnePiece = true
		draft, err = newDraft(f, d, o)
	}
	return draft, err
}

// errVoid means that the file cannot be read in parts.
var errVoid = errors.New("the parts are void")

func newDraft(f *source.File, d DraftOptions, o *Options) (*Draft, error) {
	draft := &Draft{rows: spool{open: d.Scratch}, body: spool{open: d.Scratch}}
	write := o.write(f.Name, d.Lang, d.Preprocessed && !d.Repeat)
	write.Optimized, write.Sanitized = d.Optimized, d.Sanitized
	write.GCC, write.Symbols = d.GCC, d.Symbols
	w, err := rewrite.NewWriter(f, write, draft.rows.write, draft.body.write)
	if err != nil { // there is only one reason for it
		return &Draft{Diags: instrumentedAlready(f.Name)}, nil
	}
	if err = draft.read(f, d, o, w); err == nil && !draft.Diags.HasErrors() {
		err = w.Close()
	}
	if err != nil || draft.Diags.HasErrors() {
		draft.Close()
		return draft, err
	}
	draft.Empty, draft.head, draft.neck = w.Empty(), w.BeforeRows(), w.AfterRows()
	return draft, nil
}

// read reads f and hands its regions to w.
func (d *Draft) read(f *source.File, do DraftOptions, o *Options, w *rewrite.Writer) (err error) {
	lower := o.lower(do.Lang)
	lower.SplitScans = do.GCC
	l := descriptors.NewLowering(lower)
	var lowered source.Diagnostics
	take := func(t *construct.Tree) bool {
		table, ds := l.Part(t)
		lowered = append(lowered, ds...)
		if do.Coverage {
			d.Coverage = table.Coverage
		}
		if !lowered.HasErrors() {
			err = w.Part(table)
		}
		return err == nil
	}
	valid := true
	if po := o.parse(do.Lang, do.Preprocessed); do.inOnePiece || do.Coverage {
		var tree *construct.Tree
		if tree, d.Diags = parse.File(f, po); !d.Diags.HasErrors() {
			take(tree)
		}
	} else {
		d.Diags, valid = parse.Parts(f, po, take)
	}
	if err == nil && !valid {
		return errVoid
	}
	if !d.Diags.HasErrors() {
		d.Diags = append(d.Diags, lowered...)
	}
	return err
}

// Write writes the instrumented text. The caller may repeat it.
func (d *Draft) Write(w io.Writer) error {
	if err := d.prologue(w); err != nil {
		return err
	}
	return d.body.copyTo(w, 0)
}

// prologue writes what precedes the user's text.
func (d *Draft) prologue(w io.Writer) error {
	if _, err := w.Write(d.head); err != nil {
		return err
	}
	if err := d.rows.copyTo(w, 0); err != nil {
		return err
	}
	_, err := w.Write(d.neck)
	return err
}

// Close frees memory and scratch files.
func (d *Draft) Close() {
	d.rows.close()
	d.body.close()
}
