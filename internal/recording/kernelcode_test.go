package recording

import (
	"bytes"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"opari/internal/sampling"
)

// Code of an instrumented program is named after the user's functions and lines, in the spelling
// of the regions. Code of the library, and what the instrumentation added, is <opari> in samples
// and hidden among callers.
func TestSampledCode(t *testing.T) {
	program := filepath.Join(t.TempDir(), "program")
	cmd := exec.Command(opari(t), "cc", "gcc", "-O2", "-g", "-fopenmp", "testdata/kernel.c", "-o",
		program)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	source, err := os.ReadFile("testdata/kernel.c")
	if err != nil {
		t.Fatal(err)
	}
	text := bytes.Split(source, []byte("\n"))
	f, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	r := &sampling.Record{Files: []string{program}}
	file := "testdata/kernel.c"
	code := newSampledCode(r, []*Process{{regions: []*Region{unknownRegion, {File: file}}}})
	defer code.close()
	at := func(address uint64, caller bool) []function {
		for _, p := range f.Progs {
			if p.Type == elf.PT_LOAD && address >= p.Vaddr && address < p.Vaddr+p.Filesz {
				return code.at(sampling.Address{Offset: address - p.Vaddr + p.Off, Return: caller})
			}
		}
		t.Fatalf("no %#x", address)
		return nil
	}
	names, lines := map[string]int{}, map[int]bool{}
	for _, s := range symbols {
		if elf.ST_TYPE(s.Info) != elf.STT_FUNC || s.Size == 0 {
			continue
		}
		switch {
		case s.Name == "region" || s.Name == "main" || strings.HasPrefix(s.Name, "main._omp_fn"):
			for a := s.Value; a < s.Value+s.Size; a++ {
				list := at(a, false)
				for i, fn := range list {
					names[fn.name]++
					if fn.name == "<opari>" && i == len(list)-1 && i > 0 {
						continue
					}
					if fn.file == file {
						lines[fn.line] = true
					} else if !strings.HasPrefix(fn.file, "/usr/") {
						t.Fatalf("%s+%d: %+v", s.Name, a-s.Value, list)
					}
				}
				if slices.ContainsFunc(at(a+1, true),
					func(fn function) bool { return fn.name == "<opari>" }) {
					t.Fatalf("%s+%d: a caller in %+v", s.Name, a-s.Value, at(a+1, true))
				}
			}
		case strings.HasPrefix(s.Name, "POMP_Critical") || s.Name == "GOMP_barrier":
			if s.Section == elf.SHN_UNDEF {
				continue
			}
			want := []function{{name: "<opari>", group: groupSampled}}
			if list := at(s.Value, false); !slices.Equal(list, want) {
				t.Errorf("%s is %+v", s.Name, list)
			}
			if list := at(s.Value+1, true); len(list) > 0 {
				t.Errorf("%s as a caller is %+v", s.Name, list)
			}
			names[s.Name]++
		}
	}
	for _, name := range []string{"main", "region", "now", "<opari>", "POMP_Critical_enter"} {
		if names[name] == 0 {
			t.Errorf("no %s in %v", name, names)
		}
	}
	for line := range lines {
		if line < 1 || line > len(text) || len(bytes.TrimSpace(text[line-1])) == 0 {
			t.Errorf("code of line %d, which has none", line)
		}
	}
	if !lines[23] || !lines[24] { // usleep and printf in the critical region
		t.Errorf("lines %v", lines)
	}
}
