package otf

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// eventList reads the events of a trace in memory, limit at a time, of an interval if max is set.
// After every seventh record it switches process 2 on or off. With direct set, enters and leaves
// have handlers of their own.
func eventList(t testing.TB, files map[string]string, limit, min, max uint64, direct bool) string {
	t.Helper()
	r, err := OpenReader("memory/t", NewFileManagerOf(4, memoryFiles("memory/t", files).open))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if max > 0 {
		r.SetTimeInterval(min, max)
	}
	r.SetRecordLimit(limit)
	var list []string
	add := func(r2 *Record) error {
		list = append(list, fmt.Sprintf("%s %d %q", r2.AppendText(nil), r2.Process, r2.Extra))
		if len(list)%7 == 0 {
			r.SetProcessStatus(2, len(list)%2 == 0)
		}
		return nil
	}
	h := &HandlerArray{Any: add}
	if direct {
		event := func(kind RecordType) func(time uint64, function, process, source uint32) error {
			return func(time uint64, function, process, source uint32) error {
				return add(&Record{
					Type: kind, File: Events, Time: time, Process: process,
					Values: [maxValues]uint64{uint64(function), uint64(source)},
				})
			}
		}
		message := func(kind RecordType) func(time uint64, process, peer, group, tag, length,
			source uint32) error {
			return func(time uint64, process, peer, group, tag, length, source uint32) error {
				r := &Record{Type: kind, File: Events, Time: time, Process: process}
				for i, v := range []uint32{peer, group, tag, length, source} {
					r.Values[i] = uint64(v)
				}
				return add(r)
			}
		}
		h.Enter, h.Leave = event(EnterRecord), event(LeaveRecord)
		h.SendMsg, h.RecvMsg = message(SendMsgRecord), message(RecvMsgRecord)
		h.Counter = func(time uint64, process, counter uint32, value uint64) error {
			return add(&Record{
				Type: CounterRecord, File: Events, Time: time, Process: process,
				Values: [maxValues]uint64{uint64(counter), value},
			})
		}
	}
	for {
		n, err := r.ReadEvents(h)
		if err != nil || n == 0 {
			first, last, any := r.EventTimes()
			list = append(list, fmt.Sprint(err, first, last, any))
			return strings.Join(list, "\n")
		}
	}
}

// sameDirectly checks that what run takes directly is what it leaves to next and deliver, and that
// it reads in one go what it reads record by record. The events are about a time.
func sameDirectly(t testing.TB, files map[string]string, time uint64) {
	t.Helper()
	from := time + 2000 // inside of most texts
	for _, c := range [][2]uint64{{0, 0}, {0x100, 0x400}, {0x12345678, 1 << 40}, {from, 2 * from}} {
		want := eventList(t, files, 1, c[0], c[1], false)
		for _, limit := range []uint64{0, 3} {
			if got := eventList(t, files, limit, c[0], c[1], true); got != want {
				t.Fatalf("limit %d, from %x to %x: directly\n%s\nin general\n%s", limit, c[0],
					c[1], got, want)
			}
		}
	}
}

// TestRun reads random texts of lines that are nearly those that run takes directly.
func TestRun(t *testing.T) {
	for seed := range expensive.Tries(uint64(2000)) {
		random := rand.New(rand.NewPCG(seed, 3))
		files := map[string]string{"otf": "1:1,2,12345678\n2:3,a\n"}
		time := uint64(1) << random.IntN(64)
		for stream := range 2 {
			files[fmt.Sprint(stream+1, ".events")] = nearlyShort(random, time)
		}
		sameDirectly(t, files, time)
	}
}

