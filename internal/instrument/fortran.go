package instrument

import (
	"errors"
	"io"
	"slices"
	"strings"

	"opari/descriptors"
	"opari/fortran"
	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse"
	"opari/parse/construct"
	"opari/rewrite"
)

// layout returns the form and line length of a Fortran file: those of the options, else those of
// its name.
func (o *Options) layout(name string) fortran.Options {
	src, ok := fortran.SourceOf(name)
	form := src.Form
	if !ok {
		form = fortran.Free
	}
	switch o.Form {
	case "free":
		form = fortran.Free
	case "fixed":
		form = fortran.Fixed
	}
	length := o.LineLength
	if length == 0 && o.Unlimited {
		length = -1
	}
	return fortran.Options{
		Form: form, LineLength: length, DebugLines: o.DebugLines,
		Functions: o.Functions != nil,
	}
}

// parseText reads a text of any language.
func (o *Options) parseText(f *source.File, lang omp.Language, preprocessed bool) (*construct.Tree,
	source.Diagnostics,
) {
	if lang == omp.Fortran {
		tree, ds := fortran.File(f, o.layout(f.Name))
		tree.Mentions = o.mentioned(f)
		return tree, ds
	}
	return parse.File(f, o.parse(lang, preprocessed))
}

// fortranDraft is newDraft for Fortran.
func fortranDraft(f *source.File, d DraftOptions, o *Options) (*Draft, error) {
	draft := &Draft{rows: spool{open: d.Scratch}, body: spool{open: d.Scratch}}
	std := ""
	for _, flag := range o.CPPFlags {
		if s, ok := strings.CutPrefix(flag, "-std="); ok {
			std = s
		}
	}
	write := o.writeFortran(f.Name, d, std)
	w, err := rewrite.NewFortranWriter(f, write, draft.rows.write, draft.body.write)
	if err != nil { // there is only one reason for it
		return &Draft{Diags: instrumentedAlready(f.Name)}, nil
	}
	if err = draft.readFortran(f, d, o, w, write); err == nil && !draft.Diags.HasErrors() {
		var rows io.Reader
		if rows, err = draft.rows.reader(); err == nil {
			err = w.Close(rows)
		}
	}
	draft.rows.close()
	if write.Module {
		draft.Module = rewrite.ModuleName(f, d.Tag)
	}
	if std == "f95" && d.GCC && !draft.Empty && err == nil && !draft.Diags.HasErrors() {
		draft.leave(f.Name,
			"gfortran -std=f95 refuses what reaches the library; any later standard has it")
	}
	if err != nil || draft.Diags.HasErrors() {
		draft.body.close()
	}
	return draft, err
}

// writeFortran returns how to write a Fortran file for a standard of the language; "" is the
// compiler's own.
func (o *Options) writeFortran(name string, d DraftOptions, std string) rewrite.Options {
	write := o.write(name, d.Lang, d.Preprocessed)
	write.Tag, write.Gfortran, write.NoUnderscore = d.Tag, d.GCC, d.NoUnderscore
	write.ByValue, write.MergeCalls = d.GCC && !d.Strict, d.Preprocessed && !d.Repeat
	write.Symbols = d.Symbols
	write.NoBlock = std == "f95" || std == "f2003"
	// With these standards gfortran accepts the COMMON block of the inserted text only once, or
	// warns that COMMON blocks are obsolescent.
	withModule := []string{"f2003", "f2008ts", "f2018", "f2023"}
	write.Module = d.GCC && slices.Contains(withModule, std)
	return write
}

// readFortran reads f and hands its regions to w.
func (d *Draft) readFortran(f *source.File, do DraftOptions, o *Options, w *rewrite.FortranWriter,
	write rewrite.Options,
) (err error) {
	l := descriptors.NewLowering(o.lower(do.Lang))
	var lowered source.Diagnostics
	d.Empty = true
	take := func(t *construct.Tree) bool {
		t.Mentions = do.Mentions
		do.Mentions = nil
		table, ds := l.Part(t)
		lowered = append(lowered, ds...)
		if do.Coverage {
			d.Coverage = table.Coverage
		}
		d.Empty = d.Empty && len(table.Placed)+len(t.Activated) == 0
		if !lowered.HasErrors() {
			err = w.Part(t, table)
		}
		return err == nil
	}
	if do.Coverage || write.NeedsOnePart() {
		var tree *construct.Tree
		if tree, d.Diags = fortran.File(f, o.layout(f.Name)); !d.Diags.HasErrors() {
			take(tree)
		}
	} else {
		d.Diags = fortran.Parts(f, o.layout(f.Name), take)
	}
	if !d.Diags.HasErrors() {
		d.Diags = append(d.Diags, lowered...)
	}
	return err
}

// leave leaves the text of a file as it is and says why.
func (d *Draft) leave(name, why string) {
	d.Empty = true
	for i := range d.Coverage {
		if c := &d.Coverage[i]; c.Instrumented {
			c.Instrumented, c.Reason = false, why
		}
	}
	d.Diags = append(d.Diags, source.Diagnostic{
		Pos:      source.Position{File: name, Line: 1, Column: 1},
		Severity: source.Warning, Message: "nothing is instrumented: " + why,
	})
}

// lineLength is the flag --line-length.
type lineLength struct{ o *Options }

func (l *lineLength) String() string     { return "" }
func (l *lineLength) Type() string       { return "columns" }
func (l *lineLength) Set(s string) error { return l.o.SetLineLength(s) }

// SetLineLength reads a number of columns or "none", as --line-length and gfortran's
// -ffixed-line-length- have it.
func (o *Options) SetLineLength(s string) error {
	n, unlimited := 0, s == "none" || s == "0"
	if !unlimited {
		for _, c := range s {
			if c < '0' || c > '9' || n > 1e6 {
				return errLineLength
			}
			n = n*10 + int(c-'0')
		}
		if n < 40 {
			return errLineLength
		}
	}
	o.LineLength, o.Unlimited = n, unlimited
	return nil
}

var errLineLength = errors.New("must be a number of columns, at least 40, or none")

// Language returns the language of --lang; said is false without that flag.
func (o *Options) Language() (lang omp.Language, said bool) {
	switch o.Lang {
	case "c":
		return omp.C, true
	case "c++":
		return omp.CPlusPlus, true
	case "fortran":
		return omp.Fortran, true
	}
	return omp.C, false
}
