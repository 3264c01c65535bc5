package running

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"opari/internal/command/failure"
	"opari/internal/pattern"
)

// meeting is the folder in which the ranks of a job meet, or in which several runs meet. Others
// may guess its name. So opari refuses files that they put there, and follows no link.
type meeting struct {
	path string
	root *os.Root
	// The folder is made for the ranks, not named by the user, and nobody else may access it.
	own  bool
	file string // the file by which they meet
	who  string // who meets: "the ranks" or "runs"
}

// openMeeting opens the folder, and makes it if it is missing.
func openMeeting(path string, own bool) (*meeting, error) {
	parents := path
	if own {
		parents = filepath.Dir(path)
	}
	if err := os.MkdirAll(parents, 0o777); err != nil {
		return nil, failure.OS(parents, err)
	}
	if own {
		if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, failure.OS(path, err)
		}
		if err := checkOwn(path); err != nil {
			return nil, err
		}
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, failure.OS(path, err)
	}
	m := &meeting{path, root, own, jobFile, "the ranks"}
	if own {
		// Another program may have exchanged the folder since the check. The opened folder must
		// still have the name.
		held, failed := root.Stat(".")
		err = errors.Join(failed, checkOwn(path))
		if there, lost := os.Lstat(path); err == nil && (lost != nil || !os.SameFile(held, there)) {
			err = failure.File(path,
				"another program has changed the folder that the ranks meet in")
		}
	}
	if err != nil {
		_ = root.Close()
		return nil, err
	}
	return m, nil
}

// checkOwn rejects a folder that others can access.
func checkOwn(path string) error {
	info, err := os.Lstat(path)
	what := ""
	switch {
	case err != nil:
		return failure.OS(path, err)
	case info.Mode()&fs.ModeSymlink != 0:
		what = "is a symbolic link"
	case !info.IsDir():
		what = "is no folder"
	case !ours(info):
		what = "is not yours"
	case info.Mode().Perm()&0o077 != 0:
		what = fmt.Sprintf("is open to others (mode %04o)", info.Mode().Perm())
	default:
		return nil
	}
	return failure.File(path, "the ranks cannot meet in it: it %s, and belongs to %s; "+
		"remove it, or set TMPDIR to a folder of yours", what, owner(info))
}

func ours(info fs.FileInfo) bool {
	return int(info.Sys().(*syscall.Stat_t).Uid) == os.Geteuid()
}

// owner names the owner of a file, such as nobody (uid 65534).
func owner(info fs.FileInfo) string {
	uid := strconv.Itoa(int(info.Sys().(*syscall.Stat_t).Uid))
	if u, err := user.LookupId(uid); err == nil {
		return u.Username + " (uid " + uid + ")"
	}
	return "uid " + uid
}

// profileName matches the files that the ranks leave in a folder of their own.
var profileName = pattern.Lazy{Text: `^profile\.[0-9]+$`}

// empty removes the files of an earlier job that was killed.
func (m *meeting) empty() error {
	entries, err := fs.ReadDir(m.root.FS(), ".")
	for _, e := range entries {
		if profileName.Get().MatchString(e.Name()) {
			err = errors.Join(err, m.root.Remove(e.Name()))
		}
	}
	return failure.OS(m.path, err)
}

// remove removes a folder that was made for the ranks, unless it contains something else.
func (m *meeting) remove() {
	if m.own && m.empty() == nil {
		_ = syscall.Rmdir(m.path)
	}
}

// jobFile is the file by which the ranks of a job meet. It contains the job's name, a line for
// each rank that has arrived, and a line for each that has finished. The last rank removes it.
// The MPI layer (internal/mpi/src/meeting.c) has files with this name and a suffix that begins
// with "-", while MPI is initialized.
const jobFile = ".opari-job"

