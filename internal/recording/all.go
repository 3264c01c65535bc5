package recording

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Options of Recover.
type Options struct {
	// Force: processes that run, or may run, are not left: their traces have what they have
	// recorded by now, and their recordings stay.
	Force bool
	// Keep: all recordings stay.
	Keep bool
	// Waited: others have waited for the ranks of an MPI job to end. A rank of which this cannot be
	// told from here has ended.
	Waited bool
	// Work is the folder in which traces stand until they are whole, on the same file system as
	// where they go; "": that one.
	Work string
	// InTurn calls do while nobody else puts traces into the folder; nil: nobody else does.
	InTurn func(do func() error) error
	// Progress, if not nil, gets how many bytes of how many are done.
	Progress func(done, size int64)
}

// ConvertAll makes a trace of each recording in a directory whose process has ended.
func ConvertAll(directory, to string, progress func(done, size int64)) ([]*Trace, []*Left, error) {
	return Recover(directory, to, Options{Progress: progress})
}

// Recover makes a trace of each recording in a directory: trace.otf of the process that began
// first, trace-PID.otf of others, in the folder to; where a name is taken the next one,
// trace-PID-1.otf. Each stands in a folder of its own until it is whole; then the recording is
// removed. left are processes that run, or may run.
func Recover(directory, to string, o Options) (traces []*Trace, left []*Left, err error) {
	processes, left, err := recorded(directory, o)
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
	return traces, left, err
}

// unnamed is the name of a trace until it has one in its folder.
const unnamed = "trace"

// settle makes the trace in a folder beside and moves it to its place.
func settle(p source, to string, first bool, o Options) (*Trace, error) {
	beside, err := os.MkdirTemp(o.Work, ".opari-"+p.suffix()+"-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(beside)
	t, err := p.convert(filepath.Join(beside, unnamed), o.Progress)
	if err != nil || t == nil {
		return nil, err
	}
	err = o.InTurn(func() error {
		stem, err := freeName(to, p.suffix(), first)
		t.Path = filepath.Join(to, stem+".otf")
		if err != nil {
			return err
		}
		return move(beside, to, stem)
	})
	if err != nil {
		return nil, err
	}
	return t, p.Remove()
}

// freeName is the first name of a trace that is not taken in a folder.
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

// move gives a trace its name. Its time is that of this machine's clock, by which runs tell traces
// that were there before them from those of others (Began). The master file, whose name comes last,
// makes it a trace.
func move(beside, to, stem string) error {
	files, err := os.ReadDir(beside)
	if err != nil {
		return err
	}
	now := time.Now()
	for _, f := range files {
		from := filepath.Join(beside, f.Name())
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
