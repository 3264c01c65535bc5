package finding

import (
	"fmt"
	"math"

	"opari/internal/analysis"
	"opari/internal/omp"
)

// adviser returns what to try against a finding, and a number of the run that speaks for it. It
// says nothing that the recording does not hold, such as a loop's schedule.
type adviser func(r run, f Finding) string

// advisers has a row for each loss without parts.
var advisers = [analysis.NumProperties]adviser{
	analysis.Measurement:       run.adviseMeasurement,
	analysis.IdleSerial:        run.adviseSerial,
	analysis.IdleSmallTeam:     run.adviseSmallTeam,
	analysis.ForkJoin:          run.adviseForkJoin,
	analysis.Granularity:       run.adviseGranularity,
	analysis.Dispatch:          run.adviseDispatch,
	analysis.BarrierExplicit:   run.adviseBarrier,
	analysis.ImbalanceLoop:     run.adviseLoop,
	analysis.ImbalanceSections: run.adviseSections,
	analysis.ImbalanceParallel: run.adviseParallel,
	analysis.SerialSections:    run.adviseSerialSections,
	analysis.SingleWait: each("threads wait", "add nowait if they need nothing of its block, or "+
		"let them execute tasks of it"),
	analysis.FalseNesting: run.adviseNesting,
	analysis.BarrierCost:  run.adviseBarrierCost,
	analysis.CriticalWait: run.adviseCritical,
	analysis.LockWait: each("threads wait", "do less while holding the lock, or have a lock for "+
		"each part of the data"),
	analysis.AtomicWait: run.adviseAtomic,
	analysis.OrderedWait: each("threads wait", "move work out of ordered, and use chunks of one "+
		"iteration, as with schedule(static, 1)"),
	analysis.Polling: each("a thread looks", "let it execute tasks meanwhile, use a task "+
		"dependence or a barrier, or a routine that waits, as omp_set_lock and MPI_Wait do"),
	analysis.TaskStarvation: run.adviseStarvation,
	analysis.TaskWait: each("threads wait", "wait later, or split the tasks, so that who waits "+
		"has some to execute"),
	analysis.TaskCreation:    run.adviseCreation,
	analysis.TaskGranularity: run.adviseFineTasks,
	analysis.IdleMPI: each("the other threads idle", "let them compute meanwhile, or have more "+
		"ranks of fewer threads"),
	analysis.LateSender: each("receivers wait", "send earlier, or do more work between MPI_Irecv "+
		"and MPI_Wait"),
	analysis.LateReceiver: each("senders wait", "receive earlier, or do more work between "+
		"MPI_Isend and MPI_Wait"),
	analysis.CollectiveWait: run.adviseCollective,
	analysis.LateBroadcast: each("ranks wait", "let the root come earlier, or use its form that "+
		"does not block"),
	analysis.EarlyReduce: each("the root waits", "give the others less work before it, or use "+
		"its form that does not block"),
	analysis.Preempted: run.adviseOff,
	analysis.Blocked: each("a thread sleeps", "read and write before or after the region, or in "+
		"a task while others compute"),
	analysis.OffWait: run.adviseOff,
}

// Advice returns one sentence of what to try against a finding, with numbers of this run.
func (f Finding) Advice(r *analysis.Result) string { return advisers[f.Property](run{r}, f) }

// each returns an adviser that begins with the mean time of a visit.
func each(what, try string) adviser {
	return func(r run, f Finding) string { return r.each(f, what) + ": " + try }
}

// each says how much time of a finding there is in a visit: "threads wait 12us on average in 40
// visits". Visits of threads that lost nothing there do not count.
func (r run) each(f Finding, what string) string {
	var n int64
	for _, q := range r.Paths {
		for i, time := range q.Times(f.Property) {
			if q.Region == f.Region && time > 0 {
				n += q.Visits[i].Count
			}
		}
	}
	if n == 0 { // the visits are those of other threads
		n = r.visits(f.Region)
	}
	if n == 0 {
		return fmt.Sprintf("%s %s in all", what, analysis.Duration(f.Time))
	}
	if n == 1 {
		return fmt.Sprintf("%s %s", what, analysis.Duration(f.Time))
	}
	return fmt.Sprintf("%s %s on average in %s visits", what, analysis.Duration(f.Time/n),
		analysis.Count(n))
}

