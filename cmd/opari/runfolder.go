package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"

	"opari/internal/recording"
)

// A runFolder is where the processes of one run record, in the folder of the traces: several runs
// may use that at once, and each makes traces of its own recordings. Its lock is held as long as the
// run goes on, however that ends. What still runs then is left there.
type runFolder struct {
	path string
	lock *os.File // nil: the file system has no locks
}

const (
	runPrefix  = ".opari-run-" // and the number of the run's process
	runLock    = "lock"        // in the run's folder
	unfinished = ".opari-"     // begins the names of incomplete traces, in the run's folder
	// runsFile is locked while a run looks at the folder of the traces, or puts one into it.
	runsFile = ".opari-runs"
)

// traceName is what a folder of traces holds, recordingName what is left without a trace.
var (
	traceName = regexp.MustCompile(`^trace(-[0-9]+)*` +
		`(\.otf|\.[0-9a-f]+\.(def|events|snaps|stats)(\.z)?)$`)
	recordingName = regexp.MustCompile(`^[0-9]+(-[0-9]+)?\.(meta|mpi|table|[0-9]+)$`)
	runName       = regexp.MustCompile(`^\.opari-run-[0-9]+(-[0-9]+)?$`)
)

// inTurn calls do while no other run looks at the folder, or puts a trace into it.
func inTurn(directory string, do func() error) error {
	m, err := openMeeting(directory, false)
	if err != nil {
		return err
	}
	defer m.root.Close()
	m.file, m.who = runsFile, "runs"
	return m.locked(func([]string) ([]string, error) { return nil, do() })
}

// noLocks reports whether an error says that the file system has no locks.
func noLocks(err error) bool {
	return errors.Is(err, syscall.ENOSYS) || errors.Is(err, syscall.ENOLCK) ||
		errors.Is(err, syscall.EOPNOTSUPP)
}

// begin makes a folder for the run's recordings, and removes earlier traces as prepare does.
func (o *traceFlags) begin() (run *runFolder, err error) {
	err = o.first(func() error {
		if err := o.empty(); err != nil {
			return err
		}
		run, err = makeRun(o.directory)
		return err
	})
	return run, err
}

// prepare removes earlier traces from the folder of the traces, which it makes where it is missing.
func (o *traceFlags) prepare() error { return o.first(o.empty) }

func (o *traceFlags) first(do func() error) error {
	if err := os.MkdirAll(o.directory, 0o777); err != nil {
		return noPlace(osError(o.directory, err))
	}
	come := false
	err := inTurn(o.directory, func() error {
		come = true
		return do()
	})
	if err != nil && !come {
		return noPlace(err)
	}
	return err
}

// empty removes earlier traces unless another run goes on there. What other runs have made since
// this process began stays in any case, and what is no trace is refused.
func (o *traceFlags) empty() error {
	files, err := os.ReadDir(o.directory)
	if err != nil {
		return osError(o.directory, err)
	}
	var traces, runs []string
	recorded, busy := false, false
	for _, f := range files {
		switch name := f.Name(); {
		case name == jobFile, name == runsFile, strings.HasPrefix(name, roomFile):
		case runName.MatchString(name) && f.IsDir():
			runs = append(runs, filepath.Join(o.directory, name))
		case recordingName.MatchString(name):
			recorded = true
		case (traceName.MatchString(name) || strings.HasPrefix(name, jobFile+"-")) && !f.IsDir():
			traces = append(traces, name)
		default:
			return fileErrorf(o.directory, "the folder holds %s, which is no trace; name another one", name)
		}
	}
	for _, path := range runs {
		run, held := takeRun(path)
		if busy = busy || held; !held {
			recorded = !run.end() || recorded
		}
	}
	switch {
	case busy:
		return nil
	case recorded:
		return fileErrorf(o.directory, "the folder holds a recording; "+
			"opari trace recover makes its trace, or name another folder")
	}
	return o.removeEarlier(traces)
}

// removeEarlier removes the files of traces, but for those that are newer than this process.
func (o *traceFlags) removeEarlier(files []string) error {
	newer := map[string]bool{}
	for _, name := range files {
		info, err := os.Stat(filepath.Join(o.directory, name))
		stem, master := strings.CutSuffix(name, ".otf")
		newer[stem] = master && err == nil && !info.ModTime().Before(recording.Began())
	}
	for _, name := range files {
		stem, _, _ := strings.Cut(name, ".")
		if newer[stem] {
			continue
		}
		path := filepath.Join(o.directory, name)
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return osError(path, err)
		}
	}
	return nil
}

// makeRun makes the folder of this run.
func makeRun(directory string) (*runFolder, error) {
	name := fmt.Sprintf("%s%d", runPrefix, os.Getpid())
	path := filepath.Join(directory, name)
	for again := 1; ; again++ {
		err := os.Mkdir(path, 0o777)
		if err == nil {
			run, _ := takeRun(path)
			return run, nil
		}
		if !errors.Is(err, fs.ErrExist) { // another PID namespace has the same numbers
			return nil, noPlace(osError(directory, err))
		}
		path = filepath.Join(directory, fmt.Sprintf("%s-%d", name, again))
	}
}

// takeRun takes over the folder of a run that has ended; held: its run goes on.
func takeRun(path string) (run *runFolder, held bool) {
	const flags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
	name := filepath.Join(path, runLock)
	lock, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|flags, 0o666)
	if err != nil { // it may be that this one can read only
		lock, err = os.OpenFile(name, os.O_RDONLY|flags, 0)
	}
	if err != nil {
		return &runFolder{path: path}, false
	}
	err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		_ = lock.Close()
		return nil, true
	}
	return &runFolder{path, lock}, false
}

// end gives the folder up, and removes it: true. Not so where recordings are left in it.
func (r *runFolder) end() bool {
	if r.lock != nil {
		defer r.lock.Close()
	}
	files, _ := os.ReadDir(r.path)
	for _, f := range files {
		if recordingName.MatchString(f.Name()) {
			return false
		}
	}
	for _, f := range files {
		if name := f.Name(); name == runLock || strings.HasPrefix(name, unfinished) {
			_ = os.RemoveAll(filepath.Join(r.path, name))
		}
	}
	return os.Remove(r.path) == nil
}

// recordings reports whether the folder of a run has any.
func recordings(path string) bool {
	found, err := filepath.Glob(filepath.Join(path, "*.meta"))
	return err == nil && len(found) > 0
}
