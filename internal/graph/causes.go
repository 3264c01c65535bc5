package graph

// difference is the work space of Causes.
type difference struct {
	of     vector  // of the chain that was waited for, by place and thread
	sums   vector  // the same by place
	excess vector  // by place: how much longer that chain was there
	costs  []Spent // what the wait is blamed on
}

// Causes calls do with what delayed the point that a thread waits for until now: with places and
// threads, and for how much of the wait each is to blame. The times add up to the wait. Nothing is
// to blame if the thread did not wait. Call it before Wait.
func (g *Graph) Causes(thread int, now int64, on Point, do func(Spent)) {
	if !g.Waited(thread, now, on) {
		return
	}
	d := &g.diff
	g.compare(thread, on.n)
	wait := on.n.time - g.threads[thread].time
	var more, left int64 = 0, wait
	for _, e := range d.excess.list {
		more += max(0, e.Time)
	}
	if more == 0 {
		return // the two chains are not of one run
	}
	d.costs = d.costs[:0]
	largest := 0
	for _, e := range d.of.list {
		excess := d.excess.at(e.Place)
		if e.Time <= 0 || excess <= 0 {
			continue
		}
		// Of a place's excess each thread has its part.
		time := int64(float64(wait) * float64(excess) / float64(more) *
			float64(e.Time) / float64(d.sums.at(e.Place)))
		left -= time
		if d.costs = append(d.costs, Spent{e.Place, e.Thread, time}); time > d.costs[largest].Time {
			largest = len(d.costs) - 1
		}
	}
	if len(d.costs) > 0 {
		d.costs[largest].Time += left // roundings
	}
	each(d.costs, do)
}

// compare fills the difference with the chains of a point and of a thread since they last met.
func (g *Graph) compare(thread int, a *node) {
	d, t := &g.diff, &g.threads[thread]
	d.of.clear()
	d.sums.clear()
	d.excess.clear()
	less := func(e Spent) { d.excess.add(e.Place, 0, -e.Time) }
	each(t.now.list, less)
	for b := t.last; a != b && a != nil && b != nil; {
		if a.created > b.created {
			for _, e := range a.list {
				d.of.add(e.Place, e.Thread, e.Time)
				d.sums.add(e.Place, 0, e.Time)
				d.excess.add(e.Place, 0, e.Time)
			}
			a = a.prev
		} else {
			each(b.list, less)
			b = b.prev
		}
	}
}

// at returns the time at a place, of no thread.
func (v *vector) at(place int32) int64 {
	if v.index != nil {
		if i, known := v.index[key(place, 0)]; known {
			return v.list[i].Time
		}
		return 0
	}
	for _, e := range v.list {
		if e.Place == place {
			return e.Time
		}
	}
	return 0
}
