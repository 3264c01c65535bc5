package reports

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"opari/internal/analysis"
	"opari/internal/analysis/run"
	"opari/internal/analysis/whatif"
	"opari/internal/command/arguments"
	"opari/internal/command/disk"
	"opari/internal/command/failure"
	"opari/internal/command/terminal"
	"opari/internal/command/traces"
	"opari/internal/instrument"
	"opari/internal/report"
	"opari/internal/report/page"
	"opari/internal/report/profile"
	"opari/otf"
)

// reportFlags holds the flags of `opari report`.
type reportFlags struct {
	format    string
	output    string
	force     bool
	tables    []string
	threads   bool
	details   bool
	lines     bool
	top       int
	share     float64
	cost      int64 // as in analysis.Options
	costGiven func() bool
	damaged   bool
	sources   []string
	filter    string // the file of --functions-filter
	size      int64  // of a page, in MB
	partFlags
	part     *analysis.Window
	whatIf   []string
	changes  []*whatif.Change
	terminal *os.File // what is printed on without --output
}

// usualShare is the percentage of the processor time from which on a finding is shown.
const usualShare = 0.5

// Report makes the command `opari report`.
func Report() *cobra.Command {
	o := reportFlags{terminal: os.Stdout}
	cmd := &cobra.Command{
		Use:   "report [flags] TRACE|PROFILE...",
		Short: "Say where the threads of a run lost time, and why",
		Long: `report says where the threads of a run lost time, and why. It reads what opari run
has recorded with --trace=DIRECTORY (the folder, or the .otf or .otf2 file in it) or with
--profile=FILE, and prints

  findings    losses of time, the largest first: what, where, how much, why, what to try;
              equal losses in many regions are one finding, with the regions below
  properties  all processor time, by what threads spent it on; a row is part of the row above
              that is less indented
  balance     how unevenly threads and ranks of an MPI program share the work (text and md)
  efficiency  POP's efficiencies of the run and of each parallel region
  constructs  a row for each kind of construct: visits, exclusive and inclusive time, shortest,
              mean and longest visit, time lost there, time lost because of it
  regions     the same for each construct in the source
  paths       the same for each region in the regions around it
  threads     a row for each thread; of MPI programs with sums for nodes and ranks
  lines       the lines at which threads worked, for each region; of runs with --sample
  counters    what threads counted while they worked, for each path; of runs with --counters
  source      the source of each finding, with the construct's lines marked (text and md)

Processor time is wall time times the number of threads. Exclusive time is without the regions
inside. Lost time is waiting, being idle, and what constructs cost. A trace shows more than a
profile: for which thread the others waited, and where it was.

--format=html writes one page for a browser that needs no network: the findings beside the
source, trees of properties, call paths and threads, the timeline of a trace, and a flame graph.
The page shows source that report finds and that has not changed since the run.

--from and --to limit the report to a time of the run, --within to a region and what is in it.

--what-if says how long the run would be with a change, and what its critical path would be. It
reads a trace. The changes are

  balance PLACE               the threads of a team have equal shares of a region's work
  halve work of PLACE         the work of a region, and of what is in it, takes half the time
  scale work of PLACE by 0.3  it takes 0.3 times the time
  no lock PLACE               no thread waits to enter a critical construct or for a lock
  threads 8                   so many threads share what loops, sections and tasks have to do

PLACE is a region as in --within; of no lock also the name of a critical construct. Several
changes at once have " and " between them; --what-if may be given several times, too.

--format=sarif writes the findings at their lines, for editors and code hosts (SARIF 2.1.0).
--format=table prints a profile as opari run does.`,
		Example: `  opari report run.trace
  opari report --format=html -o report.html run.trace
  opari report --what-if="no lock sum" run.trace`,
		Args: arguments.Some("trace or profile"),
		RunE: func(_ *cobra.Command, args []string) error { return o.run(args) },
	}
	fs := cmd.Flags()
	fs.Var(instrument.NewChoice(&o.format, "text", "json", "csv", "md", "html", "sarif", "table"),
		"format", "text, json, csv, md, html, sarif (2.1.0) or table")
	fs.StringVarP(&o.output, "output", "o", "", "write to this file instead of standard output")
	disk.AddForce(fs, &o.force)
	fs.StringSliceVar(&o.tables, "tables", nil, "print these of "+strings.Join(report.Tables, ",")+
		" (default findings,properties,balance,regions,lines,counters; csv: all)")
	traces.AddDamaged(fs, &o.damaged)
	fs.BoolVar(&o.threads, "threads", false, "print a row for each thread, too")
	fs.BoolVar(&o.details, "details", false, "print all regions of a finding that is in several")
	fs.BoolVar(&o.lines, "lines", false, "print the lines at which threads worked, all of them")
	arguments.AddTop(fs, &o.top, "a table")
	fs.Float64Var(&o.share, "min-share", usualShare,
		"leave out findings and properties below this percentage of the processor time")
	fs.Int64Var(&o.cost, "event-cost", 0,
		"cost of recording an event, in ns (default: what the run measured, else an estimate)")
	o.costGiven = func() bool { return fs.Changed("event-cost") }
	fs.StringVar(&o.filter, "functions-filter", "",
		"also write to this file which functions were switched off, for\n"+
			"opari cc --functions=@FILE")
	fs.Int64Var(&o.size, "page-size", page.PageSize/1_000_000,
		"size that --format=html keeps to, in MB: more has details of narrower views")
	o.add(fs)
	fs.StringArrayVar(&o.whatIf, "what-if", nil,
		"predict the run with this `change`, such as \"balance a.c:12\"")
	fs.StringSliceVar(&o.sources, "source", nil,
		"look for source files below this folder, too, by the names that the compiler got")
	return cmd
}

