package replay

import (
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/analysis/trace"
	"opari/internal/omp"
)

// offRun replays what two threads do: a word a line with the time in us, the thread, and what it
// does. That is a function to enter or "leave", or "off", "sleep" and "run" as the kernel notes
// them, or "lock" and "unlock".
func offRun(t *testing.T, text string) *analysis.Result {
	t.Helper()
	d := trace.New()
	d.Resolution, d.Kernel = 1e9, true
	d.Threads = []analysis.Thread{
		{Name: "thread 0 (initial)", Type: omp.ThreadInitial},
		{Name: "thread 1 (worker)", Type: omp.ThreadWorker},
	}
	f := everyRole()
	ordered := &analysis.Region{Kind: omp.KindOrdered, Name: "ordered", File: "f.c", Line: 13}
	functions := map[string]*trace.Function{
		"fork": f[0], "implicit": f[1], "end": f[2], "for": f[5], "critical": f[7],
		"enter": f[8], "ordered": {Region: ordered}, "turn": {
			Role:   trace.ForMutex,
			Region: ordered,
		},
		"task": f[14], "taskwait": f[15], "barrier": f[16], "forlock": f[17],
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	ends := strings.Fields(lines[len(lines)-1])
	a := New(d, 0, uint64(number(t, ends[0])*1000), Options{EventCost: -1})
	for _, line := range lines {
		words := strings.Fields(line)
		at, who := number(t, words[0])*1000, a.threads[number(t, words[1])]
		switch what := words[2]; what {
		case "begin":
			a.begin(who, at)
		case "run", "off", "sleep":
			value := map[string]uint64{"off": 1, "sleep": 2}[what]
			a.point(who, at, trace.OffTheCPU, value)
		case "lock":
			a.point(who, at, trace.LockAcquired, 1)
		case "unlock":
			a.point(who, at, trace.LockReleased, 1)
		case "leave":
			a.leave(who, at)
		default:
			if functions[what] == nil {
				t.Fatalf("no function %s", what)
			}
			a.enter(who, at, functions[what])
		}
	}
	r := a.Finish()
	if got, want := r.Sum(analysis.Time, -1), r.Total(); got != want {
		t.Errorf("the severities are %d ns together, of %d", got, want)
	}
	var critical int64
	for _, q := range r.Paths {
		critical += q.Critical
	}
	if critical != r.Wall {
		t.Errorf("the critical path is %d of %d ns", critical, r.Wall)
	}
	return r
}

func number(t *testing.T, text string) int64 {
	t.Helper()
	var n int64
	for _, c := range text {
		if c < '0' || c > '9' {
			t.Fatalf("%q is no number", text)
		}
		n = 10*n + int64(c-'0')
	}
	return n
}

const offBegin = `
0 0 begin
0 1 begin
10 0 fork
10 0 implicit
10 1 implicit`

// TestOffCPU checks for each place in which a thread can be off the CPU to what that time goes, in
// us. What is not listed is 0, but for work and idle threads.
func TestOffCPU(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       map[analysis.Property]int64
	}{
		{"the last thread was preempted in its work", offBegin + `
			500 1 off
			1000 0 end
			3500 1 run
			4000 1 end
			4000 0 leave
			4000 1 leave`, map[analysis.Property]int64{analysis.Preempted: 3000, analysis.OffWait: 3000}},
		{"the last thread slept in its work", offBegin + `
			500 1 sleep
			1000 0 end
			3500 1 run
			4000 1 end
			4000 0 leave
			4000 1 leave`, map[analysis.Property]int64{analysis.Blocked: 3000, analysis.OffWait: 3000}},
		{"one wait, partly for other work", offBegin + `
			500 1 off
			1000 0 end
			1500 1 run
			4000 1 end
			4000 0 leave
			4000 1 leave`, map[analysis.Property]int64{analysis.Preempted: 1000, analysis.OffWait: 1000, analysis.ImbalanceParallel: 2000}},
		{"both lost the same, so the wait is as long as without", offBegin + `
			100 0 off
			100 1 off
			1100 0 run
			1100 1 run
			2000 0 end
			4000 1 end
			4000 0 leave
			4000 1 leave`, map[analysis.Property]int64{analysis.Preempted: 2000, analysis.ImbalanceParallel: 2000}},
		{"sleeping in a wait is the wait", offBegin + `
			1000 0 end
			1010 0 sleep
			4000 1 end
			4000 1 leave
			4080 0 run
			4080 0 leave`, map[analysis.Property]int64{analysis.ImbalanceParallel: 3000, analysis.BarrierCost: 80}},
		{"so is being preempted in it", offBegin + `
			1000 0 end
			1010 0 off
			2000 0 run
			4000 1 end
			4000 1 leave
			4000 0 leave`, map[analysis.Property]int64{analysis.ImbalanceParallel: 3000}},
		{"it is not woken in time", offBegin + `
			1000 0 end
			1010 0 sleep
			1100 1 end
			1100 1 leave
			4100 0 run
			4100 0 leave`, map[analysis.Property]int64{
			analysis.ImbalanceParallel: 100, analysis.BarrierCost: 100, analysis.Preempted: 2900,
		}},
		{"preempted before going on, which the next wait is for", offBegin + `
			1000 0 end
			1010 0 off
			1100 1 end
			1100 1 leave
			4100 0 run
			4100 0 leave
			4200 1 barrier
			5200 0 barrier
			5200 0 leave
			5200 1 leave`, map[analysis.Property]int64{
			// The other one has worked 3100, this one 1100 since it went on.
			analysis.ImbalanceParallel: 100, analysis.BarrierCost: 100, analysis.Preempted: 2900,
			analysis.OffWait: 1000,
		}},
		{"preempted between arriving and taking part", offBegin + `
			500 0 end
			510 0 sleep
			1000 1 end
			1000 1 off
			5000 1 run
			5000 1 leave
			5000 0 run
			5000 0 leave`, map[analysis.Property]int64{
			analysis.ImbalanceParallel: 500, analysis.Preempted: 4000, analysis.OffWait: 4000,
		}},
		{"preempted inside of a critical region", offBegin + `
			100 1 critical
			100 1 enter
			100 1 leave
			200 1 off
			300 0 critical
			300 0 enter
			310 0 sleep
			2200 1 run
			2600 1 leave
			2650 0 run
			2650 0 leave
			2700 0 leave
			3000 0 end
			3000 1 end
			3000 0 leave
			3000 1 leave`, map[analysis.Property]int64{
			// Of 2500 inside 2000 were off the CPU; the other waited for 2300, and 50.
			analysis.Preempted: 2000, analysis.OffWait: 1840, analysis.CriticalWait: 510,
		}},
		{"off the CPU although it could enter", offBegin + `
			100 1 critical
			100 1 enter
			100 1 leave
			300 0 critical
			300 0 enter
			310 0 sleep
			400 1 leave
			2400 0 run
			2400 0 leave
			2500 0 leave
			3000 0 end
			3000 1 end
			3000 0 leave
			3000 1 leave`, map[analysis.Property]int64{analysis.CriticalWait: 200, analysis.Preempted: 1900}},
		{"preempted before its turn", offBegin + `
			100 1 for
			100 0 for
			300 0 ordered
			300 0 turn
			310 0 sleep
			400 1 off
			2400 1 run
			2500 1 ordered
			2500 1 turn
			2500 1 leave
			2600 1 leave
			2650 0 run
			2650 0 leave
			2700 0 leave
			2700 0 leave
			2700 1 leave
			3000 0 end
			3000 1 end
			3000 0 leave
			3000 1 leave`, map[analysis.Property]int64{
			analysis.Preempted: 2000, analysis.OffWait: 2000, analysis.OrderedWait: 350,
		}},
		{"it goes on so late that it begins with the next tasks", offBegin + `
			500 0 end
			510 0 sleep
			1000 1 end
			1010 1 leave
			3000 0 run
			3000 0 task
			3500 0 leave
			3600 0 leave`, map[analysis.Property]int64{
			analysis.ImbalanceParallel: 500, analysis.BarrierCost: 10 + 10 + 100 + 100,
			analysis.Preempted: 1890,
		}},
		{"preempted with a lock", offBegin + `
			100 1 forlock
			100 1 leave
			100 1 lock
			100 1 off
			100 0 forlock
			110 0 sleep
			1100 1 run
			1100 1 unlock
			1150 0 run
			1150 0 leave
			1150 0 lock
			1200 0 unlock
			3000 0 end
			3000 1 end
			3000 0 leave
			3000 1 leave`, map[analysis.Property]int64{analysis.Preempted: 1000, analysis.OffWait: 1000, analysis.LockWait: 50}},
		{"preempted in a task that another waits for", offBegin + `
			100 1 task
			100 0 taskwait
			110 0 sleep
			200 1 off
			1000 1 run
			1100 1 leave
			1400 0 run
			1400 0 leave
			3000 0 end
			3000 1 end
			3000 0 leave
			3000 1 leave`, map[analysis.Property]int64{
			analysis.Preempted: 800 + 200, analysis.OffWait: 800, analysis.TaskWait: 300,
		}},
		{"preempted in a task that others starve for", offBegin + `
			100 0 end
			100 1 end
			100 1 task
			200 1 off
			1200 1 run
			2000 1 leave
			2000 1 leave
			2000 0 leave`, map[analysis.Property]int64{
			analysis.Preempted: 1000, analysis.OffWait: 1000, analysis.TaskStarvation: 900,
		}},
		{"preempted in serial code", `
			0 0 begin
			0 1 begin
			100 0 off
			1100 0 run
			2000 0 fork
			2000 0 implicit
			2000 1 implicit
			3000 0 end
			3000 1 end
			3000 0 leave
			3000 1 leave
			3000 0 leave
			3000 1 leave
			3000 0 leave`, map[analysis.Property]int64{analysis.Preempted: 1000, analysis.OffWait: 1000, analysis.IdleSerial: 1000}},
		{"the worker is not woken in time", `
			0 0 begin
			0 1 begin
			0 1 sleep
			10 0 fork
			20 0 implicit
			2000 0 end
			3020 1 run
			3020 1 implicit
			4020 1 end
			4020 0 leave
			4020 1 leave
			4020 0 leave
			4020 1 leave
			4020 0 leave`, map[analysis.Property]int64{
			// The other one would have waited for nobody: it has worked more.
			analysis.Preempted: 2900, analysis.ForkJoin: 10 + 10 + 100, analysis.OffWait: 2020,
		}},
		{"preempted after its task, before the join", offBegin + `
			1000 0 end
			1000 1 end
			1000 0 leave
			1000 1 leave
			1000 1 leave
			1000 0 leave
			1000 1 off
			1010 0 sleep
			3000 1 run
			3000 0 leave`, map[analysis.Property]int64{analysis.Preempted: 2000, analysis.OffWait: 2000}},
		{"the fork waits for a worker that is not back", offBegin + `
			1000 0 end
			1000 1 end
			1000 0 leave
			1000 1 leave
			1000 1 leave
			1000 0 leave
			1000 1 sleep
			1010 0 leave
			1100 0 fork
			1110 0 sleep
			4100 1 run
			4100 0 run
			4100 0 implicit
			4100 1 implicit`, map[analysis.Property]int64{analysis.ForkJoin: 40, analysis.OffWait: 2 * 2990}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := offRun(t, c.text)
			for p := range analysis.NumProperties {
				if !p.Leaf() || p.Of(analysis.Idle) && c.want[p] == 0 || p == analysis.Work {
					continue
				}
				if got := r.Sum(p, -1) / 1000; got != c.want[p] {
					t.Errorf("%s: %d us, want %d", p, got, c.want[p])
				}
			}
		})
	}
}
