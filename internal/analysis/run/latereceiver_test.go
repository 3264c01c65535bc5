package run

import (
	"errors"
	"path/filepath"
	"testing"

	"opari/internal/analysis"
	"opari/otf"
)

// TestLateReceiver checks that a send waits only for a receive that is posted during the send,
// from the start of the send to the start of the receive.
func TestLateReceiver(t *testing.T) {
	stub := filepath.Join(t.TempDir(), "trace")
	w := otf.NewWriter(stub, 0, otf.NewFileManager(10))
	functions := []string{
		"MPI_Send", "MPI_Ssend", "MPI_Recv", "MPI_Isend", "MPI_Irecv", "MPI_Wait",
		"MPI_Sendrecv",
	}
	const send, ssend, recv, isend, irecv, wait, sendrecv = 1, 2, 3, 4, 5, 6, 7
	err := errors.Join(
		w.WriteDefTimerResolution(0, 1e9), w.WriteDefFunctionGroup(0, 1, "mpi"),
		w.WriteDefProcess(0, 1, "rank 0 thread 0 (initial)", 0), w.WriteDefProcess(0, 2,
			"rank 1 thread 0 (initial)", 0),
		w.WriteDefProcessGroup(0, 9, "node here", []uint32{1, 2}),
	)
	for i, name := range functions {
		err = errors.Join(err, w.WriteDefFunction(0, uint32(i+1), name, 1, 0))
	}
	calls := func(process uint32, list [][4]uint64) {
		// function, begin, end; 1: sends, 2: receives, 3: both
		for _, c := range list {
			err = errors.Join(err, w.WriteEnter(c[1], uint32(c[0]), process, 0))
			if c[3]&1 != 0 {
				err = errors.Join(err, w.WriteSendMsg(c[1], process, 3-process, 7, 5, 8, 0))
			}
			if c[3]&2 != 0 {
				err = errors.Join(err, w.WriteRecvMsg(c[2]-1, process, 3-process, 7, 5, 8, 0))
			}
			err = errors.Join(err, w.WriteLeave(c[2], uint32(c[0]), process, 0))
		}
	}
	calls(1, [][4]uint64{
		{send, 100, 150, 1},       // goes to a buffer: the receiver comes at 300
		{ssend, 1000, 1500, 1},    // waits until 1400
		{isend, 2000, 2010, 1},    // does not wait
		{wait, 2020, 2500, 0},     // the cause of the wait is unknown
		{send, 3000, 3500, 1},     // waits, but when its receive was posted is unknown
		{sendrecv, 4000, 4600, 3}, // both: the other rank comes at 4300
		{sendrecv, 5000, 5900, 3}, // the other rank sends at 5100 and receives at 5800
		{recv, 7000, 7100, 2},     // a late sender, to see that nothing is mixed up
	})
	calls(2, [][4]uint64{
		{recv, 300, 310, 2},
		{recv, 1400, 1490, 2},
		{recv, 2400, 2490, 2},
		{irecv, 2900, 2910, 0},
		{wait, 3400, 3490, 2},
		{sendrecv, 4300, 4610, 3},
		{send, 5100, 5110, 1},
		{recv, 5800, 5890, 2},
		{send, 7050, 7060, 1},
	})
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	var messages []analysis.Message
	r,
		err := FromTrace(stub,
		Options{Message: func(m analysis.Message) { messages = append(messages, m) }})
	if err != nil {
		t.Fatal(err)
	}
	once, err := FromTrace(stub, Options{})
	if err != nil {
		t.Fatal(err)
	}
	sameResults(t, once, r)
	allBlamed(t, once)
	var critical int64
	for _, time := range once.CriticalThreads {
		critical += time
	}
	if critical != once.Wall || once.NoCritical() != "" {
		t.Errorf("a critical path of %d ns in a run of %d: %q", critical, once.Wall,
			once.NoCritical())
	}
	if got, want := r.Sum(analysis.Time, -1), r.Total(); got != want {
		t.Errorf("the severities are %d ns together, not %d", got, want)
	}
	got := map[string][2]int64{}
	for _, q := range r.Paths {
		if late := [2]int64{
			q.Severity(analysis.LateReceiver, 0),
			q.Severity(analysis.LateSender, 0),
		}; late != [2]int64{} {
			got[q.Name] = late
		}
		if time := q.Severity(analysis.LateReceiver, 1); time != 0 {
			t.Errorf("%s: rank 1 waits %d ns for a late receiver", q.Name, time)
		}
	}
	want := map[string][2]int64{
		"MPI_Ssend": {400, 0}, "MPI_Sendrecv": {800, 300},
		"MPI_Recv": {0, 50},
	}
	if len(got) != len(want) {
		t.Errorf("%v", got)
	}
	for name, times := range want {
		if got[name] != times {
			t.Errorf("%s: late receiver and sender %v, want %v", name, got[name], times)
		}
	}
	if len(messages) != 9 || messages[0] != (analysis.Message{
		From: 1, To: 0, Sender: 1, Target: 0, Sent: 4300,
		Received: 4599, Tag: 5, Bytes: 8,
	}) {
		t.Errorf("%d messages: %+v", len(messages), messages)
	}
	for _, thread := range r.Threads {
		if thread.Node != "node here" || thread.Process == "" {
			t.Errorf("%+v", thread)
		}
	}
}

// allBlamed checks that all waits of ranks for each other have causes.
func allBlamed(t *testing.T, r *analysis.Result) {
	t.Helper()
	blamed := map[[2]any]int64{}
	for _, b := range r.Blame {
		blamed[[2]any{b.Property, b.Waiter.Region}] += b.Time
	}
	for _, q := range r.Paths {
		for _, p := range []analysis.Property{
			analysis.LateSender, analysis.LateReceiver, analysis.CollectiveWait,
			analysis.LateBroadcast, analysis.EarlyReduce,
		} {
			if got, want := blamed[[2]any{p, q.Region}], q.Severity(p, -1); got != want {
				t.Errorf("%s: %s is blamed for %d ns, and is %d", q.Region, p, got, want)
			}
		}
	}
}
