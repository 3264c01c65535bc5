package running

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"opari/internal/command/failure"
	"opari/internal/recording"
	"opari/internal/report/profile"
	"opari/internal/sampling"
)

// kernelFlags holds the flags of `opari run` that ask the kernel about the program's threads.
type kernelFlags struct {
	rate     sampleRate
	stacks   stackWay
	counters []string
	lines    bool // all lines in the report
}

// sampleRate is a number of samples a second; 0 for none.
type sampleRate int

// Rates outside of these bounds show nothing, or slow the program down.
const (
	usualRate = 1000
	mostRate  = 10000
)

func (r *sampleRate) String() string { return strconv.Itoa(int(*r)) }
func (r *sampleRate) Type() string   { return "HZ" }

func (r *sampleRate) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > mostRate {
		return fmt.Errorf("a rate is a number from 1 to %d", mostRate)
	}
	*r = sampleRate(n)
	return nil
}

// stackWay is how callers are found; "" stands for the usual one.
type stackWay string

const (
	byPointers stackWay = "fp"
	byDWARF    stackWay = "dwarf"
)

func (w *stackWay) String() string { return string(*w) }
func (w *stackWay) Type() string   { return "WAY" }

func (w *stackWay) Set(text string) error {
	switch *w = stackWay(text); *w {
	case byPointers, byDWARF:
		return nil
	}
	return fmt.Errorf("callers are found by %s or %s", byPointers, byDWARF)
}

func (o *kernelFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.Var(&o.rate, "sample", "take samples of what the threads execute, so many a second")
	fs.Lookup("sample").NoOptDefVal = strconv.Itoa(usualRate)
	fs.Var(&o.stacks, "sample-stacks", "take samples, and find callers by frame pointers (fp) or, "+
		"from copies of the stacks, by call frame information (dwarf)")
	fs.StringSliceVar(&o.counters, "counters", nil,
		"count these for each thread, and take samples; a wrong name lists the right ones")
	fs.BoolVar(&o.lines, "lines", false, "with --sample: print the lines at which threads worked")
}

// check gives the counters their names. It rejects combinations that exclude each other.
func (o *kernelFlags) check(trace *traceFlags) error {
	var names []string
	for _, name := range o.counters {
		name, err := sampling.FindCounter(name)
		if err != nil {
			return failure.Usage(fmt.Errorf("--counters: %w", err))
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if o.stacks == byDWARF && !sampling.Unwinds {
		return failure.Usage(errors.New("--sample-stacks=dwarf is for amd64 alone"))
	}
	if o.counters = names; (names != nil || o.stacks != "") && o.rate == 0 {
		o.rate = usualRate
	}
	if o.lines && (o.rate == 0 || trace.directory != "") {
		return failure.Usage(errors.New("--lines goes with --sample, and without --trace; " +
			"opari report --lines reads a trace"))
	}
	if trace.estimate {
		trace.sampling = recording.Sampling{Rate: int(o.rate), Counters: len(names)}
		*o = kernelFlags{} // a profile has no samples
	}
	if o.rate > 0 && trace.directory == "" && findJob() != nil {
		return failure.Usage(errors.New("--sample of an MPI program goes with --trace=DIRECTORY"))
	}
	return nil
}

// open prepares to follow a program. Where the kernel does not tell, that is said if it was asked
// for, and the run goes on without.
func (o *kernelFlags) open() *sampling.Recorder {
	r, err := sampling.Open(sampling.Options{
		Rate: int(o.rate), Off: o.rate > 0, Counters: o.counters, Unwind: o.stacks == byDWARF,
	})
	switch missing := r.Missing(); {
	case err != nil && o.counters != nil:
		fmt.Fprintf(os.Stderr, "opari: warning: no samples and no counters: %v\n", err)
	case err != nil:
		fmt.Fprintf(os.Stderr, "opari: warning: no samples: %v\n", err)
	case missing != nil:
		fmt.Fprintf(os.Stderr, "opari: warning: nothing counts %s on this machine\n",
			strings.Join(missing, ", "))
	}
	if r.AtEnd() {
		fmt.Fprintln(os.Stderr, "opari: warning: before Linux 6.13 counters have values only "+
			"at the end of a thread")
	}
	return r
}

// runSampled runs the program, makes a trace of it that does not stay, and prints the report.
func (o *runFlags) runSampled(args []string) error {
	folder, err := os.MkdirTemp("", "opari-run-")
	if err != nil {
		return failure.OS(os.TempDir(), err)
	}
	defer os.RemoveAll(folder)
	traced := *o
	traced.trace.directory, traced.trace.temporary = filepath.Join(folder, "trace"), true
	return traced.runTraced(args, func() error {
		return o.ReportTraces(traced.trace.directory, o.kernel.lines)
	})
}

// keepKernel writes what was recorded beside the recordings of the ranks of a job.
func keepKernel(folder string, r *sampling.Recorder) error {
	record, machine := r.Stop()
	if err := recording.KeepKernel(folder, record, machine); err != nil {
		return failure.OS(folder, err)
	}
	return nil
}

// starting returns the function by which a recorder starts a command.
func starting(cmd *exec.Cmd) func() (int, error) {
	return func() (int, error) {
		if err := cmd.Start(); err != nil {
			return 0, err
		}
		return cmd.Process.Pid, nil
	}
}

// addProcessors notes in a program's profile how long its threads were on processors, and how long
// they waited for one. A profile without that serves, too.
func addProcessors(dir string, record *sampling.Record) {
	sums := map[int]profile.Processors{} // by process
	for _, t := range record.Threads {
		o := sums[t.PID]
		o.Allowed = max(o.Allowed, len(t.Allowed))
		o.Used += int64(t.Used)
		o.Waited += int64(t.Waited)
		sums[t.PID] = o
	}
	for pid, o := range sums {
		path := filepath.Join(dir, "profile."+strconv.Itoa(pid))
		if text, err := os.ReadFile(path); err == nil {
			_ = os.WriteFile(path, profile.WithProcessors(text, o), 0o666)
		}
	}
}
