package otf2

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// oracle builds a program of testdata/c with the real library. It skips the test if that is not
// installed.
func oracle(t testing.TB, name string) string {
	t.Helper()
	oracles.once.Do(func() {
		oracles.dir, _ = os.MkdirTemp("", "otf2-oracle")
		for _, name := range []string{"calls", "dump"} {
			cmd := exec.Command("gcc", "-O1", "-w", "-o", filepath.Join(oracles.dir, name),
				filepath.Join("testdata/c", name+".c"), "-lotf2")
			if out, err := cmd.CombinedOutput(); err != nil {
				oracles.err = "libotf2 is not installed (apt-get install libotf2-trace-dev): " +
					string(out)
			}
		}
	})
	if oracles.err != "" {
		t.Skip(oracles.err)
	}
	return filepath.Join(oracles.dir, name)
}

var oracles struct {
	once sync.Once
	dir  string
	err  string
}

func TestMain(m *testing.M) {
	code := m.Run()
	if oracles.dir != "" {
		os.RemoveAll(oracles.dir)
	}
	os.Exit(code)
}

// run runs a program and returns its standard output; standard error must stay empty.
func run(t testing.TB, stdin string, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Stdin = strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil || errs.Len() > 0 {
		t.Errorf("%s %s: %v: %.2000s", filepath.Base(program), strings.Join(args, " "), err,
			errs.String())
	}
	return out.String()
}

// record is a copy of a Record that a trace is made of.
func record(k *RecordKind, location, time uint64) *Record {
	return &Record{Type: k.Type, Location: location, Time: time}
}

// line returns the line of testdata/c/calls.c for a record.
func line(r *Record) string {
	k := r.Type.Info()
	kind := map[bool]string{true: "E", false: "G"}[k.In(Events)]
	switch {
	case k.In(Snapshots):
		kind = "S"
	case k.In(Markers):
		kind = "M"
	case !k.In(Events) && r.Location != Undefined:
		kind = "L"
	}
	words := []string{
		kind, k.Name, fmt.Sprint(r.Location), fmt.Sprint(r.Time), attributeWord(r.Attributes),
	}
	for _, f := range k.Fields {
		switch f.Wire {
		case Text:
			words = append(words, "s"+hex.EncodeToString([]byte(r.Texts[f.Slot])))
		case List:
			for _, c := range f.Columns {
				words = append(words, numberWord(r.Lists[c.Slot]))
			}
		case Map:
			words = append(words, fmt.Sprint(r.Values[f.Slot]), numberWord(r.Lists[0]))
		default:
			words = append(words, fmt.Sprint(r.Values[f.Slot]))
		}
	}
	return strings.Join(words, " ")
}

func numberWord(list []uint64) string {
	if len(list) == 0 {
		return "-"
	}
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", ",")
}

func attributeWord(list []AttributeValue) string {
	if len(list) == 0 {
		return "-"
	}
	var words []string
	for _, a := range list {
		words = append(words, fmt.Sprintf("%d:%d:%d", a.Attribute, a.Type, a.Value))
	}
	return strings.Join(words, ",")
}

// randomValue returns a value that fits a width; small and undefined ones are frequent.
func randomValue(rnd *rand.Rand, f *Field) uint64 {
	if f.Enum != nil && rnd.IntN(8) > 0 {
		return f.Enum.Values[rnd.IntN(len(f.Enum.Values))]
	}
	v := rnd.Uint64() >> rnd.IntN(64) * uint64(rnd.IntN(4))
	if rnd.IntN(8) == 0 {
		v = Undefined
	}
	switch f.Wire {
	case U8:
		return v & 0xff
	case U32:
		return v & Undefined32
	}
	return v
}

// randomTyped returns a value of a type.
func randomTyped(rnd *rand.Rand, kind uint64) uint64 {
	v := rnd.Uint64() >> rnd.IntN(64)
	switch kind {
	case typeU8:
		return v & 0xff
	case typeU16:
		return v & 0xffff
	case typeI8:
		return uint64(int64(int8(v)))
	case typeI16:
		return uint64(int64(int16(v)))
	case typeI32:
		return uint64(int64(int32(v)))
	case 0, typeU64, typeI64, typeDouble, typePlace:
		return v
	}
	return v & Undefined32
}

// fillRandom gives all fields of r random values.
func fillRandom(rnd *rand.Rand, r *Record) {
	k := r.Type.Info()
	for i := range k.Fields {
		switch f := &k.Fields[i]; f.Wire {
		case Text:
			r.Texts[f.Slot] = []string{
				"", "name", "tab\tcr\r\n", "\xff\x01ü", strings.Repeat("x", 240+rnd.IntN(20)),
				strings.Repeat("long ", rnd.IntN(400)),
			}[rnd.IntN(6)]
		case Map:
			r.Values[f.Slot] = rnd.Uint64N(2)
			for i := range 1 + rnd.IntN(60) { // libotf2 refuses an empty one
				if r.Values[f.Slot] == MapSparse {
					r.Lists[0] = append(r.Lists[0], uint64(3*i))
				}
				r.Lists[0] = append(r.Lists[0], rnd.Uint64()>>rnd.IntN(64))
			}
		case Value:
			r.Values[f.Slot] = randomTyped(rnd, r.Values[f.Slot-1])
		case List:
			for range rnd.IntN(80) {
				before := uint64(0)
				for j := range f.Columns {
					c := &f.Columns[j]
					v := randomValue(rnd, c)
					switch {
					case c.Type == "Type":
						v = rnd.Uint64N(types)
					case c.Wire == Value:
						v = randomTyped(rnd, before)
					}
					r.Lists[c.Slot] = append(r.Lists[c.Slot], v)
					before = v
				}
			}
		default:
			r.Values[f.Slot] = randomValue(rnd, f)
			if f.Type == "Type" {
				r.Values[f.Slot] = rnd.Uint64N(types)
			}
		}
	}
	if k.Timed() && rnd.IntN(6) == 0 {
		for i := range rnd.IntN(25) {
			kind := rnd.Uint64N(types)
			r.Attributes = append(r.Attributes, AttributeValue{
				uint32(i) + rnd.Uint32()>>rnd.IntN(32)&^31, Type(kind), randomTyped(rnd, kind),
			})
		}
	}
}

