package finding

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"opari/internal/analysis"
	"opari/internal/omp"
)

// run is the result whose findings are sought.
type run struct{ *analysis.Result }

// Finding is a loss of time at a place in the source, with its cause if that is known.
type Finding struct {
	Property analysis.Property
	Region   *analysis.Region
	Time     int64   // ns, all threads together
	Share    float64 // of the run's processor time
	Why      string  // its cause; "" for unknown

	// Recorded is the part of Time in which the region was recorded. Only dense atomic updates have
	// it, see dense.go; of others it is the finding of Measurement.
	Recorded int64

	// UpperBound says that at least half of Time lies in times that recording makes much longer
	// than they would be.
	UpperBound bool
}

// Of returns the losses of a run of at least the given share of the processor time, the largest
// first. A region that is called from several places counts once. In front of idle threads stands
// what the initial thread waits for meanwhile.
func Of(result *analysis.Result, share float64) []Finding {
	r := run{result}
	all := r.losses()
	n := slices.IndexFunc(all, func(f Finding) bool { return f.Share < share })
	if n >= 0 {
		all = all[:n]
	}
	causesFirst(r, all, func(f Finding) Finding { return f })
	for i := range all {
		all[i].Why = r.why(all[i])
	}
	return all
}

// losses returns all findings, the largest first, without their causes.
func (r run) losses() []Finding {
	sums, dense := map[loss]int64{}, map[loss]int64{}
	for _, q := range r.Paths {
		for p := range analysis.NumProperties {
			if q.Times(p) != nil && p.Loss() {
				sums[loss{p, q.Region}] += q.Severity(p, -1)
				dense[loss{p, q.Region}] += q.Dense[p]
			}
		}
	}
	total := r.Total()
	recorded := r.withMeasurement(sums, dense)
	var all []Finding
	for k, time := range sums {
		if time > 0 && total > 0 {
			all = append(all, Finding{
				Property: k.property, Region: k.region, Time: time, Recorded: recorded[k],
				Share: float64(time) / float64(total), UpperBound: 2*dense[k] >= time,
			})
		}
	}
	slices.SortFunc(all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Property, b.Property),
			cmp.Compare(a.Region.File, b.Region.File),
			cmp.Compare(a.Region.Line, b.Region.Line), cmp.Compare(a.Region.Name, b.Region.Name))
	})
	return all
}

// upperBound is the note on a finding that is an upper bound.
const upperBound = "upper bound: most of it is the cost of measuring"

// why returns the cause of a finding, and what is not sure about it.
func (r run) why(f Finding) string {
	text := joined(r.reason(f), r.unsure(f))
	if f.UpperBound {
		text = joined(text, upperBound)
	}
	return text
}

// joined returns the parts of a cause that are not empty, with semicolons between them.
func joined(parts ...string) string {
	parts = slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	return strings.Join(parts, "; ")
}

// reason returns the cause of a finding; "" for unknown.
func (r run) reason(f Finding) string {
	switch f.Property {
	case analysis.ImbalanceSections:
		return r.share(f.Region)
	case analysis.ImbalanceLoop:
		last := r.chunkAtEnd(f)
		if s := r.workers(f.Region); last != "" && s.sum > 0 && s.even() {
			return last
		}
		return joined(r.share(f.Region), last)
	case analysis.IdleMPI:
		return r.idleInMPI(f)
	case analysis.IdleSerial:
		if r.SeveralProcesses() {
			return r.serialIn(f)
		}
		return fmt.Sprintf("%d of %d threads wait for one", len(r.Threads)-1, len(r.Threads))
	case analysis.Measurement:
		return r.measuring(f)
	case analysis.Granularity, analysis.ForkJoin, analysis.BarrierCost:
		return r.times(f)
	case analysis.Dispatch:
		return r.chunks(f)
	case analysis.TaskCreation, analysis.TaskGranularity:
		return r.tasks(f)
	case analysis.SerialSections:
		return r.sections(f.Region)
	case analysis.Preempted, analysis.Blocked, analysis.OffWait:
		return r.whyOff(f)
	case analysis.FalseNesting:
		return "its team is one thread"
	case analysis.AtomicWait:
		return r.updates(f)
	case analysis.TaskStarvation, analysis.TaskWait:
		return joined(r.cause(f), r.chained(f))
	case analysis.CriticalWait, analysis.LockWait, analysis.OrderedWait:
		return joined(r.cause(f), r.holders(f))
	}
	return r.cause(f)
}

// shares is how the work of a region is shared out.
type shares struct {
	sum     int64
	threads int   // that were there
	most    int   // the thread with the most work
	largest int64 // its work
}

// ratio returns the largest work of a thread over the mean.
func (s *shares) ratio() float64 {
	return float64(s.largest) * float64(s.threads) / float64(s.sum)
}

// even reports whether no thread has much more than the mean.
func (s *shares) even() bool { return s.threads > 1 && s.ratio() < 1.1 }

