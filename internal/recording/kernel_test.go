package recording

import (
	"os"
	"path/filepath"
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
