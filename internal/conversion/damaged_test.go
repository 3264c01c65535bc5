package conversion

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"opari/internal/expensive"
	"opari/otf"
	"opari/otf2"
)

// TestDamaged converts traces and archives of which one file is damaged. Whatever is in them, the
// result is a trace or an error.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	recorded(t, filepath.Join(dir, "a"))
	if _, err := ToOTF2(filepath.Join(dir, "a"), filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, pattern := range []string{"a.*", "b.*", "b/*"} {
		found, _ := filepath.Glob(filepath.Join(dir, pattern))
		files = append(files, found...)
	}
	failed, made := 0, 0
	tries := expensive.Tries(600)
	for seed := range uint64(tries) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		file := files[rnd.IntN(len(files))]
		if info, err := os.Stat(file); err != nil || info.IsDir() {
			continue
		}
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := append([]byte(nil), whole...)
		for range 1 + rnd.IntN(3) {
			text[rnd.IntN(len(text))] = byte(rnd.Uint32() >> rnd.IntN(32))
		}
		if err := os.WriteFile(file, text, 0o666); err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(dir, "out")
		if strings.HasPrefix(filepath.Base(file), "a.") {
			_, err = ToOTF2(filepath.Join(dir, "a"), filepath.Join(out, "t"))
		} else if err = os.MkdirAll(out, 0o777); err == nil {
			_, err = ToOTF(filepath.Join(dir, "b"), filepath.Join(out, "t"), nil)
			var known *otf2.Error
			if _, err := ToOTF(filepath.Join(dir, "b"), filepath.Join(out, "t"),
				func(*otf2.Error) {}); err != nil && (!errors.As(err, &known) ||
				strings.HasSuffix(known.Path, ".evt")) {
				t.Errorf("seed %d: %v", seed, err)
			}
		}
		if made++; err != nil {
			failed++
		}
		if err := os.WriteFile(file, whole, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(out); err != nil {
			t.Fatal(err)
		}
	}
	if failed < made/20 || failed == made {
		t.Errorf("%d of %d damages were found", failed, made)
	}
}

