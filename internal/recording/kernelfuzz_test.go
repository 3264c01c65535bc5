package recording

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"opari/internal/sampling"
	"opari/otf"
)

// numbersOf reads numbers from arbitrary bytes; after the last one, 0.
type numbersOf []byte

func (n *numbersOf) next() uint64 {
	v, used := binary.Uvarint(*n)
	if used <= 0 {
		used = min(1, len(*n))
	}
	*n = (*n)[used:]
	return v
}

func (n *numbersOf) count(most int) int { return int(n.next() % uint64(most+1)) }

// recordOf makes what the kernel might have noted, or not, from arbitrary bytes.
func recordOf(text []byte) *sampling.Record {
	n := numbersOf(text)
	r := &sampling.Record{
		Rate: n.count(2000), Lost: n.next(), Files: []string{"/dev/null", "a b"}[:n.count(2)],
		Counters: []string{"cycles", "cycles", "x"}[:n.count(3)],
	}
	code := func() sampling.Address {
		file := int32(n.next()) - 1
		return sampling.Address{File: file, Offset: n.next(), Return: n.count(1) == 1}
	}
	for range n.count(8) {
		r.Stacks = append(r.Stacks, sampling.Frame{Caller: int32(n.next()) - 1, Code: code()})
	}
	for range n.count(4) {
		t := sampling.Thread{
			PID: ringPID + n.count(2), TID: ringPID + n.count(2), Begin: n.next(), End: n.next(),
			Ran: []int{n.count(99)}, Migrations: n.next(),
		}
		if n.count(1) == 1 {
			t.PID, t.TID = 1, 77
		}
		for range n.count(6) {
			t.Off = append(t.Off, sampling.Off{
				From: n.next(), To: n.next(), Preempted: n.count(1) == 1,
			})
		}
		for range n.count(6) {
			s := sampling.Sample{Time: n.next(), Stack: int32(n.next()) - 1}
			s.Access = sampling.Access{Address: n.next(), Write: n.count(1) == 1}
			for range n.count(4) {
				s.Values = append(s.Values, n.next())
			}
			t.Samples = append(t.Samples, s)
		}
		r.Threads = append(r.Threads, t)
	}
	return r
}

// FuzzKernel makes traces of arbitrary files with arbitrary notes of the kernel. They must be
// valid, and without the notes' records they are the traces of the files alone.
func FuzzKernel(f *testing.F) {
	r := func(numbers ...uint64) (text []byte) {
		for _, n := range numbers {
			text = binary.AppendUvarint(text, n)
		}
		return text
	}
	const start = ringOrigin
	// One file, one stack, one thread: off between two times, and a sample.
	thread := func(own, at uint64) []byte {
		return r(1000, 0, 1, 1, 1, 0, 1, 4096, 0, 1, 0, 0, 1, 0, 2, 1, own, 1, at, at+50, 1, 1,
			at+20, 1, 4096, 0, 1, 9)
	}
	add := func(names string, t [fuzzFiles][]byte) {
		for _, kernel := range [][]byte{thread(0, start+ringRound+1000), thread(1, 1010), nil} {
			f.Add(kernel, names, t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7])
		}
	}
	addSeeds(f, add)
	meta := make([]byte, metaBytes)
	for i, v := range []uint64{magic, 1, 0, 1000, 1000, 9000, 9000, 0, 0, 1, 1, 0} {
		binary.LittleEndian.PutUint64(meta[8*i:], v)
	}
	chunk := chunkOf(0, 1000, append(numbered(77, 0), word(100, 1, work, false),
		word(100, 1, work, true))...)
	add("1.meta 1.0", [fuzzFiles][]byte{packed("1.meta", meta), packed("1.0", chunk)})
	f.Fuzz(func(t *testing.T, kernel []byte, names string, a, b, c, d, e, f, g, h []byte) {
		texts := [fuzzFiles][]byte{a, b, c, d, e, f, g, h}
		noted := fuzzed(t, names, texts, []*kernelNotes{{Record: recordOf(kernel)}})
		bare := fuzzed(t, names, texts, nil)
		for path := range bare.files {
			if strings.HasSuffix(path, ".otf") {
				want := bare.events(t, path, false)
				if got := noted.events(t, path, true); !slices.Equal(got, want) {
					t.Errorf("%s: with what the kernel noted\n%s\nwithout\n%s", path,
						strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
			}
		}
	})
}

// events returns the records of a trace's events, process by process. It leaves out those of the
// kernel, if there may be some.
func (m *memory) events(t *testing.T, path string, kernel bool) []string {
	t.Helper()
	r, err := otf.OpenReader(path, otf.NewFileManagerOf(9, m.open))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	byProcess := map[uint32][]string{}
	_, err = r.ReadEvents(&otf.HandlerArray{Any: func(e *otf.Record) error {
		if e.Type == otf.CounterRecord && e.Values[0] >= offCPU {
			if !kernel {
				t.Error("a record of the kernel from nowhere")
			}
			return nil
		}
		text := fmt.Sprint(e.Time, " ", e.Type.Info().Name)
		for _, field := range e.Type.Info().Fields {
			if field.Kind == otf.Token || field.Kind == otf.Number {
				text += fmt.Sprint(" ", e.Values[field.Slot])
			}
		}
		byProcess[e.Process] = append(byProcess[e.Process], text)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, r := range m.processes(t, path) {
		all = append(all, byProcess[r]...)
	}
	return all
}

func (m *memory) processes(t *testing.T, path string) (all []uint32) {
	t.Helper()
	r, err := otf.OpenReader(path, otf.NewFileManagerOf(9, m.open))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, e := range r.MasterControl().Entries() {
		all = append(all, e.Processes...)
	}
	return all
}
