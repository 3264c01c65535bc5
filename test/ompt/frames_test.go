package ompt

import (
	"debug/elf"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"
)

// functions holds a program's functions, by address.
type functions []elf.Symbol

func functionsOf(t *testing.T, program string) functions {
	t.Helper()
	f, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	var found functions
	for _, s := range all {
		if elf.ST_TYPE(s.Info) == elf.STT_FUNC && s.Size > 0 {
			found = append(found, s)
		}
	}
	sort.Slice(found, func(i, j int) bool { return found[i].Value < found[j].Value })
	return found
}

// at returns the function at an address, or the address if there is none.
func (f functions) at(address string) string {
	n, err := strconv.ParseUint(address, 16, 64)
	i := sort.Search(len(f), func(i int) bool { return f[i].Value > n }) - 1
	if err != nil || i < 0 || n >= f[i].Value+f[i].Size {
		return address
	}
	return f[i].Name
}

// TestFortranFrames checks Fortran. Code pointers must be in the user's procedure. The enter
// frame of a task in the runtime must be that procedure's stack pointer at its call.
//
// Both must hold at each optimization level, even where the compiler emits a call for what is a
// jump elsewhere.
func TestFortranFrames(t *testing.T) {
	k := setup(t)
	tool := filepath.Join(k.dir, "frames.so")
	include := filepath.Join(k.dir, "include")
	output(t, "gcc", "-shared", "-fPIC", "-O1", "-Wall", "-I"+include, "-o", tool,
		"testdata/frames.c")
	t.Setenv("OMP_TOOL_LIBRARIES", tool)
	for _, how := range []string{
		"-O0", "-O1", "-Og", "-O2", "-Os", "-O0 -fPIC",
		"-O2 -fno-optimize-sibling-calls",
	} {
		program := filepath.Join(k.dir, "frames")
		output(t, k.opari, strings.Fields("cc gfortran -fopenmp -no-pie "+how+
			" testdata/frames.f90 -o "+program)...)
		names := functionsOf(t, program)
		log, err := exec.Command("timeout", "60", program).Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s", how, err, log)
		}
		wrong, reported, framed := map[string]int{}, 0, 0
		for line := range strings.Lines(string(log)) {
			w := strings.Fields(line)
			place, frame := names.at(w[1]), w[2]
			reported++
			if !strings.HasPrefix(place, "here") {
				wrong[w[0]+" has its place in "+place]++
			}
			if frame == "0" {
				continue
			}
			framed++
			if frame = names.at(frame); !strings.HasPrefix(frame, "here") {
				wrong[w[0]+" has the frame of "+frame]++
			}
		}
		for what, n := range wrong {
			t.Errorf("%s: %d times %s", how, n, what)
		}
		if reported < 200 || framed < 60 {
			t.Errorf("%s: %d places and %d frames", how, reported, framed)
		}
	}
}