// visits returns how often threads were in a region.
func (r run) visits(g *analysis.Region) int64 {
	var n int64
	for _, q := range r.Paths {
		if q.Region == g {
			n += q.Count()
		}
	}
	return n
}

// work returns the work in a region and below it.
func (r run) work(g *analysis.Region) int64 {
	var sum int64
	for _, q := range r.Paths {
		if q.Region == g {
			sum += q.Inclusive(analysis.Work, -1)
		}
	}
	return sum
}

// slowest says how much more than the mean of all the thread with the most work has in a region.
func (r run) slowest(f Finding) string {
	w := r.workers(f.Region)
	if w.sum == 0 {
		return r.each(f, "threads wait")
	}
	if w.even() {
		return r.each(f, "threads wait") + ", for another one each time"
	}
	return fmt.Sprintf("%s works %.2f times the mean", r.ThreadName(w.most), w.ratio())
}

func (r run) adviseLoop(f Finding) string {
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

func (r run) adviseSections(f Finding) string {
	var longest *analysis.Region
	var most, sum, n int64
	for _, q := range r.Paths {
		if q.Kind != omp.KindSection || q.Parent.Region != f.Region || q.Count() == 0 {
			continue
		}
		var time int64
		for i := range q.Visits {
			time += q.Visits[i].Incl
		}
		time /= q.Count()
		sum += time
		if n++; time > most {
			longest, most = q.Region, time
		}
	}
	if n < 2 {
		return r.slowest(f) + ": split the longest section, or make tasks of them"
	}
	return fmt.Sprintf("%s takes %s, the mean of %d sections is %s: split it, or make tasks of "+
		"them", longest, analysis.Duration(most), n, analysis.Duration(sum/n))
}

func (r run) adviseParallel(f Finding) string {
	return r.slowest(f) + ": share the work out by a loop construct or tasks"
}

func (r run) adviseSerialSections(f Finding) string {
	with, without := r.sectionThreads(f.Region)
	if without == 0 || with == 0 {
		return r.each(f, "threads wait") + ": make as many sections as there are threads, or tasks"
	}
	return fmt.Sprintf("only %d of %d threads ever have one: make more sections, or the team "+
		"smaller", with, with+without)
}

func (r run) adviseNesting(f Finding) string {
	return fmt.Sprintf("one thread executes it %s times: allow it a team, as by "+
		"OMP_MAX_ACTIVE_LEVELS=2 and fewer threads outside, or give its work to tasks",
		analysis.Count(r.visits(f.Region)))
}

func (r run) adviseBarrier(f Finding) string {
	text := r.each(f, "threads wait")
	if c := r.culprit(f); c.region != nil {
		return text + fmt.Sprintf(": even out %s, or leave the barrier out if nothing needs it",
			c.region)
	}
	return text + ": even out the work before it, or leave it out if nothing needs it"
}

func (r run) adviseBarrierCost(f Finding) string {
	n := max(1, r.instances(f).count)
	return fmt.Sprintf("going on takes a thread %s after the last one has come: use fewer "+
		"barriers, and no more threads than cores", analysis.Duration(f.Time/n))
}

func (r run) adviseForkJoin(f Finding) string {
	x := r.instances(f)
	if x.count == 0 {
		return r.each(f, "that takes") + ": make one parallel region of several"
	}
	if x.most() <= 1 {
		return fmt.Sprintf("it is executed once, with %s of work: if it is the first region, "+
			"that is starting the threads, which only longer runs make up for",
			analysis.Duration(x.work/x.count))
	}
	return fmt.Sprintf("a fork and its join cost %s beside %s of work: make one parallel region "+
		"of several", analysis.Duration(f.Time/x.count), analysis.Duration(x.work/x.count))
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

func (r run) adviseGranularity(f Finding) string {
	x := r.instances(f)
	work, cost := x.work/max(1, x.count), f.Time/max(1, x.count)
	text := fmt.Sprintf("%s of work cost %s: ", analysis.Duration(work), analysis.Duration(cost))
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
func (r run) team(g *analysis.Region) int {
	most := 0
	for _, q := range r.Paths {
		if q.Region == g {
			most = max(most, q.Team)
		}
	}
	return most
}

func (r run) adviseMeasurement(f Finding) string {
	if r.mostlyChunks(f.Region) {
		return "larger chunks take less of it"
	}
	return fmt.Sprintf("at least %s events were recorded in it: leave short regions out by a "+
		"filter or --disable to see the program without", analysis.Count(f.Time/max(1,
		r.EventCost)))
}

// adviseSerial gives the most that the run can gain: if all idle threads had a part of the work.
func (r run) adviseSerial(f Finding) string {
	gain := f.Time / int64(len(r.Threads))
	if r.SeveralProcesses() {
		return fmt.Sprintf("its serial work, shared by all threads of a rank, would take up to %s "+
			"less on average: parallelise it, or have more ranks of fewer threads",
			analysis.Duration(gain))
	}
	return fmt.Sprintf("its serial work, shared by %d threads, would take up to %s (%.1f %% "+
		"of the run) less: parallelise it, or do it beside something else", len(r.Threads),
		analysis.Duration(gain), 100*float64(gain)/float64(max(1, r.Wall)))
}

func (r run) adviseSmallTeam(f Finding) string {
	const try = "raise num_threads, or give the other threads work of their own"
	if n := r.team(f.Region); n > 0 {
		return fmt.Sprintf("its largest team has %d threads: %s", n, try)
	}
	return fmt.Sprintf("threads outside of its teams idle for %s: %s", analysis.Duration(f.Time),
		try)
}

// brief is a time in a critical construct below which an atomic update might do.
const brief = 500 // ns

func (r run) adviseCritical(f Finding) string {
	n := max(1, r.visits(f.Region))
	inside := r.work(f.Region) / n
	text := fmt.Sprintf("%s visits with %s of work each: ", analysis.Count(n),
		analysis.Duration(inside))
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

func (r run) adviseStarvation(f Finding) string {
	try := ": create tasks sooner, or split the long ones"
	if g, _ := r.serialises(f); g != nil && g.Creation {
		try = ": let fewer of them depend on each other, or have several such chains at a time"
	} else if g != nil {
		try = fmt.Sprintf(": create what follows %s before it, with depend clauses instead", g)
	}
	var most, n int64
	for _, team := range r.Paths {
		if !contains(team, f.Region) {
			continue
		}
		for _, q := range team.Children {
			if q.Kind == omp.KindTask {
				n += q.Count()
				for i := range q.Visits {
					most = max(most, q.Visits[i].Max)
				}
			}
		}
	}
	if n == 0 {
		return r.each(f, "threads wait") + try
	}
	return fmt.Sprintf("the longest of %s tasks takes %s", analysis.Count(n),
		analysis.Duration(most)) + try
}

// contains reports whether a region is q's or that of a path below it, in the same team.
func contains(q *analysis.Path, g *analysis.Region) bool {
	if q.Region == g {
		return true
	}
	for _, c := range q.Children {
		if c.Region == g || c.Kind != omp.KindParallel && contains(c, g) {
			return true
		}
	}
	return false
}

func (r run) adviseCreation(f Finding) string {
	return r.each(f, "making tasks takes") + ": let them share what firstprivate copies, or " +
		"create them in several threads"
}

func (r run) adviseFineTasks(f Finding) string {
	n := max(1, r.visits(f.Region))
	work, cost := r.work(f.Region)/n, f.Time/n
	return fmt.Sprintf("%s of work cost %s: put several into one task, as grainsize and final "+
		"do; ", analysis.Duration(work), analysis.Duration(cost)) + more(work, cost)
}

func (r run) adviseCollective(f Finding) string {
	text := r.each(f, "ranks wait")
	if c := r.culprit(f); c.share*c.own > 0.5 {
		text += fmt.Sprintf(", mostly for %s", r.ThreadName(c.thread))
	}
	return text + ": give the ranks equal work before it, or use its form that does not block"
}
