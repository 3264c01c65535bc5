package race

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"opari/internal/command/arguments"
	"opari/internal/command/build"
	"opari/internal/command/disk"
	"opari/internal/command/failure"
	"opari/internal/command/running"
	"opari/internal/command/terminal"
	"opari/internal/instrument"
	"opari/internal/race"
	"opari/pomp"
)

// exitRaces is the exit code of `opari race` for a program with races. It is ThreadSanitizer's.
const exitRaces = 66

// raceFlags holds the flags of `opari race`.
type raceFlags struct {
	format       string
	output       string
	force        bool
	suppressions string
	runs         int
	threads      []int
	build        bool
	cc           string
}

// New makes the command `opari race`.
func New() *cobra.Command {
	var o raceFlags
	cmd := &cobra.Command{
		Use:   "race [flags] [--] PROGRAM [ARGUMENT...]",
		Short: "Find data races of a program that opari cc --race has built",
		Long: `race runs a program under ThreadSanitizer and prints the races that it finds on
standard error. A tool of our own tells ThreadSanitizer the order that OpenMP's constructs imply,
on GCC's runtime too. Each finding is a pair of lines: the accesses, the constructs around them, the
variable, why nothing orders them, and what to try.

  opari race make                      builds: make with opari cc --race in place of the compilers
  opari cc --race gcc -fopenmp f.c -o f
  opari race ./f
  opari race --threads=2,4,8 --runs=3 --format=sarif -o races.sarif ./f

A run shows the races of its own schedule, so several runs and several sizes of teams show more.
Where OMP_NUM_THREADS is not set, a team has four threads at least. Only the first run writes on
standard output.

The exit code is 66 if there is a race, 1 if the program could not be checked, and else the
program's. A line of a --suppressions file is one of

  variable PATTERN     place FILE[:LINE]     function PATTERN`,
		Example: `  opari race make -B && opari race ./program
  opari cc --race gcc -g -fopenmp program.c && opari race --threads=2,4 ./a.out`,
		Args: arguments.Program,
		RunE: func(_ *cobra.Command, args []string) error { return o.run(args) },
	}
	fs := cmd.Flags()
	fs.SetInterspersed(false)
	fs.Var(instrument.NewChoice(&o.format, "text", "json", "sarif"), "format",
		"text, json or sarif (2.1.0, for code hosts)")
	fs.StringVarP(&o.output, "output", "o", "",
		"write the findings to this file instead of standard error")
	disk.AddForce(fs, &o.force)
	fs.StringVar(&o.suppressions, "suppressions", "", "leave out what this file names")
	fs.IntVar(&o.runs, "runs", 1, "run the program so often, for each number of threads")
	fs.IntSliceVar(&o.threads, "threads", nil,
		"run it with these numbers of threads (OMP_NUM_THREADS)")
	fs.BoolVar(&o.build, "build", false,
		"the command builds: run it with opari cc --race in place of the compilers")
	fs.StringVar(&o.cc, "cc", "gcc", "build the tool for this compiler, with its options")
	return cmd
}

func (o *raceFlags) run(args []string) error {
	if o.runs < 1 || slices.ContainsFunc(o.threads, func(n int) bool { return n < 1 }) {
		return failure.Usage(errors.New("--runs and --threads are numbers from 1"))
	}
	if o.build || isBuild(args[0]) {
		return buildForRace(args)
	}
	words := strings.Fields(o.cc)
	if len(words) == 0 {
		return failure.Usage(errors.New("--cc: no compiler"))
	}
	suppressions, err := readSuppressions(o.suppressions)
	if err != nil {
		return err
	}
	out, err := disk.Plan(cmp.Or(o.output, "-"), []*disk.Input{{}}, o.force)
	if err != nil {
		return err
	}
	tool, err := pomp.BuildTool(pomp.ToolRace, words, "")
	if err != nil {
		return failure.Compiler(err)
	}
	folder, err := os.Getwd()
	if err != nil {
		return failure.OS(".", err)
	}
	found := race.New(folder)
	defer found.Close()
	code, err := o.runAll(args, tool, found)
	if err != nil {
		return err
	}
	found.Suppress(suppressions)
	found.Finish()
	if err := o.print(found, args[0], out, suppressions); err != nil {
		return running.AfterProgram(code, err)
	}
	if found.Certain() > 0 {
		return failure.Exit(exitRaces)
	}
	return running.AfterProgram(code, nil)
}

// runAll runs the program as often as the flags say, and returns the first exit code that is not
// 0.
func (o *raceFlags) runAll(args []string, tool string, found *race.Findings) (int, error) {
	sizes := []string{}
	for _, n := range o.threads {
		sizes = append(sizes, strconv.Itoa(n))
	}
	if len(sizes) == 0 {
		sizes = append(sizes, cmp.Or(os.Getenv("OMP_NUM_THREADS"),
			strconv.Itoa(max(4, runtime.NumCPU()))))
	}
	failed, stdout := 0, os.Stdout
	for range o.runs {
		for _, n := range sizes {
			code, err := raceRun(stdout, args, tool, found, "OMP_NUM_THREADS="+n)
			if err != nil {
				return 0, err
			}
			failed = cmp.Or(failed, code)
			if stdout == os.Stdout {
				if stdout, err = os.OpenFile(os.DevNull, os.O_WRONLY, 0); err != nil {
					return 0, failure.OS(os.DevNull, err)
				}
				defer stdout.Close()
			}
		}
	}
	return failed, nil
}

