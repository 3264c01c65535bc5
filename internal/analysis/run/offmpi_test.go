package run

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/analysis/offcpu"
	"opari/otf"
)

// mpiRun writes and analyses a trace of ranks of one thread each: a line has the time in us, the
// rank, and what it does. That is a routine of MPI, with the rank that its message goes to, or
// "got" and the rank that a message came from, "leave", or "off", "sleep" and "run" as the kernel
// notes them. It returns the time in us by rank and property, of those that are losses.
func mpiRun(t *testing.T, text string) map[string]int64 {
	t.Helper()
	stub := filepath.Join(t.TempDir(), "trace")
	w := otf.NewWriter(stub, 0, otf.NewFileManager(10))
	kinds := map[string]uint32{
		"MPI_Allreduce": otf.CollectiveTypeAll2All, "MPI_Bcast": otf.CollectiveTypeOne2All,
		"MPI_Reduce": otf.CollectiveTypeAll2One,
	}
	const counter, group = 1, 7
	err := errors.Join(
		w.WriteDefTimerResolution(0, 1e9), w.WriteDefFunctionGroup(0, 1, "mpi"),
		w.WriteDefFunctionGroup(0, 2, "region"),
		w.WriteDefProcessGroup(0, group, "world", []uint32{1, 2, 3}),
		w.WriteDefCounter(0, counter, "off the CPU", otf.CounterScopeNext, 0, "state"))
	for process := range uint32(3) {
		err = errors.Join(err, w.WriteDefProcess(0, process+1,
			fmt.Sprintf("rank %d thread 0 (initial)", process), 0))
	}
	functions := map[string]uint32{}
	for i, name := range []string{
		"MPI_Send", "MPI_Ssend", "MPI_Recv", "MPI_Isend", "MPI_Waitall", "MPI_Allreduce",
		"MPI_Bcast", "MPI_Reduce", "region",
	} {
		functions[name] = uint32(i + 1)
		class := uint32(1)
		if name == "region" {
			class = 2
		}
		err = errors.Join(err, w.WriteDefFunction(0, uint32(i+1), name, class, 0))
		if kind := kinds[name]; kind != 0 {
			err = errors.Join(err, w.WriteDefCollectiveOperation(0, uint32(i+1), name, kind))
		}
	}
	open := map[uint32][]uint32{}
	for process := range uint32(3) {
		err = errors.Join(err, w.WriteBeginProcess(0, process+1))
	}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		words := strings.Fields(line)
		at, process := uint64(micros(t, words[0])*1000), uint32(micros(t, words[1]))+1
		other := uint32(0)
		if len(words) > 3 {
			other = uint32(micros(t, words[3])) + 1
		}
		switch what := words[2]; {
		case what == "run" || what == "off" || what == "sleep":
			value := map[string]uint64{"off": 1, "sleep": 2}[what]
			err = errors.Join(err, w.WriteCounter(at, process, counter, value))
		case what == "got":
			err = errors.Join(err, w.WriteRecvMsg(at, process, other, group, 5, 8, 0))
		case what == "leave":
			list := open[process]
			err = errors.Join(err, w.WriteLeave(at, list[len(list)-1], process, 0))
			open[process] = list[:len(list)-1]
		default:
			f := functions[what]
			if f == 0 {
				t.Fatalf("no function %s", what)
			}
			open[process] = append(open[process], f)
			err = errors.Join(err, w.WriteEnter(at, f, process, 0))
			if kinds[what] != 0 {
				root := uint32(0)
				if kinds[what] != otf.CollectiveTypeAll2All {
					root = 1
				}
				err = errors.Join(err,
					w.WriteCollectiveOperation(at, process, f, group, root, 0, 0, 0, 0))
			} else if other != 0 {
				err = errors.Join(err, w.WriteSendMsg(at, process, other, group, 5, 8, 0))
			}
		}
	}
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	once, err := FromTrace(stub, Options{})
	if err != nil {
		t.Fatal(err)
	}
	twice, err := FromTrace(stub, Options{Message: func(analysis.Message) {}})
	if err != nil {
		t.Fatal(err)
	}
	sameResults(t, once, twice)
	if got, want := once.Sum(analysis.Time, -1), once.Total(); got != want {
		t.Errorf("the severities are %d ns together, not %d", got, want)
	}
	got := map[string]int64{}
	for rank := range once.Threads {
		for p := range analysis.NumProperties {
			if time := once.Sum(p, rank); p.Leaf() && p.Loss() && time != 0 && p !=
				analysis.Measurement {
				got[strconv.Itoa(rank)+" "+p.Key()] = time / 1000
			}
		}
	}
	for i, q := range once.Paths {
		for rank := range once.Threads {
			left, again := q.Left(rank, offcpu.Preempted), twice.Paths[i].Left(rank,
				offcpu.Preempted)
			if left != again {
				t.Errorf("%s: left %d times once, %d twice", q.Name, left, again)
			}
		}
	}
	return got
}

