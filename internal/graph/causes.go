package graph

// difference is the work space for the causes of a wait.
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
	if g.Waited(thread, now, on) {
		t := &g.threads[thread]
		g.diff.compare(on.n, t.last, t.now.list)
		g.diff.blame(on.n.real-t.real, do)
	}
}

// compare fills the difference with the chain to a, and with the chain to b that goes on with
// further times, since the two last met.
func (d *difference) compare(a, b *node, further []Spent) {
	d.of.clear()
	d.sums.clear()
	d.excess.clear()
	less := func(e Spent) { d.excess.add(e.Place, 0, -e.Time) }
	each(further, less)
	for a != b && a != nil && b != nil {
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

// blame distributes a wait over what took longer on the chain that was waited for.
func (d *difference) blame(wait int64, do func(Spent)) {
	var more int64
	for _, e := range d.excess.list {
		more += max(0, e.Time)
	}
	if more == 0 {
		return // the two chains are not of one run
	}
	d.costs = d.costs[:0]
	left, largest := wait, 0
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

// at returns the time at a place, of thread 0.
func (v *vector) at(place int32) int64 {
	if i := v.find(place, 0); i >= 0 {
		return v.list[i].Time
	}
	return 0
}
