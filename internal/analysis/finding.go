package analysis

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"opari/internal/omp"
)

// Finding is a loss of time at a place in the source, with its cause if that is known.
type Finding struct {
	Property Property
	Region   *Region
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

// Findings returns the losses of at least the given share of the processor time, the largest
// first. A region that is called from several places counts once. In front of idle threads stands
// what the initial thread waits for meanwhile.
func (r *Result) Findings(share float64) []Finding {
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
func (r *Result) losses() []Finding {
	sums, dense := map[loss]int64{}, map[loss]int64{}
	for _, q := range r.Paths {
		for p := range NumProperties {
			if q.severity[p] != nil && p.Loss() {
				sums[loss{p, q.Region}] += q.Severity(p, -1)
				dense[loss{p, q.Region}] += q.dense[p]
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

// Place returns the region's place in the source as messages name it; "" for none.
func (g *Region) Place() string {
	if g.File == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", filepath.Base(g.File), g.Line)
}

// String returns place and name.
func (g *Region) String() string {
	if place := g.Place(); place != "" {
		return place + " " + g.Name
	}
	return g.Name
}

// why returns the cause of a finding, and what is not sure about it.
func (r *Result) why(f Finding) string {
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
func (r *Result) reason(f Finding) string {
	switch f.Property {
	case ImbalanceSections:
		return r.share(f.Region)
	case ImbalanceLoop:
		last := r.chunkAtEnd(f)
		if s := r.workers(f.Region); last != "" && s.sum > 0 && s.even() {
			return last
		}
		return joined(r.share(f.Region), last)
	case IdleMPI:
		return r.idleInMPI(f)
	case IdleSerial:
		if r.SeveralProcesses() {
			return r.serialIn(f)
		}
		return fmt.Sprintf("%d of %d threads wait for one", len(r.Threads)-1, len(r.Threads))
	case Measurement:
		return r.measuring(f)
	case Granularity, ForkJoin, BarrierCost:
		return r.times(f)
	case Dispatch:
		return r.chunks(f)
	case TaskCreation, TaskGranularity:
		return r.tasks(f)
	case SerialSections:
		return r.sections(f.Region)
	case Preempted, Blocked, OffWait:
		return r.whyOff(f)
	case FalseNesting:
		return "its team is one thread"
	case AtomicWait:
		return r.updates(f)
	case TaskStarvation, TaskWait:
		return joined(r.cause(f), r.chained(f))
	case CriticalWait, LockWait, OrderedWait:
		return joined(r.cause(f), r.holders(f))
	}
	return r.cause(f)
}

// Recording returns the cost of recording an event, and its source.
func (r *Result) Recording() string {
	text := fmt.Sprintf("%d ns an event, ", r.EventCost)
	switch r.CostSource {
	case CostMeasured:
		return text + "as the run has measured at its start"
	case CostGiven:
		return text + "as --event-cost gives it"
	}
	return text + "an estimate: the recording does not say"
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

func (r *Result) workers(g *Region) shares {
	work, there := make([]int64, len(r.Threads)), make([]bool, len(r.Threads))
	var s shares
	for _, q := range r.Paths {
		if q.Region == g {
			for i := range work {
				t := q.Inclusive(Work, i)
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
func (r *Result) share(g *Region) string {
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

func (r *Result) instances(f Finding) instances {
	x := instances{each: make([]int64, len(r.Threads))}
	for _, q := range r.Paths {
		if q.Region != f.Region || q.Kind != omp.KindParallel && q.Meetings == 0 {
			continue
		}
		for i, v := range q.Visits {
			x.each[i] += v.Count
		}
		if q.Kind == omp.KindParallel {
			x.count += q.count()
			x.work += q.Inclusive(Work, -1)
		} else {
			x.count += q.Meetings
			x.work += q.Between
		}
	}
	return x
}

// times says how often something was done, and how much work was in it.
func (r *Result) times(f Finding) string {
	x := r.instances(f)
	if x.count == 0 {
		return ""
	}
	return fmt.Sprintf("%s, with %s of work and %s of cost each", timesAThread(x.each),
		Duration(x.work/x.count), Duration(f.Time/x.count))
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
func (r *Result) tasks(f Finding) string {
	var count, most, work int64
	by := 0
	for i := range r.Threads {
		var n int64
		for _, q := range r.Paths {
			if q.Region == f.Region {
				n += q.Visits[i].Count
				work += q.Inclusive(Work, i)
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
	if f.Property == TaskGranularity {
		return text + fmt.Sprintf(", with %s of work and %s of cost each", Duration(work/count),
			Duration(f.Time/count))
	}
	text += fmt.Sprintf(", %s each", Duration(f.Time/count))
	if float64(most) > 0.75*float64(count) && len(r.Threads) > 1 {
		text += ", by " + r.ThreadName(by)
	}
	return text
}

// sections says how many threads never had a section.
func (r *Result) sections(g *Region) string {
	with, without := r.sectionThreads(g)
	if without == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d threads never have a section", without, with+without)
}

// sectionThreads counts the threads in a sections construct that had and that never had a section.
func (r *Result) sectionThreads(g *Region) (with, without int) {
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
func (f Finding) String(r *Result) string {
	what := properties[f.Property].phrase
	if f.Recorded > 0 {
		what += " and measuring that"
	}
	text := fmt.Sprintf("%s costs %s of %s", what, Duration(f.Time), Duration(r.Total()))
	if f.Why != "" {
		text += " (" + f.Why + ")"
	}
	place := f.Region.Place()
	if place == "" {
		return f.Region.Name + ": " + text
	}
	return place + " " + f.Region.Name + ": " + text
}
