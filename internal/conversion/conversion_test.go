package conversion

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"opari/internal/expensive"
	"opari/otf"
	"opari/otf2"
)

// recorded writes a trace as opari records one: two ranks of two threads, with a parallel region,
// a task, a lock, a critical region, messages and a collective operation.
func recorded(t *testing.T, stub string) {
	t.Helper()
	w := otf.NewWriter(stub, 0, otf.NewFileManager(10))
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	do(w.WriteDefCreator(0, "opari"))
	do(w.WriteDefTimerResolution(0, 1_000_000_000))
	do(w.WriteDefinitionComment(0, "program: ./heat"))
	do(w.WriteDefinitionComment(0, "lines 10-20 heat.c"))
	for i, name := range []string{
		"rank 0 thread 0 (initial)", "rank 1 thread 0 (initial)", "rank 0 thread 1 (worker)",
		"rank 1 thread 1 (worker)",
	} {
		parent := uint32(0)
		if i > 1 {
			parent = uint32(i - 1)
		}
		do(w.WriteDefProcess(0, uint32(i+1), name, parent))
	}
	do(w.WriteDefProcessGroup(0, groupThreads, "threads", []uint32{1, 2, 3, 4}))
	do(w.WriteDefProcessGroup(0, groupRanks, "ranks", []uint32{1, 2}))
	do(w.WriteDefProcessGroup(0, groupRanks+1, "node n1", []uint32{1, 2, 3, 4}))
	do(w.WriteDefProcessGroup(0, groupComms+1, "MPI_COMM_WORLD", []uint32{1, 2}))
	do(w.WriteDefSclFile(0, 1, "heat.c"))
	do(w.WriteDefScl(0, 1, 1, 10))
	do(w.WriteDefScl(0, 2, 1, 12))
	groups := []string{
		"critical", implicitBarrier, implicitTask, "mpi", "parallel", "task", taskCreation, waiting,
	}
	for i, name := range groups {
		do(w.WriteDefFunctionGroup(0, uint32(i+1), name))
	}
	for i, name := range []string{
		"parallel heat.c:10", "parallel: implicit task heat.c:10",
		"parallel: implicit barrier heat.c:10", "task: creation heat.c:12", "task heat.c:12",
		"critical(gate) heat.c:12", "critical(gate): wait heat.c:12", "MPI_Allreduce",
	} {
		source := []uint32{1, 1, 1, 2, 2, 2, 2, 0}[i]
		group := []uint32{5, 3, 2, 7, 6, 1, 8, 4}[i]
		do(w.WriteDefFunction(0, uint32(i+1), name, group, source))
	}
	do(w.WriteDefCounterGroup(0, 1, "OpenMP"))
	for i, name := range append([]string{
		"waiting time", lockAcquired, lockReleased, taskNumber,
	}, requestCounters...) {
		p := uint32(otf.CounterTypeAbs | otf.CounterScopePoint)
		unit := "number"
		if i == 0 {
			p, unit = otf.CounterTypeAcc|otf.CounterScopeStart, "ns"
		}
		do(w.WriteDefCounter(0, uint32(i+1), name, p, 1, unit))
	}
	do(w.WriteDefCollectiveOperation(0, 12, "MPI_Allreduce", otf.CollectiveTypeAll2All))
	for rank := range uint32(2) {
		a, b, c := rank+1, rank+3, uint32(groupComms+1)
		do(w.WriteBeginProcess(100, a))
		do(w.WriteCounter(100, a, 1, 0))
		do(w.WriteEnter(110, 1, a, 0))
		do(w.WriteEnter(120, 2, a, 0))
		do(w.WriteBeginProcess(130, b))
		do(w.WriteEnter(130, 2, b, 0))
		do(w.WriteCounter(140, a, 4, 7))
		do(w.WriteEnter(140, 4, a, 0))
		do(w.WriteLeave(150, 4, a, 0))
		do(w.WriteCounter(160, b, 4, 7))
		do(w.WriteEnter(160, 5, b, 0))
		do(w.WriteCounter(165, b, 2, 77))
		do(w.WriteCounter(168, b, 3, 77))
		do(w.WriteLeave(170, 5, b, 0))
		do(w.WriteEnter(171, 6, b, 0))
		do(w.WriteEnter(171, 7, b, 0))
		do(w.WriteLeave(175, 7, b, 0))
		do(w.WriteCounter(175, b, 1, 4))
		do(w.WriteLeave(176, 6, b, 0))
		do(w.WriteEnter(180, 3, a, 0))
		do(w.WriteEnter(181, 3, b, 0))
		do(w.WriteLeave(190, 3, a, 0))
		do(w.WriteLeave(190, 3, b, 0))
		do(w.WriteLeave(191, 2, a, 0))
		do(w.WriteLeave(192, 2, b, 0))
		do(w.WriteEndProcess(192, b))
		do(w.WriteLeave(195, 1, a, 0))
		do(w.WriteEnter(200, 8, a, 0))
		do(w.WriteCollectiveOperation(205, a, 12, c, 0, 8, 8, 95, 0))
		if rank == 0 {
			do(w.WriteCounter(210, 1, 5, 1<<40))
			do(w.WriteSendMsg(210, 1, 2, c, 5, 64, 0))
			do(w.WriteCounter(215, 1, 6, 2))
			do(w.WriteCounter(220, 1, 7, 1<<40))
			do(w.WriteCounter(225, 1, 8, 2))
			do(w.WriteSendMsg(225, 1, 2, c, 6, 64, 0))
		} else {
			do(w.WriteCounter(215, 2, 6, 0))
			do(w.WriteCounter(220, 2, 5, 0))
			do(w.WriteRecvMsg(220, 2, 1, c, 5, 64, 0))
			do(w.WriteRecvMsg(226, 2, 1, c, 6, 64, 0))
		}
		do(w.WriteLeave(300, 8, a, 0))
		do(w.WriteEndProcess(310, a))
	}
	do(w.Close())
}

