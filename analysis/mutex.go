package analysis

// mutex is what keeps threads apart: criticals of a name, an ordered region.
type mutex struct {
	property Property
	holder   *thread
	path     *Path // where the holder is
	start    int64
	queue    []asking
}

// asking is a thread that waits to be let in.
type asking struct {
	thread *thread
	path   *Path
	mark   int64
}

// mutex is that of a region. All critical constructs of a name exclude each other; ordered ones are of their loop.
func (a *replay) mutex(r *Region) *mutex {
	key := r.Name
	property := CriticalWait
	if r.Kind == "ordered" {
		property = OrderedWait
	}
	m := a.mutexes[key]
	if m == nil {
		m = &mutex{property: property}
		a.mutexes[key] = m
	}
	return m
}

func (m *mutex) ask(t *thread, path *Path, now int64) {
	m.queue = append(m.queue, asking{t, path, now})
}

// acquired is that a thread is let in.
func (a *replay) acquired(t *thread, now int64, f *frame) {
	m := a.mutex(f.region)
	if m.holder != nil && m.holder != t {
		m.release(a, now)
	}
	for i := range m.queue {
		if m.queue[i].thread == t {
			m.queue = append(m.queue[:i], m.queue[i+1:]...)
			break
		}
	}
	m.holder, m.path, m.start = t, f.path, now
	if n := len(t.stack); n > 1 && t.stack[n-2].region == f.region {
		t.stack[n-2].held = true
	}
}

// release is that the holder leaves: those who asked have waited for it.
func (m *mutex) release(a *replay, now int64) {
	if m.holder == nil {
		return
	}
	for i := range m.queue {
		q := &m.queue[i]
		if time := now - max(q.mark, m.start); time > 0 && q.thread != m.holder {
			a.blame[blameKey{m.property, q.path, m.path, m.holder.index}] += time
		}
		q.mark = now
	}
	m.holder = nil
}
