package symbols

import (
	"bytes"
	"debug/elf"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// compile runs a compiler in a folder with the sources of testdata.
func compile(t *testing.T, folder string, command ...string) string {
	t.Helper()
	expensive.Need(t, command[0])
	here, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range command {
		if slices.Contains([]string{".c", ".cc", ".f90"}, filepath.Ext(c)) {
			command[i] = filepath.Join(here, c)
		}
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", command, err, out)
	}
	return filepath.Join(folder, command[slices.Index(command, "-o")+1])
}

// functions returns the functions of a file by name, from the linker's address to the end.
func functions(t *testing.T, path string) map[string][2]uint64 {
	t.Helper()
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][2]uint64{}
	for _, s := range symbols {
		if elf.ST_TYPE(s.Info) == elf.STT_FUNC && s.Size > 0 {
			all[s.Name] = [2]uint64{s.Value, s.Value + s.Size}
		}
	}
	return all
}

// addr2line returns the frames of addresses as binutils finds them, as "function file:line" from
// the innermost on.
func addr2line(t *testing.T, path string, addresses []uint64) (all []string) {
	t.Helper()
	expensive.Need(t, "addr2line")
	var in bytes.Buffer
	for _, a := range addresses {
		fmt.Fprintf(&in, "%x\n", a)
	}
	cmd := exec.Command("addr2line", "-a", "-i", "-f", "-e", path)
	cmd.Stdin = &in
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for text := range strings.SplitSeq(string(out), "0x") {
		part := strings.Split(strings.TrimSpace(text), "\n")
		if len(part) < 3 {
			continue
		}
		frames := ""
		for i := 1; i+1 < len(part); i += 2 {
			place, _, _ := strings.Cut(part[i+1], " (discriminator")
			if strings.HasSuffix(place, ":?") { // code of no line
				place = ":0"
			}
			frames += readable(part[i]) + " " + place + "\n"
		}
		all = append(all, frames)
	}
	return all
}

// text formats frames as addr2line does.
func text(frames []Frame) string {
	s := ""
	for _, f := range frames {
		s += fmt.Sprintf("%s %s:%d\n", f.Function, f.File, f.Line)
	}
	return s
}

// shortened reports whether b has not all of a's frames, but the place of the first and the
// function of the last. binutils leaves out inlined calls of some of clang's code.
func shortened(a, b string) bool {
	all, some := strings.Split(a, "\n"), strings.Split(b, "\n")
	n, m := len(all)-2, len(some)-2
	place := func(s string) string { return s[strings.LastIndexByte(s, ' '):] }
	function := func(s string) string { return s[:strings.LastIndexByte(s, ' ')] }
	return m >= 0 && m < n && place(all[0]) == place(some[0]) &&
		function(all[n]) == function(some[m])
}

// At each address of a program, and of a shared object, the frames are those that addr2line
// finds.
func TestFrames(t *testing.T) {
	for _, command := range []string{
		"gcc -O2 -g -fopenmp -no-pie", "gcc -O2 -g -fopenmp -pie -fPIE", "gcc -O0 -g -fopenmp",
		"gcc -O3 -gdwarf-4 -fopenmp", "gcc -O2 -g -fopenmp -ffunction-sections -Wl,--gc-sections",
		"gcc -O2 -g -fopenmp -gz", "clang-19 -O2 -g", "clang-19 -O2 -gdwarf-4 -no-pie",
	} {
		t.Run(command, func(t *testing.T) {
			folder := t.TempDir()
			options := strings.Fields(command)
			if options[0] != "gcc" {
				expensive.Compilers(t, options[0])
			}
			library := compile(t, folder, options[0], "-O2", "-g", "-fPIC", "-shared", "shared.c",
				"-o", "libshared.so")
			program := compile(t, folder, append(options, "program.c", "./libshared.so", "-lm",
				"-o", "program")...)
			files := New()
			defer files.Close()
			inlined := 0
			for path, names := range map[string][]string{
				library: {"shared"}, program: {"main", "sum", "complain"},
			} {
				all := functions(t, path)
				if path == program && strings.Contains(command, "-fopenmp") {
					names = append(names, "main._omp_fn.0")
				}
				var addresses []uint64
				for _, name := range names {
					if all[name][0] == 0 {
						t.Fatalf("%s has no %s", path, name)
					}
					for a := all[name][0]; a < all[name][1]; a++ {
						addresses = append(addresses, a)
					}
				}
				want := addr2line(t, path, addresses)
				if len(want) != len(addresses) {
					t.Fatalf("%d answers for %d addresses", len(want), len(addresses))
				}
				wrong := 0
				for i, a := range addresses {
					got := text(files.At(path, offset(t, path, a)))
					if got != want[i] && !(options[0] != "gcc" && shortened(got, want[i])) {
						if wrong++; wrong < 5 {
							t.Errorf("%s %#x:\n%swant\n%s", path, a, got, want[i])
						}
					}
					inlined += strings.Count(want[i], "\n") - 1
				}
			}
			if inlined < 20 && !strings.Contains(command, "-O0") {
				t.Errorf("%d inlined frames", inlined)
			}
		})
	}
}