// open opens the file, or makes it. It never follows a link. Nothing is written before the
// caller has the lock and has checked the opened file.
func (m *meeting) open() (*os.File, error) {
	path := filepath.Join(m.path, m.file)
	for {
		f, err := m.root.OpenFile(m.file, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			return f, nil
		} else if !errors.Is(err, fs.ErrExist) {
			return nil, failure.OS(path, err)
		}
		if err := m.checkFile(path); err == nil {
			// A pipe may take this name after the check, and without O_NONBLOCK opening it
			// would block.
			f, err = m.root.OpenFile(m.file, os.O_RDWR|syscall.O_NONBLOCK, 0)
			if err == nil {
				return f, nil
			} else if !errors.Is(err, fs.ErrNotExist) {
				return nil, failure.OS(path, err)
			}
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
}

// checkFile rejects a file that is not from the user's own opari run.
func (m *meeting) checkFile(path string) error {
	info, err := m.root.Lstat(m.file)
	if err != nil {
		return fmt.Errorf("%s: error: %w", path, err)
	}
	links := info.Sys().(*syscall.Stat_t).Nlink
	if links == 0 { // another run removes it at this moment
		return fmt.Errorf("%s: error: %w", path, fs.ErrNotExist)
	}
	if !info.Mode().IsRegular() || !ours(info) || links != 1 {
		return failure.File(path, "%s cannot meet by it: it is no file of yours alone, and "+
			"belongs to %s; remove it, or name another folder than %s", m.who, owner(info), m.path)
	}
	return nil
}

// locked calls do with the lines of the file under an exclusive lock, and writes the lines that
// do returns. If there are none, it removes the file.
func (m *meeting) locked(do func(lines []string) ([]string, error)) error {
	for {
		f, err := m.open()
		if err != nil {
			return err
		}
		again, err := m.lockedFile(f, do)
		_ = f.Close()
		if !again {
			return err
		}
	}
}

func (m *meeting) lockedFile(f *os.File, do func(lines []string) ([]string, error)) (again bool,
	err error,
) {
	path := filepath.Join(m.path, m.file)
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil &&
		!(m.file == runsFile && noLocks(err)) {
		return false, failure.OS(path, err)
	}
	held, err := f.Stat()
	if err != nil {
		return false, failure.OS(path, err)
	}
	if there, err := m.root.Lstat(m.file); err != nil || !os.SameFile(held, there) {
		return true, nil // removed while this process waited for the lock
	}
	if err := m.checkFile(path); err != nil {
		return false, err
	}
	text, err := io.ReadAll(f)
	if err != nil {
		return false, failure.OS(path, err)
	}
	lines, err := do(strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' }))
	if err != nil || len(lines) == 0 {
		return false, errors.Join(err, m.root.Remove(m.file))
	}
	if err := f.Truncate(0); err != nil {
		return false, failure.OS(path, err)
	}
	_, err = f.WriteAt([]byte(strings.Join(lines, "\n")+"\n"), 0)
	return false, err
}

// enter registers the rank in the folder. The first rank calls prepare before any other
// proceeds.
func (j *job) enter(m *meeting, prepare func() error) error {
	return m.locked(func(lines []string) ([]string, error) {
		arrived := "+" + strconv.Itoa(j.rank)
		if len(lines) > 0 && lines[0] == j.name {
			return append(lines, arrived), nil
		}
		return []string{j.name, arrived}, prepare()
	})
}

// leave notes that this rank has finished, and reports whether it is the last. A rank is the
// last if all ranks have finished. It is also the last if all arrived ranks have, and allArrived
// reports that no others will arrive.
func (j *job) leave(m *meeting, allArrived func() bool) (last bool, err error) {
	err = m.locked(func(lines []string) ([]string, error) {
		if len(lines) == 0 || lines[0] != j.name {
			return nil, failure.File(m.path, "another program has taken the folder")
		}
		lines = append(lines, strconv.Itoa(j.rank))
		arrived := 0
		for _, l := range lines[1:] {
			if l[0] == '+' {
				arrived++
			}
		}
		done := len(lines) - 1 - arrived
		if last = done >= j.here || done >= arrived && allArrived(); last {
			return nil, nil
		}
		return lines, nil
	})
	return last && err == nil, err
}
