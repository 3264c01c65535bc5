package analysis

import (
	"fmt"
	"math"

	"opari/internal/omp"
)

// adviser returns what to try against a finding, and a number of the run that speaks for it. It
// says nothing that the recording does not hold, such as a loop's schedule.
type adviser func(r *Result, f Finding) string

// advisers has a row for each loss without parts.
var advisers = [NumProperties]adviser{
	Measurement:       (*Result).adviseMeasurement,
	IdleSerial:        (*Result).adviseSerial,
	IdleSmallTeam:     (*Result).adviseSmallTeam,
	ForkJoin:          (*Result).adviseForkJoin,
	Granularity:       (*Result).adviseGranularity,
	Dispatch:          (*Result).adviseDispatch,
	BarrierExplicit:   (*Result).adviseBarrier,
	ImbalanceLoop:     (*Result).adviseLoop,
	ImbalanceSections: (*Result).adviseSections,
	ImbalanceParallel: (*Result).adviseParallel,
	SerialSections:    (*Result).adviseSerialSections,
	SingleWait: each("threads wait", "add nowait if they need nothing of its block, or let them "+
		"execute tasks of it"),
	FalseNesting: (*Result).adviseNesting,
	BarrierCost:  (*Result).adviseBarrierCost,
	CriticalWait: (*Result).adviseCritical,
	LockWait: each("threads wait", "do less while holding the lock, or have a lock for each "+
		"part of the data"),
	AtomicWait: (*Result).adviseAtomic,
	OrderedWait: each("threads wait", "move work out of ordered, and use chunks of one "+
		"iteration, as with schedule(static, 1)"),
	Polling: each("a thread looks", "let it execute tasks meanwhile, use a task dependence or a "+
		"barrier, or a routine that waits, as omp_set_lock and MPI_Wait do"),
	TaskStarvation: (*Result).adviseStarvation,
	TaskWait: each("threads wait", "wait later, or split the tasks, so that who waits has some to "+
		"execute"),
	TaskCreation:    (*Result).adviseCreation,
	TaskGranularity: (*Result).adviseFineTasks,
	IdleMPI: each("the other threads idle", "let them compute meanwhile, or have more ranks of "+
		"fewer threads"),
	LateSender: each("receivers wait", "send earlier, or do more work between MPI_Irecv and "+
		"MPI_Wait"),
	LateReceiver: each("senders wait", "receive earlier, or do more work between MPI_Isend and "+
		"MPI_Wait"),
	CollectiveWait: (*Result).adviseCollective,
	LateBroadcast: each("ranks wait", "let the root come earlier, or use its form that does not "+
		"block"),
	EarlyReduce: each("the root waits", "give the others less work before it, or use its form "+
		"that does not block"),
	Preempted: (*Result).adviseOff,
	Blocked: each("a thread sleeps", "read and write before or after the region, or in a task "+
		"while others compute"),
	OffWait: (*Result).adviseOff,
}

// Advice returns one sentence of what to try against a finding, with numbers of this run.
func (f Finding) Advice(r *Result) string { return advisers[f.Property](r, f) }

// each returns an adviser that begins with the mean time of a visit.
func each(what, try string) adviser {
	return func(r *Result, f Finding) string { return r.each(f, what) + ": " + try }
}

// each says how much time of a finding there is in a visit: "threads wait 12us on average in 40
// visits". Visits of threads that lost nothing there do not count.
func (r *Result) each(f Finding, what string) string {
	var n int64
	for _, q := range r.Paths {
		for i, time := range q.severity[f.Property] {
			if q.Region == f.Region && time > 0 {
				n += q.Visits[i].Count
			}
		}
	}
	if n == 0 { // the visits are those of other threads
		n = r.visits(f.Region)
	}
	if n == 0 {
		return fmt.Sprintf("%s %s in all", what, Duration(f.Time))
	}
	if n == 1 {
		return fmt.Sprintf("%s %s", what, Duration(f.Time))
	}
	return fmt.Sprintf("%s %s on average in %s visits", what, Duration(f.Time/n), Count(n))
}

// visits returns how often threads were in a region.
func (r *Result) visits(g *Region) int64 {
	var n int64
	for _, q := range r.Paths {
		if q.Region == g {
			n += q.count()
		}
	}
	return n
}

// work returns the work in a region and below it.
func (r *Result) work(g *Region) int64 {
	var sum int64
	for _, q := range r.Paths {
		if q.Region == g {
			sum += q.Inclusive(Work, -1)
		}
	}
	return sum
}