// allRanks repeats lines that have a * instead of a rank, for each of three.
func allRanks(text string) string {
	var all []string
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if !strings.Contains(line, "*") {
			all = append(all, line)
			continue
		}
		for rank := range 3 {
			all = append(all, strings.Replace(line, "*", strconv.Itoa(rank), 1))
		}
	}
	return strings.Join(all, "\n")
}

// TestOffMPI checks to what the time in routines of MPI goes if a process is off the CPU.
func TestOffMPI(t *testing.T) {
	late, sender, off := analysis.CollectiveWait.Key(), analysis.LateSender.Key(),
		analysis.OffWait.Key()
	for _, c := range []struct {
		name, text string
		want       map[string]int64
	}{
		{"nobody is", `
			1000 0 MPI_Allreduce
			1000 1 MPI_Allreduce
			4000 2 MPI_Allreduce
			4010 * leave
			5000 * MPI_Bcast
			5000 * leave`, map[string]int64{"0 " + late: 3000, "1 " + late: 3000}},
		{"the last one was preempted in its work", `
			500 2 off
			1000 0 MPI_Allreduce
			2000 1 MPI_Allreduce
			3500 2 run
			4000 2 MPI_Allreduce
			4010 * leave
			9000 * MPI_Allreduce
			9010 * leave`, map[string]int64{
			// Without that the last one would have come at 2000.
			"2 preempted": 3000, "0 " + off: 2000, "0 " + late: 1000, "1 " + off: 2000,
		}},
		{"it slept", `
			500 2 sleep
			1000 0 MPI_Allreduce
			1000 1 MPI_Allreduce
			3500 2 run
			4000 2 MPI_Allreduce
			4010 * leave`, map[string]int64{
			"2 blocked": 3000, "0 " + off: 3000, "1 " + off: 3000,
		}},
		{"it was preempted before it left the last routine", `
			1000 0 MPI_Allreduce
			1000 2 MPI_Allreduce
			1100 2 off
			2000 1 MPI_Allreduce
			2010 0 leave
			2010 1 leave
			4010 2 run
			4020 2 leave
			5000 0 MPI_Allreduce
			5000 1 MPI_Allreduce
			7000 2 MPI_Allreduce
			7010 * leave`, map[string]int64{
			// It was off for 2010 although it could go on. The others came 2000 before it.
			"0 " + late: 1000, "2 " + late: 1000, "2 preempted": 2010 - offcpu.WakeUp/1000,
			"0 " + off: 2000, "1 " + off: 2000,
		}},
		{"it slept in the routine and waited for a processor", `
			1000 0 MPI_Allreduce
			1100 0 sleep
			2000 1 MPI_Allreduce
			2000 2 MPI_Allreduce
			2010 1 leave
			2010 2 leave
			5000 0 run
			5010 0 leave
			6000 * MPI_Bcast
			6000 * leave`, map[string]int64{
			"0 " + late: 1000, "0 preempted": 3000 - offcpu.WakeUp/1000,
		}},
		{"being off in a wait is that wait", `
			1000 0 MPI_Allreduce
			1100 0 off
			2000 0 run
			2100 0 off
			3000 0 run
			4000 1 MPI_Allreduce
			4000 2 MPI_Allreduce
			4010 * leave
			5000 0 MPI_Allreduce
			5000 1 MPI_Allreduce
			6000 2 MPI_Allreduce
			6010 * leave`, map[string]int64{"0 " + late: 4000, "1 " + late: 1000}},
		{"the sender was preempted", `
			1000 0 MPI_Recv
			1000 1 off
			3000 1 run
			4000 1 MPI_Send 0
			4010 1 leave
			4010 0 got 1
			4010 0 leave
			5000 0 MPI_Recv
			9000 1 MPI_Send 0
			9010 1 leave
			9010 0 got 1
			9010 0 leave`, map[string]int64{
			// The second wait is not for what the first one was for.
			"1 preempted": 2000, "0 " + off: 2000, "0 " + sender: 1000 + 4000,
		}},
		{"the waiting one knows when it could go on", `
			1000 0 MPI_Allreduce
			1100 0 off
			1100 1 off
			1200 2 MPI_Allreduce
			3000 1 run
			3000 1 MPI_Allreduce
			3010 1 leave
			3010 2 leave
			5000 0 run
			5010 0 leave
			6000 0 MPI_Allreduce
			6000 2 MPI_Allreduce
			6100 1 off
			9100 1 run
			9110 1 MPI_Allreduce
			9120 * leave`, map[string]int64{
			// Rank 0 was off for 3900 at the end, of which 2000 after it could go on. Without
			// that it would have come at 4000, and waited until 6110.
			"1 preempted": 1900 + 3000, "0 preempted": 2000 - offcpu.WakeUp/1000,
			"0 " + off: 1800 + 1000, "0 " + late: 200 + 2110,
			"2 " + off: 1800 + 3000, "2 " + late: 110,
		}},
		{"it received before it sent", `
			1000 1 off
			1000 0 MPI_Send 1
			1010 0 leave
			1010 0 MPI_Recv
			4000 1 run
			4000 1 MPI_Recv
			4000 1 got 0
			4010 1 leave
			4010 1 MPI_Send 0
			4020 1 leave
			4020 0 got 1
			4020 0 leave
			5000 1 MPI_Recv
			7000 0 MPI_Send 1
			7010 0 leave
			7010 1 got 0
			7010 1 leave
			7010 0 MPI_Recv
			9000 1 MPI_Send 0
			9010 1 leave
			9010 0 got 1
			9010 0 leave`, map[string]int64{
			"1 preempted": 3000, "0 " + off: 3000, "1 " + sender: 2000, "0 " + sender: 1990,
		}},
		{"preempted at the end of a receive", `
			1000 1 MPI_Recv
			1100 1 off
			1200 0 MPI_Send 1
			1210 0 leave
			1210 0 MPI_Recv
			5000 1 run
			5000 1 got 0
			5010 1 leave
			5010 1 MPI_Send 0
			5020 1 leave
			5020 0 got 1
			5020 0 leave`, map[string]int64{
			"1 " + sender: 200, "1 preempted": 3800 - offcpu.WakeUp/1000, "0 " + off: 3800,
		}},
		{"the receiver was preempted", `
			1000 0 MPI_Ssend 1
			1000 1 off
			3000 1 run
			4000 1 MPI_Recv
			4010 1 got 0
			4010 0 leave
			4010 1 leave`, map[string]int64{
			"1 preempted": 2000, "0 " + off: 2000, "0 late-receiver": 1000,
		}},
		{"nobody waits for it but the last", `
			1000 1 off
			1000 2 off
			1000 0 MPI_Bcast
			1010 0 leave
			1100 0 MPI_Allreduce
			4000 1 run
			4000 2 run
			4000 1 MPI_Bcast
			4000 2 MPI_Bcast
			4010 1 leave
			4010 2 leave
			5000 1 MPI_Allreduce
			5000 2 MPI_Allreduce
			5010 * leave`, map[string]int64{
			"1 preempted": 3000, "2 preempted": 3000, "0 " + off: 3000, "0 " + late: 900,
		}},
		{"the root was preempted", `
			1000 0 off
			1000 1 MPI_Bcast
			1000 2 MPI_Bcast
			3000 0 run
			4000 0 MPI_Bcast
			4010 * leave`, map[string]int64{
			"0 preempted": 2000, "1 " + off: 2000, "2 " + off: 2000,
			"1 late-broadcast": 1000, "2 late-broadcast": 1000,
		}},
		{"one of those that the root waits for was", `
			1000 0 MPI_Reduce
			1000 1 off
			2000 2 MPI_Reduce
			2010 2 leave
			3000 1 run
			4000 1 MPI_Reduce
			4010 1 leave
			4010 0 leave`, map[string]int64{
			"1 preempted": 2000, "0 " + off: 2000, "0 early-reduce": 1000,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := mpiRun(t, allRanks(c.text)); !maps.Equal(got, c.want) {
				t.Errorf("%v\nwant %v", got, c.want)
			}
		})
	}
}

func micros(t *testing.T, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
