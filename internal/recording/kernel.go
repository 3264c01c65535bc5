package recording

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"opari/internal/sampling"
)

// kernelNotes is what a run noted beside what the library recorded: what the kernel told of the
// program's threads, and properties of the machine.
type kernelNotes struct {
	Host, Boot string // the system; "": unknown
	Machine    []string
	Record     *sampling.Record
	path       string                        // of the file; "": there is none
	threads    map[[2]int][]*sampling.Thread // by PID and TID, in the order of their beginnings
}

const kernelEnding = ".kernel"

// UnfinishedKernel begins the name of a file that KeepKernel writes, until it is complete.
const UnfinishedKernel = ".opari-kernel-"

// KeepKernel writes what the kernel noted into a folder of recordings. Recover finds it there: in
// an MPI job the last rank's run makes the trace of all ranks, and a process that outlives its run
// gets its trace later. machine is as in Options.
func KeepKernel(folder string, record *sampling.Record, machine []string) (err error) {
	own := ownIdentity()
	f, err := os.CreateTemp(folder, UnfinishedKernel)
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	notes := kernelNotes{Host: own.host, Boot: own.boot, Machine: machine, Record: record}
	if notes.Record == nil {
		notes.Record = &sampling.Record{}
	}
	_, err = f.Write(notes.encode())
	err = errors.Join(err, f.Chmod(0o666), f.Close())
	for again := 0; err == nil; again++ {
		name := fmt.Sprint(os.Getpid())
		if again > 0 {
			name += fmt.Sprint("-", again)
		}
		err = os.Link(f.Name(), filepath.Join(folder, name+kernelEnding))
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
		err = nil
	}
	return err
}

// readKernel reads what runs have noted in a folder, and adds what this run passes on.
func readKernel(directory string, o Options) ([]*kernelNotes, error) {
	var all []*kernelNotes
	if o.Kernel != nil {
		own := ownIdentity()
		all = append(all, &kernelNotes{
			Host: own.host, Boot: own.boot, Machine: o.Machine, Record: o.Kernel,
		})
	}
	paths, err := filepath.Glob(filepath.Join(directory, "*"+kernelEnding))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		n := &kernelNotes{path: path}
		err = n.decode(f)
		_ = f.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: error: not what a run noted of the kernel, or cut off: %w",
				path, err)
		}
		all = append(all, n)
	}
	return all, nil
}

// of reports whether the notes are of the process.
func (n *kernelNotes) of(p *Process) bool {
	known := func(a, b string) bool { return a != "" && b != "" }
	if known(n.Host, p.identity.host) && n.Host != p.identity.host ||
		known(n.Boot, p.identity.boot) && n.Boot != p.identity.boot {
		return false
	}
	return slices.ContainsFunc(n.Record.Threads, func(t sampling.Thread) bool {
		return t.PID == p.PID && (t.End == 0 || t.End >= p.start.ns)
	})
}

// prepare indexes the threads, and puts what was noted of them into the order of time.
func (n *kernelNotes) prepare() {
	n.threads = map[[2]int][]*sampling.Thread{}
	for i := range n.Record.Threads {
		t := &n.Record.Threads[i]
		key := [2]int{t.PID, t.TID}
		n.threads[key] = append(n.threads[key], t)
		slices.SortStableFunc(t.Off,
			func(a, b sampling.Off) int { return cmp.Compare(a.From, b.From) })
		slices.SortStableFunc(t.Samples,
			func(a, b sampling.Sample) int { return cmp.Compare(a.Time, b.Time) })
	}
	for _, list := range n.threads {
		slices.SortStableFunc(list,
			func(a, b *sampling.Thread) int { return cmp.Compare(a.Begin, b.Begin) })
	}
}

// assignKernel gives each process the notes of its run.
func assignKernel(processes []*Process, all []*kernelNotes) {
	for _, p := range processes {
		for _, n := range all {
			if n.of(p) {
				if p.kernel = n; n.threads == nil {
					n.prepare()
				}
				break
			}
		}
	}
}

// settleKernel keeps or removes the files of the notes: they go with the last recording.
func settleKernel(directory string, all []*kernelNotes, stay bool) error {
	var err error
	for _, n := range all {
		switch {
		case stay && n.path == "":
			err = errors.Join(err, KeepKernel(directory, n.Record, n.Machine))
		case !stay && n.path != "":
			err = errors.Join(err, os.Remove(n.path))
		}
	}
	return err
}