// slowest says how much more than the mean of all the thread with the most work has in a region.
func (r *Result) slowest(f Finding) string {
	w := r.workers(f.Region)
	if w.sum == 0 {
		return r.each(f, "threads wait")
	}
	if w.even() {
		return r.each(f, "threads wait") + ", for another one each time"
	}
	return fmt.Sprintf("%s works %.2f times the mean", r.ThreadName(w.most), w.ratio())
}

func (r *Result) adviseLoop(f Finding) string {
	text := r.slowest(f) + ": "
	if x, all := r.lastChunk(f.Region); x != nil && 2*all >= f.Time {
		if x.Iterations > 1 {
			return text + "try smaller chunks"
		}
		return text + "have long iterations first, or share out what is in them, as by tasks"
	}
	switch f.Region.Kind {
	case omp.KindDistribute:
		return text + "try smaller chunks by dist_schedule(static, N)"
	case omp.KindLoop:
		return text + "try a worksharing loop with schedule(dynamic) in its place"
	}
	return text + "try schedule(dynamic), or smaller chunks if that is its schedule, which is " +
		"not recorded"
}

func (r *Result) adviseSections(f Finding) string {
	var longest *Region
	var most, sum, n int64
	for _, q := range r.Paths {
		if q.Kind != omp.KindSection || q.Parent.Region != f.Region || q.count() == 0 {
			continue
		}
		var time int64
		for i := range q.Visits {
			time += q.Visits[i].Incl
		}
		time /= q.count()
		sum += time
		if n++; time > most {
			longest, most = q.Region, time
		}
	}
	if n < 2 {
		return r.slowest(f) + ": split the longest section, or make tasks of them"
	}
	return fmt.Sprintf("%s takes %s, the mean of %d sections is %s: split it, or make tasks of "+
		"them", longest, Duration(most), n, Duration(sum/n))
}

func (r *Result) adviseParallel(f Finding) string {
	return r.slowest(f) + ": share the work out by a loop construct or tasks"
}

func (r *Result) adviseSerialSections(f Finding) string {
	with, without := r.sectionThreads(f.Region)
	if without == 0 || with == 0 {
		return r.each(f, "threads wait") + ": make as many sections as there are threads, or tasks"
	}
	return fmt.Sprintf("only %d of %d threads ever have one: make more sections, or the team "+
		"smaller", with, with+without)
}

func (r *Result) adviseNesting(f Finding) string {
	return fmt.Sprintf("one thread executes it %s times: allow it a team, as by "+
		"OMP_MAX_ACTIVE_LEVELS=2 and fewer threads outside, or give its work to tasks",
		Count(r.visits(f.Region)))
}

func (r *Result) adviseBarrier(f Finding) string {
	text := r.each(f, "threads wait")
	if c := r.culprit(f); c.region != nil {
		return text + fmt.Sprintf(": even out %s, or leave the barrier out if nothing needs it",
			c.region)
	}
	return text + ": even out the work before it, or leave it out if nothing needs it"
}

func (r *Result) adviseBarrierCost(f Finding) string {
	n := max(1, r.instances(f).count)
	return fmt.Sprintf("going on takes a thread %s after the last one has come: use fewer "+
		"barriers, and no more threads than cores", Duration(f.Time/n))
}

func (r *Result) adviseForkJoin(f Finding) string {
	x := r.instances(f)
	if x.count == 0 {
		return r.each(f, "that takes") + ": make one parallel region of several"
	}
	if x.most() <= 1 {
		return fmt.Sprintf("it is executed once, with %s of work: if it is the first region, "+
			"that is starting the threads, which only longer runs make up for",
			Duration(x.work/x.count))
	}
	return fmt.Sprintf("a fork and its join cost %s beside %s of work: make one parallel region "+
		"of several", Duration(f.Time/x.count), Duration(x.work/x.count))
}

// worth is the share of a time below which a cost is small.
const worth = 0.05

// more says with how much more work a cost would be small.
func more(work, cost int64) string {
	if work <= 0 {
		return "there is no work in it"
	}
	factor := max(2, math.Ceil(float64(cost)*(1-worth)/worth/float64(work)))
	if factor > 1000 {
		return "there is hardly any work in it"
	}
	return fmt.Sprintf("with %.0f times the work it would be %.0f %%", factor, 100*worth)
}

func (r *Result) adviseGranularity(f Finding) string {
	x := r.instances(f)
	work, cost := x.work/max(1, x.count), f.Time/max(1, x.count)
	text := fmt.Sprintf("%s of work cost %s: ", Duration(work), Duration(cost))
	if f.Region.Kind != omp.KindParallel {
		return text + "join it with its neighbours, or try nowait; " + more(work, cost)
	}
	if n := r.team(f.Region); n > 1 && int64(n)*work < work+cost {
		return text + fmt.Sprintf("one thread would do the work of %d sooner, so add an if "+
			"clause, or merge regions", n)
	}
	return text + "merge regions, or let an if clause leave small ones to one thread; " +
		more(work, cost)
}

