package otf

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// TestCompressed writes a trace of many blocks, compressed and uncompressed. Both must read the
// same, also by the C library's tool.
func TestCompressed(t *testing.T) {
	expensive.Test(t, "it packs and unpacks large files", "otfdecompress")
	dir := t.TempDir()
	plain, packed := filepath.Join(dir, "plain"), filepath.Join(dir, "packed")
	writeMany(t, plain, 3, 300_000, nil)
	for level := 1; level <= 9; level += 4 {
		writeMany(t, packed, 3, 300_000, func(w *Writer) { w.SetCompression(level) })
		for _, share := range []int{1, manyFiles + 1} {
			want, err := os.ReadFile(plain + ".2.events")
			if err != nil {
				t.Fatal(err)
			}
			if got, err := inflateAll(t, NewFileManager(1), packed+".2.events.z",
				share); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("level %d: %d bytes of %d, %v", level, len(got), len(want), err)
			}
		}
	}
	if _, err := exec.LookPath("otfdecompress"); err != nil {
		t.Skip("otfdecompress is not installed (apt-get install otf-trace)")
	}
	silent(t, dir, "otfdecompress", "packed.2.events.z")
	if out, err := exec.Command("cmp", plain+".2.events",
		packed+".2.events").CombinedOutput(); err != nil {
		t.Errorf("otfdecompress: %s", out)
	}
	want, err := os.ReadFile(plain + ".1.events")
	if err != nil {
		t.Fatal(err)
	}
	silent(t, dir, "otfcompress", "-k", "plain.1.events")
	if got, err := inflateAll(t, NewFileManager(1), plain+".1.events.z", 1); err != nil ||
		!bytes.Equal(got, want) {
		t.Errorf("otfcompress: %d bytes of %d, %v", len(got), len(want), err)
	}
}

// TestRecompress compresses and decompresses a file.
func TestRecompress(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"empty": "", "short": "E1\n",
		"long": strings.Repeat("0123456789abcdef\n", 200_000),
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		manager := NewFileManager(2)
		if err := Recompress(path, path+"-packed", 4, manager, nil); err != nil {
			t.Fatal(err)
		}
		if err := Recompress(path+"-packed.z", path+"-again", 0, manager, nil); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path + "-again"); err != nil || string(got) != text {
			t.Errorf("%s: %d bytes of %d, %v", name, len(got), len(text), err)
		}
	}
}

// TestForeignCompression reads files as other writers make them: a finished zlib stream, or
// blocks that refer to earlier ones. It also reads the end mark of a block by chance inside one,
// and a block too large to be inflated in one piece.
func TestForeignCompression(t *testing.T) {
	text := []byte(strings.Repeat("3b9aca00\n*1\nE1f\n", 30_000))
	noise := make([]byte, 300_000)
	rnd := rand.New(rand.NewPCG(1, 1))
	for i := range noise {
		noise[i] = byte(rnd.Uint32())
		if i%5000 < 4 {
			noise[i] = blockEnd[i%5000]
		}
	}
	var finished, dependent, stored, huge bytes.Buffer
	z := zlib.NewWriter(&finished)
	z.Write(text)
	z.Close()
	dependent.Write([]byte{0x78, 0x9c})
	w, _ := flate.NewWriter(&dependent, 6)
	for at := 0; at < len(text); at += 10_000 {
		w.Write(text[at:min(at+10_000, len(text))])
		w.Flush() // keeps the window, as a sync flush does
	}
	stored.Write([]byte{0x78, 0x01})
	w, _ = flate.NewWriter(&stored, 0)
	w.Write(noise)
	w.Flush()
	huge.Write([]byte{0x78, 0x01})
	w, _ = flate.NewWriter(&huge, 1)
	large := bytes.Repeat([]byte("0"), 3*maxBlock)
	w.Write(large)
	w.Flush()
	for name, c := range map[string]struct{ packed, want []byte }{
		"finished": {finished.Bytes(), text}, "dependent": {dependent.Bytes(), text},
		"stored": {stored.Bytes(), noise}, "huge": {huge.Bytes(), large},
	} {
		path := filepath.Join(t.TempDir(), "f.z")
		if err := os.WriteFile(path, c.packed, 0o666); err != nil {
			t.Fatal(err)
		}
		if got, err := inflateAll(t, NewFileManager(1), path, 1); err != nil ||
			!bytes.Equal(got, c.want) {
			t.Errorf("%s: %d bytes of %d, %v", name, len(got), len(c.want), err)
		}
	}
}
