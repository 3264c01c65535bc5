package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"opari/internal/instrument"
	"opari/otf"
)

// traceSampleFlags holds the flags of `opari trace stats` and `opari trace snapshots`.
type traceSampleFlags struct {
	damaged bool
	points  int
	groups  bool
	format  string
	level   int
}

func newTraceStats() *cobra.Command {
	var o traceSampleFlags
	cmd := &cobra.Command{
		Use:   "stats [flags] TRACE",
		Short: "Add statistics to a trace",
		Long: `stats reads a trace's events and writes its files of statistics anew. They have the
calls of each process's functions, their exclusive and inclusive time, and its messages. They count
from the start of the trace, so the difference of two records is what happened between them (OTF
1.1, section 2.9). A recursion counts once for the inclusive time.`,
		Args: one("trace"),
		RunE: func(_ *cobra.Command, args []string) error {
			return o.run(args[0], ".stats", "statistics", otf.WriteStatistics)
		},
	}
	o.add(cmd)
	cmd.Flags().BoolVar(&o.groups, "groups", false, "sum groups of functions instead of functions")
	return cmd
}

func newTraceSnapshots() *cobra.Command {
	var o traceSampleFlags
	cmd := &cobra.Command{
		Use:   "snapshots [flags] TRACE",
		Short: "Add snapshots to a trace",
		Long: `snapshots reads a trace's events and writes its files of snapshots anew. They have
the functions on each process's stack at a time, and the messages that it has sent and that nobody
has received. Events of that very time do not count (OTF 1.1, section 2.8).`,
		Args: one("trace"),
		RunE: func(_ *cobra.Command, args []string) error {
			return o.run(args[0], ".snaps", "snapshots", otf.WriteSnapshots)
		},
	}
	o.add(cmd)
	return cmd
}

func (o *traceSampleFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.IntVarP(&o.points, "points", "n", 20, "divide the trace's time into this many parts")
	fs.Var(instrument.NewChoice(&o.format, "short", "long"), "format",
		"short or long: how records are spelled")
	addDamaged(fs, &o.damaged)
	fs.IntVar(&o.level, "compress", 0, "compress at this level, 1 to 9 (0: not at all)")
}

// run writes the files of one kind beside the trace and moves them there when all are complete.
func (o *traceSampleFlags) run(named, ending, what string,
	write func(string, string, *otf.FileManager, otf.SampleOptions) error,
) error {
	trace := traceNamed(named)
	if archive := archiveNamed(named); archive != "" {
		return fileErrorf(archive, "%s are files of OTF; `opari trace convert` makes a trace that "+
			"can have them", what)
	}
	if o.points < 1 {
		return usageError{fmt.Errorf("--points: %d is not positive", o.points)}
	}
	if d := damageOf(trace); d.errors > 0 && !o.damaged {
		return d.refusal(trace)
	}
	name := otf.TraceName(trace)
	dir, err := temporaries.createDir(filepath.Dir(name), ".opari-trace-")
	if err != nil {
		return osError(filepath.Dir(name), err)
	}
	defer temporaries.remove(dir)
	bar := newProgress(what)
	defer bar.end()
	so := otf.SampleOptions{
		Points: o.points, Groups: o.groups, Format: formats[o.format],
		Level: o.level, Progress: bar.reader(),
	}
	err = write(trace, filepath.Join(dir, filepath.Base(name)), otf.NewFileManager(openFiles), so)
	if err == nil {
		err = removeFiles(name,
			func(e string) bool { return strings.HasSuffix(strings.TrimSuffix(e, ".z"), ending) })
	}
	if err == nil {
		err = moveFiles(dir, filepath.Dir(name))
	}
	return traceError(err)
}