// lines returns the records of a trace as text, with names for the numbers that conversions may
// change.
func lines(t *testing.T, stub string) (definitions, events string) {
	// Events of the same time in different processes may change places.
	t.Helper()
	r, err := otf.OpenReader(stub, otf.NewFileManager(10))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	text, byProcess := "", [5]string{}
	h := &otf.HandlerArray{Any: func(r *otf.Record) error {
		switch r.Type {
		case otf.DefVersionRecord, otf.DefUniqueIdRecord, otf.DefCollectiveOperationRecord:
			return nil
		case otf.CollectiveOperationRecord:
			r.Values[0] = 0
		}
		line := string(r.AppendText(nil))
		text += line + "\n"
		byProcess[r.Process] += line + "\n"
		return nil
	}}
	if _, err := r.ReadDefinitions(h); err != nil {
		t.Fatal(err)
	}
	definitions, byProcess = text, [5]string{}
	if _, err := r.ReadEvents(h); err != nil {
		t.Fatal(err)
	}
	return definitions, strings.Join(byProcess[:], "")
}

// TestThereAndBack converts a trace to an archive and back: events and definitions are the same.
func TestThereAndBack(t *testing.T) {
	dir := t.TempDir()
	recorded(t, filepath.Join(dir, "a"))
	losses, err := ToOTF2(filepath.Join(dir, "a"), filepath.Join(dir, "b"))
	if err != nil || len(losses) > 0 {
		t.Fatal(err, losses.Lines())
	}
	if losses, err = ToOTF(filepath.Join(dir, "b"), filepath.Join(dir, "c"), nil); err != nil ||
		len(losses) > 0 {
		t.Fatal(err, losses.Lines())
	}
	before, eventsBefore := lines(t, filepath.Join(dir, "a"))
	after, eventsAfter := lines(t, filepath.Join(dir, "c"))
	// The communicator has another number.
	comm := func(text string) string {
		for i := range uint32(8) {
			text = strings.ReplaceAll(text, fmt.Sprint(groupComms+i), "COMM")
		}
		return text
	}
	if a, b := comm(eventsBefore), comm(eventsAfter); a != b {
		t.Errorf("the events are\n%s\nnot\n%s", b, a)
	}
	after = comm(after)
	for line := range strings.Lines(comm(before)) {
		if !strings.Contains(after, line) {
			t.Errorf("the definitions lack %sthey are\n%s", line, after)
		}
	}
}