// offset returns where in the file the byte of an address stands.
func offset(t *testing.T, path string, address uint64) uint64 {
	t.Helper()
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD && address >= p.Vaddr && address < p.Vaddr+p.Filesz {
			return address - p.Vaddr + p.Off
		}
	}
	t.Fatalf("%s has no %#x", path, address)
	return 0
}

// seen lists the functions and lines of all addresses of some functions.
func seen(t *testing.T, files *Files, path, function string) (all []string) {
	t.Helper()
	for name, part := range functions(t, path) {
		if !strings.Contains(name, function) {
			continue
		}
		for a := part[0]; a < part[1]; a++ {
			for _, f := range files.At(path, offset(t, path, a)) {
				s := f.Function
				if f.Line > 0 {
					s += " " + filepath.Base(f.File) + ":" + strconv.Itoa(f.Line)
				}
				if !slices.Contains(all, s) {
					all = append(all, s)
				}
			}
		}
	}
	return all
}

// Names are those of the source, with debugging information and without.
func TestNames(t *testing.T) {
	expensive.Compilers(t, "g++", "gfortran")
	for _, c := range []struct {
		command, function string
		want              []string
	}{
		{"g++ -O1 -g -fopenmp names.cc", "relax", []string{"solver::relax names.cc:20"}},
		{"g++ -O1 -g -fopenmp names.cc", "_omp_fn", []string{"solver::relax names.cc:19"}},
		{"g++ -O1 -g -fopenmp names.cc", "sum", []string{"solver::grid::sum names.cc:11"}},
		{"g++ -O1 -fopenmp names.cc", "relax", []string{"solver::relax"}},
		{"g++ -O1 -fopenmp names.cc", "sum", []string{"solver::grid::sum"}},
		{"gfortran -O1 -g -fopenmp names.f90", "_omp_fn", []string{"solver::relax names.f90:8"}},
		{"gfortran -O0 -g -fopenmp names.f90", "cube", []string{"solver::cube names.f90:13"}},
		{"gfortran -O0 -g -fopenmp names.f90", "outside", []string{"outside names.f90:20"}},
		{"gfortran -O0 -g -fopenmp names.f90", "MAIN__", []string{"heat names.f90:27"}},
		{"gfortran -O1 -g -fopenmp names.f90", "MAIN__._omp_fn", []string{"heat names.f90:32"}},
		{"gfortran -O0 -fopenmp names.f90", "cube", []string{"solver::cube"}},
		{"gfortran -O0 -fopenmp names.f90", "outside", []string{"outside"}},
	} {
		program := compile(t, t.TempDir(), append(strings.Fields(c.command), "-o", "program")...)
		files := New()
		all := seen(t, files, program, c.function)
		files.Close()
		for _, want := range c.want {
			if !slices.Contains(all, want) {
				t.Errorf("%s: no %q in %q", c.command, want, all)
			}
		}
	}
}

