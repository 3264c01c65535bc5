package running

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"opari/internal/command/failure"
	"opari/internal/command/traces"
	"opari/internal/pattern"
	"opari/internal/recording"
)

// runFolder is the folder into which the processes of one run record, inside the folder of the
// traces. Several runs may use the folder of the traces at once, and each converts its own
// recordings. A run holds its lock until it ends, however that happens. Recordings of processes
// that still run then remain there.
type runFolder struct {
	path string
	lock *os.File // nil if the file system has no locks
}

const (
	runPrefix  = ".opari-run-" // followed by the process number of the run
	runLock    = "lock"        // in the folder of the run
	unfinished = ".opari-"     // prefix of the names of incomplete traces, in the folder of the run
	// runsFile is locked while a run examines the folder of the traces or moves one into it.
	runsFile = ".opari-runs"
)

// traceName matches the files in a folder of traces, and recordingName those of recordings.
var (
	traceName = pattern.Lazy{Text: `^trace(-[0-9]+)*` +
		`(\.otf|\.[0-9a-f]+\.(def|events|snaps|stats)(\.z)?|\.otf2|\.def|\.marker)$`}
	archiveFolder = pattern.Lazy{Text: `^trace(-[0-9]+)*$`}
	recordingName = pattern.Lazy{Text: `^[0-9]+(-[0-9]+)?\.(meta|mpi|table|kernel|[0-9]+)$`}
	runName       = pattern.Lazy{Text: `^\.opari-run-[0-9]+(-[0-9]+)?$`}
)

// inTurn calls do while no other run examines the folder or moves a trace into it.
func inTurn(directory string, do func() error) error {
	m, err := openMeeting(directory, false)
	if err != nil {
		return err
	}
	defer m.root.Close()
	m.file, m.who = runsFile, "runs"
	return m.locked(func([]string) ([]string, error) { return nil, do() })
}

// noLocks reports whether an error means that the file system has no locks.
func noLocks(err error) bool {
	return errors.Is(err, syscall.ENOSYS) || errors.Is(err, syscall.ENOLCK) ||
		errors.Is(err, syscall.EOPNOTSUPP)
}

// begin makes a folder for the run's recordings, and removes earlier traces like prepare.
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

// prepare removes earlier traces from the folder of the traces, and makes the folder if it is
// missing.
func (o *traceFlags) prepare() error { return o.first(o.empty) }

func (o *traceFlags) first(do func() error) error {
	if err := os.MkdirAll(o.directory, 0o777); err != nil {
		return noPlace(failure.OS(o.directory, err))
	}
	entered := false
	err := inTurn(o.directory, func() error {
		entered = true
		return do()
	})
	if err != nil && !entered {
		return noPlace(err)
	}
	return err
}

// empty removes earlier traces unless another run is active there. It keeps the traces of runs
// that ended after this process began, and rejects a folder with other files.
func (o *traceFlags) empty() error {
	files, err := os.ReadDir(o.directory)
	if err != nil {
		return failure.OS(o.directory, err)
	}
	var earlier, runs []string
	recorded, busy := false, false
	for _, f := range files {
		switch name := f.Name(); {
		case name == jobFile, name == runsFile, strings.HasPrefix(name, roomFile):
		case runName.Get().MatchString(name) && f.IsDir():
			runs = append(runs, filepath.Join(o.directory, name))
		case recordingName.Get().MatchString(name):
			recorded = true
		case strings.HasPrefix(name, recording.UnfinishedKernel) && !f.IsDir(): // of a killed run
			earlier = append(earlier, name)
		case archiveFolder.Get().MatchString(name) && f.IsDir():
			earlier = append(earlier, name)
		case !f.IsDir() && (traceName.Get().MatchString(name) ||
			strings.HasPrefix(name, jobFile+"-")):
			earlier = append(earlier, name)
		default:
			return failure.File(o.directory,
				"the folder holds %s, which is no trace; name another one", name)
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
		return failure.File(o.directory, "the folder holds a recording; "+
			"opari trace recover makes its trace, or name another folder")
	}
	return o.removeEarlier(earlier)
}

// removeEarlier removes the files of traces that are older than this process.
func (o *traceFlags) removeEarlier(files []string) error {
	newer := map[string]bool{}
	for _, name := range files {
		info, err := os.Stat(filepath.Join(o.directory, name))
		stem, master := strings.CutSuffix(strings.TrimSuffix(name, "2"), ".otf")
		if master && err == nil && !info.ModTime().Before(recording.Began()) {
			newer[stem] = true
		}
	}
	for _, name := range files {
		stem, _, _ := strings.Cut(name, ".")
		if newer[stem] {
			continue
		}
		path := filepath.Join(o.directory, name)
		if archiveFolder.Get().MatchString(name) {
			if err := traces.RemoveArchive(path); err != nil {
				return failure.OS(path, err)
			}
			continue
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return failure.OS(path, err)
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
			return nil, noPlace(failure.OS(directory, err))
		}
		path = filepath.Join(directory, fmt.Sprintf("%s-%d", name, again))
	}
}

// takeRun takes over the folder of a run that has ended; held is true if the run is active.
func takeRun(path string) (run *runFolder, held bool) {
	const flags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
	name := filepath.Join(path, runLock)
	lock, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|flags, 0o666)
	if err != nil { // the user may have only read permission
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

// end gives the folder up and removes it, and returns whether it did. It keeps a folder that
// contains recordings.
func (r *runFolder) end() bool {
	if r.lock != nil {
		defer r.lock.Close()
	}
	files, _ := os.ReadDir(r.path)
	for _, f := range files {
		if recordingName.Get().MatchString(f.Name()) {
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

// recordings reports whether the folder of a run contains recordings.
func recordings(path string) bool {
	found, err := filepath.Glob(filepath.Join(path, "*.meta"))
	return err == nil && len(found) > 0
}