// TestAsScoreP checks the records that the archive has of OpenMP and MPI.
func TestAsScoreP(t *testing.T) {
	dir := t.TempDir()
	recorded(t, filepath.Join(dir, "a"))
	path := filepath.Join(dir, "b")
	if _, err := ToOTF2(filepath.Join(dir, "a"), path); err != nil {
		t.Fatal(err)
	}
	if err := otf2.Check(path, func(p otf2.Problem) { t.Error(p.Error.Error()) }, nil); err != nil {
		t.Fatal(err)
	}
	r, err := otf2.OpenReader(path, 10)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	r.SelectLocations([]uint64{0, 2})
	var b strings.Builder
	h := &otf2.HandlerArray{Any: func(r *otf2.Record) error {
		if r.Type != otf2.MetricRecord {
			fmt.Fprintln(&b, string(r.AppendText(nil)))
		}
		return nil
	}}
	if _, err := r.ReadEvents(h); err != nil {
		t.Fatal(err)
	}
	want := `ProgramBegin location 0 time 100 programName 32 programArguments []
Enter location 0 time 110 region 0
ThreadFork location 0 time 110 model OPENMP numberOfRequestedThreads 2
ThreadTeamBegin location 0 time 120 threadTeam 0
Enter location 0 time 120 region 1
MeasurementOnOff location 2 time 130 measurementMode ON
ThreadTeamBegin location 2 time 130 threadTeam 0
Enter location 2 time 130 region 1
Enter location 0 time 140 region 3
ThreadTaskCreate location 0 time 140 threadTeam 0 creatingThread 0 generationNumber 7
Leave location 0 time 150 region 3
Enter location 2 time 160 region 4
ThreadTaskSwitch location 2 time 160 threadTeam 0 creatingThread 0 generationNumber 7
ThreadAcquireLock location 2 time 165 model OPENMP lockID 77 acquisitionOrder 1
ThreadReleaseLock location 2 time 168 model OPENMP lockID 77 acquisitionOrder 1
ThreadTaskComplete location 2 time 170 threadTeam 0 creatingThread 0 generationNumber 7
Leave location 2 time 170 region 4
ThreadTaskSwitch location 2 time 170 threadTeam 0 creatingThread 1 generationNumber 0
Enter location 2 time 171 region 5
Enter location 2 time 171 region 6
Leave location 2 time 175 region 6
ThreadAcquireLock location 2 time 175 model OPENMP lockID 1048576 acquisitionOrder 1
ThreadReleaseLock location 2 time 176 model OPENMP lockID 1048576 acquisitionOrder 1
Leave location 2 time 176 region 5
Enter location 0 time 180 region 2
Enter location 2 time 181 region 2
Leave location 0 time 190 region 2
Leave location 2 time 190 region 2
Leave location 0 time 191 region 1
ThreadTeamEnd location 0 time 191 threadTeam 0
Leave location 2 time 192 region 1
ThreadTeamEnd location 2 time 192 threadTeam 0
MeasurementOnOff location 2 time 192 measurementMode OFF
ThreadJoin location 0 time 195 model OPENMP
Leave location 0 time 195 region 0
Enter location 0 time 200 region 7
MpiCollectiveBegin location 0 time 205
MpiIsend location 0 time 210 receiver 1 communicator 2 msgTag 5 msgLength 64 ` +
		`requestID 1099511627776
MpiIrecvRequest location 0 time 215 requestID 2
MpiIsendComplete location 0 time 220 requestID 1099511627776
MpiRequestCancelled location 0 time 225 requestID 2
MpiSend location 0 time 225 receiver 1 communicator 2 msgTag 6 msgLength 64
MpiCollectiveEnd location 0 time 300 collectiveOp ALLREDUCE communicator 2 root 4294967295 ` +
		`sizeSent 8 sizeReceived 8
Leave location 0 time 300 region 7
ProgramEnd location 0 time 310 exitStatus -9223372036854775808
`
	got := regexp.MustCompile(`programName \d+`).ReplaceAllString(b.String(), "programName 32")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if out, err := exec.LookPath("otf2-print"); err == nil {
		text, err := exec.Command(out, "-A", "-Werror", path+".otf2").CombinedOutput()
		if err != nil || !strings.Contains(string(text), "Role: IMPLICIT_BARRIER") {
			t.Errorf("%v: %.3000s", err, text)
		}
	} else {
		expensive.Need(t, "otf2-print")
	}
}

// TestViTE lets ViTE draw the archive, on a display without a screen.
func TestViTE(t *testing.T) {
	expensive.Test(t, "it starts ViTE", "vite", "xvfb-run", "xauth")
	dir := t.TempDir()
	recorded(t, filepath.Join(dir, "a"))
	if _, err := ToOTF2(filepath.Join(dir, "a"), filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	picture := filepath.Join(dir, "b.svg")
	out, err := exec.Command("xvfb-run", "-a", "vite", "-e", picture,
		filepath.Join(dir, "b.otf2")).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "0 errors and 0 warnings were found") {
		t.Errorf("%v: %s", err, out)
	}
	drawn, err := os.ReadFile(picture)
	for _, name := range []string{"MPI Rank 1", "rank 1 thread 1 (worker)"} {
		if err != nil || !strings.Contains(string(drawn), name) {
			t.Errorf("ViTE does not draw %s: %v", name, err)
		}
	}
}
