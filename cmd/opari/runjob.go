package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"opari/internal/recording"
	"opari/internal/report"
)

// job is the MPI job that this `opari run` runs one rank of, as mpirun has started it: mpirun -n 4 opari run ./program. The ones of a job meet in a
// folder: the first empties it, the last makes one trace, or report, of what all have left.
type job struct {
	name       string // not the name of another one
	rank, size int
	here       int // how many of them meet
}

// launchers give each process its rank, and by some name the job that it belongs to; where there is none OPARI_JOB can be one, else it is where MPICH's mpiexec listens,
// else that of the process that has started all of this node.
var launchers = []struct{ rank, size, name string }{
	{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMIX_NAMESPACE"},
	{"PMI_RANK", "PMI_SIZE", "PMI_JOBID"},
	{"PMIX_RANK", "SLURM_STEP_NUM_TASKS", "PMIX_NAMESPACE"},
}

// findJob is nil where this is no rank.
func findJob() *job {
	for _, l := range launchers {
		rank, err := strconv.Atoi(os.Getenv(l.rank))
		size, failed := strconv.Atoi(os.Getenv(l.size))
		if err != nil || failed != nil || rank < 0 || rank >= size {
			continue
		}
		host, _ := os.Hostname()
		name := cmp.Or(os.Getenv(l.name), os.Getenv("OPARI_JOB"), mpiexecListens(os.Getppid()), fmt.Sprintf("%s-%d", host, os.Getppid()))
		return &job{name: strings.ReplaceAll(name, "\n", " "), rank: rank, size: size, here: size}
	}
	return nil
}

// mpiexecListens is HOST:PORT of MPICH's mpiexec, if this process is the one by which it has started those of a node: mpiexec gives its processes no name for
// their job, but says this on that one's command line. internal/mpi/src/meeting.c does so too.
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

// run is runFlags.run for a rank.
func (j *job) run(o *runFlags, args []string) error {
	folder, profiles := o.trace.directory, o.profile
	prepare, together := func() error { return nil }, func() bool { return false }
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
		prepare, together = o.trace.prepare, func() bool { return recording.Whole(o.trace.directory) }
	} else if folder = o.profile + ".ranks"; o.profile == "" {
		if n, err := strconv.Atoi(cmp.Or(os.Getenv("OMPI_COMM_WORLD_LOCAL_SIZE"), os.Getenv("MPI_LOCALNRANKS"))); err == nil {
			j.here = n // another node has another folder of that name
		}
		folder = filepath.Join(os.TempDir(), fmt.Sprintf("opari-job-%d-%s", os.Getuid(), strings.ReplaceAll(j.name, "/", "-")))
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
			return osError(os.TempDir(), err)
		}
		defer os.RemoveAll(own)
		variables = append(variables, "OPARI_PROFILE="+filepath.Join(own, "profile"))
	}
	if j.rank == 0 {
		warnOfStranger(args[0])
	}
	code, err := runProgram(args, variables...)
	if err != nil {
		return err
	}
	if profiles != "" {
		err = j.keep(own, profiles)
	}
	last, left := j.leave(meet, together)
	err = errors.Join(err, left)
	if last {
		err = errors.Join(err, j.finish(o, args[0], profiles))
		meet.remove()
	}
	return afterProgram(code, err)
}

// keep puts the profile of this rank beside those of the others: FILE.RANK. Of other programs that it has started there is none.
func (j *job) keep(own, profiles string) error {
	files, err := filepath.Glob(filepath.Join(own, "profile.*"))
	if err != nil || len(files) == 0 {
		return nil
	}
	return copyProfile(files[0], fmt.Sprintf("%s.%d", profiles, j.rank), func(text []byte) []byte { return report.WithRank(text, j.rank, j.size) })
}

// finish makes one trace, and one report, of what all ranks have left.
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
		if file := fmt.Sprintf("%s.%d", profiles, rank); exists(file) {
			files = append(files, file)
		}
	}
	if len(files) == 0 {
		fmt.Fprintf(os.Stderr, "opari: warning: %s wrote no profile\n", program)
		return err
	}
	all, failed := readRanks(files)
	if failed != nil {
		return errors.Join(err, failed)
	}
	return errors.Join(err, o.print(os.Stderr, []*report.Profile{all}))
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
