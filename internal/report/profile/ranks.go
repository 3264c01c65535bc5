package profile

import (
	"fmt"
	"slices"
)

// Ranks combines the profiles of an MPI program's ranks, in the order of ranks. The threads of
// each rank follow those of the rank before. A region at one place becomes a single region.
// Lost time is summed by rank, because no thread waits there for a thread of another rank.
func Ranks(profiles []*Profile) *Profile {
	all := &Profile{
		Program: profiles[0].Program, PID: profiles[0].PID, Clock: profiles[0].Clock,
		Ranks: len(profiles),
	}
	regions := map[string]*Region{}
	paths := map[pathKey]*Path{}
	for i, p := range profiles {
		all.Wall = max(all.Wall, p.Wall)
		all.Lost += p.Lost
		if all.Cost == 0 || p.Cost > 0 && p.Cost < all.Cost {
			all.Cost = p.Cost
		}
		first := all.Threads
		all.Threads += p.threads()
		m := member{rank: i, first: first, threads: p.threads(), wall: p.Wall}
		if p.world > 0 {
			m.rank = p.rank
		}
		all.members = append(all.members, m)
		all.leaveOut(p.LeftOut)
		own := map[*Region]*Region{}
		for _, r := range p.Regions {
			own[r] = all.region(regions, r)
			own[r].add(r.Samples, first)
		}
		joined := map[*Path]*Path{}
		for _, q := range p.Paths {
			key := pathKey{joined[q.Parent], own[q.Region]}
			if paths[key] == nil {
				paths[key] = &Path{ID: len(all.Paths) + 1, Parent: key.parent, Region: key.region}
				all.Paths = append(all.Paths, paths[key])
			}
			joined[q] = paths[key]
			paths[key].Samples = append(paths[key].Samples, shifted(q.Samples, first)...)
		}
	}
	return all
}

// member is a process of an MPI program; its first thread has the number first.
type member struct {
	rank, first, threads int
	wall                 int64
}

// leaveOut adds what a rank leaves out.
func (p *Profile) leaveOut(l *LeftOut) {
	switch {
	case l == nil:
	case p.LeftOut == nil:
		one := *l
		one.Several = true
		p.LeftOut = &one
	default:
		p.LeftOut.Join(l)
	}
}

type pathKey struct {
	parent *Path
	region *Region
}

// region returns the combined region of all ranks that r belongs to, and adds it if it is new.
func (p *Profile) region(known map[string]*Region, r *Region) *Region {
	key := fmt.Sprintf("%q %q %q %q %v %v %q", r.Name, r.SubName, r.Directive, r.File, r.Begin,
		r.End, r.KindName)
	if known[key] == nil {
		one := *r
		one.ID, one.Outer, one.Samples = len(p.Regions)+1, 0, nil
		known[key] = &one
		p.Regions = append(p.Regions, &one)
	}
	return known[key]
}

// add adds the samples of a rank whose first thread has the number first.
func (r *Region) add(samples []Sample, first int) {
	if len(samples) == 0 {
		return
	}
	r.ranks = append(r.ranks, len(r.Samples))
	r.Samples = append(r.Samples, shifted(samples, first)...)
}

func shifted(samples []Sample, first int) []Sample {
	moved := slices.Clone(samples)
	for i := range moved {
		moved[i].Thread += first
	}
	return moved
}

// rowOfRanks sums the rows of the ranks. It distinguishes two imbalances: among the threads of
// a rank, where the worst rank counts, and among ranks.
func (r *Region) rowOfRanks() Row {
	row := Row{Region: r}
	var most int64
	for i, from := range r.ranks {
		to := len(r.Samples)
		if i+1 < len(r.ranks) {
			to = r.ranks[i+1]
		}
		one := *r
		one.ranks, one.Samples = nil, r.Samples[from:to]
		of := one.row()
		row.Count += of.Count
		row.Time += of.Time
		row.Body += of.Body
		row.Barrier += of.Barrier
		row.Wait += of.Wait
		row.Hold += of.Hold
		row.Excl += of.Excl
		row.ImbalLoss += of.ImbalLoss
		row.Lost += of.Lost
		row.Imbalance = max(row.Imbalance, of.Imbalance)
		most = max(most, of.Body)
	}
	if len(r.ranks) > 1 && row.Body > 0 {
		row.RankImbalance = float64(most) * float64(len(r.ranks)) / float64(row.Body)
	}
	return row
}
