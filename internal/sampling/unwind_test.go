package sampling

import (
	"debug/elf"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// namer returns a function that names the function of a program at an address; "" elsewhere.
func namer(t *testing.T, r *Record, program string) func(Address) string {
	t.Helper()
	f, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	return func(a Address) string {
		if a.File < 0 || r.Files[a.File] != program {
			return ""
		}
		at := a.Offset
		for _, p := range f.Progs {
			if p.Type == elf.PT_LOAD && a.Offset >= p.Off && a.Offset < p.Off+p.Filesz {
				at = a.Offset - p.Off + p.Vaddr
			}
		}
		for _, s := range symbols {
			if elf.ST_TYPE(s.Info) == elf.STT_FUNC && at >= s.Value && at < s.Value+s.Size {
				name, _, _ := strings.Cut(strings.TrimPrefix(s.Name, "__chain_MOD_"), ".")
				return name
			}
		}
		return ""
	}
}

// chains runs a program and returns how many samples in the functions hot and timed, or in what
// that calls, have each chain of callers, up to main. Code that is not the program's is a point.
func chains(t *testing.T, unwind bool, source string, options ...string) map[string]int {
	t.Helper()
	program := filepath.Join(t.TempDir(), "chains")
	compiler := "gcc"
	if filepath.Ext(source) == ".f90" {
		compiler = "gfortran"
	}
	args := append([]string{"-O2", "-g", "-fno-inline", "-fno-ipa-cp", "-J", t.TempDir()},
		options...)
	if compiler == "gcc" {
		args = append([]string{"-O2", "-g", "-Wall", "-Wextra"}, options...)
	}
	args = append(args, "testdata/"+source, "-o", program)
	if out, err := exec.Command(compiler, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", compiler, args, err, out)
	}
	_, pid, r := recorded(t, Options{Rate: 2000, Unwind: unwind}, program)
	name := namer(t, r, program)
	found := map[string]int{}
	for _, s := range mainThread(t, r, pid).Samples {
		var names []string
		for i := s.Stack; i >= 0; i = r.Stacks[i].Caller {
			n := name(r.Stacks[i].Code)
			if n == "" {
				n = "."
			}
			if n != "." || len(names) == 0 || names[len(names)-1] != "." {
				names = append(names, n)
			}
			if n == "main" {
				break
			}
		}
		innermost := names[:min(2, len(names))]
		if len(names) > 0 && names[0] == "hot" || slices.Contains(innermost, "timed") {
			found[strings.Join(names, " ")]++
		}
	}
	return found
}

// TestChains compares the callers of a function with what the program's text says. They are the
// same with frame pointers and without.
func TestChains(t *testing.T) {
	expensive.Compilers(t)
	if !Unwinds {
		t.Skip("callers are found by call frame information on amd64 alone")
	}
	for _, c := range []struct {
		source    string
		compiler  string
		want      []string
		inLibrary int // of want, those through a library, which may have no frame pointers
	}{
		{"chains.c", "gcc", []string{
			"hot inner middle outer main",
			"hot " + strings.Repeat("descend ", 21) + "main",
			"hot compare . sorted main",
			"hot handler . raised main",
			". timed main",
		}, 3},
		{"chains.f90", "gfortran", []string{
			"hot within middle outer outer outer outer outer MAIN__ main",
		}, 0},
	} {
		t.Run(c.source, func(t *testing.T) {
			if _, err := exec.LookPath(c.compiler); err != nil {
				t.Skipf("no compiler: %v", err)
			}
			for _, option := range []string{"-fomit-frame-pointer", "-fno-omit-frame-pointer"} {
				found := chains(t, true, c.source, option)
				sum := 0
				for _, n := range found {
					sum += n
				}
				if sum < 100 {
					t.Fatalf("%s: %d samples in hot", option, sum)
				}
				delete(found, "timed main") // few samples, and some runs have none
				got := slices.Sorted(maps.Keys(found))
				if want := slices.Sorted(slices.Values(c.want)); !slices.Equal(got, want) {
					t.Errorf("%s: %s\nwant %s", option, listed(found), strings.Join(want, "\n"))
				}
			}
			// The way by frame pointers sees the same in the program's own code.
			direct := c.want[:len(c.want)-c.inLibrary]
			found := chains(t, false, c.source, "-fno-omit-frame-pointer")
			for _, chain := range direct {
				if found[chain] == 0 {
					t.Errorf("by frame pointers there is no %s: %s", chain, listed(found))
				}
			}
			// Without them it does not.
			found = chains(t, false, c.source, "-fomit-frame-pointer")
			for _, chain := range direct {
				if found[chain] > 0 {
					t.Errorf("%s without frame pointers: the test proves nothing", chain)
				}
			}
		})
	}
}

func listed(found map[string]int) string {
	var lines []string
	for chain, n := range found {
		lines = append(lines, fmt.Sprintf("%d %s", n, chain))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
