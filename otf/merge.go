package otf

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// MergeOptions determine how Merge writes.
type MergeOptions struct {
	Streams  uint32 // of the new trace; 0: one for each process
	Format   Format
	Level    int            // of zlib; 0: no compression
	Progress func(Progress) // called now and then while events are read; may be nil
}

// progressEvery is the number of records between calls of a progress function.
const progressEvery = 1 << 20

// Merge copies the trace from to the trace to with another number of streams (section 4.2).
//
// Definitions of single streams become global ones, because their processes may go to any stream.
// Tokens that collide with those of another stream, or with global ones, get new numbers, in the
// definitions and in all records of their stream. Section 4.1 calls this "translate different
// local token sets to a single consistent global token set".
//
// A token that neither its stream nor a global definition defines stays unchanged, and so do
// records that the table does not have.
func Merge(from, to string, manager *FileManager, o MergeOptions) error {
	r, err := OpenReader(from, manager)
	if err != nil {
		return err
	}
	defer r.Close()
	w := NewWriter(to, o.Streams, manager)
	w.SetFormat(o.Format)
	w.SetCompression(o.Level)
	w.SetComplete(true)
	for _, e := range r.MasterControl().Entries() {
		for _, p := range e.Processes {
			w.AssignProcess(p, w.choose())
		}
	}
	t := newTokens(r.MasterControl())
	err = mergeDefinitions(r, w, t)
	if err == nil {
		err = errors.Join(copyTimed(r, w, t, o.Progress), copyMarkers(stub(from), w, manager))
	}
	return errors.Join(err, w.Close())
}

// mergeDefinitions writes all definitions as global ones.
func mergeDefinitions(r *Reader, w *Writer, t *tokens) error {
	_, err := r.ReadDefinitions(&HandlerArray{Any: func(d *Record) error {
		if d.Type == DefVersionRecord || d.Type == DefUniqueIdRecord {
			return nil
		}
		if err := t.add(d); err != nil {
			return fmt.Errorf("%s: %w", fileName(r.namestub, d.Stream, endings[Definitions]), err)
		}
		return nil
	}})
	if err != nil {
		return err
	}
	t.unify()
	resolution := ""
	seen := map[string]bool{}
	for _, d := range t.order {
		line := string(appendRecord(nil, d, FormatShort))
		if d.Type == DefTimerResolutionRecord {
			if resolution != "" && resolution != line && d.Stream != 0 {
				return fmt.Errorf("%s: %q, and %q before: streams of different clocks cannot be "+
					"merged",
					fileName(r.namestub, d.Stream, endings[Definitions]), line[:len(line)-1],
					resolution[:len(resolution)-1])
			}
			resolution = line
		}
		if d.Stream != 0 && seen[line] {
			continue
		}
		seen[line] = true
		d.Stream = 0
		if err := w.Write(d); err != nil {
			return err
		}
	}
	return nil
}

// copyTimed copies events, snapshots and statistics in temporal order.
func copyTimed(r *Reader, w *Writer, t *tokens, progress func(Progress)) error {
	h := CopyHandlers(w)
	if t.changes {
		h = &HandlerArray{Any: func(record *Record) error {
			t.translate(record)
			return w.Write(record)
		}}
	}
	if progress != nil {
		r.SetRecordLimit(progressEvery)
	}
	for _, kind := range []FileKind{Events, Snapshots, Statistics} {
		for {
			n, err := r.merged(kind, h)
			if err != nil {
				return err
			}
			if n == 0 || progress == nil {
				break
			}
			p, err := r.progress(kind)
			if err != nil {
				return err
			}
			progress(p)
		}
	}
	return nil
}

// copyMarkers copies the marker file of libotf 1.12 unchanged. It belongs to no stream of the
// master file.
func copyMarkers(from string, w *Writer, manager *FileManager) error {
	path := fileName(from, 0, "marker")
	for _, p := range []string{path, path + ".z"} {
		if _, err := os.Stat(p); err == nil {
			return Recompress(p, fileName(w.namestub, 0, "marker"), w.level, manager, nil)
		}
	}
	return nil
}

// Recompress copies a file of a trace, compressed if its name ends in .z, to the file to. If
// level is not 0, it compresses to to.z, block by block in parallel.
//
// progress, which may be nil, gets the bytes read and their total.
func Recompress(from, to string, level int, manager *FileManager,
	progress func(done, size int64),
) error {
	src, err := openSource(manager, from, 1)
	if err != nil {
		return err
	}
	defer src.close()
	b := openWBuffer(manager, to, FormatShort, defaultBuffer, level)
	if level == 0 {
		b.size, b.text = defaultBuffer, make([]byte, 0, defaultBuffer+eventRoom)
	}
	for {
		n, err := src.read(b.text[len(b.text):b.size])
		b.text = b.text[:len(b.text)+n]
		if err != nil || len(b.text) == b.size {
			if err := b.flush(); err != nil {
				return err
			}
			if progress != nil {
				progress(src.tell(), src.size())
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return errors.Join(err, b.close())
		}
	}
	if !b.file.begun && !b.file.packed { // an empty file
		if level > 0 {
			return errors.Join(b.file.write(zlibHeader(level)), b.close())
		}
		return errors.Join(b.file.write(nil), b.close())
	}
	return b.close()
}

// Files returns the existing files of a trace, the master file first.
func Files(namestub string) ([]string, error) {
	m, err := ReadMasterControl(namestub)
	if err != nil {
		return nil, err
	}
	name := stub(namestub)
	entries, err := os.ReadDir(filepath.Dir(name))
	if err != nil {
		return nil, err
	}
	there := make(map[string]bool, len(entries))
	for _, e := range entries {
		there[e.Name()] = true
	}
	var out []string
	add := func(path string) {
		for _, p := range []string{path, path + ".z"} {
			if there[filepath.Base(p)] {
				out = append(out, p)
				return
			}
		}
	}
	add(name + ".otf")
	for _, e := range append([]MapEntry{{}}, m.Entries()...) {
		for _, ending := range endings {
			if e.Stream > 0 || ending == endings[Definitions] {
				add(fileName(name, e.Stream, ending))
			}
		}
	}
	add(fileName(name, 0, "marker"))
	return slices.Compact(out), nil
}

// TraceName returns a trace's name without the ending of its master file, which is the prefix of
// its files' names.
func TraceName(name string) string { return stub(name) }
