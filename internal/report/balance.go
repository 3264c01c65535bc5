package report

import (
	"cmp"
	"slices"
	"strconv"

	"opari/internal/analysis"
	"opari/internal/omp"
)

// balance compares how evenly the ranks of an MPI program share a region's work with how evenly
// the threads of each rank do.
type balance struct {
	region *analysis.Region
	work   int64
	// The largest work of a thread over the mean of its rank, in the worst rank; 0 if no rank
	// has several threads.
	threads float64
	ranks   float64 // the largest work of a rank over the mean
	within  int64   // sum of work missing to the thread with the most work in the same rank
	between int64   // sum of work missing to the rank with the most work
}

// balances returns those of the entire program and of the constructs that share work out, the
// costliest first. It returns nil without several ranks.
func (o *Run) balances(r *analysis.Result) []balance {
	var ranks []*analysis.Location
	all := r.Locations()
	for i := range all {
		if all[i].Kind == "process" {
			ranks = append(ranks, &all[i])
		}
	}
	if len(ranks) < 2 {
		return nil
	}
	groups := map[analysis.Region][]*analysis.Path{}
	var order []analysis.Region
	for _, q := range r.Paths {
		if q.Parent != nil && q.Kind != omp.KindParallel && q.Kind != omp.KindSections &&
			!q.Kind.SharesIterations() {
			continue
		}
		if groups[*q.Region] == nil {
			order = append(order, *q.Region)
		}
		groups[*q.Region] = append(groups[*q.Region], q)
	}
	var out []balance
	for _, region := range order {
		b := balanceOf(groups[region], ranks)
		if b.work > 0 && float64(b.work) >= o.Share*float64(r.Total()) {
			out = append(out, b)
		}
	}
	slices.SortStableFunc(out,
		func(a, b balance) int { return cmp.Compare(b.within+b.between, a.within+a.between) })
	return out
}

func balanceOf(group []*analysis.Path, ranks []*analysis.Location) balance {
	b := balance{region: group[0].Region}
	var mostOfRanks int64
	for _, l := range ranks {
		var sum, most int64
		for _, thread := range l.Threads {
			var work int64
			for _, q := range group {
				if !inside(q, group) {
					work += q.Inclusive(analysis.Work, thread)
				}
			}
			sum += work
			most = max(most, work)
		}
		n := int64(len(l.Threads))
		b.work += sum
		b.within += n*most - sum
		if n > 1 && sum > 0 {
			b.threads = max(b.threads, float64(most*n)/float64(sum))
		}
		mostOfRanks = max(mostOfRanks, sum)
	}
	n := int64(len(ranks))
	b.between = n*mostOfRanks - b.work
	if b.work > 0 {
		b.ranks = float64(mostOfRanks*n) / float64(b.work)
	}
	return b
}

func (o *Run) balanceTable(r *analysis.Result, all []balance) table {
	t := table{title: "Imbalance of threads and of ranks", head: []string{
		"work", "threads",
		"ranks", "less than busiest in its rank", "less than busiest rank", "name",
	}}
	ratio := func(f float64) string {
		if f == 0 {
			return "-"
		}
		return strconv.FormatFloat(f, 'f', 2, 64)
	}
	for i, b := range all {
		if o.Top > 0 && i == o.Top {
			t.hidden = len(all) - i
			break
		}
		name := b.region.String()
		if b.region == r.Paths[0].Region {
			name = "the whole program"
		}
		t.rows = append(t.rows, []string{
			analysis.Duration(b.work), ratio(b.threads), ratio(b.ranks),
			analysis.Duration(b.within), analysis.Duration(b.between), name,
		})
	}
	return t
}