// report returns the options of the report.
func (o *reportFlags) report() (*report.Run, error) {
	r := &report.Run{
		Tables: o.tables, Threads: o.threads, Details: o.details, Top: o.top,
		AllLines: o.lines,
		Share:    o.share / 100,
		Width:    terminal.Width(o.terminal),
	}
	for _, t := range o.tables {
		if !slices.Contains(report.Tables, t) {
			return nil, failure.Usage(fmt.Errorf("--tables: no table %q; there are %s", t,
				strings.Join(report.Tables, ", ")))
		}
	}
	if len(o.tables) == 0 {
		r.Tables = []string{"findings", "properties", "balance", "regions", "lines", "counters"}
		if o.lines {
			r.Tables = []string{"lines"}
		} else if o.whatIf != nil {
			r.Tables = nil
		}
		if o.format == "csv" {
			r.Tables = slices.DeleteFunc(slices.Clone(report.Tables),
				func(t string) bool { return t == "source" })
		}
	}
	if o.cost < 0 {
		return nil, failure.Usage(fmt.Errorf("--event-cost is not negative"))
	}
	if o.cost == 0 && o.costGiven() {
		o.cost = -1
	}
	if o.share < 0 || o.share > 100 {
		return nil, failure.Usage(fmt.Errorf("--min-share is a percentage"))
	}
	var err error
	if o.part, err = o.window(); err != nil {
		return nil, err
	}
	if err := o.parseWhatIf(); err != nil {
		return nil, err
	}
	if o.format == "sarif" && o.whatIf != nil {
		return nil, failure.Usage(errors.New("--what-if: not with --format=sarif"))
	}
	if o.format == "table" && o.filter != "" {
		return nil, failure.Usage(errors.New("--functions-filter: not with --format=table"))
	}
	if o.format == "table" && (o.part != nil || o.within != "") {
		return nil, failure.Usage(errors.New("--from, --to and --within: not with --format=table"))
	}
	return r, nil
}

