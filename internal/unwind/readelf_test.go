package unwind

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"opari/internal/expensive"
)

var registerNames = [numRegisters]string{
	"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13",
	"r14", "r15", "ra",
}

// spelled spells a rule as readelf does.
func spelled(r rule) string {
	switch r.way {
	case same:
		return "s"
	case inMemory:
		return fmt.Sprintf("c%+d", r.offset)
	case isSum:
		return fmt.Sprintf("v%+d", r.offset)
	case inRegister:
		return registerNames[r.register]
	case byPlace:
		return "exp"
	case byExpression:
		return "vexp"
	}
	return "u"
}

// spelledCFA does the same for a row's CFA.
func spelledCFA(r rule) string {
	if r.way == byExpression {
		return "exp"
	}
	if r.way != inRegister || r.register >= numRegisters {
		return ""
	}
	return fmt.Sprintf("%s%+d", registerNames[r.register], r.offset)
}

// interpreted is a row of readelf: the words of its columns, by their names.
type interpreted struct {
	place   uint64
	columns map[string]string
}

// readelf returns what readelf says of a file, by the first address of entries. Entries without
// rows of their own have that of their common part.
func readelf(t *testing.T, path string) map[uint64][]interpreted {
	t.Helper()
	cmd := exec.Command("readelf", "--wide", "--debug-dump=frames-interp", path)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	text, err := cmd.Output() // its exit status is 1 where the debugging information is elsewhere
	if len(text) == 0 {
		t.Fatalf("readelf %s: %v", path, err)
	}
	all := map[uint64][]interpreted{}
	commons := map[string]interpreted{}
	var names []string
	var add func(interpreted)
	inFrames := false
	for _, line := range strings.Split(string(text), "\n") {
		words := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "Contents of the "):
			inFrames = strings.Contains(line, ".eh_frame ")
		case !inFrames || len(words) == 0 || strings.HasSuffix(line, " terminator"):
		case len(words) > 3 && words[3] == "CIE":
			id := words[0]
			add = func(i interpreted) { commons[id] = i }
		case len(words) > 5 && words[3] == "FDE":
			start, err := strconv.ParseUint(strings.Split(words[5][3:], "..")[0], 16, 64)
			if err != nil {
				t.Fatal(line)
			}
			common := strings.TrimPrefix(words[4], "cie=")
			all[start] = []interpreted{commons[common]}
			all[start][0].place = start
			own := false
			add = func(i interpreted) {
				if !own {
					all[start], own = nil, true
				}
				all[start] = append(all[start], i)
			}
		case words[0] == "LOC":
			names = words[1:]
		case len(words) == len(names)+1 && add != nil:
			i := interpreted{columns: map[string]string{}}
			if i.place, err = strconv.ParseUint(words[0], 16, 64); err != nil {
				t.Fatal(line)
			}
			for n, name := range names {
				i.columns[name] = words[n+1]
			}
			add(i)
		}
	}
	return all
}

// sameRows compares all rows of a file with those of readelf, and returns their number.
func sameRows(t *testing.T, path string) int {
	t.Helper()
	table, err := Open(path)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	want := readelf(t, path)
	count, wrong := 0, 0
	for start, rows := range want {
		at := slices.IndexFunc(table.entries, func(e entry) bool { return e.start == start })
		if at < 0 {
			t.Errorf("%s: no entry at %#x", path, start)
			continue
		}
		e := &table.entries[at]
		for _, want := range rows {
			count++
			row := table.row(e, want.place)
			if row == nil {
				if want.place < e.end {
					t.Errorf("%s: no row at %#x", path, want.place)
					wrong++
				}
				continue
			}
			for n, name := range registerNames {
				if text, is := want.columns[name]; is && text != spelled(row.registers[n]) ||
					!is && spelled(row.registers[n]) != "u" {
					t.Errorf("%s: %s at %#x is %s, want %q", path, name, want.place,
						spelled(row.registers[n]), text)
					wrong++
				}
			}
			if got := spelledCFA(row.cfa); got != want.columns["CFA"] {
				t.Errorf("%s: the CFA at %#x is %s, want %s", path, want.place, got,
					want.columns["CFA"])
				wrong++
			}
			if wrong > 20 {
				t.FailNow()
			}
		}
	}
	return count
}

// TestRows compares the rows of libraries and programs with those that readelf finds.
func TestRows(t *testing.T) {
	expensive.Compilers(t)
	if _, err := exec.LookPath("readelf"); err != nil {
		t.Skipf("no readelf: %v", err)
	}
	files := []string{"/bin/sh", "/bin/ls", "/bin/tar"}
	for _, name := range []string{
		"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "libgomp.so.1", "libgfortran.so.5",
		"libstdc++.so.6", "libmpi.so.40", "libcrypto.so.3",
	} {
		out, err := exec.Command("gcc", "-print-file-name="+name).Output()
		if path := string(bytes.TrimSpace(out)); err == nil && filepath.IsAbs(path) {
			files = append(files, path)
		}
	}
	files = append(files, compiled(t, "callers.c", "-O2", "-fomit-frame-pointer"),
		compiled(t, "callers.c", "-O0"))
	read, rows := 0, 0
	for _, path := range files {
		if _, err := os.Stat(path); err != nil {
			t.Logf("%s is not there", path)
			continue
		}
		n := sameRows(t, path)
		t.Logf("%s: %d rows", path, n)
		read++
		rows += n
	}
	if read < 6 || rows < 50000 {
		t.Errorf("%d files with %d rows", read, rows)
	}
}

// compiled compiles a program of testdata.
func compiled(t *testing.T, source string, options ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "program")
	args := append([]string{"-g", "testdata/" + source, "-o", program}, options...)
	compiler := "gcc"
	if filepath.Ext(source) == ".f90" {
		compiler = "gfortran"
	}
	if out, err := exec.Command(compiler, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", compiler, args, err, out)
	}
	return program
}
