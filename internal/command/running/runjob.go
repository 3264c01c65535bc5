package running

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"opari/internal/command/disk"
	"opari/internal/command/failure"
	"opari/internal/command/reports"
	"opari/internal/recording"
	"opari/internal/report/profile"
	"opari/internal/sampling"
)

// job is an MPI job, of which this `opari run` runs one rank: mpirun -n 4 opari run ./program.
// The ranks of a job meet in a folder. The first empties it, and the last combines all
// recordings into one trace or report.
type job struct {
	name       string // differs from the names of other jobs
	rank, size int
	here       int // number of ranks that meet
}

// launchers lists the variables of each launcher for a process's rank and job name. Without a
// job name, OPARI_JOB may give one. The next choices are where MPICH's mpiexec listens, and the
// process that started all ranks of this node.
var launchers = []struct{ rank, size, name string }{
	{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMIX_NAMESPACE"},
	{"PMI_RANK", "PMI_SIZE", "PMI_JOBID"},
	{"PMIX_RANK", "SLURM_STEP_NUM_TASKS", "PMIX_NAMESPACE"},
}

// findJob returns nil if this process is no rank.
func findJob() *job {
	for _, l := range launchers {
		rank, err := strconv.Atoi(os.Getenv(l.rank))
		size, failed := strconv.Atoi(os.Getenv(l.size))
		if err != nil || failed != nil || rank < 0 || rank >= size {
			continue
		}
		host, _ := os.Hostname()
		name := cmp.Or(os.Getenv(l.name), os.Getenv("OPARI_JOB"), mpiexecListens(os.Getppid()),
			fmt.Sprintf("%s-%d", host, os.Getppid()))
		return &job{name: strings.ReplaceAll(name, "\n", " "), rank: rank, size: size, here: size}
	}
	return nil
}

// mpiexecListens returns HOST:PORT of MPICH's mpiexec, if process is the proxy that starts the
// ranks of a node. mpiexec does not give its processes a job name, but the proxy's command line
// has this. internal/mpi/src/meeting.c does the same.
func mpiexecListens(process int) string {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", process))
	if err != nil {
		return ""
	}
	words := strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00")
	if i := slices.Index(words, "--control-port"); i >= 0 && i+1 < len(words) {
		return words[i+1]
	}
	return ""
}

// run does for a rank what runFlags.run does for a program.
func (j *job) run(o *runFlags, args []string) error {
	folder, profiles := o.trace.directory, o.profile
	prepare, allArrived := func() error { return nil }, func() bool { return false }
	var variables []string
	if o.trace.directory != "" {
		filter, err := o.trace.rules()
		if err != nil {
			return err
		}
		if variables, err = o.trace.variables(filter, o.trace.directory); err != nil {
			return err
		}
		variables = append(variables, "OPARI_JOB="+j.name)
		prepare, allArrived = o.trace.prepare,
			func() bool { return recording.Whole(o.trace.directory) }
	} else if folder = o.profile + ".ranks"; o.profile == "" {
		if n, err := strconv.Atoi(cmp.Or(os.Getenv("OMPI_COMM_WORLD_LOCAL_SIZE"),
			os.Getenv("MPI_LOCALNRANKS"))); err == nil {
			j.here = n // other nodes have their own folders of that name
		}
		folder = filepath.Join(os.TempDir(),
			fmt.Sprintf("opari-job-%d-%s", os.Getuid(), strings.ReplaceAll(j.name, "/", "-")))
	}
	if profiles == "" && o.trace.directory == "" {
		profiles = filepath.Join(folder, "profile")
	}
	meet, err := openMeeting(folder, o.trace.directory == "")
	if err != nil {
		return err
	}
	defer meet.root.Close()
	if meet.own {
		prepare = meet.empty
	}
	if err := o.placesToRecord(folder); err != nil {
		return err
	}
	if err := j.enter(meet, prepare); err != nil {
		return err
	}
	own := ""
	if profiles != "" {
		var err error
		if own, err = os.MkdirTemp("", "opari-run-"); err != nil {
			return failure.OS(os.TempDir(), err)
		}
		defer os.RemoveAll(own)
		variables = append(variables, "OPARI_PROFILE="+filepath.Join(own, "profile"))
	}
	if j.rank == 0 {
		WarnOfUncalledLibrary(args[0])
	}
	var watch *sampling.Recorder
	if o.trace.directory != "" {
		watch = o.kernel.open()
	}
	code, err := RunProgram(watch, args, variables...)
	if watch != nil && err != nil {
		watch.Stop()
	}
	if err != nil {
		return err
	}
	if watch != nil {
		err = keepKernel(folder, watch)
	}
	if profiles != "" {
		err = errors.Join(err, j.keep(own, profiles))
	}
	last, left := j.leave(meet, allArrived)
	err = errors.Join(err, left)
	if last {
		err = errors.Join(err, j.finish(o, args[0], profiles))
		meet.remove()
	}
	return AfterProgram(code, err)
}

// keep copies the profile of this rank to FILE.RANK beside those of the others. It drops the
// profiles of other programs that the rank started.
func (j *job) keep(own, profiles string) error {
	files, err := filepath.Glob(filepath.Join(own, "profile.*"))
	if err != nil || len(files) == 0 {
		return nil
	}
	return copyProfile(files[0], fmt.Sprintf("%s.%d", profiles, j.rank),
		func(text []byte) []byte { return profile.WithRank(text, j.rank, j.size) })
}

// finish makes one trace and one report from the recordings of all ranks.
func (j *job) finish(o *runFlags, program, profiles string) error {
	var err error
	if o.trace.directory != "" {
		err = o.trace.finish(program, o.trace.directory, recording.Options{Waited: true})
	}
	if profiles == "" {
		return err
	}
	var files []string
	for rank := range j.size {
		if file := fmt.Sprintf("%s.%d", profiles, rank); disk.Exists(file) {
			files = append(files, file)
		}
	}
	if len(files) == 0 {
		fmt.Fprintf(os.Stderr, "opari: warning: %s wrote no profile\n", program)
		return err
	}
	all, failed := reports.ReadRanks(files)
	if failed != nil {
		return errors.Join(err, failed)
	}
	return errors.Join(err, o.Print(os.Stderr, []*profile.Profile{all}))
}
