package recording

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"opari/internal/sampling"
	"opari/otf"
)

// These are the counters of what the kernel noted. They follow those of the library's records.
const (
	offCPU       = 64 + iota // offNot, offPreempted or offBlocked, until the next value
	sampleStack              // number of the stack at this moment; 0: unknown
	dataRead                 // address of the access at the sample before
	dataWritten              //
	firstCounter             // this and the following numbers: Record.Counters
)

// Groups of counters.
const (
	groupOpenMP = 1 + iota
	groupKernel
	groupCounters
)

// kernelNames has the numbers of what the kernel noted of a trace's processes. They are assigned
// before the streams are written, so streams may be written in parallel.
type kernelNames struct {
	processes []*Process
	stacks    map[*kernelNotes][]uint32 // number of a stack by index in the record; 0: not in use
	list      []stack                   // by number, from 1
	known     map[stack]uint32
	counters  map[*kernelNotes][]uint32 // number of a counter by index in the record
	events    []string                  // names of the counters from firstCounter on
	used      [firstCounter - offCPU]bool
	notes     []string // comments about threads
}

// stack is a frame and the stack that it stands on. Samples at several instructions of a line have
// one stack.
type stack struct {
	caller uint32
	at     function
}

// newKernelNames returns nil if the runs have noted nothing of the processes.
func newKernelNames(processes []*Process) *kernelNames {
	n := &kernelNames{
		processes: processes, known: map[stack]uint32{},
		stacks: map[*kernelNotes][]uint32{}, counters: map[*kernelNotes][]uint32{},
	}
	for _, p := range processes {
		if p.kernel != nil && n.stacks[p.kernel] == nil {
			n.add(p.kernel)
		}
	}
	if len(n.stacks) == 0 {
		return nil
	}
	return n
}

// add numbers what the threads of the trace's processes need of a record.
func (n *kernelNames) add(notes *kernelNotes) {
	r := notes.Record
	needed := make([]bool, len(r.Stacks))
	for _, p := range n.processes {
		if p.kernel != notes {
			continue
		}
		for i := range r.Threads {
			if t := &r.Threads[i]; t.PID == p.PID {
				n.scan(t, needed)
			}
		}
	}
	for i := len(needed) - 1; i >= 0; i-- {
		if caller := r.Stacks[i].Caller; needed[i] && caller >= 0 && int(caller) < i {
			needed[caller] = true
		}
	}
	numbers := make([]uint32, len(r.Stacks))
	code := newSampledCode(r, n.processes)
	defer code.close()
	for i, f := range r.Stacks {
		if !needed[i] {
			continue
		}
		if f.Caller >= 0 && int(f.Caller) < i {
			numbers[i] = numbers[f.Caller]
		}
		for _, at := range code.at(f.Code) {
			numbers[i] = n.number(stack{numbers[i], at})
		}
	}
	n.stacks[notes] = numbers
	for _, name := range r.Counters {
		at := slices.Index(n.events, name)
		if at < 0 {
			at, n.events = len(n.events), append(n.events, name)
		}
		n.counters[notes] = append(n.counters[notes], firstCounter+uint32(at))
	}
}

// scan notes which stacks and counters a thread needs.
func (n *kernelNames) scan(t *sampling.Thread, needed []bool) {
	use := func(counter int, is bool) { n.used[counter-offCPU] = n.used[counter-offCPU] || is }
	use(offCPU, len(t.Off) > 0)
	use(sampleStack, len(t.Samples) > 0)
	for i := range t.Samples {
		s := &t.Samples[i]
		if s.Stack >= 0 && int(s.Stack) < len(needed) {
			needed[s.Stack] = true
		}
		use(dataRead, s.Access.Address != 0 && !s.Access.Write)
		use(dataWritten, s.Access.Address != 0 && s.Access.Write)
	}
}

func (n *kernelNames) number(s stack) uint32 {
	id := n.known[s]
	if id == 0 {
		n.list = append(n.list, s)
		id = uint32(len(n.list))
		n.known[s] = id
	}
	return id
}

// functions numbers the functions of all stacks, and returns the numbers by stack, from 0.
func (n *kernelNames) functions(to *names) []uint32 {
	if n == nil {
		return nil
	}
	numbers := make([]uint32, len(n.list))
	for i, s := range n.list {
		numbers[i] = to.number(s.at)
	}
	return numbers
}

// write writes the definitions of what the kernel noted. functions are those of the stacks.
func (n *kernelNames) write(w *otf.WStream, functions []uint32) error {
	if n == nil {
		return nil
	}
	err := w.WriteDefCounterGroup(groupKernel, "kernel")
	for i, c := range [...]struct {
		name  string
		scope uint32
		unit  string
	}{
		{"off the CPU", otf.CounterScopeNext, "state"},
		{"sample", otf.CounterScopePoint, "stack"},
		{"data read", otf.CounterScopePoint, "address"},
		{"data written", otf.CounterScopePoint, "address"},
	} {
		if n.used[i] {
			err = errors.Join(err, w.WriteDefCounter(uint32(offCPU+i), c.name,
				otf.CounterTypeAbs|c.scope, groupKernel, c.unit))
		}
	}
	if len(n.events) > 0 {
		err = errors.Join(err, w.WriteDefCounterGroup(groupCounters, "counters"))
	}
	for i, name := range n.events {
		err = errors.Join(err, w.WriteDefCounter(uint32(firstCounter+i), "counter "+name,
			otf.CounterTypeAcc|otf.CounterScopeStart, groupCounters, "events"))
	}
	for i, s := range n.list {
		err = errors.Join(err, w.WriteDefinitionComment(
			fmt.Sprintf("stack %d: %d %d", i+1, s.caller, functions[i])))
	}
	for _, note := range n.notes {
		err = errors.Join(err, w.WriteDefinitionComment(note))
	}
	return errors.Join(err, n.writeRun(w))
}

// writeRun writes comments about the machines and about the samples as a whole.
func (n *kernelNames) writeRun(w *otf.WStream) error {
	var err error
	rate, lost, cut, samples := 0, uint64(0), uint64(0), uint64(0)
	seen := map[*kernelNotes]bool{}
	for _, p := range n.processes {
		k := p.kernel
		if k == nil || seen[k] {
			continue
		}
		seen[k] = true
		rate = max(rate, k.Record.Rate)
		lost += k.Record.Lost
		cut += k.Record.Cut
		for i := range k.Record.Threads {
			samples += uint64(len(k.Record.Threads[i].Samples))
		}
		for _, line := range k.Machine {
			err = errors.Join(err, w.WriteDefinitionComment("machine: "+
				strings.ReplaceAll(line, "\n", " ")))
		}
	}
	if rate > 0 {
		err = errors.Join(err,
			w.WriteDefinitionComment(fmt.Sprintf("samples: %d a second", rate)))
	}
	if lost > 0 {
		err = errors.Join(err, w.WriteDefinitionComment(fmt.Sprintf("samples lost: %d", lost)))
	}
	if cut > samples/10 {
		err = errors.Join(err, w.WriteDefinitionComment(fmt.Sprintf("callers missing: %d of %d "+
			"samples have not all of them, because more than 8 KiB of the stack or code "+
			"without .eh_frame is between", cut, samples)))
	}
	return err
}