func (o *reportFlags) run(args []string) error {
	show, err := o.report()
	if err != nil {
		return err
	}
	if o.format == "table" {
		return (&ProfilePrinter{
			Format: "table", Output: o.output, force: o.force,
			Top: o.top,
		}).reprint(args)
	}
	if o.format == "html" {
		if o.filter != "" {
			return failure.Usage(errors.New("--functions-filter: not with --format=html"))
		}
		return o.page(args)
	}
	var results []*analysis.Result
	for _, name := range args {
		r, err := o.read(name, run.Options{EventCost: o.cost})
		if err != nil {
			return err
		}
		results = append(results, r)
	}
	if err := o.writeFilter(args, results); err != nil {
		return err
	}
	if o.format == "sarif" {
		return o.write(args, func(w io.Writer) error { return o.writeSARIF(w, args, results) })
	}
	write := map[string]func(io.Writer, *analysis.Result) error{
		"text": show.Text,
		"json": show.JSON, "csv": show.CSV, "md": show.Markdown,
	}[o.format]
	return o.write(args, func(w io.Writer) error {
		for i, r := range results {
			if i > 0 && o.format != "json" && o.format != "csv" {
				fmt.Fprintln(w)
			}
			show.Source = o.finder(args[i], r)
			if show.WhatIf, err = o.predict(args[i], r); err != nil {
				return err
			}
			if err := write(w, r); err != nil {
				return err
			}
		}
		return nil
	})
}

// writeFilter writes the file of --functions-filter.
func (o *reportFlags) writeFilter(inputs []string, results []*analysis.Result) error {
	if o.filter == "" {
		return nil
	}
	out, err := disk.Plan(o.filter, disk.Stat(inputs), o.force)
	if err != nil {
		return err
	}
	var all profile.LeftOut
	for _, r := range results {
		all.Join(&r.LeftOut)
	}
	return out.Write(func(w io.Writer) error { return all.WriteFilter(w) })
}

// write writes the report of inputs to the output that the flags name.
func (o *reportFlags) write(inputs []string, fill func(io.Writer) error) error {
	if o.output == "" {
		return disk.Buffered(o.terminal, o.terminal.Name(), fill)
	}
	out, err := disk.Plan(o.output, disk.Stat(inputs), o.force)
	if err != nil {
		return err
	}
	return out.Write(fill)
}

// ReadResult reads and analyses a trace or a profile.
func ReadResult(name string, o run.Options, damaged bool) (*analysis.Result, error) {
	trace, err := TraceOf(name)
	if err != nil {
		return nil, err
	}
	if trace == "" {
		p, err := readRun(name)
		if err != nil {
			return nil, err
		}
		if o.Window != nil {
			return nil, &analysis.WindowError{
				What: "a profile does not say when something was; record with --trace",
			}
		}
		return p.ResultAt(o.EventCost), nil
	}
	bar := terminal.NewProgress("reading " + name)
	defer bar.End()
	o.Progress = bar.Set
	return traces.Analyse(trace, o, damaged)
}

// TraceOf returns the trace that a name means; a folder has trace.otf. It returns "" if the
// name means a file that is no trace, or the profiles of ranks.
//
// An archive of OTF2 has a trace of OTF in its place, until the program ends.
func TraceOf(name string) (string, error) {
	if archive := traces.ArchiveNamed(name); archive != "" {
		return traces.OfArchive(archive)
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		if _, of := os.Stat(otf.TraceName(name) + ".otf"); of == nil {
			return name, nil
		}
		if RankFiles(name) != nil {
			return "", nil
		}
		return "", failure.OS(name, err)
	case info.IsDir():
		if _, err := os.Stat(name + "/trace.otf"); err != nil {
			return "", failure.File(name, "the folder has no trace.otf; opari run "+
				"--trace=DIRECTORY PROGRAM records one")
		}
		return name + "/trace", nil
	case strings.HasSuffix(name, ".otf"):
		return name, nil
	}
	return "", nil
}
