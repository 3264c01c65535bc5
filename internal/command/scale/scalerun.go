package scale

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"opari/internal/analysis/run"
	"opari/internal/command/disk"
	"opari/internal/command/failure"
	"opari/internal/command/reports"
	"opari/internal/command/running"
	"opari/internal/pattern"
	"opari/internal/scaling"
)

// keptRun is the name of a run that --keep keeps: its count and its turn.
var keptRun = pattern.Lazy{Text: `^((?:\d+x)?\d+)-\d+$`}

// record runs the program with each count, in turn, and reads what the runs left.
func (o *scaleFlags) record(p *scalePlan) ([]scaling.Run, error) {
	if _, err := running.FindProgram(p.program[0]); err != nil {
		return nil, err
	}
	launcher, err := o.starter(p.counts[0].Ranks > 0)
	if err != nil {
		return nil, err
	}
	scratch, err := os.MkdirTemp("", "opari-scale-")
	if err != nil {
		return nil, failure.OS(os.TempDir(), err)
	}
	defer os.RemoveAll(scratch)
	folder := filepath.Join(scratch, "runs")
	if o.keep != "" {
		folder = o.keep
	}
	if err := emptyOfRuns(folder); err != nil {
		return nil, err
	}
	running.WarnOfUncalledLibrary(p.program[0])
	var runs []scaling.Run
	for turn := range o.repeat {
		for _, c := range p.counts {
			fmt.Fprintf(os.Stderr, "opari: %s, run %d of %d\n", c.Words(), turn+1, o.repeat)
			name := filepath.Join(folder, fmt.Sprintf("%s-%d", c, turn+1))
			if err := o.start(p, c, launcher, name, filepath.Join(scratch, "table")); err != nil {
				return nil, err
			}
			run, err := o.readOne(name, c)
			if err != nil {
				return nil, err
			}
			if n := here(); run.Processors == 0 || run.Processors > n {
				run.Processors = n
			}
			runs = append(runs, run)
		}
	}
	return runs, nil
}

// here returns how many processors a program may use on this machine. Go knows the limit of the
// control group, too.
func here() int { return min(runtime.NumCPU(), runtime.GOMAXPROCS(0)) }

// emptyOfRuns makes the folder of the runs. It rejects one with other files, and removes the runs
// of an earlier study, which would be part of this one.
func emptyOfRuns(folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return failure.OS(folder, err)
	}
	files, err := os.ReadDir(folder)
	if err != nil {
		return failure.OS(folder, err)
	}
	for _, f := range files {
		path := filepath.Join(folder, f.Name())
		name := f.Name()
		if _, of := reports.RankOf(path); of > 0 {
			name = strings.TrimSuffix(name, filepath.Ext(name))
		}
		trace, _ := reports.TraceOf(path)
		if !keptRun.Get().MatchString(name) || trace == "" && reports.CheckRun(path) != nil {
			return failure.File(folder, "the folder holds %s, which is no run of opari scale; "+
				"name another folder", f.Name())
		}
	}
	for _, f := range files {
		if err := os.RemoveAll(filepath.Join(folder, f.Name())); err != nil {
			return failure.OS(folder, err)
		}
	}
	return nil
}

// starter returns the command that starts ranks; nil if there are none.
func (o *scaleFlags) starter(ranks bool) ([]string, error) {
	if !ranks {
		if o.launcher != "" {
			return nil, failure.Usage(errors.New(
				"--launcher starts ranks: counts are then such as 2x4"))
		}
		return nil, nil
	}
	if words := strings.Fields(o.launcher); len(words) > 0 {
		_, err := running.FindProgram(words[0])
		return words, err
	}
	for _, name := range []string{"mpirun", "mpiexec"} {
		if _, err := exec.LookPath(name); err == nil {
			return []string{name}, nil
		}
	}
	return nil, errors.New("opari: error: neither mpirun nor mpiexec is in PATH: " +
		"--launcher names what starts ranks")
}

// unbound are variables by which Open MPI leaves a rank's threads all processors. Else it binds
// each rank to one of them.
var unbound = []string{
	"OMPI_MCA_hwloc_base_binding_policy=none", "PRTE_MCA_hwloc_default_binding_policy=none",
}

// start runs the program with a count, and leaves its profile or trace under a name.
func (o *scaleFlags) start(p *scalePlan, c scaling.Count, launcher []string, name, table string,
) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("opari: error: %w", err)
	}
	threads := "OMP_NUM_THREADS=" + strconv.Itoa(c.Threads)
	args := []string{self, "run", "--profile=" + name, "--output=" + table, "--force", "--"}
	if o.trace {
		args = []string{self, "run", "--trace=" + name, "--"}
	}
	args = append(args, p.program...)
	variables := []string{threads}
	if launcher != nil {
		// A launcher need not hand the environment to other machines.
		args = slices.Concat(launcher, []string{"-n", strconv.Itoa(c.Ranks), "env", threads}, args)
		for _, v := range unbound {
			if known, _, _ := strings.Cut(v, "="); o.launcher == "" && os.Getenv(known) == "" {
				variables = append(variables, v)
			}
		}
	}
	code, err := running.RunProgramTo(os.Stderr, nil, args, variables...)
	switch {
	case err != nil:
		return err
	case slices.Contains(stops, syscall.Signal(code-128)):
		return failure.Exit(code)
	case code != 0:
		return fmt.Errorf("opari: error: %s with %s: exit code %d", p.program[0], c.Words(), code)
	}
	return nil
}

// stops are the signals by which a user ends a study, and not only a run.
var stops = []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// readOne reads the run that a program has left under a name.
func (o *scaleFlags) readOne(name string, asked scaling.Count) (scaling.Run, error) {
	if !disk.Exists(name) && reports.RankFiles(name) == nil {
		several, _ := filepath.Glob(reports.Globbed(name) + ".[0-9]*")
		if len(several) > 0 {
			return scaling.Run{}, fmt.Errorf("opari: error: %d processes have left profiles, and "+
				"scale compares one: name the program itself, or a count with ranks", len(several))
		}
		return scaling.Run{}, errors.New("opari: error: the program has left no profile")
	}
	r, err := reports.ReadResult(name, run.Options{}, o.damaged)
	if err != nil {
		return scaling.Run{}, err
	}
	return scaling.RunOf(r, asked), nil
}

// readAll reads runs that exist. The name of a run that --keep has kept says what it was asked
// for.
func (o *scaleFlags) readAll(names []string) ([]scaling.Run, error) {
	var runs []scaling.Run
	for _, name := range names {
		found, err := reports.FindRuns(name)
		if err != nil {
			return nil, err
		}
		for _, path := range found {
			var asked scaling.Count
			if kept := keptRun.Get().FindStringSubmatch(filepath.Base(path)); kept != nil {
				if asked, err = scaling.ParseCount(kept[1]); err != nil {
					return nil, failure.File(path, "%w", err)
				}
			}
			r, err := reports.ReadResult(path, run.Options{}, o.damaged)
			if err != nil {
				return nil, err
			}
			runs = append(runs, scaling.RunOf(r, asked))
		}
	}
	return runs, nil
}
