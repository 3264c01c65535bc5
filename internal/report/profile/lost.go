package profile

import (
	"cmp"
	"slices"

	"opari/internal/omp"
)

// Row is a region with its numbers summed over all threads, as a table shows it. Times are in
// nanoseconds.
type Row struct {
	*Region
	Count   int64 `json:"count"` // visits
	Time    int64 `json:"time_ns"`
	Body    int64 `json:"body_ns"`
	Barrier int64 `json:"barrier_ns"`
	Wait    int64 `json:"wait_ns"`
	Hold    int64 `json:"hold_ns"`
	Excl    int64 `json:"excl_ns"`
	// The largest body time of a thread over the mean; 0 if the region shares no work out.
	Imbalance float64 `json:"imbalance"`
	// ImbalLoss is how much longer the slowest thread worked than each of the others, without
	// the part that is barrier time already. It is max(0, sum over threads of (max body - body)
	// - barrier). It counts only for constructs that all threads of a team end together:
	// parallel, and worksharing without nowait. Elsewhere a thread that finishes early goes on.
	// The region caused this loss, but the other threads may have spent the time elsewhere. So
	// it is no part of Lost or Time.
	ImbalLoss int64 `json:"imbalance_loss_ns"`
	// RankImbalance is the largest body time of a rank over the mean, for MPI programs; 0 with
	// a single rank.
	RankImbalance float64 `json:"rank_imbalance,omitempty"`
	// Lost is the time in the region in which threads could have worked and did not: Barrier +
	// Wait. Barrier is the wait in the region's barrier for the last thread, and Wait the wait
	// to enter. Lost is a part of Time.
	Lost int64 `json:"lost_ns"`
}

// Rows returns the regions of p, with the most lost time first.
func (p *Profile) Rows() []Row {
	rows := make([]Row, 0, len(p.Regions))
	for _, r := range p.Regions {
		rows = append(rows, r.row())
	}
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Lost, a.Lost), cmp.Compare(b.Time, a.Time), cmp.Compare(a.File,
			b.File), cmp.Compare(a.Begin[0], b.Begin[0]), cmp.Compare(a.ID, b.ID))
	})
	return rows
}

func (r *Region) row() Row {
	if r.ranks != nil {
		return r.rowOfRanks()
	}
	row, kind := Row{Region: r}, r.Kind
	var most int64
	for _, s := range r.Samples {
		row.Count += s.Count
		row.Time += s.Incl
		row.Body += s.Body
		row.Barrier += s.Barrier
		row.Wait += s.Wait
		row.Hold += s.Hold
		row.Excl += s.Excl
		most = max(most, s.Body)
	}
	n := int64(len(r.Samples))
	if n >= 2 && row.Body > 0 && !kind.OneThread() {
		row.Imbalance = float64(most) * float64(n) / float64(row.Body)
	}
	if kind.EndsTogether() && !kind.OneThread() && r.Facts&omp.HasNowait == 0 && n >= 2 {
		row.ImbalLoss = max(0, most*n-row.Body-row.Barrier)
	}
	row.Lost = row.Barrier + row.Wait
	return row
}

// LostTime returns the lost time of all regions. It counts no time twice, because each wait
// belongs to one region.
func (p *Profile) LostTime() int64 {
	var sum int64
	for _, r := range p.Regions {
		sum += r.row().Lost
	}
	return sum
}
