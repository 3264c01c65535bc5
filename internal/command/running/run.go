package running

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"opari/internal/command/arguments"
	"opari/internal/command/disk"
	"opari/internal/command/failure"
	"opari/internal/command/reports"
	"opari/internal/command/terminal"
	"opari/internal/recording"
	"opari/internal/sampling"
)

// runFlags holds the flags of `opari run`.
type runFlags struct {
	reports.ProfilePrinter
	profile string // file that keeps the raw profile; "" for none
	trace   traceFlags
	kernel  kernelFlags
}

const lostHelp = `The columns are sums over all threads:

  lost     time in which threads could have worked and did not: barrier + wait, a part of time
  time     from entering to leaving
  body     the work itself
  barrier  waiting in the construct's barrier for the last thread
  wait     waiting to enter (critical, ordered, lock, atomic) or for tasks
  hold     how long a critical section or a lock was held
  imbal    the largest body time of a thread over the mean`

// Run makes the command `opari run`.
func Run() *cobra.Command {
	var o runFlags
	cmd := &cobra.Command{
		Use:   "run [flags] [--] PROGRAM [ARGUMENT...]",
		Short: "Run an instrumented program and print where its threads lost time",
		Long: `run runs an instrumented program and prints its profile on standard error when it has
ended. The program's own output stays as it is. The exit code is the program's, 128 + n where signal
n ended it. Our options stand before the program's name.

  opari run ./heat 1000 500
  opari run --trace=heat.trace ./heat && opari report heat.trace
  mpirun -n 4 opari run ./ocean

With --trace=DIRECTORY it records a trace instead: DIRECTORY/trace.otf, in the Open Trace Format,
with a process for each thread. A forked child, and a program that the program starts, has a
trace of its own, trace-PID.otf. With --format=otf2 these are archives of OTF2, which Vampir and
Scalasca read: DIRECTORY/trace.otf2. --estimate records a profile and says how large a trace would
be.

With --sample the trace has what the threads execute, too: 1000 samples in a second of processor
time, or --sample=HZ. --counters=cycles,instructions,page-faults adds values of these counters, of
which there are more. --sample-stacks=dwarf finds callers without frame pointers, too. Without
--trace these print the report of a trace, which does not stay.

A --filter has a rule in each line; the last that holds decides:

  exclude kind|name|file PATTERN     include kind|name|file PATTERN     minimum DURATION

` + lostHelp,
		Example: `  opari run ./program
  opari run --trace=new.trace ./program && opari report new.trace`,
		Args: arguments.Program,
		RunE: func(_ *cobra.Command, args []string) error { return o.run(args) },
	}
	cmd.Flags().SetInterspersed(false)
	o.Add(cmd, "standard error")
	cmd.Flags().Var(arguments.FileName(&o.profile), "profile",
		"keep the profile in this file, for opari report")
	o.trace.add(cmd)
	o.kernel.add(cmd)
	return cmd
}

// run runs the program and reports. The exit code is the program's, unless that is 0 and the
// report fails. A program that writes no profile is no failure.
func (o *runFlags) run(args []string) error {
	if o.Format == "otf2" {
		if o.trace.directory == "" {
			return failure.Usage(errors.New("--format=otf2 goes with --trace"))
		}
		o.Format, o.trace.archive = "table", true
	}
	if err := o.trace.check(); err != nil {
		return err
	}
	if err := o.kernel.check(&o.trace); err != nil {
		return err
	}
	if err := checkProfile(o.profile); err != nil {
		return err
	}
	if err := o.Plan(nil); err != nil {
		// This check precedes the run, because the report must not fail for want of a place.
		return err
	}
	if j := findJob(); j != nil {
		return j.run(o, args)
	}
	if o.trace.directory != "" {
		return o.runTraced(args, nil)
	}
	if o.kernel.rate > 0 {
		return o.runSampled(args)
	}
	if _, err := o.trace.rules(); err != nil {
		return err
	}
	if err := o.placesToRecord(os.TempDir()); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "opari-run-")
	if err != nil {
		return failure.OS(os.TempDir(), err)
	}
	defer os.RemoveAll(dir)
	WarnOfUncalledLibrary(args[0])
	watch, _ := sampling.Open(sampling.Options{})
	code, err := RunProgram(watch, args, "OPARI_PROFILE="+filepath.Join(dir, "profile"))
	record, _ := watch.Stop()
	if err != nil {
		return err
	}
	addProcessors(dir, record)
	return AfterProgram(code, o.report(dir, args[0], code))
}

// runTraced runs the program and makes its trace, and with --profile also its profile. Then it
// calls report unless that is nil.
func (o *runFlags) runTraced(args []string, report func() error) error {
	filter, err := o.trace.rules()
	if err != nil {
		return err
	}
	run, err := o.trace.begin()
	if err != nil {
		return err
	}
	defer run.end()
	variables, err := o.trace.variables(filter, run.path)
	if err != nil {
		return err
	}
	if err := o.placesToRecord(o.trace.directory); err != nil {
		return err
	}
	dir := ""
	if o.profile != "" {
		if dir, err = os.MkdirTemp("", "opari-run-"); err != nil {
			return failure.OS(os.TempDir(), err)
		}
		defer os.RemoveAll(dir)
		variables = append(variables, "OPARI_PROFILE="+filepath.Join(dir, "profile"))
	}
	WarnOfUncalledLibrary(args[0])
	watch := o.kernel.open()
	code, err := RunProgram(watch, args, variables...)
	record, machine := watch.Stop()
	if err != nil {
		return err
	}
	err = o.trace.finish(args[0], run.path, recording.Options{
		Work: run.path, Kernel: record, Machine: machine,
	})
	if o.profile != "" {
		err = errors.Join(err, o.report(dir, args[0], code))
	}
	if report != nil && err == nil {
		err = report()
	}
	return AfterProgram(code, err)
}

