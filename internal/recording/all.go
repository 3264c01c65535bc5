package recording

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"opari/internal/sampling"
)

// Options are the options of Recover.
type Options struct {
	// Force converts processes that run or may run, too. Their traces have what they had recorded
	// by then, and their recordings stay.
	Force bool
	// Keep leaves all recordings in place.
	Keep bool
	// Waited says that the caller has waited for the ranks of an MPI job to end. A rank whose
	// state cannot be seen from here then counts as ended.
	Waited bool
	// Work is the folder in which traces stand until they are complete; "": the destination
	// folder. It must be on the same file system as the destination.
	Work string
	// InTurn calls do while nobody else puts traces into the folder; nil: nobody else ever does.
	InTurn func(do func() error) error
	// Kernel, if not nil, is what the kernel noted of the programs' threads on this machine.
	// Recover adds what KeepKernel has written into the folder. If recordings stay, it keeps
	// Kernel there.
	Kernel *sampling.Record
	// Machine describes the machine: texts "key=value ...". The trace has them as comments.
	Machine []string
	// Progress, if not nil, gets the numbers of bytes done and of all bytes.
	Progress func(done, size int64)
}

// ConvertAll makes a trace from each recording in a directory whose process has ended.
func ConvertAll(directory, to string, progress func(done, size int64)) ([]*Trace, []*Left, error) {
	return Recover(directory, to, Options{Progress: progress})
}

// Recover makes traces in the folder to from the recordings in a directory. The process that
// began first gets trace.otf, others get trace-PID.otf; if a name is taken, the trace gets the
// next one, trace-PID-1.otf. A trace stands in a folder of its own until it is complete. Then
// Recover removes the recording. left are processes that run or may run.
func Recover(directory, to string, o Options) (traces []*Trace, left []*Left, err error) {
	notes, err := readKernel(directory, o)
	if err != nil {
		return nil, nil, err
	}
	processes, left, err := recorded(directory, o)
	if err != nil {
		return nil, left, err
	}
	assignKernel(processes, notes)
	resolveCalls(processes)
	if o.InTurn == nil {
		o.InTurn = func(do func() error) error { return do() }
	}
	if o.Work == "" {
		o.Work = to
	}
	for i, p := range recordings(processes) {
		t, failed := settle(p, to, i == 0, o)
		if failed != nil {
			return traces, left, failed
		}
		if t != nil {
			traces = append(traces, t)
		}
	}
	stay := len(left) > 0 || slices.ContainsFunc(processes, func(p *Process) bool { return p.kept })
	return traces, left, errors.Join(err, settleKernel(directory, notes, stay))
}

// unnamed is the name of a trace until it gets its name in the destination folder.
const unnamed = "trace"

// settle makes the trace in a temporary folder and moves it to its place.
func settle(p source, to string, first bool, o Options) (*Trace, error) {
	work, err := os.MkdirTemp(o.Work, ".opari-"+p.suffix()+"-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	t, err := p.convert(filepath.Join(work, unnamed), o.Progress)
	if err != nil || t == nil {
		return nil, err
	}
	err = o.InTurn(func() error {
		stem, err := freeName(to, p.suffix(), first)
		t.Path = filepath.Join(to, stem+".otf")
		if err != nil {
			return err
		}
		return move(work, to, stem)
	})
	if err != nil {
		return nil, err
	}
	return t, p.Remove()
}

// freeName returns the first name for a trace that is free in a folder.
func freeName(folder, suffix string, first bool) (string, error) {
	name := unnamed
	if !first {
		name += "-" + suffix
	}
	for again := 1; ; again++ {
		_, err := os.Lstat(filepath.Join(folder, name+".otf"))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return name, nil
		case err != nil:
			return "", err
		case name == unnamed:
			name, again = unnamed+"-"+suffix, 0
		default:
			name = fmt.Sprintf("%s-%s-%d", unnamed, suffix, again)
		}
	}
}

// move gives a trace its name. It sets the times of its files by this machine's clock, so that a
// run can tell earlier traces from later ones (Began). It moves the master file last, because
// this file makes the files a trace.
func move(work, to, stem string) error {
	files, err := os.ReadDir(work)
	if err != nil {
		return err
	}
	now := time.Now()
	for _, f := range files {
		from := filepath.Join(work, f.Name())
		if err := os.Chtimes(from, now, now); err != nil {
			return err
		}
		name := stem + strings.TrimPrefix(f.Name(), unnamed)
		if err := os.Rename(from, filepath.Join(to, name)); err != nil {
			return err
		}
	}
	return nil
}
