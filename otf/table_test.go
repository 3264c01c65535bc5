package otf

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestTable checks the assumptions of other code about the table's rows.
func TestTable(t *testing.T) {
	for i := range Records() {
		k := &Records()[i]
		if k.values > maxValues || k.texts > maxTexts {
			t.Errorf("%s has more fields than a Record holds", k.Name)
		}
		process := 0
		for _, f := range k.Fields {
			if f.Kind == Process {
				process++
			}
		}
		if (process == 1) != (k.File != Definitions) {
			t.Errorf("%s has %d processes", k.Name, process)
		}
		if len(k.line)+process != len(k.Fields) {
			t.Errorf("%s: %d of %d fields stand in its line", k.Name, len(k.line),
				len(k.Fields)-process)
		}
		if k.About == "" || k.Type.String() != k.Name || keywords()[k.File][k.Short] != k ||
			keywords()[k.File][k.Long] != k {
			t.Errorf("%s is not found by its names", k.Name)
		}
	}
}

// TestGenerated checks that the committed files are the generator's output.
func TestGenerated(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "docs", "reference"), 0o777); err != nil {
		t.Fatal(err)
	}
	work := filepath.Join(dir, "otf")
	if err := os.Mkdir(work, 0o777); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "gen")
	if out, err := exec.Command("go", "build", "-o", program,
		"./gen").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	cmd := exec.Command(program)
	cmd.Dir = work
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{
		"records_gen.go", "write_gen.go", "handlers_gen.go", "../docs/reference/otf-records.md",
	} {
		want, err := os.ReadFile(filepath.Join(work, name))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what go generate ./otf makes (%v)", name, err)
		}
	}
}

// TestEveryRecord writes each type in both formats and reads back the same values.
func TestEveryRecord(t *testing.T) {
	for i := range Records() {
		k := &Records()[i]
		for seed := range uint64(20) {
			rnd := rand.New(rand.NewPCG(seed, uint64(i)))
			r := Record{Type: k.Type, File: k.File}
			for _, f := range k.Fields {
				switch v := randomValue(rnd, f, 3).(type) {
				case string:
					r.Texts[f.Slot] = strings.NewReplacer("\"", " ", "\n", " ").Replace(v)
					if v == Null && k.Type != DefProcessRecord {
						r.Texts[f.Slot] = ""
					}
				case []uint32:
					r.Members = append(r.Members, v...)
				case uint64:
					r.Values[f.Slot] = v
				case uint32:
					if f.Kind == Release {
						v &= 0xffffff
					}
					if f.Kind != Process {
						r.Values[f.Slot] = uint64(v)
					}
				}
			}
			format := Format(seed % 2)
			line := appendRecord(nil, &r, format)
			name := k.Short
			if format == FormatLong {
				name = k.Long
			}
			back := Record{Type: k.Type, File: k.File}
			if err := parseRecord(k, append(bytes.Clone(line), make([]byte, padding)...), len(name),
				&back); err != nil {
				t.Fatalf("%s %q: byte %d: %s", k.Name, line, err.at, err.what)
			}
			if len(back.Members) == 0 && len(r.Members) == 0 {
				back.Members = r.Members
			}
			if !reflect.DeepEqual(r, back) {
				t.Fatalf("%s %q:\n%+v\n%+v", k.Name, line, r, back)
			}
		}
	}
}

// TestHex compares the digits made eight at a time with those of fmt.
func TestHex(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range 200_000 {
		v := rnd.Uint64() >> rnd.IntN(64)
		text := fmt.Sprintf("%x", v)
		if got := string(appendHex(nil, v)); got != text {
			t.Fatalf("%x is written %s", v, got)
		}
		behind := []byte("\n \"XgG,*:/@`\x00\xff")[i%13]
		line := append([]byte(text), behind)
		line = append(line, make([]byte, padding)...)
		if got, end := parseHex(line, 0); got != v || end != len(text) {
			t.Fatalf("%q reads as %x, %d digits", line, got, end)
		}
	}
	for c := range 256 {
		want := 0
		if strings.IndexByte("0123456789abcdef", byte(c)) >= 0 {
			want = 1
		}
		if got := hexDigits(uint64(c)); got != want {
			t.Errorf("byte %#x: %d digits", c, got)
		}
	}
	if v, end := parseHex(append([]byte("1123456789abcdef01\n"), make([]byte, padding)...),
		0); v != 0x23456789abcdef01 || end != 18 {
		t.Errorf("of too many digits the last count: %x, %d", v, end)
	}
}
