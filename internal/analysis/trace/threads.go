package trace

import (
	"slices"
	"strconv"
	"strings"

	"opari/internal/analysis"
)

// kernelComment reads a comment on what the kernel knows of the run. It returns false for any
// other comment.
func (d *Definitions) kernelComment(text string) bool {
	if facts, is := strings.CutPrefix(text, "machine: "); is {
		d.machine(facts)
		return true
	}
	if rest, is := strings.CutPrefix(text, "thread "); is {
		number, facts, of := strings.Cut(rest, ":")
		if process, err := strconv.ParseUint(number, 10, 32); of && err == nil {
			d.facts[uint32(process)] = facts
			return true
		}
	}
	return false
}

// machine reads "key=value ..." of a machine, of which there are two lines: at=start and at=end.
func (d *Definitions) machine(facts string) {
	at := factOf(facts, "at")
	if at != "end" {
		m := analysis.Machine{
			Cores: int(numberOf(factOf(facts, "cores"))), Allowed: listOf(factOf(facts, "allowed")),
			Throttled: milliseconds(factOf(facts, "throttled")),
			Stolen:    milliseconds(factOf(facts, "stolen")),
		}
		if quota, err := strconv.ParseFloat(factOf(facts, "quota"), 64); err == nil && quota > 0 {
			m.Quota = quota
		}
		d.Machines = append(d.Machines, m)
	} else if n := len(d.Machines); n > d.ended {
		m := &d.Machines[d.ended]
		m.Throttled = max(0, milliseconds(factOf(facts, "throttled"))-m.Throttled)
		m.Stolen = max(0, milliseconds(factOf(facts, "stolen"))-m.Stolen)
		d.ended++
	}
}

// resolveThreads gives the threads what is known of them. What was counted at a machine's start
// alone says nothing of the run.
func (d *Definitions) resolveThreads() {
	for i := d.ended; i < len(d.Machines); i++ {
		d.Machines[i].Throttled, d.Machines[i].Stolen = 0, 0
	}
	for process, facts := range d.facts {
		if i, known := d.ByProcess[process]; known {
			d.Threads[i].Allowed = listOf(factOf(facts, "allowed"))
			d.Threads[i].Ran = listOf(factOf(facts, "ran"))
			d.Threads[i].Migrations = numberOf(factOf(facts, "migrations"))
			d.Threads[i].Used = milliseconds(factOf(facts, "used"))
			d.Threads[i].Waited = milliseconds(factOf(facts, "waited"))
		}
	}
}

// factOf returns the value of a key; "" for none.
func factOf(facts, key string) string {
	for _, fact := range strings.Fields(facts) {
		if value, is := strings.CutPrefix(fact, key+"="); is {
			return value
		}
	}
	return ""
}

// numberOf returns 0 for what is no number.
func numberOf(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0
	}
	return max(0, n)
}

// listOf returns the numbers of "0,1,5" in ascending order; nil where there is any other text.
func listOf(text string) []int {
	var all []int
	for one := range strings.SplitSeq(text, ",") {
		n, err := strconv.ParseUint(one, 10, 20)
		if err != nil {
			return nil
		}
		all = append(all, int(n))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// milliseconds returns the ns of "12ms"; 0 for any other text.
func milliseconds(text string) int64 {
	number, is := strings.CutSuffix(text, "ms")
	n, err := strconv.ParseInt(number, 10, 40)
	if !is || err != nil {
		return 0
	}
	return max(0, n) * 1_000_000
}
