package scale

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"opari/internal/command/arguments"
	"opari/internal/command/disk"
	"opari/internal/command/failure"
	"opari/internal/command/reports"
	"opari/internal/command/terminal"
	"opari/internal/command/traces"
	"opari/internal/instrument"
	"opari/internal/report/compare"
	"opari/internal/report/page"
	"opari/internal/report/scale"
	"opari/internal/scaling"
)

// scaleFlags holds the flags of `opari scale`.
type scaleFlags struct {
	format     string
	output     string
	force      bool
	damaged    bool
	all        bool
	repeat     int
	trace      bool
	keep       string // folder of the profiles or traces; "": they do not stay
	runs       bool   // the arguments are runs that exist
	launcher   string
	processors int
	least      float64 // smallest gain of a step that pays
	failBelow  float64 // efficiency; 0: none
	failOn     []string
}

// New makes the command `opari scale`.
func New() *cobra.Command {
	var o scaleFlags
	dash := -1
	cmd := &cobra.Command{
		Use: "scale [flags] PROGRAM COUNT..." +
			"\n  opari scale [flags] COUNT... -- PROGRAM [ARGUMENT...]" +
			"\n  opari scale [flags] --runs RUN...",
		Short: "Say what more threads bring a program, and what holds it back",
		Long: `scale runs an instrumented program with several numbers of threads, and says how much
faster it becomes, what takes more processor time, and from where on more does not pay:

  opari scale ./heat 1 2 4 8
  opari scale --repeat=5 1 2 4 8 -- ./heat 1000 500
  opari scale 1x2 2x2 4x2 -- ./ocean            ranks of MPI, and threads of each

A count is the value of OMP_NUM_THREADS. Ranks start by mpirun, or by what --launcher says. The
counts take turns, so that what disturbs the machine disturbs all. The program's output goes to
standard error.

With --repeat=5 opari knows the noise. More threads than the machine has processors are measured
and marked, but not judged. From three counts on there is a model of the time of each region;
five let it choose from more functions than Amdahl's law.

--keep=DIRECTORY keeps the profiles, with --trace the traces. --runs reads such runs again, or
those of opari run: files, folders of traces, folders with several of these.

--format=html writes one page with plots that needs no network.

The exit code is 1 if an efficiency is below that of --fail-below, by more than the noise. It is 2
for a mistake in the command line, 3 if a run fails or cannot be read, and else 0.
--fail-on=regions judges regions, too, and --fail-on='for a.c:*' those whose name and place match.`,
		Example: `  opari scale ./program 1 2 4
  opari scale --repeat=3 --format=html -o scale.html 1 2 4 -- ./program 1000`,
		Args: func(cmd *cobra.Command, args []string) error {
			dash = cmd.ArgsLenAtDash()
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return o.run(args, dash) },
	}
	fs := cmd.Flags()
	fs.Var(instrument.NewChoice(&o.format, "text", "json", "html"), "format",
		"text, json or html")
	fs.StringVarP(&o.output, "output", "o", "-", "write to this file; - is standard output")
	disk.AddForce(fs, &o.force)
	traces.AddDamaged(fs, &o.damaged)
	fs.BoolVar(&o.all, "all", false, "show regions and changes with little time too")
	fs.IntVar(&o.repeat, "repeat", 1, "run each count so many times")
	fs.BoolVar(&o.trace, "trace", false, "record traces: they have more properties than profiles")
	fs.Var(arguments.FileName(&o.keep), "keep", "keep profiles or traces in this `directory`")
	fs.BoolVar(&o.runs, "runs", false, "read these runs instead of running a program")
	fs.StringVar(&o.launcher, "launcher", "", "the `command` that starts ranks; -n RANKS is added "+
		"(default mpirun, or mpiexec)")
	fs.IntVar(&o.processors, "processors", 0,
		"the program may use so many processors (default: this machine's)")
	fs.Float64Var(&o.least, "least-gain", 0.5,
		"a step pays if it adds this `part` of what ideal processors would add")
	fs.Float64Var(&o.failBelow, "fail-below", 0, "exit with 1 if an `efficiency` is below this")
	fs.StringArrayVar(&o.failOn, "fail-on", []string{compare.OnRun},
		"what --fail-below judges: run, regions, or a `pattern` of regions")
	return cmd
}

