package sampling

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// written builds a note as the kernel does.
func written(kind uint32, misc uint16, time uint64, who origin, body ...uint32) []byte {
	text := binary.NativeEndian.AppendUint32(nil, kind)
	text = binary.NativeEndian.AppendUint16(text, misc)
	text = binary.NativeEndian.AppendUint16(text, uint16(headerSize+4*len(body)+trailerSize))
	for _, w := range body {
		text = binary.NativeEndian.AppendUint32(text, w)
	}
	for _, w := range []uint32{uint32(who.pid), uint32(who.tid)} {
		text = binary.NativeEndian.AppendUint32(text, w)
	}
	text = binary.NativeEndian.AppendUint64(text, time)
	text = binary.NativeEndian.AppendUint32(text, uint32(who.cpu))
	return binary.NativeEndian.AppendUint32(text, 0)
}

const (
	out       = unix.PERF_RECORD_MISC_SWITCH_OUT
	preempted = out | unix.PERF_RECORD_MISC_SWITCH_OUT_PREEMPT
)

// TestFollow gives notes by hand: two threads on two processors, lost notes, a TID used again.
func TestFollow(t *testing.T) {
	who, other := origin{7, 7, 0}, origin{7, 8, 1}
	moved := who
	moved.cpu = 1
	var text []byte
	for _, n := range [][]byte{
		written(unix.PERF_RECORD_COMM, unix.PERF_RECORD_MISC_COMM_EXEC, 100, who, 7, 7, 0, 0),
		written(unix.PERF_RECORD_FORK, 0, 200, who, 7, 7, 8, 7, 200, 0),
		written(unix.PERF_RECORD_SWITCH, 0, 230, other),
		written(unix.PERF_RECORD_SWITCH, preempted, 250, who),
		written(unix.PERF_RECORD_SWITCH, 0, 260, moved),
		written(unix.PERF_RECORD_SWITCH, out, 300, other),
		written(unix.PERF_RECORD_LOST, 0, 305, who, 1, 0, 42, 0),
		written(unix.PERF_RECORD_SWITCH, out, 310, other), // it has been on and off in between
		written(unix.PERF_RECORD_SWITCH, 0, 320, other),
		written(unix.PERF_RECORD_SWITCH, 0, 330, other),
		written(unix.PERF_RECORD_EXIT, 0, 400, other, 7, 7, 8, 7, 400, 0),
		written(unix.PERF_RECORD_FORK, 0, 500, who, 9, 7, 8, 7, 500, 0),
		written(unix.PERF_RECORD_SWITCH, out, 600, moved),
	} {
		text = append(text, n...)
	}
	f := newFollower()
	for _, n := range split(nil, text) {
		f.follow(n)
	}
	r := f.record(1000)
	want := []Thread{
		{
			PID: 7, TID: 7, Begin: 100, Ran: []int{0, 1}, Migrations: 1,
			Off: []Off{{250, 260, true}, {600, 1000, false}},
		},
		{
			PID: 7, TID: 8, Begin: 200, End: 400, Ran: []int{1},
			Off: []Off{{200, 230, true}, {310, 320, false}},
		},
		{PID: 9, TID: 8, Begin: 500, Off: []Off{{500, 1000, true}}},
	}
	if r.Lost != 42 || len(r.Threads) != len(want) {
		t.Fatalf("%d lost, %d threads", r.Lost, len(r.Threads))
	}
	for i, w := range want {
		g := r.Threads[i]
		if g.PID != w.PID || g.TID != w.TID || g.Begin != w.Begin || g.End != w.End ||
			g.Migrations != w.Migrations || !slices.Equal(g.Ran, w.Ran) ||
			!slices.Equal(g.Off, w.Off) {
			t.Errorf("thread %d is %+v, not %+v", i, g, w)
		}
	}
}

// FuzzFollow gives the follower any bytes: it may not fail.
func FuzzFollow(f *testing.F) {
	who := origin{7, 7, 0}
	f.Add(written(unix.PERF_RECORD_COMM, unix.PERF_RECORD_MISC_COMM_EXEC, 1, who, 7, 7))
	f.Add(written(unix.PERF_RECORD_MMAP2, 0, 2, who, make([]uint32, 20)...))
	f.Add(written(unix.PERF_RECORD_SAMPLE, 0, 3, who, 1, 2, 3, 4, 5, 6, 1, 0, 1<<20, 0))
	f.Fuzz(func(t *testing.T, text []byte) {
		fo := newFollower()
		for _, n := range split(nil, text) {
			fo.follow(n)
		}
		r := fo.record(1 << 62)
		for i, s := range r.Stacks {
			if s.Caller >= int32(i) {
				t.Errorf("frame %d has caller %d", i, s.Caller)
			}
		}
	})
}

// TestMaps maps over parts of what is mapped.
func TestMaps(t *testing.T) {
	p := &process{}
	p.add(mapping{0x1000, 0x5000, 0, 0})
	p.add(mapping{0x2000, 0x3000, 0x100, 1})
	child := p.clone()
	child.add(mapping{0, 0x1800, 0, 2})
	for address, want := range map[uint64]Address{
		0xfff: {File: -1, Offset: 0xfff}, 0x1000: {}, 0x2010: {File: 1, Offset: 0x110},
		0x3000: {Offset: 0x2000}, 0x4fff: {Offset: 0x3fff}, 0x5000: {File: -1, Offset: 0x5000},
	} {
		if got := p.find(address); got != want {
			t.Errorf("%#x is at %+v, not %+v", address, got, want)
		}
	}
	if got := child.find(0x1900); got != (Address{Offset: 0x900}) {
		t.Errorf("in the child 0x1900 is at %+v", got)
	}
	if got := child.find(0x100); got != (Address{File: 2, Offset: 0x100}) {
		t.Errorf("in the child 0x100 is at %+v", got)
	}
}

// TestQuota reads the limits of control groups of both versions.
func TestQuota(t *testing.T) {
	write := func(folder, name, text string) {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	root := t.TempDir()
	inner := filepath.Join(root, "inner")
	write(root, "cpu.max", "150000 100000\n")
	write(root, "cpu.stat", "usage_usec 5\nthrottled_usec 2500\n")
	write(inner, "cpu.max", "max 100000\n")
	g := groups{inner, root}
	if q, th := g.quota(), g.throttled(); q != 1.5 || th != "2ms" {
		t.Errorf("quota %v, throttled %q", q, th)
	}
	old := t.TempDir()
	write(old, "cpu.cfs_quota_us", "50000\n")
	write(old, "cpu.cfs_period_us", "100000\n")
	write(old, "cpu.stat", "nr_throttled 1\nthrottled_time 3000000\n")
	g = groups{old}
	if q, th := g.quota(), g.throttled(); q != 0.5 || th != "3ms" {
		t.Errorf("quota %v, throttled %q", q, th)
	}
	write(old, "cpu.cfs_quota_us", "-1\n")
	if q := g.quota(); q != 0 {
		t.Errorf("quota %v without a limit", q)
	}
}

// TestProcessorList reads lists of processors.
func TestProcessorList(t *testing.T) {
	for text, want := range map[string][]int{
		"0": {0}, "0-3,8": {0, 1, 2, 3, 8}, "": nil, "x": nil, "5-2": nil,
	} {
		if got := processorList(text); !slices.Equal(got, want) {
			t.Errorf("%q is %v", text, got)
		}
	}
}
