package recording

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"opari/internal/sampling"
)

// kernelThread is what the kernel noted of the thread that is being converted, and how much of it
// stands in the trace.
type kernelThread struct {
	*sampling.Thread
	stacks        []uint32 // numbers in the trace, by index in the record
	counters      []uint32 // numbers in the trace, by index in the record
	offs, samples int      // written
	off           bool     // the thread is off the processor
}

// Values of the counter offCPU.
const (
	offNot = iota
	offPreempted
	offBlocked
)

// kernelLead is how much later than a thread's first event the kernel may have noted its begin,
// ns. The two clocks differ by less; a TID is not given again so soon.
const kernelLead = 1e6

// findKernel returns the kernel's notes of the thread that begins; nil: there are none.
func (c *converter) findKernel(now uint64) *sampling.Thread {
	n := c.process.kernel
	if n == nil || c.tid == 0 {
		return nil
	}
	var found *sampling.Thread
	for _, t := range n.threads[[2]int{c.process.PID, c.tid}] {
		if c.clock.monotonic(t.Begin) <= now+kernelLead &&
			(t.End == 0 || c.clock.monotonic(t.End) >= now) {
			found = t
		}
	}
	return found
}

// beginKernel finds the notes of the thread that begins. It passes over what precedes the begin.
func (c *converter) beginKernel(now uint64) {
	t := c.findKernel(now)
	if t == nil {
		return
	}
	notes, names := c.process.kernel, c.names.kernel
	k := &kernelThread{Thread: t, stacks: names.stacks[notes], counters: names.counters[notes]}
	for k.offs < len(t.Off) && c.clock.monotonic(t.Off[k.offs].To) <= now {
		k.offs++
	}
	for k.samples < len(t.Samples) && c.clock.monotonic(t.Samples[k.samples].Time) <= now {
		k.samples++
	}
	c.kernel = k
	note := fmt.Sprintf("thread %d:%s", c.id, describeThread(t))
	if !slices.Contains(c.notes, note) {
		c.notes = append(c.notes, note)
	}
}

// describeThread returns what is known of a thread as " key=value" pairs.
func describeThread(t *sampling.Thread) string {
	text := ""
	for _, list := range []struct {
		name       string
		processors []int
	}{{"allowed", t.Allowed}, {"ran", t.Ran}} {
		var numbers []string
		for _, p := range list.processors {
			numbers = append(numbers, strconv.Itoa(p))
		}
		if numbers != nil {
			text += " " + list.name + "=" + strings.Join(numbers, ",")
		}
	}
	text += fmt.Sprintf(" migrations=%d", t.Migrations)
	if t.Used >= 1e6 {
		text += fmt.Sprintf(" used=%dms waited=%dms", t.Used/1e6, t.Waited/1e6)
	}
	return text
}

// advance writes what the kernel noted before the time of the next event.
func (c *converter) advance(now uint64) error {
	if c.kernel != nil {
		if err := c.writeKernel(now); err != nil {
			return err
		}
	}
	c.time = now
	return nil
}

func (c *converter) writeKernel(until uint64) error {
	k := c.kernel
	for {
		change, sample := uint64(math.MaxUint64), uint64(math.MaxUint64)
		if k.offs < len(k.Off) {
			o := &k.Off[k.offs]
			if change = c.clock.monotonic(o.From); k.off {
				change = max(c.clock.monotonic(o.To), change)
			}
		}
		if k.samples < len(k.Samples) {
			sample = c.clock.monotonic(k.Samples[k.samples].Time)
		}
		if min(change, sample) >= until {
			return nil
		}
		// A time may lie before that of the last event if the clocks differ.
		c.time = max(c.time, min(change, sample))
		var err error
		if sample < change {
			err = c.writeSample(&k.Samples[k.samples])
			k.samples++
		} else {
			err = c.writeOff(!k.off)
		}
		if err != nil {
			return err
		}
	}
}

// writeOff writes that the thread leaves the processor, or that it is back.
func (c *converter) writeOff(off bool) error {
	k, value := c.kernel, uint64(offNot)
	switch {
	case off && k.Off[k.offs].Preempted:
		value = offPreempted
	case off:
		value = offBlocked
	default:
		k.offs++
	}
	k.off = off
	return c.kernelValue(offCPU, value)
}

func (c *converter) writeSample(s *sampling.Sample) error {
	k, stack := c.kernel, uint32(0)
	if s.Stack >= 0 && int(s.Stack) < len(k.stacks) {
		stack = k.stacks[s.Stack]
	}
	var err error
	if s.Stack != sampling.OnlyValues {
		err = c.kernelValue(sampleStack, uint64(stack))
	}
	if s.Access.Address != 0 {
		counter := uint32(dataRead)
		if s.Access.Write {
			counter = dataWritten
		}
		err = errors.Join(err, c.kernelValue(counter, s.Access.Address))
	}
	for i, v := range s.Values[:min(len(s.Values), len(k.counters))] {
		err = errors.Join(err, c.kernelValue(k.counters[i], v))
	}
	return err
}

func (c *converter) kernelValue(counter uint32, value uint64) error {
	c.events++
	return c.out.WriteCounter(c.time, c.id, counter, value)
}

// endKernel closes what is open when the thread ends, and writes what it has counted in all. The
// kernel notes that a little later. If samples lie between, it is only written where no sample has
// values, as before Linux 6.13.
func (c *converter) endKernel() error {
	k := c.kernel
	if k == nil {
		return nil
	}
	var err error
	if k.off {
		err = c.writeOff(false)
	}
	if n := len(k.Samples) - 1; n >= k.samples && k.Samples[n].Stack == sampling.OnlyValues &&
		(n == k.samples || n > 0 && len(k.Samples[n-1].Values) == 0) {
		err = errors.Join(err, c.writeSample(&k.Samples[n]))
	}
	c.kernel = nil
	return err
}
