package reports

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"opari/internal/analysis/run"
	"opari/internal/command/disk"
	"opari/internal/command/failure"
	"opari/internal/command/traces"
	"opari/internal/instrument"
	"opari/internal/report/compare"
)

// compareFlags holds the flags of `opari compare`.
type compareFlags struct {
	format    string
	output    string
	force     bool
	damaged   bool
	threshold string
	all       bool
	failOn    []string
}

// Compare makes the command `opari compare`.
func Compare() *cobra.Command {
	var o compareFlags
	var dash int
	cmd := &cobra.Command{
		Use:   "compare [flags] BEFORE AFTER\n  opari compare [flags] BEFORE... -- AFTER...",
		Short: "Compare runs before and after a change",
		Long: `compare says whether a program became slower, and where: by property and by region.
It compares traces or profiles of opari run, of several runs on each side:

  mkdir before after
  for i in 1 2 3 4 5; do
      opari run --profile=before/$i ./old; opari run --profile=after/$i ./new
  done
  opari compare before after

A directory stands for the profiles and traces in it, and for those that opari run --trace has
made in directories below it. Any other name is that of a single run.

A difference is faster or slower if it is larger than the noise between runs and at least as
large as --threshold. Several runs show the noise; from four on each side compare assumes
nothing about it. With one run each the noise is unknown, and compare gives a verdict only
on differences above the threshold.

The exit code is 1 if the wall time is slower, 2 for a mistake in the command line, 3 if compare
cannot read a run, and else 0, also where the verdict is unclear. With --fail-on=regions it is 1
if any region is slower, whatever the wall time. With --fail-on='for a.c:*' it is 1 if a region
is slower whose name and place match. compare names each of these on standard error. The option
may be given several times.`,
		Example: `  opari compare before after
  opari compare --format=md --threshold=5% before after`,
		Args: func(cmd *cobra.Command, args []string) error {
			dash = cmd.ArgsLenAtDash()
			switch {
			case dash < 0 && len(args) == 2:
				dash = 1
			case dash < 0:
				return failure.Usage(fmt.Errorf("%d names: two, or those before, --, those after",
					len(args)))
			case dash == 0 || dash == len(args):
				return failure.Usage(errors.New("there are names on one side of -- only"))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return o.run(args[:dash], args[dash:])
		},
	}
	fs := cmd.Flags()
	fs.Var(instrument.NewChoice(&o.format, "text", "md", "json"), "format", "text, md or json")
	fs.StringVarP(&o.output, "output", "o", "-", "write to this file; - is standard output")
	disk.AddForce(fs, &o.force)
	traces.AddDamaged(fs, &o.damaged)
	fs.StringVar(&o.threshold, "threshold", "", "the smallest `difference` of a time that "+
		"matters: 3% or 0.03 (default 5%; 10% with one run each)")
	fs.StringArrayVar(&o.failOn, "fail-on", []string{compare.OnRun},
		"exit with 1 if this is slower: run, regions, or a `pattern` of regions")
	fs.BoolVar(&o.all, "all", false, "show lines with little time too")
	return cmd
}

// CannotCompare is the exit code for an error, since 1 is a verdict here.
const CannotCompare = 3

func (o *compareFlags) run(before, after []string) error {
	threshold, err := parseThreshold(o.threshold)
	if err != nil {
		return failure.Usage(err)
	}
	slower, err := o.compare(before, after, threshold)
	if err != nil {
		if errors.As(err, new(failure.UsageError)) {
			return err
		}
		fmt.Fprintln(os.Stderr, err)
		return failure.Exit(CannotCompare)
	}
	for _, l := range slower {
		if l.Of == "region" {
			fmt.Fprintf(os.Stderr, "opari: slower: %s\n", l.Change())
		}
	}
	if len(slower) > 0 {
		return failure.Exit(1)
	}
	return nil
}

func (o *compareFlags) compare(before, after []string, threshold float64) ([]compare.Line, error) {
	out, err := disk.Plan(o.output, disk.Stat(slices.Concat(before, after)), o.force)
	if err != nil {
		return nil, err
	}
	var sides [2][]compare.RunTimes
	for i, names := range [][]string{before, after} {
		for _, name := range names {
			runs, err := readRuns(name, o.damaged)
			if err != nil {
				return nil, err
			}
			sides[i] = append(sides[i], runs...)
		}
	}
	if err := oneKind(slices.Concat(sides[0], sides[1])); err != nil {
		return nil, err
	}
	c := compare.Compare(sides[0], sides[1], threshold)
	slower, err := c.Slower(o.failOn...)
	if err != nil {
		return nil, failure.Usage(fmt.Errorf("--fail-on: %w", err))
	}
	return slower, out.Write(func(w io.Writer) error {
		switch o.format {
		case "md":
			return c.Markdown(w, o.all)
		case "json":
			return c.JSON(w)
		}
		return c.Text(w, o.all)
	})
}

// oneKind rejects a mix of traces and profiles. A profile lacks some properties and counts
// their time in others.
func oneKind(runs []compare.RunTimes) error {
	for _, run := range runs {
		if run.Sums != runs[0].Sums {
			return errors.New("opari: error: some of these runs are traces and some are " +
				"profiles, " +
				"which do not have the same properties: compare runs of one kind")
		}
	}
	return nil
}

// parseThreshold reads 3% or 0.03; "" gives 0, the default.
func parseThreshold(s string) (float64, error) {
	if s == "" {
		return 0, nil
	}
	number, isPercent := strings.CutSuffix(s, "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if isPercent {
		x /= 100
	}
	if err != nil || !(x > 0 && x <= 10) {
		return 0, fmt.Errorf("--threshold: %s is neither a part, such as 0.03, nor a percentage, "+
			"such as 3%%", s)
	}
	return x, nil
}

// readRuns reads one run, or the runs in a directory.
func readRuns(name string, damaged bool) ([]compare.RunTimes, error) {
	found, err := FindRuns(name)
	if err != nil {
		return nil, err
	}
	var runs []compare.RunTimes
	for _, path := range found {
		result, err := ReadResult(path, run.Options{}, damaged)
		if err != nil {
			return nil, err
		}
		runs = append(runs, compare.TimesOf(result))
	}
	return runs, nil
}

// FindRuns returns the runs that a name means. A folder of `opari run --trace` has the traces
// of one run's processes, and only the first is compared. The profiles of a program's ranks are
// one run.
func FindRuns(name string) ([]string, error) {
	trace, err := TraceOf(name)
	if info, e := os.Stat(name); e != nil || !info.IsDir() || err == nil {
		if err == nil && trace == "" {
			return []string{name}, CheckRun(name)
		}
		return []string{name}, err
	}
	entries, err := os.ReadDir(name)
	if err != nil {
		return nil, failure.OS(name, err)
	}
	var runs []string
	for _, e := range entries {
		path := filepath.Join(name, e.Name())
		if trace, err := TraceOf(path); err == nil && (trace != "" || CheckRun(path) == nil) {
			if rank, of := RankOf(path); trace == "" && of > 0 {
				path = strings.TrimSuffix(path, "."+strconv.Itoa(rank))
			}
			if len(runs) == 0 || !slices.Contains(runs, path) {
				runs = append(runs, path)
			}
		}
	}
	if len(runs) == 0 {
		return nil, failure.File(name, "the folder holds no profiles and no traces; opari run "+
			"--profile=FILE or --trace=DIRECTORY records them")
	}
	return runs, nil
}

// CheckRun rejects a file that does not begin like a profile. Its caller has excluded traces.
func CheckRun(path string) error {
	f, err := os.Open(fileOf(path))
	if err != nil {
		return failure.OS(path, err)
	}
	defer f.Close()
	const begin = `{"opari_profile":`
	head := make([]byte, len(begin))
	if _, err := io.ReadFull(f, head); err != nil || string(head) != begin {
		return failure.File(path,
			"is neither a profile (opari run --profile) nor a trace (opari run --trace)")
	}
	return nil
}
