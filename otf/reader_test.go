package otf

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func open(t testing.TB, stub string) *Reader {
	t.Helper()
	r, err := OpenReader(stub, NewFileManager(10))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// TestLimitAndBreak reads in pieces, by a limit and by ErrBreak from a handler. No record may be
// lost or come twice.
func TestLimitAndBreak(t *testing.T) {
	stub := filepath.Join(t.TempDir(), "t")
	writeMany(t, stub, 3, 1000, nil)
	var all []string
	keep := func(r *Record) error { all = append(all, string(r.AppendText(nil))); return nil }
	if n, err := open(t, stub).ReadEvents(&HandlerArray{Any: keep}); n != 1000 || err != nil {
		t.Fatal(n, err)
	}
	want := strings.Join(all, "\n")
	all = nil
	r := open(t, stub)
	r.SetRecordLimit(7)
	for {
		n, err := r.ReadEvents(&HandlerArray{Any: keep})
		if err != nil || n > 7 {
			t.Fatal(n, err)
		}
		if n == 0 {
			break
		}
	}
	if strings.Join(all, "\n") != want {
		t.Error("a limit changes the records")
	}
	all = nil
	r = open(t, stub)
	calls := 0
	for n := uint64(1); n > 0; {
		var err error
		if n, err = r.ReadEvents(&HandlerArray{Any: func(e *Record) error {
			if calls++; calls%3 == 0 {
				return errors.Join(keep(e), ErrBreak)
			}
			return keep(e)
		}}); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Join(all, "\n") != want {
		t.Error("ErrBreak changes the records")
	}
	abort := errors.New("enough")
	n, err := open(t, stub).ReadEvents(
		&HandlerArray{Leave: func(uint64, uint32, uint32, uint32) error { return abort }})
	if n != 2 || !errors.Is(err, abort) {
		t.Error(n, err)
	}
}

// TestProgress checks that progress grows from the first to the last time.
func TestProgress(t *testing.T) {
	stub := filepath.Join(t.TempDir(), "t")
	writeMany(t, stub, 2, 10000, nil)
	r := open(t, stub)
	r.SetRecordLimit(1000)
	last := uint64(0)
	for {
		n, err := r.ReadEvents(&HandlerArray{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := r.EventProgress()
		if err != nil || p.Current < last || p.Current > p.Max || p.BytesRead > p.BytesSize ||
			p.Min != 1_000_000_700 {
			t.Fatal(p, err)
		}
		last = p.Current
		if n == 0 {
			if p.Current != p.Max || p.BytesRead != p.BytesSize {
				t.Error(p)
			}
			break
		}
	}
}

// TestInterval compares intervals found by bisection with a linear read, plain and compressed.
func TestInterval(t *testing.T) {
	for _, level := range []int{0, 1} {
		stub := filepath.Join(t.TempDir(), "t")
		writeMany(t, stub, 2, 200_000,
			func(w *Writer) { w.SetCompression(level); w.SetBufferSizes(50_000) })
		for i := range uint64(50) {
			from := 1_000_000_000 + i*i*1_000_000/15
			to := from + i*i*1000
			want := 0
			count := func(time uint64, _, _, _ uint32) error {
				if time >= from && time < to {
					want++
				}
				return nil
			}
			if i%10 == 0 {
				if _, err := open(t,
					stub).ReadEvents(&HandlerArray{Enter: count, Leave: count}); err != nil {
					t.Fatal(err)
				}
			}
			r := open(t, stub)
			r.SetTimeInterval(from, to)
			n, err := r.ReadEvents(&HandlerArray{Any: func(e *Record) error {
				if e.Time < from || e.Time >= to {
					return fmt.Errorf("time %d outside [%d,%d)", e.Time, from, to)
				}
				return nil
			}})
			if err != nil || i%10 == 0 && int(n) != want {
				t.Fatalf("level %d, [%d,%d): %d records, want %d, %v", level, from, to,
					n, want, err)
			}
		}
	}
}

// TestSameTimeEverywhere finds all records of a time that occurs in many lines; the C library's
// search loses some of them.
func TestSameTimeEverywhere(t *testing.T) {
	stub := filepath.Join(t.TempDir(), "t")
	var b strings.Builder
	b.WriteString("32\n*1\nE1\n")
	for range 5000 {
		b.WriteString("64\n*1\nE1\n")
	}
	writeFiles(t, stub, map[string]string{"otf": "1:1\n", "1.events": b.String()})
	r := open(t, stub)
	r.SetTimeInterval(0x64, 0x65)
	if n, err := r.ReadEvents(&HandlerArray{}); n != 5000 || err != nil {
		t.Error(n, err)
	}
}

// writeFiles writes the files of a trace.
func writeFiles(t testing.TB, stub string, files map[string]string) {
	t.Helper()
	for ending, text := range files {
		if err := os.WriteFile(stub+"."+ending, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSpelling reads what the C library accepts, and refuses what it refuses, as measured.
func TestSpelling(t *testing.T) {
	for _, c := range []struct{ lines, want string }{
		{"E1 SCL b", "Enter 100 func=1 proc=1 scl=11"},
		{"ENTER 1Xb", "Enter 100 func=1 proc=1 scl=11"},
		{"ENTER1SCLb", "Enter 100 func=1 proc=1 scl=11"},
		{"  \tE1Xb", "Enter 100 func=1 proc=1 scl=11"},
		{"E", "Enter 100 func=0 proc=1 scl=0"},
		{"E000000000000000000001", "Enter 100 func=1 proc=1 scl=0"},
		{"Ef00000001", "Enter 100 func=1 proc=1 scl=0"},
		{"L", "Leave 100 func=0 proc=1 scl=0"},
		{"LEAVE ", "Leave 100 func=0 proc=1 scl=0"},
		{"LEAVE 0 SCL b", "Leave 100 func=0 proc=1 scl=11"},
		{"L0Sb", "Leave 100 func=0 proc=1 scl=11"},
		{"CNT1V5 junk", "Counter 100 proc=1 counter=1 value=5"},
		{"TE1O2", "EnterSnapshot 100 otime=2 func=1 proc=1 scl=0"},
		{"TS2O3G4T5", "SendSnapshot 100 otime=3 sender=1 receiver=2 group=4 tag=5 len=0 scl=0"},
		{"\n\nPB", "BeginProcess 100 proc=1"},
		{"enter 1\nE1", "Enter 14 func=1 proc=1 scl=0"},
		{"XYZ1", `Unknown 100 proc=1 "XYZ1"`},
		{"K1Y0V78\nE1", "Enter 100 func=1 proc=1 scl=0"},
		{"E1\r", "error 3:"},
		{"E1 Xb", "error 3:"},
		{"E1 ", "error 3:"},
		{"E1A", "error 3:"},
		{"CNT1", "error 3:"},
		{`#"open`, "error 3:"},
		{"S2L400C64T7", "error 3:"},
	} {
		stub := filepath.Join(t.TempDir(), "t")
		writeFiles(t, stub,
			map[string]string{"otf": "1:1\n", "1.events": "64\n*1\n" + c.lines + "\n"})
		got := ""
		_, err := open(t,
			stub).ReadEvents(&HandlerArray{Any: func(r *Record) error {
			got = string(r.AppendText(nil))
			return nil
		}})
		var damage *Error
		if errors.As(err, &damage) {
			got = fmt.Sprintf("error %d:", damage.Line)
		}
		if got != c.want {
			t.Errorf("%q: got %q (%v), want %q", c.lines, got, err, c.want)
		}
	}
}

// TestMaster reads master files as the C library does, as measured.
func TestMaster(t *testing.T) {
	for text, want := range map[string]string{
		"1:1,2\n2:3\n1a:1b\n":         "1:1,2\n2:3\n1a:1b\n",
		"# comment: 1\n 2 : 3 , 1 \n": "2:1,3\n",
		"5:1\n3:2\n":                  "3:2\n5:1\n",
		"1:1\n2:1,2\n":                "1:1\n2:2\n",
		"1:1\n2:2":                    "1:1\n",
		"3:\n":                        "3:0\n",
		"":                            "error",
		"no colon\n":                  "error",
		"0:1\n":                       "error",
		"ffffffff:1\n":                "error",
		"1:x\n":                       "error",
	} {
		m := NewMasterControl()
		got := ""
		if err := m.parse("m", []byte(text)); err != nil {
			got = "error"
		} else {
			got = string(m.text())
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		if err := m.Check(); err != nil {
			t.Error(err)
		}
	}
}

// TestReaderOf compares a reader of some processes with a reader of all that has the others
// disabled. Both must read the same events, and know the times of these.
func TestReaderOf(t *testing.T) {
	stub := filepath.Join(t.TempDir(), "trace")
	w := NewWriter(stub, 0, NewFileManager(3))
	for i := range uint32(300) {
		process, time := i*i%7+1, uint64(1000+i)
		err := errors.Join(w.WriteEnter(time, i%5+1, process, 0),
			w.WriteSendMsg(time, process, process%7+1, i%3, 1<<30+i%2, 0xffffffff-i%11, i%13/12))
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	all := open(t, stub)
	first, last, found, err := all.TimeRange(Events)
	if err != nil || !found {
		t.Fatal(err)
	}
	var want, got []string
	for process := range uint32(9) {
		if process != 2 && process != 5 {
			all.DisableProcess(process)
		}
	}
	if _, err := all.ReadEvents(&HandlerArray{Any: func(r *Record) error { // by the table
		if r.Type == SendMsgRecord {
			want = append(want, fmt.Sprint(r.Time, r.Process, r.Values[:5]))
		} else {
			want = append(want, fmt.Sprint(r.Time, r.Process, r.Values[:2]))
		}
		return nil
	}}); err != nil {
		t.Fatal(err)
	}
	some := OpenReaderOf(stub, all.MasterControl(), []uint32{5, 2, 99}, NewFileManager(3))
	defer some.Close()
	if _, _, any := some.EventTimes(); any {
		t.Error("there are times before something was read")
	}
	if _, err := some.ReadEvents(&HandlerArray{
		Enter: func(time uint64, function, process, source uint32) error {
			got = append(got, fmt.Sprint(time, process, []uint32{function, source}))
			return nil
		},
		SendMsg: func(time uint64, sender, receiver, group, tag, length, source uint32) error {
			got = append(got,
				fmt.Sprint(time, sender, []uint32{receiver, group, tag, length, source}))
			return nil
		},
	}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) || len(want) == 0 {
		t.Errorf("%d records, want %d", len(got), len(want))
	}
	begin, end, any := some.EventTimes()
	if !any || begin < first || end > last || !strings.HasPrefix(want[0], fmt.Sprint(begin, " ")) ||
		!strings.HasPrefix(want[len(want)-1], fmt.Sprint(end, " ")) {
		t.Errorf("times from %d to %d, not those of %s and %s", begin, end, want[0],
			want[len(want)-1])
	}
}
