package otf2

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// sample writes an archive with all kinds of files and returns its folder.
func sample(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	rnd := rand.New(rand.NewPCG(4, 4))
	writeOurs(t, dir, smallestChunk, randomTrace(rnd, 2, 2000, 100, allRecords))
	return dir
}

// readAll reads an archive in all ways. Any content must give records and maybe an error.
func readAll(t testing.TB, path string) (records uint64, failure error) {
	t.Helper()
	err := Check(path, func(p Problem) {
		if p.Path == "" || p.What == "" {
			t.Errorf("a problem without a place: %v", p)
		}
	}, nil)
	if err != nil {
		return 0, err
	}
	r, err := OpenReader(path, 2)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	var line []byte
	h := &HandlerArray{Any: func(r *Record) error { line = r.AppendText(line[:0]); return nil }}
	for _, read := range []func(*HandlerArray) (uint64, error){
		r.ReadGlobalDefinitions, r.ReadLocalDefinitions, r.ReadEvents, r.ReadSnapshots,
		r.ReadMarkers,
	} {
		n, err := read(h)
		records += n
		failure = errors.Join(failure, err)
	}
	return records, failure
}

// located fails for an error without file, chunk and byte.
func located(t testing.TB, err error) {
	t.Helper()
	var damage *Error
	if err != nil && (!errors.As(err, &damage) || damage.Path == "" || damage.What == "") {
		t.Errorf("an error without a place: %v", err)
	}
}

// damage changes a text in one of the ways in which files get damaged.
func damage(rnd *rand.Rand, text []byte) []byte {
	text = bytes.Clone(text)
	at := rnd.IntN(len(text))
	if rnd.IntN(2) == 0 {
		at = rnd.IntN(min(len(text), 200))
	}
	switch rnd.IntN(5) {
	case 0:
		return text[:at]
	case 1:
		text[at] ^= 1 << rnd.IntN(8)
	case 2:
		text[at] = []byte{0, 1, 2, 3, 5, 6, 0x7f, 0xfe, 0xff}[rnd.IntN(9)]
	case 3:
		for i := at; i < min(at+1+rnd.IntN(40), len(text)); i++ {
			text[i] = byte(rnd.Uint32() >> rnd.IntN(32))
		}
	default:
		cut := min(1+rnd.IntN(20), len(text)-at)
		text = append(text[:at], text[at+cut:]...)
	}
	return text
}

