package driver

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"opari/internal/driver/commandline"
	"opari/internal/driver/process"
	"opari/internal/driver/scan"
	"opari/internal/instrument"
	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse/construct"
	"opari/rewrite"
)

// sourceText is the text of one source on its way to the compiler.
type sourceText struct {
	file     *commandline.File
	text     []byte            // preprocessed
	draft    *instrument.Draft // the instrumented text; nil: nothing was inserted
	coverage []coverageLine    // for OPARI_COVERAGE
}

// instrument makes t.draft. The call ends with any code other than 0.
func (s *session) instrument(t *sourceText) int {
	if rewrite.Instrumented(t.text) {
		return 0
	}
	o := s.opts.Options
	if s.cmd.Standard != "" {
		o.CPPFlags = append(o.CPPFlags[:len(o.CPPFlags):len(o.CPPFlags)], s.cmd.Standard)
	}
	var left []construct.Mention
	if t.file.Lang == omp.Fortran {
		readAsCompiler(&o, &s.cmd.Fortran, t.file)
		t.text, left = o.Include(t.file.Name, t.text, s.cmd.IncludeFolders(), s.cmd.IsFlang())
	}
	if s.opts.Functions == nil && left == nil && !scan.MayHoldDirectives(t.text, t.file.Lang) {
		return 0
	}
	d, err := instrument.NewDraft(t.file.Name, t.text, instrument.DraftOptions{
		Lang: t.file.Lang, Preprocessed: true, Optimized: s.cmd.Optimizes,
		Sanitized: s.cmd.Sanitizes, Tag: s.cmd.Output,
		GCC: s.cmd.IsGCC(), NoUnderscore: s.cmd.Fortran.NoUnderscore,
		Strict:   s.cmd.WarnsOfExtensions || strings.HasPrefix(s.cmd.Standard, "-std=f"),
		Coverage: coverageFile() != "", Scratch: s.Scratch, Mentions: left,
	}, &o)
	if err != nil {
		start := source.Position{File: t.file.Name, Line: 1, Column: 1}
		d = &instrument.Draft{Diags: source.Diagnostics{{
			Pos: start, Severity: source.Error, Message: err.Error(),
		}}}
	}
	failed := d.Diags.HasErrors()
	t.coverage = coverageLines(d, t.file.Name, s.cmd.Output)
	for _, d := range d.Diags {
		switch {
		case d.Severity == source.Note, s.opts.OnError == instrument.Passthrough:
		case d.Severity == source.Error && s.opts.OnError == instrument.Fail:
			s.Errorf("%s", withoutSeverity(d))
		default:
			s.warnLater("%s", withoutSeverity(d))
		}
	}
	if failed {
		if s.opts.OnError == instrument.Fail {
			return process.ExitFailed
		}
		return 0
	}
	if d.Empty {
		d.Close()
	} else {
		t.draft = d
	}
	return 0
}

// readAsCompiler sets the options to read the Fortran source f as the compiler reads it. opari's
// own options take precedence.
func readAsCompiler(o *instrument.Options, fortran *commandline.Fortran, f *commandline.File) {
	if o.Form == "" {
		o.Form = fortran.Form(f)
	}
	o.DebugLines = fortran.DebugLines
	if length := fortran.LineLength(o.Form); o.LineLength == 0 && length != "" {
		_ = o.SetLineLength(length)
	}
}

// close frees what the text has taken.
func (t *sourceText) close() {
	if t.draft != nil {
		t.draft.Close()
	}
}

// writeTo writes the text for the compiler.
func (t *sourceText) writeTo(w io.Writer) error {
	return instrument.WriteForCompiler(w, t.file.Lang, t.file.Name, t.text, t.draft)
}

// store writes the texts for the compiler into the temporary folder, and where the user wants
// them.
func (s *session) store(sources []*sourceText) (map[*commandline.File]string, error) {
	dir, err := s.Folder()
	if err != nil {
		return nil, err
	}
	replaced := map[*commandline.File]string{}
	fortran := slices.ContainsFunc(sources,
		func(t *sourceText) bool { return t.file.Lang == omp.Fortran && t.draft != nil })
	for i, t := range sources {
		// One instrumented Fortran source needs -fpreprocessed, and that applies to all of them.
		if t.file.Preprocessed && t.draft == nil && !(fortran && t.file.Lang == omp.Fortran) {
			continue
		}
		sub := filepath.Join(dir, strconv.Itoa(i))
		if err := os.Mkdir(sub, 0o700); err != nil {
			return nil, err
		}
		name := filepath.Join(sub, t.file.TempName())
		if err := create(name, 0o600, t.writeTo); err != nil {
			return nil, err
		}
		replaced[t.file] = name
		if err := s.keep(t); err != nil {
			return nil, err
		}
	}
	return replaced, nil
}

// keep writes the files of --keep and -save-temps.
func (s *session) keep(t *sourceText) error {
	name := t.file.TempName()
	if d := s.opts.keep; d != "" {
		if err := os.MkdirAll(d, 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(d, name), t.text, 0o666); err != nil {
			return err
		}
		if t.draft != nil {
			if err := create(filepath.Join(d, commandline.Stem(name)+".opari"+filepath.Ext(name)),
				0o666, t.writeTo); err != nil {
				return err
			}
		}
	}
	if s.cmd.SavesTemps != "" && !t.file.Preprocessed {
		n := s.cmd.AuxiliaryName(t.file, filepath.Ext(name))
		if s.cmd.SavesTemps == "cwd" {
			n = filepath.Base(n)
		}
		return os.WriteFile(n, t.text, 0o666)
	}
	return nil
}

// create writes a file with what fill gives.
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
