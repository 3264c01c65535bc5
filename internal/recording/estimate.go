package recording

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"opari/internal/omp"
	"opari/internal/report/profile"
)

// Estimate predicts the recording of a program from a profile of the same run. If the filter has
// a minimal duration, the sizes are upper limits.
type Estimate struct {
	Threads int
	Records int64 // records that the library writes
	Raw     int64 // bytes of the recording, while the program runs
	Events  int64 // records of the trace
	Calls   int64 // enters and leaves among the events
	Trace   int64 // bytes of the trace
	Regions []RegionEstimate
	// Samples are at most so many, if all threads execute all the time. They add at most
	// SampleBytes to the trace, and less than that to its definitions.
	Samples, SampleBytes int64
}

// Sampling says which samples a run takes.
type Sampling struct {
	Rate     int // a second; 0: none
	Counters int // whose values each sample has
}

// RegionEstimate is the share of one region. The regions with the most bytes come first.
type RegionEstimate struct {
	*profile.Region
	Records, Events, Trace int64
}

// counts is the number of a region's records in the recording, and of each sort of event in the
// trace.
type counts struct{ records, enters, leaves, counters int64 }

func (c *counts) pairs(n int64)   { c.records += 2 * n; c.enters += n; c.leaves += n }
func (c *counts) waiting(n int64) { c.pairs(n); c.counters += n }
func (c *counts) points(n int64)  { c.records += n; c.counters += n }

// count returns what thread s has recorded of region r. A profile counts instances; the events of
// an instance depend on the region's kind.
func count(r *profile.Region, s profile.Sample, team int) counts {
	var c counts
	n := s.Count
	switch r.Kind {
	case omp.KindParallel:
		// The encountering thread enters the region and its implicit task; other threads only
		// enter their implicit tasks.
		c.pairs(n)
		if s.Thread == team {
			c.pairs(n)
		}
		if s.Barrier > 0 {
			c.waiting(n)
		}
	case omp.KindCritical, omp.KindOrdered:
		c.records += 3 * n
		c.enters += 2 * n
		c.leaves += 2 * n
		c.counters += n
	case omp.KindBarrier, omp.KindTaskwait, omp.KindAtomic:
		c.waiting(n)
	case omp.KindLock, omp.KindNestLock:
		// A point at each set and unset of a lock says which thread has it. A test is one record.
		if r.Kind == omp.KindLock && omp.TestsLock(r.SubName) {
			c.records += n
			c.enters += n
			c.leaves += n
		}
		if s.Wait > 0 {
			c.waiting(n)
		}
		if s.Wait > 0 || strings.Contains(r.SubName, "unset") {
			c.points(n)
		}
	case omp.KindTask:
		c.pairs(2 * n) // creation, execution
	case omp.KindTaskgroup:
		c.pairs(n)
		c.waiting(n)
	case omp.KindFlush, omp.KindTaskyield, omp.KindCancel, omp.KindCancellationPoint:
		c.pairs(n)
	default:
		c.pairs(n)
		if r.Kind.EndsTogether() && r.Facts&omp.HasNowait == 0 && s.Barrier > 0 {
			c.waiting(n)
		}
		if s.Chunks.Number > 0 { // one record with three words, and four counters
			c.records += 4 * n
			c.counters += 4 * n
		}
		if r.Kind == omp.KindSingle && s.Body > 0 {
			c.pairs(n / max(int64(len(r.Samples)), 1))
		}
	}
	return c
}

// Predict estimates the recording of a run from its profile. The filter does not concern samples.
func Predict(p *profile.Profile, f *Filter, s Sampling) *Estimate {
	e := &Estimate{Threads: p.Threads}
	line := lineBytes(p)
	for _, r := range p.Regions {
		if !f.Wants(r.KindName, r.Name, r.SubName, r.File) {
			continue
		}
		one := RegionEstimate{Region: r}
		encountering := encounteringThread(r)
		for _, s := range r.Samples {
			c := count(r, s, encountering)
			one.Records += c.records
			one.Events += c.enters + c.leaves + c.counters
			e.Calls += c.enters + c.leaves
			// An event is a time and a process, then E or L and the function. A counter needs no
			// time: it has that of its leave.
			digits := float64(hexDigits(uint64(s.Barrier + s.Wait + 1)))
			one.Trace += int64(float64(c.enters+c.leaves)*line + float64(c.counters)*(7+digits))
		}
		e.Records += one.Records
		e.Events += one.Events
		e.Trace += one.Trace
		e.Regions = append(e.Regions, one)
	}
	slices.SortStableFunc(e.Regions,
		func(a, b RegionEstimate) int { return cmp.Compare(b.Trace, a.Trace) })
	chunks := int64(0)
	if e.Threads > 0 {
		chunks = int64(e.Threads) + e.Records/chunkWords
	}
	e.Raw = metaBytes + chunks*chunkBytes
	e.Trace += int64(len(e.Regions))*150 + int64(e.Threads)*40 + 400
	e.Samples = int64(float64(s.Rate) * float64(p.Wall) / 1e9 * float64(e.Threads))
	e.SampleBytes = int64(float64(e.Samples) * (line + stackBytes + accessBytes +
		float64(s.Counters)*countBytes))
	return e
}

// These are bytes of a sample's records: a stack's number instead of a function's, an address, and
// the value of a counter.
const (
	stackBytes  = 9
	accessBytes = 19
	countBytes  = 17
)

// encounteringThread returns the thread that counts as forking a region: the one with the lowest
// number. Other threads count as members of its teams.
func encounteringThread(r *profile.Region) int {
	first := -1
	for _, s := range r.Samples {
		if first < 0 || s.Thread < first {
			first = s.Thread
		}
	}
	return first
}

// lineBytes returns the average length of an enter or leave: the time in hexadecimal digits, the
// process, and the keyword with the function.
func lineBytes(p *profile.Profile) float64 {
	wall := float64(max(p.Wall, 1))
	// It takes times as evenly distributed: the mean number of digits of the numbers up to wall.
	digits, mean := hexDigits(uint64(wall)), 0.0
	for d := 1; d <= digits; d++ {
		low, high := math.Pow(16, float64(d-1)), math.Min(math.Pow(16, float64(d)), wall)
		mean += float64(d) * math.Max(high-low, 0) / wall
	}
	functions := hexDigits(uint64(2 * len(p.Regions)))
	return mean + 1 + 2 + float64(hexDigits(uint64(max(p.Threads, 1)))) + 2 + float64(functions)
}

func hexDigits(v uint64) int {
	n := 1
	for v >>= 4; v > 0; v >>= 4 {
		n++
	}
	return n
}
