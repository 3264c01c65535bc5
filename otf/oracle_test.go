package otf

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"opari/internal/expensive"
)

// oracle builds a program of testdata/c with the real library. It skips the test if that is not
// installed.
func oracle(t testing.TB, name string) string {
	t.Helper()
	buildOracles()
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

func buildOracles() {
	oracles.once.Do(func() {
		oracles.dir, _ = os.MkdirTemp("", "otf-oracle")
		for _, name := range []string{"calls", "dump"} {
			cmd := exec.Command("gcc", "-O1", "-w", "-I/usr/include/open-trace-format", "-o",
				filepath.Join(oracles.dir, name),
				filepath.Join("testdata/c", name+".c"), "-lopen-trace-format", "-lz")
			if out, err := cmd.CombinedOutput(); err != nil {
				oracles.err = "libopen-trace-format is not installed (apt-get install " +
					"libopen-trace-format-dev zlib1g-dev): " + string(out)
			}
		}
	})
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
		t.Errorf("%s %s: %v: %s", filepath.Base(program), strings.Join(args, " "), err,
			errs.String())
	}
	return out.String()
}

// call is a call of a write function: of our Writer by reflection, of the C library by a line for
// testdata/c/calls.c.
type call struct {
	name string
	args []any
}

func (c call) line() string {
	words := []string{c.name}
	for _, a := range c.args {
		switch a := a.(type) {
		case string:
			if a == Null {
				words = append(words, "-")
			} else {
				words = append(words, "s"+hex.EncodeToString([]byte(a)))
			}
		case []uint32:
			for _, m := range a {
				words = append(words, fmt.Sprint(m))
			}
		default:
			words = append(words, fmt.Sprint(a))
		}
	}
	return strings.Join(words, " ")
}

func (c call) do(w *Writer) {
	in := make([]reflect.Value, len(c.args))
	for i, a := range c.args {
		in[i] = reflect.ValueOf(a)
	}
	reflect.ValueOf(w).MethodByName("Write" + c.name).Call(in)
}

// randomTrace makes calls for every record type of 1.1, each file sorted by time. A small step
// makes ties frequent.
func randomTrace(rnd *rand.Rand, processes, records int, step uint64) []call {
	var calls []call
	clock := [fileKinds]uint64{}
	for range records {
		k := &Records()[rnd.IntN(len(Records()))]
		if k.Type == DefVersionRecord || k.Type == DefUniqueIdRecord {
			continue
		}
		if rnd.IntN(3) > 0 {
			k = EnterRecord.Info()
		}
		c := call{name: k.Name}
		if k.File == Definitions {
			c.args = append(c.args, uint32(0))
		} else {
			clock[k.File] += rnd.Uint64N(step)
			c.args = append(c.args, clock[k.File])
		}
		for _, f := range k.Fields {
			c.args = append(c.args, randomValue(rnd, f, processes))
		}
		calls = append(calls, c)
	}
	return calls
}

func randomValue(rnd *rand.Rand, f Field, processes int) any {
	switch f.Kind {
	case Process:
		return uint32(1 + rnd.IntN(processes))
	case Text:
		texts := []string{
			"", "name", "a \"quoted\" one", "line\nfeed", "tab\tcr\r", "\xff\x01ü",
			Null, strings.Repeat("long ", 200),
		}
		return texts[rnd.IntN(len(texts))]
	case Members:
		members := make([]uint32, rnd.IntN(20))
		for i := range members {
			members[i] = rnd.Uint32()
		}
		return members
	case Number:
		return rnd.Uint64() >> rnd.IntN(64) * uint64(rnd.IntN(4))
	}
	return rnd.Uint32() >> rnd.IntN(32) * uint32(rnd.IntN(4))
}

// script returns the input of testdata/c/calls.c.
func script(stub string, streams int, format Format, files int, calls []call) string {
	word := "short"
	if format == FormatLong {
		word = "long"
	}
	lines := []string{fmt.Sprintf("open %s %d %s 0 %d", stub, streams, word, files)}
	for _, c := range calls {
		lines = append(lines, c.line())
	}
	return strings.Join(lines, "\n") + "\n"
}

