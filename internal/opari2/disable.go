package opari2

import (
	"errors"
	"fmt"
	"slices"
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
	o.WholeNames = true
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
	o.ParallelBarrier = instrument.Implicit
	for i := range omp.Directives {
		if d := &omp.Directives[i]; d != omp.DirectiveParallel {
			o.Disable = append(o.Disable, spellings(d)...)
		}
	}
	for _, d := range combinedWith {
		for _, name := range spellings(d) {
			o.Disable = append(o.Disable, omp.DirectiveParallel.Name+name)
		}
	}
	o.Disable = append(o.Disable, locks)
}

// spellings returns the names of a directive in all languages.
func spellings(d *omp.Directive) []string {
	return []string{d.NameIn(omp.C), d.NameIn(omp.Fortran)}
}

// combinedWith has the directives that make one region with parallel.
var combinedWith = []*omp.Directive{
	omp.DirectiveFor, omp.DirectiveSections, omp.DirectiveWorkshare,
}

// disableDirective reads one word of a list: a directive or a group of them. The name of a
// combined directive is that of its region, whose fork, begin, end and join stay. A word that ends
// in :inner has no effect in OPARI2 2.0.7.
func (o *Options) disableDirective(word string) error {
	name, inner := strings.CutSuffix(word, ":inner")
	parallel := omp.DirectiveParallel.Name
	known := name == locks
	for _, d := range combinedWith {
		rest, is := strings.CutPrefix(name, parallel)
		known = known || is && slices.Contains(spellings(d), rest)
	}
	for i := range omp.Directives {
		known = known || slices.Contains(spellings(&omp.Directives[i]), name)
	}
	switch {
	case name == "all" && !inner:
		o.disableInner()
		o.Disable = append(o.Disable, parallel)
	case name == "sync" && !inner:
		o.Disable = append(o.Disable, sync...)
	case name == "all" || name == "sync":
	case !known:
		return fmt.Errorf("unknown group or directive %q in --disable=omp", word)
	case !inner:
		o.Disable = append(o.Disable, name)
	}
	return nil
}