// TestDamagedLocation makes a trace of an archive of which one location is cut off: it has the
// events before, and all of the others. The trace of one whose times go back is in order.
func TestDamagedLocation(t *testing.T) {
	dir := t.TempDir()
	recorded(t, filepath.Join(dir, "a"))
	if _, err := ToOTF2(filepath.Join(dir, "a"), filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	_, whole := lines(t, filepath.Join(dir, "a"))
	file := filepath.Join(dir, "b", "2.evt")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const header, entry = 18, 13 // bytes; of a time and an event with a number of two bytes
	lost := 0
	for cut := header; cut < len(text)-2; cut += 7 {
		if err := os.WriteFile(file, text[:cut], 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := ToOTF(filepath.Join(dir, "b"), filepath.Join(dir, "c"), nil); err == nil {
			t.Fatalf("cut at %d: no error", cut)
		}
		var found []string
		note := func(e *otf2.Error) { found = append(found, e.Error()) }
		if _, err := ToOTF(filepath.Join(dir, "b"), filepath.Join(dir, "c"), note); err != nil {
			t.Fatal(err)
		}
		if len(found) != 1 || !strings.HasPrefix(found[0], file+": chunk 1: byte ") {
			t.Errorf("cut at %d: %q", cut, found)
		}
		_, events := lines(t, filepath.Join(dir, "c"))
		n := strings.Count(whole, "\n") - strings.Count(events, "\n")
		if n < (len(text)-cut)/entry/3 || n > strings.Count(whole, " proc=3") {
			t.Errorf("cut at %d of %d: %d events less", cut, len(text), n)
		}
		lost = max(lost, n)
	}
	if lost < 10 {
		t.Errorf("at most %d events were lost", lost)
	}
	// The second time of the location becomes one before the first.
	first := bytes.IndexByte(text[header:], 5) + header
	second := bytes.IndexByte(text[first+9:], 5) + first + 9
	text[second+1] = 0
	if err := os.WriteFile(file, text, 0o666); err != nil {
		t.Fatal(err)
	}
	losses, err := ToOTF(filepath.Join(dir, "b"), filepath.Join(dir, "c"), nil)
	if err != nil || len(losses) != 1 || !strings.Contains(losses.Lines()[0], "times before") {
		t.Errorf("times that go back: %v, %q", err, losses.Lines())
	}
	if err := otf.Check(filepath.Join(dir, "c"), otf.NewFileManager(10), func(p otf.Problem) {
		t.Error(p.Error.Error())
	}, nil); err != nil {
		t.Fatal(err)
	}
}

// TestForeign makes a trace of an archive as Score-P writes one: large numbers of locations, names
// of its own, non-blocking messages, fractions.
func TestForeign(t *testing.T) {
	dir := t.TempDir()
	w := otf2.NewWriter(filepath.Join(dir, "s"))
	w.Anchor.Creator = "Score-P 8.4"
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for i, s := range []string{
		"", "Master thread", "OMP worker thread 1", "MPI Rank 0", "MPI Rank 1", "machine",
		"!$omp for @heat.c:7", "heat.c", "MPI_Allreduce", "PAPI_FP_OPS", "!$omp parallel @heat.c:5",
	} {
		do(w.WriteString(uint32(i), s))
	}
	do(w.WriteClockProperties(1_000_000_000, 0, 10_000, otf2.Undefined))
	do(w.WriteSystemTreeNode(0, 5, 5, otf2.Undefined32))
	do(w.WriteRegion(0, 6, 6, 0, otf2.RegionRoleLoop, otf2.ParadigmOpenmp, 0, 7, 7, 9))
	do(w.WriteRegion(1, 8, 8, 0, otf2.RegionRoleCollAll2all, otf2.ParadigmMpi, 0,
		otf2.Undefined32, 0, 0))
	do(w.WriteRegion(2, 10, 10, 0, otf2.RegionRoleParallel, otf2.ParadigmOpenmp, 0, 7, 5, 10))
	do(w.WriteMetricMember(0, 9, 0, otf2.MetricTypePapi, otf2.MetricModeAccumulatedStart,
		otf2.TypeDouble, otf2.BaseDecimal, 0, 0))
	do(w.WriteMetricClass(0, []uint64{0}, otf2.MetricOccurrenceSynchronousStrict,
		otf2.RecorderKindCpu))
	var locations []uint64
	for rank := range uint64(2) {
		do(w.WriteLocationGroup(uint32(rank), uint32(3+rank), otf2.LocationGroupTypeProcess, 0,
			otf2.Undefined32))
		for thread := range uint64(2) {
			id := thread<<32 | rank
			l := w.Location(id)
			do(l.WriteEnter(100, 2))
			do(l.WriteThreadFork(100, otf2.ParadigmOpenmp, 2))
			do(l.WriteEnter(200, 0))
			do(l.WriteMetric(250, 0, []uint64{uint64(otf2.TypeDouble)}, []uint64{1 << 62}))
			do(l.WriteLeave(300, 0))
			do(l.WriteThreadAcquireLock(310, otf2.ParadigmOpenmp, 5, 1))
			do(l.WriteThreadReleaseLock(320, otf2.ParadigmOpenmp, 5, 1))
			do(l.WriteThreadJoin(400, otf2.ParadigmOpenmp))
			do(l.WriteLeave(400, 2))
			if thread == 0 {
				locations = append(locations, id)
				l.Attach(otf2.AttributeValue{Type: otf2.TypeUint8})
				do(l.WriteEnter(500, 1))
				do(l.WriteMpiCollectiveBegin(510))
				do(l.WriteMpiIrecvRequest(515, 78))
				do(l.WriteMpiIsend(520, uint32(1-rank), 0, 3, 100, 77))
				do(l.WriteMpiCollectiveEnd(590, otf2.CollectiveOpAllreduce, 0, otf2.Undefined32, 8,
					8))
				do(l.WriteLeave(600, 1))
				do(l.WriteMpiIsendComplete(605, 77))
				do(l.WriteMpiIrecv(610, uint32(1-rank), 0, 3, 100, 78))
				do(l.WriteMpiIrecvRequest(620, 79))
				do(l.WriteMpiRequestCancelled(630, 79))
			}
			do(w.WriteLocation(id, uint32(1+thread), otf2.LocationTypeCpuThread, l.Events(),
				uint32(rank)))
		}
	}
	do(w.WriteGroup(0, 0, otf2.GroupTypeCommLocations, otf2.ParadigmMpi, 0, locations))
	do(w.WriteGroup(1, 0, otf2.GroupTypeCommGroup, otf2.ParadigmMpi, 0, []uint64{0, 1}))
	do(w.WriteComm(0, 0, 1, otf2.Undefined32, 0))
	do(w.Close())

	stub := filepath.Join(dir, "t")
	losses, err := ToOTF(filepath.Join(dir, "s"), stub, nil)
	do(err)
	want := `2 attributes of events
4 events ThreadFork
4 events ThreadJoin`
	if got := strings.Join(losses.Lines(), "\n"); got != want {
		t.Errorf("lost\n%s\nnot\n%s", got, want)
	}
	do(otf.Check(stub, otf.NewFileManager(10), func(p otf.Problem) {
		t.Error(p.Error.Error())
	}, nil))
	definitions, events := lines(t, stub)
	for _, line := range []string{
		`DefProcess stream=0 2 "rank 0 thread 1 (worker)" parent=1`,
		`DefProcess stream=0 3 "rank 1 thread 0 (initial)" parent=0`,
		`DefinitionComment stream=0 "lines 7-9 heat.c"`,
		`"!$omp for @heat.c:7"`, `DefFunctionGroup stream=0 2 "mpi"`,
	} {
		if !strings.Contains(definitions, line) {
			t.Errorf("no %s in\n%s", line, definitions)
		}
	}
	for _, line := range []string{
		"SendMsg 520 sender=1 receiver=3 ", "RecvMsg 610 receiver=3 sender=1 ",
		"CollectiveOperation 510 proc=3 coll=0 ", "dur=80 ", "Counter 250 proc=2 counter=1 value=2",
		"Counter 515 proc=1 counter=1073741841 value=78",
		"Counter 520 proc=1 counter=1073741840 value=77", "Counter 605 proc=1 counter=1073741842 ",
		"Counter 610 proc=3 counter=1073741840 value=78",
		"Counter 630 proc=3 counter=1073741843 value=79",
		"Counter 310 proc=4 counter=1073741824 value=5", "BeginProcess 100 proc=4",
	} {
		if !strings.Contains(events, line) {
			t.Errorf("no %s in\n%s", line, events)
		}
	}
}
