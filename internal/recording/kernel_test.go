package recording

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"opari/internal/sampling"
)

// kernelOf is what the kernel noted of the process of handmade recordings.
func kernelOf() *sampling.Record {
	return &sampling.Record{
		Rate: 1000, Lost: 3,
		Threads: []sampling.Thread{{PID: 1, TID: 1, Begin: 500}},
	}
}

// recovered makes the only trace of a folder.
func recovered(t *testing.T, folder string, o Options) *trace {
	t.Helper()
	made, left, err := Recover(folder, folder, o)
	if err != nil || len(made) != 1 || len(left) > 0 {
		t.Fatalf("made %v, left %v: %v", made, left, err)
	}
	return read(t, made[0].Path)
}

// What the kernel noted comes from this run, or from a file in the folder, which goes with the
// recording.
func TestKeepKernel(t *testing.T) {
	want := []string{"machine: cores=2 allowed=0,1", "samples: 1000 a second", "samples lost: 3"}
	machine := []string{"cores=2 allowed=0,1"}
	for _, kept := range []bool{false, true} {
		folder := t.TempDir()
		var h handmade
		h.write(t, folder, chunkOf(0, 1000, begins))
		o := Options{Kernel: kernelOf(), Machine: machine}
		if kept {
			other := kernelOf()
			other.Threads[0].PID = 2
			for _, r := range []*sampling.Record{other, kernelOf()} {
				if err := KeepKernel(folder, r, machine); err != nil {
					t.Fatal(err)
				}
			}
			o = Options{}
		}
		if tr := recovered(t, folder, o); !slices.Equal(tr.comments[len(tr.comments)-3:], want) {
			t.Errorf("kept %v: comments %q", kept, tr.comments)
		}
		left, err := filepath.Glob(filepath.Join(folder, "*.kernel"))
		if err != nil || len(left) > 0 {
			t.Errorf("left %v: %v", left, err)
		}
	}
}

// A recording that stays keeps what the kernel noted, for a later trace.
func TestKernelStays(t *testing.T) {
	folder := t.TempDir()
	var h handmade
	h.write(t, folder, chunkOf(0, 1000, begins))
	recovered(t, folder, Options{Kernel: kernelOf(), Keep: true})
	again := recovered(t, folder, Options{})
	if !slices.Contains(again.comments, "samples: 1000 a second") {
		t.Errorf("comments %q", again.comments)
	}
}

func TestDamagedKernel(t *testing.T) {
	folder := t.TempDir()
	if err := KeepKernel(folder, kernelOf(), nil); err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(folder, "*.kernel"))
	if err != nil || len(paths) != 1 {
		t.Fatal(paths, err)
	}
	text, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	for cut := range text {
		put(t, paths[0], text[:cut])
		if _, _, err := Recover(folder, folder, Options{}); err == nil ||
			!strings.HasPrefix(err.Error(), paths[0]+": error: ") {
			t.Fatalf("cut at %d: %v", cut, err)
		}
	}
}

// All that a run notes comes back from its file.
func TestKernelFields(t *testing.T) {
	want := kernelNotes{Host: "h", Boot: "b", Machine: []string{"m", ""}, Record: &sampling.Record{
		Rate: 7, Counters: []string{"cycles"}, Lost: 1 << 63, Cut: 2,
		Files: []string{"\xff", "a.out"},
		Stacks: []sampling.Frame{
			{Caller: -1, Code: sampling.Address{File: -1, Offset: 4096, Return: true}},
			{Code: sampling.Address{File: 1, Offset: 1}},
		},
		Threads: []sampling.Thread{{
			PID: 1, TID: -2, Begin: 3, End: 4, Allowed: []int{0, 5}, Ran: []int{5},
			Off: []sampling.Off{{From: 1, To: 2, Preempted: true}, {From: 3, To: 5}},
			Samples: []sampling.Sample{{
				Time: 9, Stack: -2, Values: []uint64{1, 2},
				Access: sampling.Access{Address: 1 << 47, Size: 8, Write: true},
			}},
			Migrations: 6, Used: 8, Waited: 10,
		}, {}},
	}}
	var got kernelNotes
	if err := got.decode(bytes.NewReader(want.encode())); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
	if err := got.decode(bytes.NewReader(append(want.encode(), 0))); err == nil {
		t.Error("a file with something at its end is taken")
	}
}
