package recording

import "errors"

// resume enters the functions that are open when a segment begins: in a child forked inside
// regions, and after lost records. A function that was open before a loss and that no record
// after it leaves has ended in between.
func (c *converter) resume(f *rawFile, s segment, lost bool) error {
	first := s[0].first
	thread, err := s.beginsThread(f)
	if err = errors.Join(err, c.settle(place{})); err != nil || thread && !lost {
		return err
	}
	c.words = c.words[:0]
	open, err := s.openAtStart(f)
	if err != nil {
		return err
	}
	now := max(c.clock.ns(first), c.time)
	if c.pending.operation != 0 {
		if err := c.collect(now); err != nil {
			return err
		}
	}
	if err := c.comeAlive(now); err != nil {
		return err
	}
	keep := c.shared(open)
	for len(c.stack) > keep.stack {
		err = errors.Join(err, c.pop(now))
	}
	for _, at := range open[keep.open:] {
		err = errors.Join(err,
			c.push(at, c.names.function(at.what, at.number), kinds[at.what].waits, now))
	}
	return err
}

// shared returns how much of the stack and of open agrees. It looks for the longest run of frames
// that equals a beginning of open; the stack goes on up to the end of that run.
func (c *converter) shared(open []place) (keep struct{ stack, open int }) {
	for i := range c.stack {
		n := 0
		for n < len(open) && i+n < len(c.stack) && c.stack[i+n].place == open[n] {
			n++
		}
		if n > keep.open {
			keep.stack, keep.open = i+n, n
		}
	}
	return keep
}

func (s segment) beginsThread(f *rawFile) (bool, error) {
	begins := false
	err := s.each(f, func(r *record) (bool, error) {
		begins = r.what == thread && !r.leave
		return r.what == data, nil
	})
	return begins, err
}
