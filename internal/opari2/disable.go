package opari2

import (
	"errors"
	"fmt"
	"strings"

	"opari/internal/instrument"
	"opari/internal/omp"
)

// sync has OPARI2's group of this name, which is not the one of opari's --disable.
var sync = []string{
	omp.DirectiveAtomic.Name, omp.DirectiveCritical.Name, omp.DirectiveMaster.Name,
	omp.DirectiveFlush.Name, omp.DirectiveSingle.Name, omp.DirectiveOrdered.Name, locks,
	// The help of OPARI2 2.0.7 does not say so, but the group has these.
	omp.DirectiveTask.Name, omp.DirectiveTaskwait.Name,
}

// locks is the word of --disable for the calls of lock routines, in OPARI2 and in opari.
const locks = "locks"

// disable reads the value of --disable: paradigms joined by +, each with a list of directives.
func (o *Options) disable(value string) error {
	if value == "" {
		return errors.New("--disable needs a value: omp, pomp, or one with directives")
	}
	for paradigm := range strings.SplitSeq(value, "+") {
		name, list, some := strings.Cut(paradigm, ":")
		switch {
		case name == "pomp" && !some:
			o.Disable = append(o.Disable, "region")
		case name == "omp" && !some:
			o.disableInner()
		case name == "omp":
			for word := range strings.SplitSeq(list, ",") {
				if err := o.disableDirective(word); err != nil {
					return err
				}
			}
		case name == "offload": // opari inserts nothing there
		case name == "pomp":
			return fmt.Errorf("unknown directive in --disable=%s: pomp has none", paradigm)
		default:
			return fmt.Errorf("unknown paradigm %q in --disable; it must be omp or pomp", name)
		}
	}
	return nil
}

// disableInner leaves only fork, begin, end and join of parallel regions. Measurement systems
// need these to follow the threads.
func (o *Options) disableInner() {
	o.WholeNames, o.KeepParallel, o.ParallelBarrier = true, true, instrument.Implicit
	for i := range omp.Directives {
		if d := &omp.Directives[i]; d.Name != omp.DirectiveParallel.Name {
			o.Disable = append(o.Disable, d.Name)
		}
	}
	o.Disable = append(o.Disable, locks)
}

// combinedWith has the directives that make one region with parallel.
var combinedWith = []*omp.Directive{
	omp.DirectiveFor, omp.DirectiveSections, omp.DirectiveWorkshare,
}

// disableDirective reads one word of a list: a directive, a group of them, and possibly the
// word inner, which has no effect in OPARI2 2.0.7. The name of a combined directive is that of
// its region.
func (o *Options) disableDirective(word string) error {
	o.WholeNames = true
	parallel := omp.DirectiveParallel.Name
	name := strings.TrimSuffix(word, ":inner")
	switch name {
	case "all":
		o.disableInner()
		o.Disable = append(o.Disable, parallel)
		for _, d := range combinedWith {
			o.Disable = append(o.Disable, parallel+d.Name)
		}
		return nil
	case "sync":
		o.Disable = append(o.Disable, sync...)
		return nil
	case locks:
		o.Disable = append(o.Disable, name)
		return nil
	}
	for _, d := range combinedWith {
		if name == parallel+d.Name || name == parallel+d.NameIn(omp.Fortran) {
			o.Disable = append(o.Disable, parallel+d.Name)
			return nil
		}
	}
	for i := range omp.Directives {
		if d := &omp.Directives[i]; d.Name == name || d.Fortran == name {
			o.Disable = append(o.Disable, d.Name)
			return nil
		}
	}
	return fmt.Errorf("unknown group or directive %q in --disable=omp", word)
}
