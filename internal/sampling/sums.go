package sampling

// sums are what the counters of a thread have counted.
type sums struct {
	switches uint64
	counts   []float64           // by index in counting.counters
	last     map[uint64]lastRead // by number of the event; each processor has its own
}

// lastRead is what an event had counted when its value was last added, and how often the thread had
// moved to another processor by then.
type lastRead struct{ value, enabled, running, moves uint64 }

// add adds what the events of a group have counted of a thread since they were last read. A group
// that had no turn for a part of the time is taken to have counted as much in that part as in the
// rest. Events of the kernel take no turns. The time that a thread was on another processor counts
// as enabled, too, so what an event counted before and after a move is taken as it is.
func (f *follower) add(t *thread, v values) {
	if t.last == nil && len(v.words) > 0 {
		t.counts = make([]float64, len(f.counting.counters))
		t.last = map[uint64]lastRead{}
	}
	for b := v.words; len(b) >= pair; b = b[pair:] {
		event := word(b[8:])
		c, known := f.counting.of[event]
		if !known || c.counter < 0 {
			continue
		}
		old, is := t.last[event], lastRead{word(b), v.enabled, v.running, t.Migrations}
		if is.value < old.value || is.running <= old.running || is.enabled <= old.enabled {
			continue // nothing new
		}
		ran := float64(is.running-old.running) / float64(is.enabled-old.enabled)
		if f.counting.counters[c.counter].kind == software || is.moves != old.moves {
			ran = 1
		}
		if ran < 1 {
			f.scaled, ran = f.scaled+1, max(ran, 1e-6)
		}
		f.added++
		t.counts[c.counter] += float64(is.value-old.value) / min(ran, 1)
		t.last[event] = is
	}
}

// readAtEnd adds the sum that an event has counted of a thread that ends.
func (f *follower) readAtEnd(n note) {
	b := n.body()
	if len(b) < 8 {
		return
	}
	tid := int(int32(half(b[4:])))
	t := f.live[tid]
	if t == nil {
		t = f.ending[tid]
	}
	if v, _, ok := readValues(b[8:]); ok && t != nil {
		f.add(t, v)
	}
}

// values returns what each counter has counted of a thread up to the time.
func (f *follower) values(t *thread, time uint64) []uint64 {
	if len(f.counting.counters) == 0 {
		return nil
	}
	all := make([]uint64, len(f.counting.counters))
	for i, c := range f.counting.counters {
		switch {
		case c.kind != fromNotes:
			if t.counts != nil {
				all[i] = uint64(t.counts[i] + 0.5)
			}
		case c.config == taskClock:
			all[i] = t.Used
			if t.since != 0 && time > t.since {
				all[i] += time - t.since
			}
		case c.config == contextSwitches:
			all[i] = t.switches
		case c.config == migrations:
			all[i] = t.Migrations
		}
	}
	return all
}