// team returns how many threads a region's largest team has; 0 if that is not recorded.
func (r *Result) team(g *Region) int {
	most := 0
	for _, q := range r.Paths {
		if q.Region == g {
			most = max(most, q.Team)
		}
	}
	return most
}

func (r *Result) adviseMeasurement(f Finding) string {
	if r.mostlyChunks(f.Region) {
		return "larger chunks take less of it"
	}
	return fmt.Sprintf("at least %s events were recorded in it: leave short regions out by a "+
		"filter or --disable to see the program without", Count(f.Time/max(1, r.EventCost)))
}

// adviseSerial gives the most that the run can gain: if all idle threads had a part of the work.
func (r *Result) adviseSerial(f Finding) string {
	gain := f.Time / int64(len(r.Threads))
	if r.SeveralProcesses() {
		return fmt.Sprintf("its serial work, shared by all threads of a rank, would take up to %s "+
			"less on average: parallelise it, or have more ranks of fewer threads", Duration(gain))
	}
	return fmt.Sprintf("its serial work, shared by %d threads, would take up to %s (%.1f %% "+
		"of the run) less: parallelise it, or do it beside something else", len(r.Threads),
		Duration(gain), 100*float64(gain)/float64(max(1, r.Wall)))
}

func (r *Result) adviseSmallTeam(f Finding) string {
	const try = "raise num_threads, or give the other threads work of their own"
	if n := r.team(f.Region); n > 0 {
		return fmt.Sprintf("its largest team has %d threads: %s", n, try)
	}
	return fmt.Sprintf("threads outside of its teams idle for %s: %s", Duration(f.Time), try)
}

// brief is a time in a critical construct below which an atomic update might do.
const brief = 500 // ns

func (r *Result) adviseCritical(f Finding) string {
	n := max(1, r.visits(f.Region))
	inside := r.work(f.Region) / n
	text := fmt.Sprintf("%s visits with %s of work each: ", Count(n), Duration(inside))
	if c := r.culprit(f); c.share > 0.5 && c.region != f.Region &&
		c.region.Kind == omp.KindCritical && c.region.Name == f.Region.Name {
		return text + fmt.Sprintf("name it and %s differently if they protect different data",
			c.region)
	}
	if inside < brief {
		return text + "try a reduction or an atomic update"
	}
	return text + "do less inside, or combine the threads' results once, as a reduction does"
}

func (r *Result) adviseStarvation(f Finding) string {
	try := ": create tasks sooner, or split the long ones"
	if g, _ := r.serialises(f); g != nil && g.Creation {
		try = ": let fewer of them depend on each other, or have several such chains at a time"
	} else if g != nil {
		try = fmt.Sprintf(": create what follows %s before it, with depend clauses instead", g)
	}
	var most, n int64
	for _, team := range r.Paths {
		if !team.contains(f.Region) {
			continue
		}
		for _, q := range team.Children {
			if q.Kind == omp.KindTask {
				n += q.count()
				for i := range q.Visits {
					most = max(most, q.Visits[i].Max)
				}
			}
		}
	}
	if n == 0 {
		return r.each(f, "threads wait") + try
	}
	return fmt.Sprintf("the longest of %s tasks takes %s", Count(n), Duration(most)) + try
}

// contains reports whether a region is q's or that of a path below it, in the same team.
func (q *Path) contains(g *Region) bool {
	if q.Region == g {
		return true
	}
	for _, c := range q.Children {
		if c.Region == g || c.Kind != omp.KindParallel && c.contains(g) {
			return true
		}
	}
	return false
}

func (r *Result) adviseCreation(f Finding) string {
	return r.each(f, "making tasks takes") + ": let them share what firstprivate copies, or " +
		"create them in several threads"
}

func (r *Result) adviseFineTasks(f Finding) string {
	n := max(1, r.visits(f.Region))
	work, cost := r.work(f.Region)/n, f.Time/n
	return fmt.Sprintf("%s of work cost %s: put several into one task, as grainsize and final "+
		"do; ", Duration(work), Duration(cost)) + more(work, cost)
}

func (r *Result) adviseCollective(f Finding) string {
	text := r.each(f, "ranks wait")
	if c := r.culprit(f); c.share*c.own > 0.5 {
		text += fmt.Sprintf(", mostly for %s", r.ThreadName(c.thread))
	}
	return text + ": give the ranks equal work before it, or use its form that does not block"
}
