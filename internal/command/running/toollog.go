package running

import (
	"cmp"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"opari/internal/command/arguments"
	"opari/internal/command/disk"
	"opari/internal/command/failure"
	"opari/internal/eventlog"
	"opari/internal/instrument"
	"opari/pomp"
)

// toolLogFlags holds the flags of `opari tool-log`.
type toolLogFlags struct {
	format  string
	output  string
	force   bool
	events  []string
	summary bool
	cc      string
}

// ToolLog makes the command `opari tool-log`.
func ToolLog() *cobra.Command {
	var o toolLogFlags
	cmd := &cobra.Command{
		Use:   "tool-log [flags] [--] PROGRAM [ARGUMENT...]",
		Short: "Run a program and print the OMPT events that a tool gets",
		Long: `tool-log runs a program under an OMPT tool (OpenMP 5.x) that records all events, and
prints them when the program has ended. A line has time, thread, event, endpoint, kind, parallel
region (p1), task (t1), wait id (w1) and source line. The program's runtime must have OMPT (clang,
libomp), or opari must have instrumented the program.

The exit code is the program's, 128 + n where signal n ended it. Where the program gave 0 but
started no tool, it is 1. Our options stand before the program's name. Our tool comes first in
OMP_TOOL_LIBRARIES; a runtime starts one tool, or all.

--events takes names of events and of groups:
` + strings.Join(eventlog.Groups(), ", ") + `.`,
		Example: `  opari tool-log ./program
  opari tool-log --summary --events=mutex,work ./program`,
		Args: arguments.Program,
		RunE: func(_ *cobra.Command, args []string) error { return o.run(args) },
	}
	fs := cmd.Flags()
	fs.SetInterspersed(false)
	fs.Var(instrument.NewChoice(&o.format, "text", "json"), "format",
		"text or json (an object per line)")
	fs.StringVarP(&o.output, "output", "o", "",
		"write the log to this file instead of standard output")
	disk.AddForce(fs, &o.force)
	fs.StringSliceVar(&o.events, "events", nil, "record these events only, separated by commas")
	fs.BoolVar(&o.summary, "summary", false, "count the events by event, kind and endpoint")
	fs.StringVar(&o.cc, "cc", "gcc", "build the tool for this compiler, with its options")
	return cmd
}

// run runs the program under the tool and prints the logs of its processes.
func (o *toolLogFlags) run(args []string) error {
	variables := []string{}
	if len(o.events) > 0 {
		numbers, err := eventlog.Select(o.events)
		if err != nil {
			return failure.Usage(fmt.Errorf("--events: %w", err))
		}
		variables = append(variables, "OPARI_TOOL_LOG_EVENTS="+numbers)
	}
	words := strings.Fields(o.cc)
	if len(words) == 0 {
		return failure.Usage(errors.New("--cc: no compiler"))
	}
	// This check precedes the run, because the log must not be lost for want of a place.
	out, err := disk.Plan(cmp.Or(o.output, "-"), []*disk.Input{{}}, o.force)
	if err != nil {
		return err
	}
	tool, err := pomp.BuildTool(pomp.ToolLog, words, "")
	if err != nil {
		return failure.Compiler(err)
	}
	dir, err := os.MkdirTemp("", "opari-tool-log-")
	if err != nil {
		return failure.OS(os.TempDir(), err)
	}
	defer os.RemoveAll(dir)
	libraries := tool
	if others := os.Getenv("OMP_TOOL_LIBRARIES"); others != "" {
		libraries += ":" + others
	}
	code, err := RunProgram(nil, args, append(variables, "OMP_TOOL_LIBRARIES="+libraries,
		"OPARI_TOOL_LOG="+filepath.Join(dir, "log"))...)
	if err != nil {
		return err
	}
	return AfterProgram(code, o.print(dir, args[0], code, out))
}

// print prints the logs in dir to out.
func (o *toolLogFlags) print(dir, program string, code int, out *disk.Output) error {
	files, err := filepath.Glob(filepath.Join(dir, "log.*"))
	if err != nil {
		return err
	}
	files = slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, ".maps") })
	if len(files) == 0 {
		return fmt.Errorf("opari: error: %s started no OMPT tool: %s", program,
			WhyNoTool(program, code))
	}
	directory, err := os.Getwd()
	if err != nil {
		return failure.OS(".", err)
	}
	var logs []*eventlog.Log
	for _, f := range files {
		l, err := eventlog.Open(f, directory)
		if err != nil {
			return err
		}
		defer l.Close()
		logs = append(logs, l)
	}
	slices.SortStableFunc(logs, func(a, b *eventlog.Log) int { return cmp.Compare(a.PID, b.PID) })
	fill := func(w io.Writer) error {
		for _, l := range logs {
			if err := o.printLog(w, l); err != nil {
				return err
			}
		}
		return nil
	}
	return out.Write(fill)
}

func (o *toolLogFlags) printLog(w io.Writer, l *eventlog.Log) error {
	switch {
	case o.summary:
		return l.Summary(w, o.format == "json")
	case o.format == "json":
		return l.JSON(w)
	}
	return l.Text(w)
}

// WhyNoTool returns why a program may have started no tool.
func WhyNoTool(program string, code int) string {
	ompt := os.Getenv("OPARI_OMPT")
	switch {
	case isStatic(program):
		return "it is linked with -static, and no library can be loaded into it; a tool can be " +
			"linked into it"
	case strings.EqualFold(strings.TrimSpace(os.Getenv("OMP_TOOL")), "disabled"):
		return "OMP_TOOL=disabled is set"
	case os.Getenv("OPARI") == "off":
		return "OPARI=off is set, or its runtime has no OMPT"
	case ompt == "off" || ompt == "native":
		return "OPARI_OMPT=" + ompt + " is set, or its runtime has no OMPT"
	case code > 128:
		return "a signal ended it before its first OpenMP construct, or its runtime has no OMPT"
	}
	return "it met no OpenMP construct, or its runtime has no OMPT and it is not linked with the " +
		"measurement library (opari cc)"
}

// isStatic reports whether a program starts without a loader.
func isStatic(program string) bool {
	path, err := exec.LookPath(program)
	if err != nil {
		return false
	}
	f, err := elf.Open(path)
	if err != nil {
		return false // a script
	}
	defer f.Close()
	return !slices.ContainsFunc(f.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP })
}
