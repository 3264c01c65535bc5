package unwind

import (
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"opari/internal/expensive"
)

// stepped is a program that executes an instruction at a time.
type stepped struct {
	pid    int
	memory *os.File
	maps   []mapped
}

type mapped struct {
	from, to, offset uint64
	table            *Table
	file             string
}

// step starts a program, or returns why this process may not follow another one. The calling
// goroutine is bound to its thread.
func step(t *testing.T, program string) (*stepped, error) {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	cmd := exec.Command(program)
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &stepped{pid: cmd.Process.Pid}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		var status syscall.WaitStatus
		_, _ = syscall.Wait4(s.pid, &status, 0, nil)
	})
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(s.pid, &status, 0, nil); err != nil {
		return nil, err
	}
	var err error
	s.memory, err = os.Open(fmt.Sprintf("/proc/%d/mem", s.pid))
	if err == nil {
		t.Cleanup(func() { _ = s.memory.Close() })
	}
	return s, err
}

// next executes an instruction. It returns false if that has ended the program.
func (s *stepped) next(t *testing.T) bool {
	t.Helper()
	if err := syscall.PtraceSingleStep(s.pid); err != nil {
		t.Fatal(err)
	}
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(s.pid, &status, 0, nil); err != nil {
		t.Fatal(err)
	}
	return status.Stopped()
}

// find returns the row of an address.
func (s *stepped) find(address uint64) *Row {
	m := s.at(address)
	if m == nil || m.table == nil {
		return nil
	}
	linked, ok := m.table.Address(address - m.from + m.offset)
	if !ok {
		return nil
	}
	return m.table.At(linked)
}

func (s *stepped) at(address uint64) *mapped {
	i := slices.IndexFunc(s.maps, func(m mapped) bool {
		return address >= m.from && address < m.to
	})
	if i < 0 {
		return nil
	}
	return &s.maps[i]
}

// readMaps reads where the program has its code now.
func (s *stepped) readMaps(t *testing.T) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", s.pid))
	if err != nil {
		t.Fatal(err)
	}
	tables := map[string]*Table{}
	s.maps = nil
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) < 6 || !strings.Contains(words[1], "x") || words[5][0] != '/' {
			continue
		}
		m := mapped{file: words[5]}
		if _, err := fmt.Sscanf(words[0]+" "+words[2], "%x-%x %x", &m.from, &m.to,
			&m.offset); err != nil {
			t.Fatal(line)
		}
		if _, known := tables[m.file]; !known {
			tables[m.file], _ = Open(m.file)
		}
		m.table = tables[m.file]
		s.maps = append(s.maps, m)
	}
}

// frame returns where the program stands, with a copy of its stack.
func (s *stepped) frame(t *testing.T) (f Frame, m Memory) {
	t.Helper()
	var r syscall.PtraceRegs
	if err := syscall.PtraceGetRegs(s.pid, &r); err != nil {
		t.Fatal(err)
	}
	f.Registers = [numRegisters]uint64{
		r.Rax, r.Rdx, r.Rcx, r.Rbx, r.Rsi, r.Rdi, r.Rbp, r.Rsp, r.R8, r.R9, r.R10, r.R11, r.R12,
		r.R13, r.R14, r.R15, r.Rip,
	}
	m = Memory{r.Rsp, make([]byte, 8<<10)}
	n, _ := s.memory.ReadAt(m.Text, int64(m.From))
	m.Text = m.Text[:n]
	return f, m
}

// TestEveryInstruction follows a program from the beginning of main to its end. After each
// instruction all callers must be found, main among them, and the same as before but for a call or
// a return.
func TestEveryInstruction(t *testing.T) {
	expensive.Compilers(t)
	for _, options := range [][]string{
		{"-O2", "-fomit-frame-pointer"},
		{"-O0"},
		{"-O3", "-fno-omit-frame-pointer"},
		{"-Os", "-fomit-frame-pointer"},
	} {
		t.Run(strings.Join(options, " "), func(t *testing.T) {
			everyInstruction(t, compiled(t, "callers.c", append(options, "-no-pie")...))
		})
	}
}

func everyInstruction(t *testing.T, program string) {
	file, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	symbols, err := file.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(symbols, func(s elf.Symbol) bool { return s.Name == "main" })
	main := symbols[i].Value
	end := main + symbols[i].Size
	s, err := step(t, program)
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSYS) {
		t.Skipf("programs cannot be followed here: %v", err)
	} else if err != nil {
		t.Fatal(err)
	}
	for begun := false; !begun; { // through the dynamic linker
		if !s.next(t) {
			t.Fatal("main was never called")
		}
		var r syscall.PtraceRegs
		if err := syscall.PtraceGetRegs(s.pid, &r); err != nil {
			t.Fatal(err)
		}
		begun = r.Rip == main
	}
	s.readMaps(t)
	steps, wrong := 0, 0
	var before []Place
	for {
		f, m := s.frame(t)
		places, complete := Walk(f, m, s.find, nil, 96)
		inMain := slices.ContainsFunc(places, func(p Place) bool {
			return p.Address >= main && p.Address <= end
		})
		if complete && !inMain { // main has returned
			break
		}
		if !complete || before != nil && !follows(before, places) {
			if wrong++; wrong > 10 {
				t.FailNow()
			}
			t.Errorf("step %d: complete %v: %s after %s", steps, complete, s.spell(places),
				s.spell(before))
		}
		before = places
		if steps++; !s.next(t) {
			break
		}
	}
	t.Logf("%d instructions", steps)
	if steps < 5000 {
		t.Errorf("only %d instructions", steps)
	}
}

// follows reports whether places may be those after one more instruction: the same callers, one
// more, or one less.
func follows(before, after []Place) bool {
	a, b := before[1:], after[1:]
	switch len(b) - len(a) {
	case 0:
		return slices.Equal(a, b)
	case 1:
		return slices.Equal(a, b[1:])
	case -1:
		return slices.Equal(a[1:], b)
	}
	return false
}

func (s *stepped) spell(places []Place) string {
	var words []string
	for _, p := range places {
		name := "?"
		if m := s.at(p.Address); m != nil {
			name = m.file[strings.LastIndexByte(m.file, '/')+1:]
		}
		words = append(words, fmt.Sprintf("%s:%#x", name, p.Address))
	}
	return strings.Join(words, " ")
}