// raceRun runs the program once and adds what ThreadSanitizer reports.
func raceRun(stdout *os.File, args []string, tool string, found *race.Findings, variable string,
) (int, error) {
	dir, err := os.MkdirTemp("", "opari-race-")
	if err != nil {
		return 0, failure.OS(os.TempDir(), err)
	}
	defer os.RemoveAll(dir)
	libraries := tool
	if others := os.Getenv("OMP_TOOL_LIBRARIES"); others != "" {
		libraries += ":" + others
	}
	started := filepath.Join(dir, "started")
	randomize := keepAddresses()
	code, err := running.RunProgramTo(stdout, nil, args, variable, "OMP_TOOL_LIBRARIES="+libraries,
		"OMP_TOOL=enabled", "OPARI_RACE="+started,
		"TSAN_OPTIONS="+sanitizerOptions(filepath.Join(dir, "log")))
	randomize()
	if err != nil {
		return 0, err
	}
	logs, err := filepath.Glob(filepath.Join(dir, "log.*"))
	if err != nil {
		return 0, err
	}
	said, err := os.Open(started)
	if err != nil {
		return 0, fmt.Errorf("opari: error: %s cannot be checked: %s", args[0],
			whyUnchecked(args[0], code, logs))
	}
	defer said.Close()
	frames, err := race.ReadFrames(said)
	for _, name := range logs {
		if err == nil {
			err = addLog(name, frames, found)
		}
	}
	if err != nil {
		return 0, err
	}
	return code, nil
}

// sanitizerOptions returns what ThreadSanitizer must do. The user's own options come first, so
// that ours count.
func sanitizerOptions(log string) string {
	return strings.TrimLeft(os.Getenv("TSAN_OPTIONS")+" ignore_noninstrumented_modules=1 "+
		"history_size=7 suppress_equal_addresses=0 detect_deadlocks=0 report_thread_leaks=0 "+
		"atexit_sleep_ms=0 report_signal_unsafe=0 report_mutex_bugs=0 report_destroy_locked=0 "+
		"die_after_fork=0 halt_on_error=0 exitcode=0 log_path='"+log+"' stack_trace_format='"+
		race.FrameFormat+"'", " ")
}

func addLog(name string, frames race.Frames, found *race.Findings) error {
	f, err := os.Open(name)
	if err != nil {
		return failure.OS(name, err)
	}
	defer f.Close()
	reports, err := race.Read(f)
	if err != nil {
		return failure.OS(name, err)
	}
	found.Add(reports, frames)
	return nil
}

// keepAddresses makes the program's addresses the same in each run, where the system allows it:
// ThreadSanitizer does not start where some of them lie. The result undoes that.
func keepAddresses() func() {
	const noRandomization, ask = 0x0040000, 0xffffffff
	runtime.LockOSThread() // the program inherits what holds for the thread that starts it
	was, _, failed := unix.Syscall(unix.SYS_PERSONALITY, ask, 0, 0)
	if failed == 0 {
		_, _, failed = unix.Syscall(unix.SYS_PERSONALITY, was|noRandomization, 0, 0)
	}
	return func() {
		if failed == 0 {
			_, _, _ = unix.Syscall(unix.SYS_PERSONALITY, was, 0, 0)
		}
		runtime.UnlockOSThread()
	}
}

// whyUnchecked returns why the tool may not have started.
func whyUnchecked(program string, code int, logs []string) string {
	for _, name := range logs {
		text, err := os.ReadFile(name)
		if _, fatal, is := strings.Cut(string(text), "FATAL: ThreadSanitizer: "); err == nil && is {
			line, _, _ := strings.Cut(fatal, "\n")
			return "ThreadSanitizer does not run here: " + line
		}
	}
	return running.WhyNoTool(program, code) + "; or it is not built by opari cc --race"
}

func readSuppressions(name string) ([]*race.Suppression, error) {
	if name == "" {
		return nil, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, failure.OS(name, err)
	}
	defer f.Close()
	return race.ReadSuppressions(name, f)
}

// print writes the findings, and a summary on standard error.
func (o *raceFlags) print(found *race.Findings, program string, out *disk.Output,
	suppressions []*race.Suppression,
) error {
	fill := func(w io.Writer) error {
		switch o.format {
		case "json":
			return found.JSON(w)
		case "sarif":
			return found.SARIF(w, build.Version)
		}
		return found.Text(w)
	}
	var err error
	if o.output == "" {
		err = disk.Buffered(os.Stderr, os.Stderr.Name(), fill)
	} else {
		err = out.Write(fill)
	}
	if err != nil {
		return err
	}
	for _, s := range suppressions {
		if s.Used == 0 {
			fmt.Fprintf(os.Stderr, "opari: warning: %s:%d: %s suppresses nothing\n",
				o.suppressions, s.Line, s)
		}
	}
	if o.format != "text" && o.output == "" {
		return nil // the output is for programs
	}
	certain := found.Certain()
	fmt.Fprintf(os.Stderr, "%s: %s", filepath.Base(program), countRaces(certain))
	if n := len(found.List) - certain; n > 0 {
		fmt.Fprintf(os.Stderr, ", %d possible", n)
	}
	if found.Suppressed > 0 {
		fmt.Fprintf(os.Stderr, ", %d suppressed", found.Suppressed)
	}
	fmt.Fprintln(os.Stderr)
	return nil
}

func countRaces(n int) string {
	if n == 0 {
		return "no race"
	}
	return terminal.Plural(uint64(n), "race")
}
