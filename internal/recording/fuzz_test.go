package recording

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"
	"time"

	"opari/otf"
)

// memory has files without a disk, by their paths. Several goroutines may write files.
type memory struct {
	lock  sync.Mutex
	files map[string]*memoryFile
}

// memoryFile is a file of pieces in ascending order with zeros between them.
type memoryFile struct {
	fs.FileInfo
	pieces []piece
	size   int64
}

type piece struct {
	at   int64
	text []byte
}

func (m *memory) open(path string, flags int) (otf.File, error) {
	m.lock.Lock()
	defer m.lock.Unlock()
	f := m.files[path]
	switch {
	case flags&os.O_CREATE != 0:
		f = &memoryFile{pieces: []piece{{}}}
		m.files[path] = f
	case f == nil:
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return f, nil
}

func (f *memoryFile) add(at int64, text []byte) {
	f.pieces = append(f.pieces, piece{at, text})
	f.size = max(f.size, at+int64(len(text)))
}

func (f *memoryFile) ReadAt(to []byte, at int64) (int, error) {
	n := int(max(min(int64(len(to)), f.size-at), 0))
	clear(to[:n])
	for _, p := range f.pieces {
		if from := p.at - at; from < 0 && -from < int64(len(p.text)) {
			copy(to[:n], p.text[-from:])
		} else if from >= 0 && from < int64(n) {
			copy(to[from:n], p.text)
		}
	}
	if n < len(to) {
		return n, io.EOF
	}
	return n, nil
}

// Write appends to the first piece, which is the only one of a file that is written.
func (f *memoryFile) Write(text []byte) (int, error) {
	p := &f.pieces[0]
	p.text = append(p.text, text...)
	f.size = int64(len(p.text))
	return len(text), nil
}

func (f *memoryFile) Close() error               { return nil }
func (f *memoryFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *memoryFile) Size() int64                { return f.size }
func (f *memoryFile) Mode() fs.FileMode          { return 0 }

// A recording's files are mostly zeros. So the fuzz target has them packed, without these zeros.
// Bytes that are no chunk, or end within a chunk's header, are unchanged.
const (
	packedMeta = 8*metaFields + 8 // includes part of the program's name; then the rows
	// nine header words, and one for all joins; then the records
	packedChunk = 80
)

var chunkMagic = binary.LittleEndian.AppendUint64(nil, magic)

// unpacked returns the file of a name from its packed bytes.
func unpacked(name string, text []byte) *memoryFile {
	f := &memoryFile{}
	ending := filepath.Ext(name)
	switch {
	case ending == ".meta" && len(text) >= packedMeta:
		f.add(0, text[:packedMeta])
		f.add(metaBytes, text[packedMeta:])
	case ending == ".meta" || ending == ".mpi" || ending == ".table":
		f.add(0, text)
	default:
		for at := int64(0); len(text) > 0; at += chunkBytes {
			next := bytes.Index(text[1:], chunkMagic) + 1
			if next == 0 {
				next = len(text)
			}
			addChunk(f, at, text[:next])
			text = text[next:]
		}
	}
	return f
}

func addChunk(f *memoryFile, at int64, text []byte) {
	if len(text) < packedChunk {
		f.add(at, text)
		return
	}
	f.add(at, text[:packedChunk-8])
	f.add(at+joinsOffset, bytes.Repeat(text[packedChunk-8:packedChunk], joins))
	f.add(at+headerBytes, text[packedChunk:])
	if len(text)%8 == 0 { // otherwise the file is cut off
		f.size = max(f.size, at+chunkBytes)
	}
}

// packed returns bytes from which unpacked makes text.
func packed(name string, text []byte) []byte {
	var out []byte
	switch ending := filepath.Ext(name); ending {
	case ".mpi", ".table":
		return text
	case ".meta":
		return append(append(out, text[:packedMeta]...), text[metaBytes:]...)
	}
	for ; len(text) >= headerBytes; text = text[min(chunkBytes, len(text)):] {
		used := binary.LittleEndian.Uint64(text[40:])
		dock := binary.LittleEndian.Uint64(text[64:]) % joins
		out = append(out, text[:packedChunk-8]...)
		out = append(out, text[joinsOffset+8*dock:][:8]...)
		out = append(out, text[headerBytes:][:8*used]...)
	}
	return out
}

func expanded(f *memoryFile) []byte {
	text := make([]byte, f.size)
	_, _ = f.ReadAt(text, 0)
	return text
}

// manyRanks is the largest world of the fuzz target. A trace defines all ranks of its world, so
// its size grows with their number, however small the files are.
const manyRanks = 1000

var manyDigits = regexp.MustCompile(`[0-9]{4}`)

func tooManyRanks(text []byte) bool {
	for line := range bytes.Lines(text) {
		if !manyDigits.Match(line) {
			continue
		}
		var m membership
		if json.Unmarshal(line, &m); m.Size > manyRanks {
			return true
		}
	}
	return false
}

// allocated returns how many bytes the process has allocated so far.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// fuzzFiles is the largest number of files of a recording in the fuzz target.
const fuzzFiles = 8

// FuzzConvert makes traces of arbitrary files, of a process or a world, in memory. In bounded
// time and memory it must give a valid trace or an error that names the file. names has the names
// of the files, separated by blanks.
func FuzzConvert(f *testing.F) {
	addSeeds(f, func(names string, t [fuzzFiles][]byte) {
		f.Add(names, t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7])
	})
	f.Fuzz(func(t *testing.T, names string, a, b, c, d, e, f, g, h []byte) {
		fuzzed(t, names, [fuzzFiles][]byte{a, b, c, d, e, f, g, h}, nil)
	})
}