// Debugging information that was split off is found by its build-id, by the link beside the
// program, and only if it is that of the program.
func TestSeparate(t *testing.T) {
	expensive.Need(t, "objcopy")
	was := debugFolder
	defer func() { debugFolder = was }()
	folder := t.TempDir()
	debugFolder = filepath.Join(folder, "system")
	program := compile(t, folder, "g++", "-O1", "-g", "-fopenmp", "-Wl,--build-id", "names.cc",
		"-o", "program")
	place := [2]uint64{}
	for name, part := range functions(t, program) {
		if strings.Contains(name, "3sum") {
			place = part
		}
	}
	at := offset(t, program, place[0])
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = folder
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	look := func() string {
		files := New()
		defer files.Close()
		frames := files.At(program, at)
		if len(frames) == 0 {
			return ""
		}
		last := frames[len(frames)-1] // what is inlined varies with the library's version
		return last.Function + " " + filepath.Base(last.File)
	}
	const full, none = "solver::grid::sum names.cc", ""
	expect := func(when, want string) {
		t.Helper()
		if got := look(); got != want {
			t.Errorf("%s: %q, want %q", when, got, want)
		}
	}
	expect("whole", full)
	f, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	id := fmt.Sprintf("%x", buildID(f))
	f.Close()
	run("objcopy", "--only-keep-debug", "program", "program.debug")
	run("objcopy", "--strip-all", "program")
	expect("stripped", none)
	run("objcopy", "--add-gnu-debuglink=program.debug", "program")
	expect("linked", full)
	run("mkdir", "-p", "system/.build-id/"+id[:2], ".debug")
	run("mv", "program.debug", ".debug/program.debug")
	expect("in .debug", full)
	text, err := os.ReadFile(filepath.Join(folder, ".debug/program.debug"))
	if err != nil {
		t.Fatal(err)
	}
	run("mv", ".debug/program.debug", "system/.build-id/"+id[:2]+"/"+id[2:]+".debug")
	expect("by its build-id", full)
	run("rm", "-r", "system")
	text[len(text)-1]++
	if err := os.WriteFile(filepath.Join(folder, "program.debug"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	expect("another sum", none)
}

// What is no file of code, and what is damaged, has no frames.
func TestUnreadable(t *testing.T) {
	folder := t.TempDir()
	program := compile(t, folder, "gcc", "-O1", "-g", "-fopenmp", "program.c", "shared.c", "-o",
		"program")
	text, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	at := offset(t, program, functions(t, program)["sum"][0])
	broken := filepath.Join(folder, "broken")
	for cut := 0; cut < len(text); cut += 97 {
		if err := os.WriteFile(broken, text[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		files := New()
		files.At(broken, at)
		files.Close()
	}
	files := New()
	defer files.Close()
	for _, path := range []string{folder, "[vdso]", "/dev/null", ""} {
		if got := files.At(path, at); got != nil {
			t.Errorf("%q: %v", path, got)
		}
	}
	if got := files.At(program, 1<<40); got != nil {
		t.Errorf("beyond the end: %v", got)
	}
}

// Damaged debugging information ends the search, and nothing else.
func TestDamaged(t *testing.T) {
	folder := t.TempDir()
	program := compile(t, folder, "gcc", "-O2", "-g", "-fopenmp", "program.c", "shared.c", "-o",
		"program")
	text, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	f, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	low, high := len(text), 0
	for _, s := range f.Sections {
		if strings.HasPrefix(s.Name, ".debug_") {
			low, high = min(low, int(s.Offset)), max(high, int(s.Offset+s.Size))
		}
	}
	f.Close()
	all := functions(t, program)
	first := offset(t, program, all["main"][0])
	size := all["main"][1] - all["main"][0]
	broken := filepath.Join(folder, "broken")
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		damaged := slices.Clone(text)
		for range 1 + r.IntN(4) {
			damaged[low+r.IntN(high-low)] = byte(r.Uint32())
		}
		if err := os.WriteFile(broken, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		files := New()
		for a := uint64(0); a < size; a += 7 {
			files.At(broken, first+a)
		}
		files.Close()
	}
}