// nearlyShort returns events, most of them in the form that run takes directly.
func nearlyShort(random *rand.Rand, time uint64) string {
	processes := strings.Fields("1 1 1 2 3 a 12345678")
	process, step := "1", 1+random.IntN(20)
	var b strings.Builder
	for range 5 + random.IntN(60) {
		if random.IntN(8) == 0 {
			process = processes[random.IntN(len(processes))]
		}
		time += uint64(random.IntN(1 << random.IntN(step)))
		if random.IntN(30) == 0 {
			time -= min(time, uint64(random.IntN(1<<16)))
		}
		number := func() uint64 { return random.Uint64() >> random.IntN(64) }
		record := fmt.Sprintf("%c%x", "EL"[random.IntN(2)], random.IntN(1<<random.IntN(14)))
		switch random.IntN(8) {
		case 0:
			record = fmt.Sprintf("CNT%xV%x", number(), number())
		case 1:
			record = fmt.Sprintf("%cxL%xT%xC%x", "SR"[random.IntN(2)], number(), number(), number())
			record = strings.Replace(record, "x", fmt.Sprintf("%x", number()), 1)
		}
		line := fmt.Sprintf("%x\n*%s\n%s\n", time, process, record)
		switch random.IntN(50) {
		case 0:
			line = strings.Replace(line, "\n", "", 1)
		case 1:
			line = strings.Replace(line, "\n", " \n", 1)
		case 2:
			line = strings.ToUpper(line)
		case 3:
			line = strings.Replace(line, "*", "**", 1)
		case 4:
			line = line[strings.IndexByte(line, '*'):]
		case 5:
			line = line[strings.IndexAny(line, "ELCSR"):]
		case 6:
			line = strings.TrimSuffix(line, "\n") + "X7\n"
		case 7:
			line = strings.Replace(line, "*", "#\"note\"\n*", 1)
		case 8:
			line = strings.NewReplacer("E", "K1K2K3\nE", "L", "KEY 1\nL").Replace(line)
		case 9:
			line = strings.NewReplacer("E", "S1L2T3C4\nE", "L", "ENTER ").Replace(line)
		case 10:
			line += "\n\n"
		case 13:
			line = strings.NewReplacer("V", "V ", "T", "T0", "C", "C ").Replace(line)
		case 14:
			line = strings.NewReplacer("V", "", "L", "", "CNT", "CNTV").Replace(line)
		case 11:
			at := random.IntN(len(line))
			line = line[:at] + string(rune(random.IntN(256))) + line[at:]
		case 12:
			at := random.IntN(len(line))
			line = line[:at] + line[at+1:]
		}
		b.WriteString(line)
	}
	text := b.String()
	if random.IntN(4) == 0 {
		text = text[:random.IntN(len(text))]
	}
	return text
}

// TestRunStops checks that an error of a handler stops reading behind its record.
func TestRunStops(t *testing.T) {
	text := "12345678\n*1\n" + strings.Repeat("E1\n12345678\n*1\nL1\n12345679\n*1\n", 20)
	r, err := OpenReader("memory/t", NewFileManagerOf(4, memoryFiles("memory/t",
		map[string]string{"otf": "1:1\n", "1.events": text}).open))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	seen, broken := uint64(0), errors.New("no more")
	event := func(uint64, uint32, uint32, uint32) error {
		if seen++; seen%3 == 0 {
			return broken
		}
		return nil
	}
	h := &HandlerArray{Enter: event, Leave: event}
	total := uint64(0)
	for {
		n, err := r.ReadEvents(h)
		if total += n; total != seen || err == nil && total != 40 || err != nil && n != 3 {
			t.Fatalf("%d records, %d of them seen: %v", total, seen, err)
		}
		if err == nil {
			return
		}
	}
}

// countingFile counts the bytes that are read.
type countingFile struct {
	File
	read *int
}

func (f countingFile) ReadAt(to []byte, at int64) (int, error) {
	n, err := f.File.ReadAt(to, at)
	*f.read += n
	return n, err
}

// TestSmallInterval checks that a small interval costs no more than the search for it.
func TestSmallInterval(t *testing.T) {
	stub := filepath.Join(t.TempDir(), "t")
	writeMany(t, stub, 2, 400_000, nil)
	read := 0
	r, err := OpenReader(stub, NewFileManagerOf(4, func(path string, flags int) (File, error) {
		f, err := openSystem(path, flags)
		return countingFile{f, &read}, err
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	r.SetTimeInterval(1_100_000_000, 1_100_050_000)
	n, err := r.ReadEvents(&HandlerArray{})
	if err != nil || n < 90 || n > 110 {
		t.Errorf("%d events: %v", n, err)
	}
	if read > 200<<10 { // of 6.5 MB: ten steps for each file, and twice what the events have
		t.Errorf("%d bytes were read", read)
	}
}