// TestDamaged reads archives of which one file is damaged. Nothing crashes or hangs, no case takes
// more than 64 MB of memory all in all, and each error says where it is.
func TestDamaged(t *testing.T) {
	dir := sample(t)
	var files []string
	for _, pattern := range []string{"t.*", "t/*"} {
		found, _ := filepath.Glob(filepath.Join(dir, pattern))
		for _, f := range found {
			if strings.Contains(filepath.Base(f), ".") {
				files = append(files, f)
			}
		}
	}
	if len(files) < 8 {
		t.Fatalf("the sample has only the files %v", files)
	}
	failed := 0
	for seed := range expensive.Tries(uint64(1200)) {
		rnd := rand.New(rand.NewPCG(seed, 5))
		file := files[rnd.IntN(len(files))]
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, damage(rnd, whole), 0o666); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err = readAll(t, filepath.Join(dir, "t"))
		runtime.ReadMemStats(&after)
		if err != nil {
			failed++
			located(t, err)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 64<<20 {
			t.Errorf("%d bytes of memory", n)
		}
		if t.Failed() {
			t.Fatalf("seed %d, %s", seed, file)
		}
		if err := os.WriteFile(file, whole, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if failed < expensive.Tries(1200)/5 {
		t.Errorf("only %d of the damages were found", failed)
	}
	if n, err := readAll(t, filepath.Join(dir, "t")); n < 1000 || err != nil {
		t.Errorf("the sample has %d records, %v", n, err)
	}
}

// TestCut cuts a file of events everywhere: each cut is found, and its place is the end.
func TestCut(t *testing.T) {
	path := filepath.Join(sample(t), "t", "0.evt")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	last := 0
	for cut := 0; cut < len(text)-2; cut += 1 + len(text)/expensive.Tries(3000) {
		records, err := readText(text[:cut], Events)
		var damage *Error
		if !errors.As(err, &damage) || damage.Chunk != 1 || damage.Offset > int64(cut) {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if records < last {
			t.Fatalf("cut at %d: %d records, %d before", cut, records, last)
		}
		last = records
	}
}

// TestHeads checks that a chunk whose head says wrong numbers of events is named.
func TestHeads(t *testing.T) {
	stub := filepath.Join(t.TempDir(), "t")
	coherentTrace(t, stub, 5)
	path := filepath.Join(stub, "3.evt")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[int]string{
		2: "chunk 1 begins with event 1; its head says 2", 10: "chunk 1 ends with event",
	} {
		damaged := bytes.Clone(text)
		damaged[at] ^= 3
		if err := os.WriteFile(path, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		var got []string
		err := Check(stub, func(p Problem) { got = append(got, p.Error.Error()) }, nil)
		if err != nil || len(got) != 1 || !strings.Contains(got[0], want) {
			t.Errorf("byte %d: %v %q", at, err, got)
		}
	}
}

// readText reads a file of one chunk from memory.
func readText(text []byte, kind File) (records int, err error) {
	f := &rfile{
		files: newOpenFiles(1), path: "memory", kind: kind, chunk: smallestChunk, buf: text,
		size: int64(len(text)), clock: &clock{}, maps: &maps{},
	}
	var r Record
	var line []byte
	for {
		more, err := f.next(&r)
		if err != nil || !more {
			return records, err
		}
		records++
		line = r.AppendText(line[:0])
		if kind == LocalDefinitions {
			switch r.Type {
			case MappingTableRecord:
				f.maps.add(&r)
			case ClockOffsetRecord:
				f.clock.add(&r)
			}
			f.maps.global(uint8(r.Values[0]), r.Values[1])
			f.clock.global(r.Values[1])
		}
	}
}

// FuzzFile reads any bytes as each kind of file.
func FuzzFile(f *testing.F) {
	dir := sample(f)
	for _, name := range []string{"t.def", "t/0.evt", "t/0.def", "t/0.snap", "t.marker"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text[:min(len(text), 4000)])
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for kind := range files {
			_, err := readText(text, kind)
			located(t, err)
		}
	})
}

// FuzzAnchor reads any bytes as an anchor file, and what it has read again from what it writes.
func FuzzAnchor(f *testing.F) {
	text, err := os.ReadFile(filepath.Join(sample(f), "t.otf2"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		a, err := parseAnchor("memory", text)
		located(t, err)
		if err != nil {
			return
		}
		again, err := parseAnchor("memory", a.append(nil))
		if err != nil || !bytes.Equal(again.append(nil), a.append(nil)) {
			t.Errorf("%v: %v and %v", err, a, again)
		}
	})
}

// TestBigEndian reads what a machine with the other order of bytes writes, byte by byte.
func TestBigEndian(t *testing.T) {
	text := []byte{
		chunkHeader, bigEndian, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, // header
		timeStamp, 0, 0, 0, 0, 0, 0, 1, 2, 12, 2, 3, 4, // Enter at 0x102, region 0x304
		attributeSet, 7, 1, 1, 1, 7, 2, 0x12, 0x34, // one attribute: 7, 16 bits, 0x1234
		14, 7, 0, 0xff, 1, 9, 2, 1, 0, // MpiSend to 0, undefined communicator, tag 9, 256 bytes
		endOfFile, endOfBuffer,
	}
	f := &rfile{
		files: newOpenFiles(1), path: "memory", kind: Events, chunk: smallestChunk, buf: text,
		size: int64(len(text)), clock: &clock{},
	}
	var got []string
	for {
		var r Record
		more, err := f.next(&r)
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			break
		}
		got = append(got, string(r.AppendText(nil)))
	}
	want := []string{
		"Enter location 0 time 258 region 772",
		"MpiSend location 0 time 258 receiver 0 communicator undefined msgTag 9 msgLength 256 " +
			"attribute 7 4660",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