// TestSameBytes writes random traces with our writer and with the C library. All files must be
// equal, whatever the format, the number of streams and the limit on open files.
func TestSameBytes(t *testing.T) {
	program := oracle(t, "calls")
	for seed := range expensive.Tries(uint64(40)) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		format, streams, processes, files := Format(seed%2), rnd.IntN(6), 1+
			rnd.IntN(9), 1+rnd.IntN(4)
		calls := randomTrace(rnd, processes, 400, 1+rnd.Uint64N(1<<rnd.IntN(40)))
		theirs, ours := t.TempDir(), t.TempDir()
		run(t, script(filepath.Join(theirs, "t"), streams, format, files, calls), program)
		writeCalls(t, filepath.Join(ours, "t"), uint32(streams), format, files, calls)
		sameFiles(t, ours, theirs, "t")
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func writeCalls(t testing.TB, stub string, streams uint32, format Format, files int, calls []call) {
	t.Helper()
	manager := NewFileManager(files)
	w := NewWriter(stub, streams, manager)
	w.SetFormat(format)
	for _, c := range calls {
		c.do(w)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if manager.Open() != 0 {
		t.Errorf("%d files left open", manager.Open())
	}
}

// TestSameRecords reads random traces with our reader and with the C library: completely, in a
// time interval, with a limit, and with disabled processes. Records of the same time must come in
// the same order, too.
func TestSameRecords(t *testing.T) {
	program := oracle(t, "dump")
	for seed := range expensive.Tries(uint64(60)) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		processes := 1 + rnd.IntN(40)
		stub := filepath.Join(t.TempDir(), "t")
		step := 2 + rnd.Uint64N(1<<rnd.IntN(12))
		calls := randomTrace(rnd, processes, 200+rnd.IntN(3000), step)
		for p := range processes { // the C library refuses a stream without events
			calls = append(calls,
				call{"Leave", []any{uint64(1) << 40, uint32(0), uint32(p + 1), uint32(0)}})
		}
		writeCalls(t, stub, uint32(rnd.IntN(processes+1)), FormatShort, 50, calls)
		want := run(t, "", program, stub)
		if got := dump(t, stub, nil); got != want {
			t.Fatalf("seed %d: %s", seed, firstDifference(got, want))
		}
		if want, got := run(t, "", program, stub, "-u"), dumpUnsorted(t, stub); got != want {
			t.Fatalf("seed %d, unsorted: %s", seed, firstDifference(got, want))
		}
		limit := 1 + rnd.Uint64N(500)
		want = run(t, "", program, stub, "-n", fmt.Sprint(limit))
		if got := dumpLimited(t, stub, limit); got != want {
			t.Fatalf("seed %d, limit %d: %s", seed, limit, firstDifference(got, want))
		}
		sameSelection(t, rnd, program, stub, processes, uint64(len(calls))*step)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// sameSelection compares random selections of a trace.
func sameSelection(t *testing.T, rnd *rand.Rand, program, stub string, processes int, end uint64) {
	t.Helper()
	for mode := range 6 {
		from := 1 + rnd.Uint64N(end)
		to := from + rnd.Uint64N(end)
		off := map[uint32]bool{}
		if mode%3 == 0 {
			from, to = 0, MaxTime
		}
		args := []string{stub, "-t", fmt.Sprint(from), fmt.Sprint(to)}
		for range rnd.IntN(processes) * (mode % 2) {
			p := uint32(1 + rnd.IntN(processes))
			off[p] = true
			args = append(args, "-d", fmt.Sprint(p))
		}
		want := run(t, "", program, args...)
		got := dump(t, stub, func(r *Reader) {
			r.SetTimeInterval(from, to)
			for p := range off {
				r.DisableProcess(p)
			}
		})
		if got != want {
			t.Errorf("%v: %s", args[1:], firstDifference(got, want))
			return
		}
	}
}
