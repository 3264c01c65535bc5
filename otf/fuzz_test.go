package otf

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// readBytes reads a trace of one stream with the given files, in all ways. Any content must give
// records and maybe an error.
func readBytes(t testing.TB, files map[string]string) (records uint64, failure error) {
	t.Helper()
	const stub = "memory/t"
	open := memoryFiles(stub, files).open
	r, err := OpenReader(stub, NewFileManagerOf(4, open))
	if err != nil {
		return 0, err
	}
	defer r.Close()
	h := &HandlerArray{Any: func(r *Record) error { r.AppendText(nil); return nil }}
	for _, read := range []func(*HandlerArray) (uint64, error){
		r.ReadDefinitions, r.ReadEvents,
		r.ReadSnapshots, r.ReadStatistics,
	} {
		n, err := read(h)
		records += n
		failure = errors.Join(failure, err)
	}
	sameDirectly(t, files, 0x1000)
	if _, _, _, err := r.TimeRange(Events); err != nil {
		failure = errors.Join(failure, err)
	}
	r.SetTimeInterval(0x100, 0x400)
	if _, err := r.ReadEvents(h); err != nil {
		failure = errors.Join(failure, err)
	}
	if err := Check(stub, NewFileManagerOf(4, open), func(Problem) {}, nil); err != nil {
		failure = errors.Join(failure, err)
	}
	return records, failure
}

// located fails for an error without a position.
func located(t testing.TB, err error) {
	t.Helper()
	var damage *Error
	if err != nil && (!errors.As(err, &damage) || damage.Path == "" || damage.What == "") {
		t.Errorf("an error without a place: %v", err)
	}
}

// seeds adds the samples' files with an ending.
func seeds(f *testing.F, ending string) {
	files, _ := filepath.Glob("testdata/samples/*" + ending)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
}

const fuzzMaster = "1:1,2\n"

// memory holds files without a disk, by their paths.
type memory map[string]*memoryFile

type memoryFile struct {
	os.FileInfo
	text []byte
}

// memoryFiles returns the files of a trace, by their endings.
func memoryFiles(stub string, files map[string]string) memory {
	m := memory{}
	for ending, text := range files {
		m[stub+"."+ending] = &memoryFile{text: []byte(text)}
	}
	return m
}

func (m memory) open(path string, flags int) (File, error) {
	f := m[path]
	switch {
	case flags&os.O_CREATE != 0:
		f = &memoryFile{}
		m[path] = f
	case f == nil:
		return nil, &os.PathError{Op: "open", Path: path, Err: os.ErrNotExist}
	}
	return f, nil
}

// text returns the content of a file, or nothing if it is missing.
func (m memory) text(path string) string {
	if f := m[path]; f != nil {
		return string(f.text)
	}
	return ""
}

func (f *memoryFile) ReadAt(to []byte, at int64) (int, error) {
	n := copy(to, f.text[min(at, f.Size()):])
	if n < len(to) {
		return n, io.EOF
	}
	return n, nil
}

func (f *memoryFile) Write(text []byte) (int, error) {
	f.text = append(f.text, text...)
	return len(text), nil
}

func (f *memoryFile) Close() error               { return nil }
func (f *memoryFile) Stat() (os.FileInfo, error) { return f, nil }
func (f *memoryFile) Size() int64                { return int64(len(f.text)) }
func (f *memoryFile) Mode() os.FileMode          { return 0 }

// memorySource is a source without a file.
type memorySource struct {
	text []byte
	at   int64
}

func (s *memorySource) read(p []byte) (int, error) {
	n := copy(p, s.text[s.at:])
	s.at += int64(n)
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func (s *memorySource) seek(at int64) (int64, error) {
	s.at = min(at, s.size())
	return s.at, nil
}

func (s *memorySource) tell() int64  { return s.at }
func (s *memorySource) size() int64  { return int64(len(s.text)) }
func (s *memorySource) close() error { return nil }

// readText reads a stream's file from memory and returns its records in a window and its range of
// times.
func readText(text []byte, kind FileKind, wanted window) error {
	var r Record
	h := &HandlerArray{Any: func(r *Record) error { r.AppendText(nil); return nil }}
	files := memory{"memory": &memoryFile{text: text}}
	b := newRBuffer(files.open, &memorySource{text: text}, "memory", kind, 1, smallestBlock)
	defer b.close()
	b.wanted = wanted
	b.restart(0)
	if wanted.min > 0 {
		if err := b.searchTime(wanted.min); err != nil {
			return err
		}
	}
	if _, err := b.readAll(h, &r, MaxTime); err != nil {
		return err
	}
	b.wanted = window{max: MaxTime}
	_, _, _, err := b.timeRange()
	return err
}

// FuzzEvents reads any bytes as events, snapshots or statistics, from memory because that is
// fast.
func FuzzEvents(f *testing.F) {
	seeds(f, ".events")
	seeds(f, ".snaps")
	seeds(f, ".stats")
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, kind := range []FileKind{Events, Snapshots, Statistics} {
			located(t, readText(text, kind, window{max: MaxTime}))
			located(t, readText(text, kind, window{min: 0x100, max: 0x400}))
		}
	})
}

