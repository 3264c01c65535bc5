package analysis

import (
	"cmp"
	"slices"
)

// Join adds the result of one rank; numbers are its threads in r, and paths get its paths there.
func (r *Result) Join(one *Result, numbers []int, paths map[*Path]*Path) {
	r.Events += one.Events
	for i, n := range numbers {
		r.Threads[n] = one.Threads[i]
	}
	if r.Part != nil {
		r.Part.Cut += one.Part.Cut
	}
	for _, q := range one.Paths {
		to := r.Twin(q, paths)
		for p, time := range q.Dense {
			to.Dense[p] += time
		}
		to.Critical += q.Critical // zero if there are several ranks
		to.Team = max(to.Team, q.Team)
		to.Meetings += q.Meetings
		to.Between += q.Between
		to.Chunks.Number += q.Chunks.Number
		to.Chunks.Iterations += q.Chunks.Iterations
		for _, x := range q.LastChunks {
			to.LastChunk(x.Before, x.Iterations).Take(x, numbers)
		}
		to.joinLeft(q, numbers)
		to.joinSamples(q, numbers)
		to.joinCounts(q, numbers)
		to.JoinSharing(q.sharing, numbers)
		for i, n := range numbers {
			v := q.Visits[i]
			to.Visits[n] = v
			for leaf := range q.severity {
				if q.severity[leaf] != nil {
					to.Add(Property(leaf), n, q.severity[leaf][i])
				}
			}
		}
	}
	r.joinSerials(one)
	for _, b := range one.Blame {
		b.Waiter, b.Cause = r.Twin(b.Waiter, paths), r.Twin(b.Cause, paths)
		if b.Thread >= 0 {
			b.Thread = numbers[b.Thread]
		}
		r.Blame = append(r.Blame, b)
	}
	for _, s := range one.Starved {
		s.Waiter = r.Twin(s.Waiter, paths)
		r.Starved = append(r.Starved, s)
	}
	for _, x := range one.Exclusions {
		held := make([]int64, len(r.Threads))
		for i, n := range numbers {
			held[n] = x.Held[i]
		}
		x.Held = held
		for i := range x.Waits {
			x.Waits[i].Path = r.Twin(x.Waits[i].Path, paths)
		}
		r.Exclusions = append(r.Exclusions, x)
	}
}

// Twin returns the path of r that corresponds to a path of one rank's result.
func (r *Result) Twin(q *Path, paths map[*Path]*Path) *Path {
	if q == nil {
		return nil
	}
	if paths[q] == nil {
		if q.Parent == nil {
			paths[q] = r.Paths[0]
		} else {
			paths[q] = r.Child(r.Twin(q.Parent, paths), q.Region)
		}
	}
	return paths[q]
}

// joinSerials adds what followed on gaps of a rank.
func (r *Result) joinSerials(one *Result) {
	if r.Serials == nil {
		r.Serials = map[string]map[Region]int64{}
	}
	for key, times := range one.Serials {
		of := r.Serials[key]
		if of == nil {
			of = map[Region]int64{}
			r.Serials[key] = of
		}
		for region, time := range times {
			of[region] += time
		}
	}
}

// SortBlame sorts blame by time.
func SortBlame(b []Blame) {
	slices.SortFunc(b, func(x, y Blame) int {
		return cmp.Or(cmp.Compare(y.Time, x.Time), cmp.Compare(x.Property, y.Property),
			cmp.Compare(x.Waiter.ID, y.Waiter.ID),
			cmp.Compare(x.Cause.ID, y.Cause.ID), cmp.Compare(x.Thread, y.Thread))
	})
}

// BlameOf returns blame with its times.
func BlameOf(sums map[Blame]int64) []Blame {
	var all []Blame
	for b, time := range sums {
		b.Time = time
		all = append(all, b)
	}
	return all
}
