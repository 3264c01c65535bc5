package analysis

// gapKind are the gaps after one parallel region. What the initial thread does in a gap outside of
// all regions belongs to the code before the parallel region that follows, which is not known yet.
// So it gets a place of its own in the graph. In the end its time goes to what followed, in
// proportion. Mostly that is one and the same.
type gapKind struct {
	after *Path // nil: the start of the run
	place int32 // negative
	spent spent // by what followed
}

// gapKind returns the gaps after a parallel region.
func (a *replay) gapKind(after *Path) *gapKind {
	for _, k := range a.gaps {
		if k.after == after {
			return k
		}
	}
	k := &gapKind{after: after, place: int32(-1 - len(a.gaps))}
	a.gaps = append(a.gaps, k)
	return k
}

func (k *gapKind) add(path *Path, time int64) { k.spent.add(path, time) }

// at calls do with the paths that a place of the graph stands for, and the part of a time that
// belongs to each. It is right once the replay has ended.
func (a *replay) at(place int32, time int64, do func(path *Path, time int64)) {
	if place >= 0 {
		do(a.result.Paths[place], time)
		return
	}
	k := a.gaps[-1-place]
	total, left := k.spent.total(), time
	for i, e := range k.spent {
		part := left
		if i < len(k.spent)-1 {
			part = int64(float64(time) * float64(e.time) / float64(total))
		}
		left -= part
		do(e.path, part)
	}
	if len(k.spent) == 0 {
		do(a.result.Paths[0], time)
	}
}