// FuzzEventFiles reads the same through Reader and Check.
func FuzzEventFiles(f *testing.F) {
	seeds(f, ".events")
	seeds(f, ".snaps")
	seeds(f, ".stats")
	f.Fuzz(func(t *testing.T, text []byte) {
		s := string(text)
		_, err := readBytes(t,
			map[string]string{"otf": fuzzMaster, "1.events": s, "1.snaps": s, "1.stats": s})
		located(t, err)
	})
}

// FuzzDefinitions reads any bytes as definitions and writes what it has read, which must read as
// the same.
func FuzzDefinitions(f *testing.F) {
	seeds(f, ".def")
	f.Fuzz(func(t *testing.T, text []byte) {
		_, err := readBytes(t, map[string]string{"otf": fuzzMaster, "0.def": string(text)})
		located(t, err)
		if err != nil {
			return
		}
		m := memoryFiles("t", map[string]string{"otf": fuzzMaster, "0.def": string(text)})
		manager := NewFileManagerOf(10, m.open)
		copyThrough(t, manager, "t", "u", nil)
		copyThrough(t, manager, "u", "v", nil)
		if u, v := m.text("u.0.def"), m.text("v.0.def"); maskID(u) != maskID(v) {
			t.Errorf("copied %q, copied again %q", u, v)
		}
	})
}

// FuzzMaster reads any bytes as a master file.
func FuzzMaster(f *testing.F) {
	seeds(f, ".otf")
	f.Fuzz(func(t *testing.T, text []byte) {
		_, err := readBytes(t, map[string]string{"otf": string(text), "1.events": "1\n*1\nE1\n"})
		located(t, err)
	})
}

// FuzzCompressed reads any bytes as a compressed file, by blocks and in one go. Both must give
// the same text.
func FuzzCompressed(f *testing.F) {
	seeds(f, ".z")
	f.Add(append([]byte{0x78, 0x5e}, bytes.Repeat(blockEnd, 20)...))
	f.Fuzz(func(t *testing.T, text []byte) {
		m := memory{"f.z": &memoryFile{text: text}}
		blocks, err := inflateAll(t, NewFileManagerOf(1, m.open), "f.z", 1)
		flow, err2 := inflateAll(t, NewFileManagerOf(1, m.open), "f.z", manyFiles+1)
		if !bytes.Equal(blocks, flow) || (err == nil) != (err2 == nil) {
			t.Errorf("by blocks %d bytes, %v; in one go %d bytes, %v", len(blocks), err,
				len(flow), err2)
		}
		located(t, err)
	})
}

// inflateAll reads up to 16 MB of a compressed file.
func inflateAll(t testing.TB, manager *FileManager, path string, share int) ([]byte, error) {
	t.Helper()
	src, err := openSource(manager, path, share)
	if err != nil {
		t.Fatal(err)
	}
	defer src.close()
	var out []byte
	p := make([]byte, 64<<10)
	for len(out) < 16<<20 {
		n, err := src.read(p)
		out = append(out, p[:n]...)
		if err != nil {
			return out, ignoreEnd(err)
		}
	}
	return out, nil
}

// TestTruncated cuts the samples everywhere. The rest must read as the records before the cut,
// without an error. Only the cut record is unknown.
func TestTruncated(t *testing.T) {
	for _, file := range []string{
		"core_short.1.events", "core_long.1.events",
		"ext_short.1.events",
	} {
		text, err := os.ReadFile(filepath.Join("testdata/samples", file))
		if err != nil {
			t.Fatal(err)
		}
		last := uint64(0)
		for cut := 0; cut <= len(text); cut += 3 {
			n, err := readBytes(t,
				map[string]string{"otf": fuzzMaster, "1.events": string(text[:cut])})
			if err != nil {
				t.Fatalf("%s cut at %d: %v", file, cut, err)
			}
			if n+1 < last {
				t.Fatalf("%s cut at %d: %d records, %d before", file, cut, n, last)
			}
			last = n
		}
	}
}

// TestDamaged changes single bytes: each error must have a position.
func TestDamaged(t *testing.T) {
	text, err := os.ReadFile("testdata/samples/core_long.1.events")
	if err != nil {
		t.Fatal(err)
	}
	failed := 0
	for at := 0; at < len(text); at += len(text) / expensive.Tries(len(text)) {
		for _, c := range []byte("\n \"Xg0*\x00\xff") {
			damaged := bytes.Clone(text)
			damaged[at] = c
			if _, err := readBytes(t,
				map[string]string{"otf": fuzzMaster, "1.events": string(damaged)}); err != nil {
				failed++
				located(t, err)
			}
		}
	}
	if failed < 100 {
		t.Errorf("only %d of the damages were found", failed)
	}
}

// TestLongLine checks that a line without an end is refused, in bounded memory.
func TestLongLine(t *testing.T) {
	_, err := readBytes(t, map[string]string{
		"otf":      fuzzMaster,
		"1.events": "1\n*1\n#\"" + strings.Repeat("x", maxLine+10) + "\"\n",
	})
	located(t, err)
	if err == nil || !strings.Contains(err.Error(), "line longer") {
		t.Error(err)
	}
	n, err := readBytes(t, map[string]string{
		"otf":      fuzzMaster,
		"1.events": "1\n*1\n#\"" + strings.Repeat("x", 3<<20) + "\"\n",
	})
	if n != 1 || err != nil {
		t.Error(n, err)
	}
}
