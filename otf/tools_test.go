package otf

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// TestTools runs the C library's tools on our traces. They must print nothing on standard error.
func TestTools(t *testing.T) {
	expensive.Test(t, "it runs the tools of libotf")
	for _, tool := range []string{"otfprint", "otfinfo-trace", "otfprofile", "otfmerge", "otfaux"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed (apt-get install otf-trace)", tool)
		}
	}
	for seed := range uint64(6) {
		dir := t.TempDir()
		stub := filepath.Join(dir, "t")
		nestedTrace(t, stub, rand.New(rand.NewPCG(seed, 3)), uint32(seed), Format(seed%2))
		manager := NewFileManager(50)
		if err := WriteStatistics(stub, stub, manager,
			SampleOptions{Points: 7, Groups: seed%3 == 0}); err != nil {
			t.Fatal(err)
		}
		if err := WriteSnapshots(stub, stub, manager, SampleOptions{Points: 7}); err != nil {
			t.Fatal(err)
		}
		if problems := checkAll(t, stub); problems != "" {
			t.Errorf("seed %d:\n%s", seed, problems)
		}
		merged := filepath.Join(dir, "merged")
		if err := Merge(stub, merged, manager, MergeOptions{Streams: 2}); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{stub, merged} {
			silent(t, dir, "otfprint", name+".otf")
			silent(t, dir, "otfinfo-trace", "-l", "4", name+".otf")
			silent(t, dir, "otfprofile", "-i", name)
			silent(t, dir, "otfmerge", "-n", "3", "-o", name+"-merged", name+".otf")
			silent(t, dir, "otfaux", "-n", "5", "-F", "--all", name+".otf")
		}
	}
}

// silent runs a tool that must succeed with an empty standard error.
func silent(t *testing.T, dir, tool string, args ...string) {
	t.Helper()
	var errs bytes.Buffer
	cmd := exec.Command(tool, args...)
	cmd.Dir, cmd.Stderr = dir, &errs
	if err := cmd.Run(); err != nil || errs.Len() > 0 {
		t.Errorf("%s %v: %v: %s", tool, args, err, errs.String())
	}
}

// checkAll returns the problems that Check reports.
func checkAll(t testing.TB, stub string) string {
	t.Helper()
	var b strings.Builder
	err := Check(stub, NewFileManager(10),
		func(p Problem) { fmt.Fprintf(&b, "%v %s\n", p.Warning, p.Error.Error()) }, nil)
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// nestedTrace writes a trace as a program makes one: calls nest, each sent message is received,
// and all tokens are defined.
func nestedTrace(t testing.TB, stub string, rnd *rand.Rand, streams uint32, format Format) {
	t.Helper()
	w := NewWriter(stub, streams, NewFileManager(3))
	w.SetFormat(format)
	fail := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	const processes, functions = 5, 9
	fail(w.WriteDefTimerResolution(0, 1_000_000_000))
	fail(w.WriteDefCreator(0, "opari"))
	var all []uint32
	for p := uint32(1); p <= processes; p++ {
		fail(w.WriteDefProcess(0, p, fmt.Sprintf("Thread %d", p), 0))
		all = append(all, p)
	}
	fail(w.WriteDefProcessGroup(0, 100, "All", all))
	fail(w.WriteDefFunctionGroup(0, 1, "parallel"))
	fail(w.WriteDefSclFile(0, 1, "prog.c"))
	for f := uint32(1); f <= functions; f++ {
		fail(w.WriteDefScl(0, f, 1, 10*f))
		fail(w.WriteDefFunction(0, f, fmt.Sprintf("f%d", f), 1, f))
	}
	fail(w.WriteDefCounterGroup(0, 1, "waiting"))
	fail(w.WriteDefCounter(0, 1, "barrier", CounterTypeAcc|CounterScopeStart, 1, "ns"))
	fail(w.WriteDefCollectiveOperation(0, 1, "barrier", CollectiveTypeBarrier))
	time := uint64(1)
	stacks := make([][]uint32, processes+1)
	for p := uint32(1); p <= processes; p++ {
		fail(w.WriteBeginProcess(time, p))
	}
	for i := range 3000 {
		p := uint32(1 + rnd.IntN(processes))
		time += rnd.Uint64N(300)
		stack := &stacks[p]
		switch action := rnd.IntN(10); {
		case action < 4:
			f := uint32(1 + rnd.IntN(functions))
			fail(w.WriteEnter(time, f, p, f*uint32(rnd.IntN(2))))
			*stack = append(*stack, f)
		case action < 8 && len(*stack) > 0:
			fail(w.WriteLeave(time, (*stack)[len(*stack)-1]*uint32(rnd.IntN(2)), p, 0))
			*stack = (*stack)[:len(*stack)-1]
		case action == 8:
			other := p%processes + 1
			fail(w.WriteSendMsg(time, p, other, 100, uint32(i), 64, 0))
			fail(w.WriteRecvMsg(time+1, other, p, 100, uint32(i), 64, 0))
			time++
		case len(*stack) > 0:
			fail(w.WriteCounter(time, p, 1, uint64(i)))
			fail(w.WriteCollectiveOperation(time, p, 1, 100, 0, 0, 0, 5, 0))
		}
	}
	for p := uint32(1); p <= processes; p++ {
		for s := stacks[p]; len(s) > 0; s = s[:len(s)-1] {
			fail(w.WriteLeave(time, s[len(s)-1], p, 0))
		}
		fail(w.WriteEndProcess(time, p))
	}
	fail(w.Close())
}

// TestSamplesOfOtfaux compares statistics and snapshots with those of otfaux. The trace has no
// recursion and one message at a time, because the two count other cases differently.
func TestSamplesOfOtfaux(t *testing.T) {
	if _, err := exec.LookPath("otfaux"); err != nil {
		t.Skip("otfaux is not installed (apt-get install otf-trace)")
	}
	dir := t.TempDir()
	theirs, ours := filepath.Join(dir, "theirs"), filepath.Join(dir, "ours")
	for _, stub := range []string{theirs, ours} {
		w := NewWriter(stub, 0, NewFileManager(5))
		for p := uint32(1); p <= 3; p++ {
			if err := w.WriteDefProcess(0, p, "P", 0); err != nil {
				t.Fatal(err)
			}
		}
		rnd := rand.New(rand.NewPCG(7, 7))
		for i := range uint64(500) {
			p := uint32(1 + i%3)
			f := uint32(1 + rnd.IntN(5))
			if w.WriteEnter(1000+i*100, f, p, 0) != nil ||
				w.WriteEnter(1010+i*100, f+10, p, 0) != nil ||
				w.WriteLeave(1030+i*100, f+10, p, 0) != nil ||
				w.WriteLeave(1090+i*100, f, p, 0) != nil {
				t.Fatal("write")
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	silent(t, dir, "otfaux", "-F", "-n", "9", "--all", theirs+".otf")
	manager := NewFileManager(5)
	if err := WriteStatistics(ours, ours, manager, SampleOptions{Points: 9}); err != nil {
		t.Fatal(err)
	}
	if err := WriteSnapshots(ours, ours, manager, SampleOptions{Points: 9}); err != nil {
		t.Fatal(err)
	}
	read := func(stub string) string {
		_, rest, _ := strings.Cut(dump(t, stub, nil), "readEvents")
		return rest
	}
	if got, want := read(ours), read(theirs); got != want {
		t.Error(firstDifference(got, want))
	}
}