// addSeeds adds the generated recordings to a fuzz target, packed.
func addSeeds(f *testing.F, add func(names string, texts [fuzzFiles][]byte)) {
	f.Helper()
	for _, files := range convertSeeds(f) {
		var names []string
		var texts [fuzzFiles][]byte
		for i, file := range files {
			names, texts[i] = append(names, file.name), packed(file.name, file.text)
			if !bytes.Equal(expanded(unpacked(file.name, texts[i])), file.text) {
				f.Fatalf("%s: packed and unpacked it is another one", file.name)
			}
		}
		add(strings.Join(names, " "), texts)
	}
}

// fuzzed makes the traces of packed files, and of what the kernel noted of them.
func fuzzed(t *testing.T, names string, texts [fuzzFiles][]byte, kernel []*kernelNotes) *memory {
	t.Helper()
	const folder = "memory/of"
	m := &memory{files: map[string]*memoryFile{}}
	size := 0
	var there []string
	for i, name := range strings.Fields(names) {
		if i >= fuzzFiles || m.files[filepath.Join(folder, name)] != nil {
			break
		}
		text := texts[i]
		if strings.HasSuffix(name, ".mpi") && tooManyRanks(text) {
			return m
		}
		size += len(text)
		there = append(there, name)
		m.files[filepath.Join(folder, name)] = unpacked(name, text)
	}
	watchdog := time.AfterFunc(time.Minute, func() { panic("it hangs") })
	defer watchdog.Stop()
	before := allocated()
	convertMemory(t, m, folder, there, kernel)
	if grown := allocated() - before; grown > 64<<20+1000*uint64(size) {
		t.Errorf("%d bytes were allocated for files of %d", grown, size)
	}
	return m
}

// convertMemory makes all traces of a folder in memory and checks them.
func convertMemory(t *testing.T, m *memory, folder string, names []string, kernel []*kernelNotes) {
	t.Helper()
	processes, _, err := readFiles(folder, names, m.open, Options{})
	if err != nil {
		if !strings.Contains(err.Error(), folder) {
			t.Errorf("no file in: %v", err)
		}
		return
	}
	assignKernel(processes, kernel)
	for i, p := range recordings(processes) {
		stub := fmt.Sprint("trace", i)
		tr, err := p.convert(stub, nil)
		if err != nil && !strings.Contains(err.Error(), folder) {
			t.Errorf("no file in: %v", err)
		}
		if err != nil || tr == nil {
			continue
		}
		events := uint64(0)
		for path, f := range m.files {
			if strings.HasPrefix(path, stub+".") && strings.HasSuffix(path, ".events") {
				events += countRecords(f.pieces[0].text)
			}
		}
		if events != tr.Events {
			t.Errorf("%d events, %d in the files", tr.Events, events)
		}
		m.check(t, tr.Path)
	}
}

// check expects a trace without problems.
func (m *memory) check(t *testing.T, trace string) {
	t.Helper()
	err := otf.Check(trace, otf.NewFileManagerOf(9, m.open), func(p otf.Problem) {
		t.Errorf("%s:%d: %s", p.Path, p.Line, p.What)
	}, nil)
	if err != nil {
		t.Error(err)
	}
}

// countRecords counts the lines other than times and processes.
func countRecords(text []byte) (n uint64) {
	for line := range bytes.Lines(text) {
		if line[0] >= 'A' && line[0] <= 'Z' {
			n++
		}
	}
	return n
}

type namedText struct {
	name string
	text []byte
}

// convertSeeds returns recordings that tests generate. Those in testdata/fuzz named after
// programs of testdata are real ones.
func convertSeeds(f *testing.F) (seeds [][]namedText) {
	f.Helper()
	for _, record := range []func(folder string){
		func(folder string) { generated(f, folder, 2, 2) },
		func(folder string) { manyDefinitions(f, folder, 2, 2, true) },
		func(folder string) {
			h := handmade{chunks: chunkOf(0, 1000, begins, word(10, 1, work, false),
				word(10, 3, mutex, false), word(10, 3, held, false))}
			h.write(f, folder, chunkOf(5, 2000, word(10, 2, region, true), word(10, 1, work, true)))
		},
	} {
		folder := f.TempDir()
		record(folder)
		entries, err := os.ReadDir(folder)
		if err != nil {
			f.Fatal(err)
		}
		var files []namedText
		for _, e := range entries {
			text, err := os.ReadFile(filepath.Join(folder, e.Name()))
			if err != nil {
				f.Fatal(err)
			}
			files = append(files, namedText{e.Name(), text})
		}
		seeds = append(seeds, files)
	}
	return seeds
}
