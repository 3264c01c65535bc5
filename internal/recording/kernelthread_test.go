package recording

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"opari/internal/sampling"
	"opari/otf"
)

// lines returns the events of a trace's process as text, with the time in ns. A stack is its
// functions, the outermost first.
func lines(t *testing.T, path string, of uint32) (all []string) {
	t.Helper()
	r, err := otf.OpenReader(path, otf.NewFileManager(9))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	functions, counters := map[uint32]string{}, map[uint32]string{}
	stacks := map[uint64]string{}
	_, err = r.ReadDefinitions(&otf.HandlerArray{
		DefFunction: func(_, function uint32, name string, _, _ uint32) error {
			functions[function] = name
			return nil
		},
		DefCounter: func(_, counter uint32, name string, _, _ uint32, _ string) error {
			counters[counter] = name
			return nil
		},
		DefinitionComment: func(_ uint32, comment string) error {
			var number, caller uint64
			var function uint32
			if n, _ := fmt.Sscanf(comment, "stack %d: %d %d", &number, &caller, &function); n == 3 {
				stacks[number] = strings.TrimPrefix(stacks[caller]+" < "+functions[function], " < ")
			}
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	add := func(process uint32, time uint64, text string) error {
		if process == of {
			all = append(all, fmt.Sprintf("%d %s", time, text))
		}
		return nil
	}
	_, err = r.ReadEvents(&otf.HandlerArray{
		BeginProcess: func(time uint64, p uint32) error { return add(p, time, "begin") },
		EndProcess:   func(time uint64, p uint32) error { return add(p, time, "end") },
		Enter: func(time uint64, function, p, _ uint32) error {
			return add(p, time, "enter "+functions[function])
		},
		Leave: func(time uint64, function, p, _ uint32) error {
			return add(p, time, "leave "+functions[function])
		},
		Counter: func(time uint64, p, counter uint32, value uint64) error {
			text := fmt.Sprintf("%s = %d", counters[counter], value)
			if counter == waitingTime {
				return nil
			} else if counter == sampleStack && value > 0 {
				text = "sample " + stacks[value]
			}
			return add(p, time, text)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// numbered returns the words with which a thread of that TID begins, some time after the last.
func numbered(tid, after uint64) []uint64 {
	return []uint64{tid<<opBits | operation(data, false), word(after, 1, thread, false)}
}

// What the kernel noted of a thread stands between the thread's events. What precedes its begin
// or follows its end does not, but for the values of its counters at its end. The next thread of
// that number has its own.
func TestKernelThread(t *testing.T) {
	folder := t.TempDir()
	var h handmade
	words := append(numbered(77, 0), word(100, 1, work, false), word(100, 1, work, true),
		word(50, 1, thread, true))
	words = append(append(words, numbered(78, 50)...), word(100, 1, work, false))
	h.write(t, folder, chunkOf(0, 1000, words...)) // time 0 of the trace is 1000
	r := &sampling.Record{
		Rate: 1000, Counters: []string{"cycles"}, Files: []string{"/bin/heat"},
		Stacks: []sampling.Frame{
			{Caller: -1, Code: sampling.Address{File: -1}},
			{Caller: -1, Code: sampling.Address{Offset: 0x10}},
			{Caller: 1, Code: sampling.Address{Offset: 0x20}},
			{Caller: 99, Code: sampling.Address{File: 99}}, // garbage
		},
		Threads: []sampling.Thread{
			{
				PID: 1, TID: 77, Begin: 900, End: 1255, Allowed: []int{0, 1}, Ran: []int{1},
				Migrations: 3,
				Off: []sampling.Off{
					{From: 1240, To: 1300}, // beyond the thread's end
					{From: 1120, To: 1130, Preempted: true},
					{From: 900, To: 950},
				},
				Samples: []sampling.Sample{
					{Time: 950, Stack: 2},
					{Time: 1125, Stack: 2, Values: []uint64{5, 6}},
					{Time: 1150, Stack: -1, Access: sampling.Access{Address: 4096}},
					{Time: 1160, Stack: 3, Access: sampling.Access{Address: 4097, Write: true}},
					{Time: 1170, Stack: 4},
					{Time: 1255, Stack: sampling.OnlyValues, Values: []uint64{9}},
				},
			},
			{PID: 1, TID: 78, End: 1200, Samples: []sampling.Sample{{Time: 1050, Stack: 1}}},
			{PID: 1, TID: 78, Begin: 1290, Samples: []sampling.Sample{
				{Time: 1301, Stack: 0},
				{Time: 1900, Stack: 0},
				{Time: 2000, Stack: sampling.OnlyValues, Values: []uint64{4}}, // an old kernel
			}},
			{PID: 2, TID: 77, Samples: []sampling.Sample{{Time: 1100, Stack: 1}}},
		},
	}
	tr := recovered(t, folder, Options{Kernel: r})
	want := []string{
		"0 begin", "100 enter for a.c:1",
		"120 off the CPU = 1", "125 sample unknown code of heat < unknown code of heat",
		"125 counter cycles = 5",
		"130 off the CPU = 0", "150 sample = 0", "150 data read = 4096",
		"160 sample unknown code", "160 data written = 4097", "170 sample = 0",
		"200 leave for a.c:1", "240 off the CPU = 2", "250 off the CPU = 0",
		"250 counter cycles = 9", "250 end",
		"300 begin", "301 sample unknown code", "400 enter for a.c:1", "400 leave for a.c:1",
		"400 counter cycles = 4", "400 end",
	}
	if got := lines(t, filepath.Join(folder, "trace.otf"), 1); !slices.Equal(got, want) {
		t.Errorf("got %s\nwant %s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, comment := range []string{
		"thread 1: allowed=0,1 ran=1 migrations=3", "thread 1: migrations=0",
	} {
		if !slices.Contains(tr.comments, comment) {
			t.Errorf("no comment %q in %q", comment, tr.comments)
		}
	}
	if got := tr.groups["unknown code of heat"]; got != groupSampled {
		t.Errorf("group %q", got)
	}
}

// A recording without the threads' numbers makes the trace that it always made.
func TestKernelWithoutNumber(t *testing.T) {
	var texts [][]byte
	for _, words := range [][]uint64{{begins}, numbered(77, 0)} {
		folder := t.TempDir()
		var h handmade
		h.write(t, folder, chunkOf(0, 1000, append(words, word(100, 1, work, false))...))
		recovered(t, folder, Options{})
		text, err := os.ReadFile(filepath.Join(folder, "trace.1.events"))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	if string(texts[0]) != string(texts[1]) {
		t.Errorf("%s\n%s", texts[0], texts[1])
	}
	folder := t.TempDir()
	var h handmade
	h.write(t, folder, chunkOf(0, 1000, begins))
	r := kernelOf()
	r.Threads[0].Samples = []sampling.Sample{{Time: 1500}}
	recovered(t, folder, Options{Kernel: r})
	if got := lines(t, filepath.Join(folder, "trace.otf"), 1); len(got) != 2 {
		t.Errorf("%v", got)
	}
}

// After lost records the thread goes on, whose number is known from before.
func TestKernelAfterGap(t *testing.T) {
	folder := t.TempDir()
	h := handmade{chunks: chunkOf(0, 1000, append(numbered(77, 0), word(10, 1, work, false))...)}
	h.write(t, folder, chunkOf(5, 2000, word(10, 1, work, true)))
	r := kernelOf()
	r.Threads[0] = sampling.Thread{
		PID: 1, TID: 77,
		Samples: []sampling.Sample{{Time: 1500, Stack: -1}, {Time: 2005, Stack: -1}},
	}
	recovered(t, folder, Options{Kernel: r})
	want := []string{
		"0 begin", "10 enter for a.c:1", "500 sample = 0", "1005 sample = 0",
		"1010 leave for a.c:1", "1010 end",
	}
	if got := lines(t, filepath.Join(folder, "trace.otf"), 1); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

// The ranks' runs have each noted their own; the clocks of nodes differ.
func TestKernelOfRanks(t *testing.T) {
	folder := t.TempDir()
	if err := (Ring{Ranks: 3, Rounds: 2, PerNode: 1}).Record(folder); err != nil {
		t.Fatal(err)
	}
	for rank := range 3 {
		meta, err := os.ReadFile(filepath.Join(folder, fmt.Sprintf("%d.meta", 100000+rank)))
		if err != nil {
			t.Fatal(err)
		}
		start := binary.LittleEndian.Uint64(meta[8*4:]) // of the node's clock
		pid := ringPID + rank
		other := "instructions"
		if rank == 0 {
			other = "faults"
		}
		r := &sampling.Record{
			Counters: []string{"cycles", other}, Files: []string{"/bin/heat"},
			Stacks: []sampling.Frame{{Caller: -1, Code: sampling.Address{Offset: uint64(rank)}}},
			Threads: []sampling.Thread{{PID: pid, TID: pid, Samples: []sampling.Sample{{
				Time: start + ringRound + 1000, Values: []uint64{7, uint64(rank)},
			}}}},
		}
		if err := KeepKernel(folder, r, []string{fmt.Sprint("rank=", rank)}); err != nil {
			t.Fatal(err)
		}
	}
	tr := recovered(t, folder, Options{})
	for rank := range 3 {
		all := lines(t, filepath.Join(folder, "trace.otf"), uint32(rank+1))
		at := slices.IndexFunc(all, func(s string) bool { return strings.Contains(s, "sample") })
		if at < 1 || at+3 >= len(all) {
			t.Fatalf("rank %d: %v", rank, all)
		}
		// All three are in the first loop, whose begin says how the clocks differ.
		var begin, time uint64
		fmt.Sscan(all[at-1], &begin)
		fmt.Sscan(all[at], &time)
		name := "instructions"
		if rank == 0 {
			name = "faults"
		}
		want := []string{
			fmt.Sprintf("%d enter for ring.c:9", begin),
			fmt.Sprintf("%d sample unknown code of heat", begin+1000),
			fmt.Sprintf("%d counter cycles = 7", begin+1000),
			fmt.Sprintf("%d counter %s = %d", begin+1000, name, rank),
			fmt.Sprintf("%d leave for ring.c:9", begin+3000),
		}
		if got := all[at-1 : at+4]; !slices.Equal(got, want) {
			t.Errorf("rank %d: %q, want %q", rank, got, want)
		}
		if !slices.Contains(tr.comments, fmt.Sprint("machine: rank=", rank)) {
			t.Errorf("comments %q", tr.comments)
		}
	}
}

// The library records the threads' numbers, and times of the kernel lie where they belong.
func TestKernelOfProgram(t *testing.T) {
	program, folder := build(t, "gcc", "kernel.c"), t.TempDir()
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), "OPARI_TRACE="+folder, "OMP_DYNAMIC=false")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	r := &sampling.Record{Files: []string{"first", "second", "child"}}
	var pids []int
	for line := range strings.Lines(string(out)) {
		var name string
		var from, to uint64
		th := sampling.Thread{Begin: 1}
		if _, err := fmt.Sscan(line, &name, &th.PID, &th.TID, &from, &to); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		at := int32(len(r.Stacks))
		r.Stacks = append(r.Stacks, sampling.Frame{
			Caller: -1, Code: sampling.Address{File: int32(slices.Index(r.Files, name)), Offset: 1},
		})
		th.Samples = []sampling.Sample{{Time: from, Stack: at}, {Time: to, Stack: at}}
		r.Threads = append(r.Threads, th)
		pids = append(pids, th.PID)
	}
	if len(pids) != 3 || pids[2] == pids[0] {
		t.Fatalf("it says %s", out)
	}
	made, left, err := Recover(folder, folder, Options{Kernel: r})
	if err != nil || len(made) != 2 || len(left) != 0 {
		t.Fatalf("made %v, left %v: %v", made, left, err)
	}
	inside := 0
	for _, tr := range made {
		read(t, tr.Path)
		for thread := range tr.Threads {
			depth := 0
			for _, line := range lines(t, tr.Path, uint32(thread+1)) {
				_, what, _ := strings.Cut(line, " ")
				switch {
				case strings.HasPrefix(what, "enter critical "):
					depth++
				case strings.HasPrefix(what, "leave critical "):
					depth--
				case strings.HasPrefix(what, "sample "):
					if inside++; depth != 1 {
						t.Errorf("%s: thread %d: %s in no critical region", tr.Path, thread, line)
					}
				}
			}
		}
	}
	if inside != 6 {
		t.Errorf("%d samples, want 6", inside)
	}
}
