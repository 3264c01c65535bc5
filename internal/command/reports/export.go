package reports

import (
	"errors"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"opari/internal/analysis"
	"opari/internal/analysis/run"
	"opari/internal/command/arguments"
	"opari/internal/command/disk"
	"opari/internal/command/failure"
	"opari/internal/command/terminal"
	"opari/internal/command/traces"
	"opari/internal/instrument"
	"opari/internal/report/export"
	"opari/otf"
)

// exportFlags holds the flags of `opari export`.
type exportFlags struct {
	format  string
	weight  string
	output  string
	force   bool
	damaged bool
	from    time.Duration
	to      time.Duration
}

// Export makes the command `opari export`.
func Export() *cobra.Command {
	var o exportFlags
	cmd := &cobra.Command{
		Use:   "export [flags] TRACE|PROFILE",
		Short: "Write a trace or a profile in the formats of other tools",
		Long: `export writes what opari run --trace or --profile has recorded, for other tools:

  pprof    for go tool pprof: functions are regions; the columns (-sample_index) are time,
           work, waiting, lost and visits; the tags are thread and property
  perfetto Perfetto's own format (ui.perfetto.dev), with a track for each thread, messages
           and counters; of traces only
  chrome   trace events in JSON for chrome://tracing and others, with a track for each thread;
           of traces only
  folded   folded stacks for flame graphs; --weight says what a stack weighs: time, work,
           waiting, lost, or a property, such as imbalance-loop

TRACE is a master file, NAME.otf, NAME alone, or the directory of opari run --trace.`,
		Example: `  opari export --format=pprof -o run.pb.gz run.trace
  opari export --format=perfetto -o run.pftrace run.trace`,
		Args: arguments.One("trace or profile"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.format != "folded" && cmd.Flags().Changed("weight") {
				return failure.Usage(errors.New("--weight goes with --format=folded"))
			}
			if !o.events() && (o.from != 0 || o.to != 0) {
				return failure.Usage(errors.New("--from and --to go with --format=perfetto and " +
					"--format=chrome"))
			}
			if o.from < 0 || o.to < 0 || o.to > 0 && o.to <= o.from {
				return failure.Usage(errors.New("--from and --to: there is nothing between them"))
			}
			return o.run(args[0])
		},
	}
	fs := cmd.Flags()
	fs.Var(instrument.NewChoice(&o.format, "pprof", "perfetto", "chrome", "folded"),
		"format", "pprof, perfetto, chrome or folded")
	fs.StringVar(&o.weight, "weight", "time", "weigh folded stacks by this, in ns")
	fs.DurationVar(&o.from, "from", 0, "write trace events from this time on: 1.5s after the start")
	fs.DurationVar(&o.to, "to", 0, "write trace events until this time (0: all)")
	fs.StringVarP(&o.output, "output", "o", "-", "write to this file; - is standard output")
	disk.AddForce(fs, &o.force)
	traces.AddDamaged(fs, &o.damaged)
	return cmd
}

// events reports whether the format has what happened when.
func (o *exportFlags) events() bool { return o.format == "perfetto" || o.format == "chrome" }

func (o *exportFlags) run(path string) error {
	weight, err := export.ParseWeight(o.weight)
	if err != nil {
		return failure.Usage(errors.New("--weight: " + err.Error()))
	}
	binary := o.format == "pprof" || o.format == "perfetto"
	if o.output == "-" && binary && terminal.IsTerminal(os.Stdout) {
		return failure.Usage(errors.New("-o: the format is no text for a terminal; name a file"))
	}
	trace, err := TraceOf(path)
	if err != nil {
		return err
	}
	file := fileOf(path)
	if trace != "" {
		if file = traces.ArchiveNamed(path); file == "" {
			file = otf.TraceName(trace) + ".otf"
		}
	} else if err := CheckRun(path); err != nil {
		return err
	} else if o.events() {
		return failure.File(path, "a profile has sums and no times; record a trace (opari run "+
			"--trace=DIRECTORY) for --format=%s", o.format)
	}
	in := &disk.Input{Path: file}
	if in.Info, err = os.Stat(file); err != nil {
		return failure.OS(file, err)
	}
	out, err := disk.Plan(o.output, []*disk.Input{in}, o.force)
	if err != nil {
		return err
	}
	if o.events() {
		return out.Write(func(w io.Writer) error { return o.writeEvents(trace, w) })
	}
	result, err := ReadResult(path, run.Options{}, o.damaged)
	if err != nil {
		return err
	}
	return out.Write(func(w io.Writer) error {
		if o.format == "folded" {
			return export.Folded(w, result, weight)
		}
		return export.Pprof(w, result)
	})
}

// writeEvents writes the events while it reads the trace.
func (o *exportFlags) writeEvents(trace string, w io.Writer) error {
	bar := terminal.NewProgress("reading")
	defer bar.End()
	from, to := o.from.Nanoseconds(), o.to.Nanoseconds()
	options := run.Options{Progress: bar.Set}
	var finish func(*analysis.Result) error
	if o.format == "chrome" {
		c := export.NewChrome(w)
		c.From, c.To = from, to
		options.Interval, options.Message, finish = c.Interval, c.Message, c.Finish
	} else {
		p := export.NewPerfetto(w)
		p.From, p.To = from, to
		options.Interval, options.Message, options.Counter, finish = p.Interval, p.Message,
			p.Counter, p.Finish
	}
	result, err := traces.Analyse(trace, options, o.damaged)
	if err != nil {
		return err
	}
	return finish(result)
}
