package recording

import (
	"errors"
	"path/filepath"
	"slices"

	"opari/internal/eventlog"
	"opari/internal/omp"
)

// source is what one trace is made from: a process, or the processes of an MPI world.
type source interface {
	convert(stub string, progress func(done, size int64)) (*Trace, error)
	suffix() string // distinguishes the names of several traces
	Remove() error
}

func (p *Process) convert(stub string, progress func(done, size int64)) (*Trace, error) {
	return p.Convert(stub, progress)
}

func (p *Process) suffix() string { return filepath.Base(p.stem) }
func (w *world) suffix() string   { return filepath.Base(w.processes[0].stem) }

// Remove removes the files of all recordings of the world, unless one of them is to stay.
func (w *world) Remove() error {
	var err error
	if slices.ContainsFunc(w.processes, func(p *Process) bool { return p.kept }) {
		return nil
	}
	for _, p := range w.processes {
		err = errors.Join(err, p.Remove())
	}
	return err
}

// recordings returns the sources in the order in which they began, worlds first.
func recordings(processes []*Process) []source {
	var all []source
	found, others := worlds(processes)
	for _, w := range found {
		all = append(all, w)
	}
	for _, p := range others {
		all = append(all, p)
	}
	return all
}

// resolveCalls finds the places in the source that call MPI's routines; the library records only
// addresses.
func resolveCalls(processes []*Process) {
	calls := eventlog.NewCalls()
	defer calls.Close()
	done := map[*Region]bool{}
	for _, p := range processes {
		for _, r := range p.regions {
			if r != nil && r.Kind == omp.KindMPI && !done[r] {
				done[r] = true
				r.File, r.Begin[0] = calls.Place(r.Directive)
				r.Directive = r.Name
			}
		}
	}
}