func (r run) workers(g *analysis.Region) shares {
	work, there := make([]int64, len(r.Threads)), make([]bool, len(r.Threads))
	var s shares
	for _, q := range r.Paths {
		if q.Region == g {
			for i := range work {
				t := q.Inclusive(analysis.Work, i)
				work[i] += t
				s.sum += t
				there[i] = there[i] || t > 0 || q.Visits[i].Count > 0
			}
		}
	}
	for i, t := range work {
		if there[i] {
			s.threads++
		}
		if t > s.largest {
			s.most, s.largest = i, t
		}
	}
	return s
}

// share names the thread with the most work in a region, or says that it is a different thread
// each time.
func (r run) share(g *analysis.Region) string {
	s := r.workers(g)
	switch {
	case s.sum == 0:
		return ""
	case s.even():
		return "all have the same work in sum, but not each time"
	}
	return fmt.Sprintf("%s has %.0f %% of the work", r.ThreadName(s.most),
		100*float64(s.largest)/float64(s.sum))
}

// instances are the meetings of threads in a region.
type instances struct {
	count, work int64
	each        []int64 // by thread: visits
}

func (x *instances) most() int64 { return slices.Max(x.each) }

func (r run) instances(f Finding) instances {
	x := instances{each: make([]int64, len(r.Threads))}
	for _, q := range r.Paths {
		if q.Region != f.Region || q.Kind != omp.KindParallel && q.Meetings == 0 {
			continue
		}
		for i, v := range q.Visits {
			x.each[i] += v.Count
		}
		if q.Kind == omp.KindParallel {
			x.count += q.Count()
			x.work += q.Inclusive(analysis.Work, -1)
		} else {
			x.count += q.Meetings
			x.work += q.Between
		}
	}
	return x
}

// times says how often something was done, and how much work was in it.
func (r run) times(f Finding) string {
	x := r.instances(f)
	if x.count == 0 {
		return ""
	}
	return fmt.Sprintf("%s, with %s of work and %s of cost each", timesAThread(x.each),
		analysis.Duration(x.work/x.count), analysis.Duration(f.Time/x.count))
}

// timesAThread says how often each thread did something. It omits threads that never did it: they
// may belong to a rank that does something else.
func timesAThread(each []int64) string {
	var least, most, threads int64
	for _, n := range each {
		if n == 0 {
			continue
		}
		if threads++; threads == 1 || n < least {
			least = n
		}
		most = max(most, n)
	}
	text := fmt.Sprintf("%d times a thread", most)
	switch {
	case least < most:
		text = fmt.Sprintf("%d to %s", least, text)
	case most == 1:
		text = "once a thread"
	}
	if int(threads) < len(each) {
		text += fmt.Sprintf(" in %d of %d threads", threads, len(each))
	}
	return text
}

// tasks says how many tasks were made and by which thread, or how many were executed.
func (r run) tasks(f Finding) string {
	var count, most, work int64
	by := 0
	for i := range r.Threads {
		var n int64
		for _, q := range r.Paths {
			if q.Region == f.Region {
				n += q.Visits[i].Count
				work += q.Inclusive(analysis.Work, i)
			}
		}
		if count += n; n > most {
			most, by = n, i
		}
	}
	if count == 0 {
		return ""
	}
	text := fmt.Sprintf("%d tasks", count)
	if f.Property == analysis.TaskGranularity {
		return text + fmt.Sprintf(", with %s of work and %s of cost each",
			analysis.Duration(work/count),
			analysis.Duration(f.Time/count))
	}
	text += fmt.Sprintf(", %s each", analysis.Duration(f.Time/count))
	if float64(most) > 0.75*float64(count) && len(r.Threads) > 1 {
		text += ", by " + r.ThreadName(by)
	}
	return text
}

// sections says how many threads never had a section.
func (r run) sections(g *analysis.Region) string {
	with, without := r.sectionThreads(g)
	if without == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d threads never have a section", without, with+without)
}

// sectionThreads counts the threads in a sections construct that had and that never had a section.
func (r run) sectionThreads(g *analysis.Region) (with, without int) {
	for i := range r.Threads {
		var entered, sections int64
		for _, q := range r.Paths {
			if q.Region == g {
				entered += q.Visits[i].Count
			} else if q.Kind == omp.KindSection && q.Parent.Region == g {
				sections += q.Visits[i].Count
			}
		}
		if sections > 0 {
			with++
		} else if entered > 0 {
			without++
		}
	}
	return with, without
}

// String returns the finding in the form of a compiler's message: place, construct, its cost and
// the total, cause.
func (f Finding) String(r *analysis.Result) string {
	what := f.Property.Phrase()
	if f.Recorded > 0 {
		what += " and measuring that"
	}
	text := fmt.Sprintf("%s costs %s of %s", what, analysis.Duration(f.Time),
		analysis.Duration(r.Total()))
	if f.Why != "" {
		text += " (" + f.Why + ")"
	}
	place := f.Region.Place()
	if place == "" {
		return f.Region.Name + ": " + text
	}
	return place + " " + f.Region.Name + ": " + text
}