// AfterProgram ends a command that has run a program and reported on it. It prints why a report
// failed. The program's exit code takes precedence unless it is 0.
func AfterProgram(code int, report error) error {
	if report != nil {
		fmt.Fprintln(os.Stderr, report)
		if code == 0 {
			code = 1
		}
	}
	if code != 0 {
		return failure.Exit(code)
	}
	return nil
}

// FindProgram returns the path of a program. It prints why there is none, and the error is the
// exit code of shells.
func FindProgram(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err == nil || errors.Is(err, exec.ErrDot) {
		return path, nil
	}
	code, why := 127, failure.Reason(err)
	switch {
	case errors.Is(err, exec.ErrNotFound):
		why = errors.New("no such program")
		if info, err := os.Stat(name); err == nil && info.Mode()&0o111 != 0 && !info.IsDir() {
			why = fmt.Errorf("no such program in PATH; the one of this folder is ./%s", name)
		}
	case errors.Is(err, os.ErrPermission), errors.Is(err, syscall.EISDIR):
		code = 126 // the file is there but not executable
	}
	fmt.Fprintf(os.Stderr, "opari: error: %s: %v\n", name, why)
	return "", failure.Exit(code)
}

// RunProgram runs args with variables (NAME=value) set and passes signals on. It returns the
// program's exit code; an error means that the program did not start. The recorder follows the
// program, unless it is nil.
func RunProgram(watch *sampling.Recorder, args []string, variables ...string) (int, error) {
	return RunProgramTo(os.Stdout, watch, args, variables...)
}

// RunProgramTo is RunProgram with another file as the program's standard output.
func RunProgramTo(stdout *os.File, watch *sampling.Recorder, args []string, variables ...string,
) (int, error) {
	path, err := FindProgram(args[0])
	if err != nil {
		return 0, err
	}
	cmd := &exec.Cmd{Path: path, Args: args, Stdin: os.Stdin, Stdout: stdout, Stderr: os.Stderr}
	cmd.Env = append(os.Environ(), variables...) // of two values of a name, the last one counts
	signals := make(chan os.Signal, 16)
	disk.Notify(signals, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGHUP,
		syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGALRM, syscall.SIGCONT)
	start := cmd.Start
	if watch != nil {
		start = func() error { return watch.Start(starting(cmd)) }
	}
	if err := start(); err != nil {
		fmt.Fprintf(os.Stderr, "opari: error: %s: %v\n", args[0], failure.Reason(err))
		return 0, failure.Exit(126)
	}
	go func() {
		for s := range signals {
			if (s == syscall.SIGINT || s == syscall.SIGQUIT) && terminal.InForeground() {
				continue // the terminal has already sent it to the program
			}
			_ = cmd.Process.Signal(s)
		}
	}()
	err = cmd.Wait()
	signal.Stop(signals)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 0, failure.OS(args[0], err)
	}
	if ws := cmd.ProcessState.Sys().(syscall.WaitStatus); ws.Signaled() {
		return 128 + int(ws.Signal()), nil
	}
	return cmd.ProcessState.ExitCode(), nil
}

// whyNoRecord is the usual reason why a program recorded nothing.
const whyNoRecord = "it is not linked with the measurement library (opari cc with -fopenmp at " +
	"the link, " +
	"or opari config --libs), or runs no OpenMP of its own"

// report prints the profiles that the program left in dir.
func (o *runFlags) report(dir, program string, code int) error {
	files, err := filepath.Glob(filepath.Join(dir, "profile.*"))
	if err != nil || len(files) == 0 {
		why := whyNoRecord
		switch {
		case os.Getenv("OPARI") == "off":
			why = "OPARI=off is set"
		case writable(dir) != nil:
			return fmt.Errorf("%w: %s wrote no profile", writable(dir), program)
		case code > 128:
			why = "a signal ended it, or " + why
		}
		fmt.Fprintf(os.Stderr, "opari: warning: %s wrote no profile: %s\n", program, why)
		return nil
	}
	if o.profile != "" {
		for _, f := range files {
			to := o.profile
			if len(files) > 1 {
				to += filepath.Ext(f)
			}
			if err := copyProfile(f, to, nil); err != nil {
				return err
			}
		}
	}
	profiles, err := reports.ReadProfiles(files)
	if err != nil {
		return err
	}
	if o.trace.estimate {
		return o.Fill(os.Stderr, func(w io.Writer) error {
			return o.trace.printEstimate(w, profiles, o.Top)
		})
	}
	return o.Print(os.Stderr, profiles)
}

// checkProfile rejects a path for the raw profile that contains something else.
func checkProfile(path string) error {
	if path == "" {
		return nil
	}
	old, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil
	} else if err != nil {
		return failure.OS(path, err)
	}
	if len(old) > 0 && !strings.HasPrefix(string(old), `{"opari_profile":`) {
		return failure.File(path, "the file exists and is no profile; name another one")
	}
	return nil
}

// copyProfile copies a raw profile, and applies change unless it is nil.
func copyProfile(from, to string, change func([]byte) []byte) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return failure.OS(from, err)
	}
	if change != nil {
		text = change(text)
	}
	if err := checkProfile(to); err != nil {
		return err
	}
	out, err := disk.Plan(to, []*disk.Input{{Path: from}}, true)
	if err != nil {
		return err
	}
	return out.Write(func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}
