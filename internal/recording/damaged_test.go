package recording

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// damaged maps the names of a recording's files to their contents.
type damaged map[string]string

// process adds the files of a process: those of its threads, and STEM.mpi if mpi is not empty.
func (d damaged) process(pid string, mpi string, threads map[string][]byte) {
	meta := make([]byte, metaBytes)
	for i, v := range []uint64{magic, 1, 0, 1000, 1000, 9000, 9000, 0, 0, 1, 1} {
		binary.LittleEndian.PutUint64(meta[8*i:], v)
	}
	d[pid+".meta"] = string(meta) + `{"region":1,"name":"MPI_Bcast","kind":"mpi"}` + "\n"
	if mpi != "" {
		d[pid+".mpi"] = mpi
	}
	for number, chunks := range threads {
		d[pid+"."+number] = string(chunks)
	}
}

// convert makes the traces, which must be well formed, and returns their text.
func (d damaged) convert(t *testing.T) (text string, failed error) {
	t.Helper()
	m := &memory{files: map[string]*memoryFile{}}
	var names []string
	for name, text := range d {
		names = append(names, name)
		f := &memoryFile{}
		f.add(0, []byte(text))
		m.files["of/"+name] = f
	}
	slices.Sort(names)
	processes, _, err := readFiles("of", names, m.open, Options{})
	if err != nil {
		return "", err
	}
	for i, p := range recordings(processes) {
		tr, err := p.convert(fmt.Sprint("t", i), nil)
		if err != nil {
			return text, err
		}
		m.check(t, tr.Path)
	}
	for path, f := range m.files {
		if strings.HasPrefix(path, "t") {
			text += string(f.pieces[0].text)
		}
	}
	return text, nil
}

func worldLine(rank, size int) string {
	const line = `{"world":"w","rank":%d,"size":%d,"host":"h","node":%d,"threads":0}` + "\n"
	return fmt.Sprintf(line, rank, size, rank)
}

func membersLine(number, size int) string {
	const line = `{"communicator":%d,"members":"0-%d","remote":"","times":0,"name":"c"}` + "\n"
	return fmt.Sprintf(line, number, size-1)
}

// sends returns the records of a message to a rank, some time after the previous record.
func sends(after uint64, to uint64) []uint64 {
	return append(dataOf(to, 8), word(after, 1, sent, false))
}

// dataOf returns the data words before a record of a message or a collective operation.
func dataOf(values ...uint64) (words []uint64) {
	for _, v := range values {
		words = append(words, v<<opBits|operation(data, false))
	}
	return words
}

// The trace defines a rank whose first thread left no file, because messages go to it.
func TestFirstThreadMissing(t *testing.T) {
	d := damaged{}
	chunk := chunkOf(0, 1000, append([]uint64{begins}, sends(10, 0)...)...)
	d.process("1", worldLine(0, 2)+membersLine(1, 2), map[string][]byte{"1": chunk})
	d.process("2", worldLine(1, 2)+membersLine(1, 2), map[string][]byte{"0": chunk})
	text, err := d.convert(t)
	if err != nil || !strings.Contains(text, `"rank 0 thread 0 (nothing is recorded)"`) {
		t.Errorf("%v\n%s", err, text)
	}
}

// If the processes of a world disagree on its size, or one gives two, no rank is beyond it.
func TestWorldSizes(t *testing.T) {
	chunk := chunkOf(0, 1000, append([]uint64{begins}, sends(10, 7)...)...)
	for name, mpi := range map[string]string{
		"of another process": worldLine(7, 9) + membersLine(1, 9),
		"of two lines":       worldLine(1, 9) + membersLine(1, 9) + worldLine(1, 2),
	} {
		t.Run(name, func(t *testing.T) {
			d := damaged{}
			d.process("1", worldLine(0, 2)+membersLine(1, 2), map[string][]byte{"0": chunk})
			d.process("2", mpi, map[string][]byte{"0": chunk})
			if _, err := d.convert(t); err != nil {
				t.Error(err)
			}
		})
	}
	// The process that began later is read first, with the table for a world of its size.
	const numbers = `{"table":"1","hash":"h","rows":1,"regions":"1","communicators":"1"}` + "\n"
	d := damaged{"1.table": `{"region":1,"name":"x"}` + "\n" + membersLine(1, 9) +
		`{"table":"h","regions":1,"communicators":1}` + "\n"}
	d.process("1", worldLine(1, 9)+membersLine(1, 9)+numbers, map[string][]byte{"0": chunk})
	d.process("2", worldLine(0, 2)+membersLine(1, 9)+numbers, map[string][]byte{"0": chunk})
	d.process("3", worldLine(1, 2)+membersLine(1, 9)+numbers, map[string][]byte{"0": chunk})
	meta := []byte(d["1.meta"])
	binary.LittleEndian.PutUint64(meta[32:], 1001)
	d["1.meta"] = string(meta)
	if _, err := d.convert(t); err != nil {
		t.Error(err)
	}
}