// randomTrace makes records of every type, in the order of time for each location, and the
// definitions of the locations at the end.
func randomTrace(rnd *rand.Rand, locations, records int, step uint64, some func(*RecordKind) bool,
) []*Record {
	var out []*Record
	clock := map[uint64]*[2]uint64{}
	events, offsets := map[uint64]uint64{}, map[uint64]uint64{}
	mapped := map[[2]uint64]bool{}
	for range records {
		k := &Records[rnd.IntN(len(Records))]
		if rnd.IntN(3) > 0 {
			k = EnterRecord.Info()
		}
		if k.Type == LocationRecord || !some(k) {
			continue
		}
		location := 7 * rnd.Uint64N(uint64(locations))
		if clock[location] == nil {
			clock[location] = &[2]uint64{}
		}
		r := record(k, location, 0)
		switch {
		case k.In(Events):
			clock[location][0] += rnd.Uint64N(step)
			r.Time = clock[location][0]
			events[location]++
		case k.In(Snapshots):
			clock[location][1] += rnd.Uint64N(step)
			r.Time = clock[location][1]
		case k.In(Markers), !k.In(LocalDefinitions), k.In(GlobalDefinitions) && rnd.IntN(2) > 0:
			r.Location = Undefined
		}
		fillRandom(rnd, r)
		if k.Type == ClockOffsetRecord { // libotf2 wants them in the order of time
			offsets[location] += 1 + rnd.Uint64N(step*200)
			r.Values[0], r.Values[1] = offsets[location], rnd.Uint64N(step)-step/2
		}
		if table := [2]uint64{location, r.Values[0]}; k.Type == MappingTableRecord {
			if mapped[table] { // libotf2 refuses a second one
				continue
			}
			mapped[table] = true
			for i := range r.Lists[0] {
				global := r.Values[1] == MapDense || i%2 == 1
				if r.Values[0] == uint64(MappingTypeAttribute) && global {
					r.Lists[0][i] = uint64(1<<31 + i) // an event has each attribute once
				}
			}
		}
		if k.Type == BufferFlushRecord {
			// A later one would make libotf2 extrapolate the times of all that follows.
			r.Values[0] = r.Time
		}
		out = append(out, r)
	}
	for i := range uint64(locations) {
		if events[7*i] > 0 {
			r := record(LocationRecord.Info(), Undefined, 0)
			r.Values = [maxValues]uint64{7 * i, 0, 1, events[7*i], 0}
			out = append(out, r)
		}
	}
	return out
}

// writeTheirs writes records with the C library, into the archive t in a folder.
func writeTheirs(t testing.TB, dir string, chunk int, records []*Record) {
	t.Helper()
	lines := []string{
		fmt.Sprintf("open %s %d %d", dir, chunk, chunk), "property OPARI::TEST yes",
	}
	for _, r := range records {
		lines = append(lines, line(r))
	}
	run(t, strings.Join(lines, "\n")+"\n", oracle(t, "calls"))
}

// writeOurs does the same with our writer.
func writeOurs(t testing.TB, dir string, chunk int, records []*Record) {
	t.Helper()
	w := NewWriter(filepath.Join(dir, "t"))
	w.Anchor.EventChunk, w.Anchor.DefinitionChunk = uint64(chunk), uint64(chunk)
	w.Anchor.Machine, w.Anchor.Creator = "machine", "creator 1.0"
	w.Anchor.Description = "what it is"
	w.Anchor.Properties = []Property{{"OPARI::TEST", "yes"}}
	for _, r := range records {
		c := *r
		c.Attributes = slices.Clone(r.Attributes)
		if err := w.Write(&c); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// sameFiles compares the files of two archives. The number of the trace is random in theirs.
func sameFiles(t testing.TB, ours, theirs string) {
	t.Helper()
	content := func(dir string) map[string][]byte {
		out := map[string][]byte{}
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				text, err := os.ReadFile(path)
				if strings.HasSuffix(path, ".otf2") {
					text = slices.Concat(text[:len(text)-19], text[len(text)-11:])
				}
				out[strings.TrimPrefix(path, dir)] = text
				return err
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	a, b := content(ours), content(theirs)
	for name, text := range b {
		if _, is := a[name]; !is {
			t.Errorf("we do not write %s", name)
			continue
		}
		if !bytes.Equal(a[name], text) {
			i := 0
			for i < len(a[name]) && i < len(text) && a[name][i] == text[i] {
				i++
			}
			from := max(i-30, 0)
			t.Errorf("%s: %d and %d bytes differ at %d:\n%x\n%x", name, len(a[name]), len(text), i,
				a[name][from:min(i+30, len(a[name]))], text[from:min(i+30, len(text))])
		}
		delete(a, name)
	}
	for name := range a {
		t.Errorf("they do not write %s", name)
	}
}