// check rejects flags without a meaning.
func (o *scaleFlags) check() error {
	switch {
	case o.repeat < 1 || o.repeat > 1000:
		return errors.New("--repeat is a number from 1 to 1000")
	case o.processors < 0:
		return errors.New("--processors is not negative")
	case !(o.least >= 0 && o.least <= 1):
		return errors.New("--least-gain is a number from 0 to 1")
	case !(o.failBelow >= 0 && o.failBelow <= 10):
		return errors.New("--fail-below is an efficiency, such as 0.7")
	case o.runs && (o.keep != "" || o.trace || o.launcher != "" || o.repeat > 1):
		return errors.New("--runs: no program is run, so --repeat, --trace, --keep and " +
			"--launcher have no meaning")
	}
	return nil
}

// scalePlan is what to run.
type scalePlan struct {
	program []string
	counts  []scaling.Count
}

// planScale finds the program and the counts in the arguments; dash is the number of arguments
// before --, or -1.
func planScale(args []string, dash int) (*scalePlan, error) {
	var p scalePlan
	var counts []string
	switch {
	case dash >= 0:
		counts, p.program = args[:dash], args[dash:]
	case len(args) > 0:
		p.program, counts = args[:1], args[1:]
	}
	if len(p.program) == 0 {
		return nil, errors.New("no program to run")
	}
	for _, text := range counts {
		c, err := scaling.ParseCount(text)
		if err != nil {
			return nil, fmt.Errorf("%w; arguments of the program stand behind --: "+
				"opari scale 1 2 4 -- PROGRAM ARGUMENT", err)
		}
		if slices.Contains(p.counts, c) {
			return nil, fmt.Errorf("%s is there twice; --repeat runs each count more than once", c)
		}
		if len(p.counts) > 0 && (c.Ranks > 0) != (p.counts[0].Ranks > 0) {
			return nil, fmt.Errorf("%s and %s: all counts have ranks, or none has", p.counts[0], c)
		}
		p.counts = append(p.counts, c)
	}
	if len(p.counts) < 2 {
		return nil, errors.New("scale compares two numbers of threads at least: " +
			"opari scale ./program 1 2 4")
	}
	return &p, nil
}

func (o *scaleFlags) run(args []string, dash int) error {
	if err := o.check(); err != nil {
		return failure.Usage(err)
	}
	below, err := o.study(args, dash)
	if err != nil {
		if errors.As(err, new(failure.UsageError)) || errors.As(err, new(failure.Exit)) {
			return err
		}
		fmt.Fprintln(os.Stderr, failure.Written(err))
		return failure.Exit(reports.CannotCompare)
	}
	for _, text := range below {
		fmt.Fprintf(os.Stderr, "opari: below %.2f: %s\n", o.failBelow, text)
	}
	if len(below) > 0 {
		return failure.Exit(1)
	}
	return nil
}

// study gets the runs, writes the report, and returns what is below the efficiency of
// --fail-below.
func (o *scaleFlags) study(args []string, dash int) ([]string, error) {
	var plan *scalePlan
	var inputs []string
	var err error
	if !o.runs {
		if plan, err = planScale(args, dash); err != nil {
			return nil, failure.Usage(err)
		}
	} else if inputs = args; len(args) == 0 {
		return nil, failure.Usage(errors.New("no run is named"))
	}
	// This precedes the runs, because the report must not fail for want of a place.
	out, err := disk.Plan(o.output, disk.Stat(inputs), o.force)
	if err != nil {
		return nil, err
	}
	var runs []scaling.Run
	if o.runs {
		runs, err = o.readAll(inputs)
	} else {
		runs, err = o.record(plan)
	}
	if err != nil {
		return nil, err
	}
	study, err := scaling.New(runs, scaling.Options{Processors: o.processors, Least: o.least})
	if err != nil {
		return nil, fmt.Errorf("opari: error: %w", err)
	}
	var below []string
	if o.failBelow > 0 {
		if below, err = study.Below(o.failBelow, o.failOn...); err != nil {
			return nil, fmt.Errorf("opari: error: --fail-below: %w", err)
		}
	}
	show := scale.Scale{Study: study, All: o.all, Width: terminal.Width(os.Stdout)}
	return below, out.Write(func(w io.Writer) error {
		switch o.format {
		case "json":
			return show.JSON(w)
		case "html":
			return page.WriteScale(w, &show)
		}
		return show.Text(w)
	})
}