// A number too large for a thread or communicator costs no memory and damages no trace.
func TestNumbersTooLarge(t *testing.T) {
	chunk := chunkOf(0, 1000, begins)
	d := damaged{}
	d.process("1", "", map[string][]byte{
		"0": chunk, "00": chunk, "4294967295": chunk, "99999999999999999999": chunk,
	})
	text, err := d.convert(t)
	if n := strings.Count(text, `"thread `); err != nil || n != 1 {
		t.Errorf("%d threads: %v", n, err)
	}
	d = damaged{}
	mpi := worldLine(0, 1000) + membersLine(1, 1000) + membersLine(math.MaxInt64, 1000)
	d.process("1", mpi, map[string][]byte{"0": chunk})
	if _, err := d.convert(t); err != nil {
		t.Error(err)
	}
	d.process("1", worldLine(0, 2e9)+membersLine(1, 2e9), map[string][]byte{"0": chunk})
	if text, err := d.convert(t); err != nil || !strings.Contains(text, `"process: 1"`) {
		t.Errorf("%v\n%s", err, text)
	}
	d.process("1", worldLine(0, 1000), map[string][]byte{"0": chunk, "1073742": chunk})
	const want = "of/1.1073742: error: a trace of 1000 ranks has no number for thread 1073742"
	if _, err := d.convert(t); err == nil || err.Error() != want {
		t.Error(err)
	}
}

// Times have a limit below which their sums have room: two nodes send messages at the last
// possible times.
func TestLatestTime(t *testing.T) {
	d := damaged{}
	for rank, pid := range []string{"1", "2"} {
		late := []uint64{begins, (1<<58-10)<<opBits | operation(pause, true)}
		const ahead = `{"clock":"begin","ns":0,"ahead":9000000000000000000,"error":1}` + "\n"
		d.process(pid, worldLine(rank, 2)+ahead+membersLine(1, 2),
			map[string][]byte{"0": chunkOf(0, 1000, append(late, sends(1, uint64(1-rank))...)...)})
	}
	if _, err := d.convert(t); err != nil {
		t.Error(err)
	}
	far := clock{length: 1e9}
	if got := far.ns(math.MaxUint64); got != 1<<62 {
		t.Errorf("%d", got)
	}
}

// A collective operation ends where records are missing after its beginning, or where they are
// older than it.
func TestCollectiveGap(t *testing.T) {
	enter := append([]uint64{begins, word(10, 1, region, false)}, dataOf(1<<rootBits, 0, 0)...)
	enter = append(enter, word(500, 1, collective, false))
	for name, chunks := range map[string][]byte{
		"gap":   append(chunkOf(5, 2000, word(10, 1, work, false)), chunkOf(0, 1000, enter...)...),
		"older": append(chunkOf(1, 1010, word(10, 1, region, true)), chunkOf(0, 1000, enter...)...),
	} {
		t.Run(name, func(t *testing.T) {
			d := damaged{}
			d.process("1", worldLine(0, 1)+membersLine(1, 1), map[string][]byte{"0": chunks})
			if text, err := d.convert(t); err != nil || !strings.Contains(text, "\nCOP") {
				t.Errorf("%v\n%s", err, text)
			}
		})
	}
}

// A list of ranks ends, and is no longer than the world, whatever it repeats.
func TestRanksRepeated(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("0-99,", 1000), "3-5:9223372036854775807", "0-99:4611686018427387904",
	} {
		if got := len(ranks(text, 100)); got > 100+2*len(text) {
			t.Errorf("%d ranks of 100", got)
		}
	}
}

// Numbers that mean many processes in kill(2) are not running processes.
func TestRunningNumbers(t *testing.T) {
	for _, pid := range []int{0, -1} {
		if runs(pid, 0) {
			t.Errorf("%d runs", pid)
		}
	}
}

// According to the forking thread, a parallel region ended after the process. The thread that
// waits there then ends with the process.
func TestRegionEndsAfterProcess(t *testing.T) {
	const self = 1 << 10
	chunk := chunkOf(0, 1000, begins, word(10, 1, implicit, false), word(10, 1, barrier, false))
	binary.LittleEndian.PutUint64(chunk[56:], self)
	binary.LittleEndian.PutUint64(chunk[64:], self+3)
	binary.LittleEndian.PutUint64(chunk[joinsOffset+8*3:], 1<<40)
	d := damaged{}
	d.process("1", "", map[string][]byte{"0": chunk})
	if _, err := d.convert(t); err != nil {
		t.Error(err)
	}
}

// A word of zeros is not a record.
func TestZeroWords(t *testing.T) {
	d := damaged{}
	d.process("1", "", map[string][]byte{"0": chunkOf(0, 1000, begins, 0, 0)})
	text, err := d.convert(t)
	if err != nil || strings.Contains(text, "unknown source") {
		t.Errorf("%v\n%s", err, text)
	}
}
