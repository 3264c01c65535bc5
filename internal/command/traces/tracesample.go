package traces

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"opari/internal/command/arguments"
	"opari/internal/command/disk"
	"opari/internal/command/failure"
	"opari/internal/command/terminal"
	"opari/internal/conversion"
	"opari/internal/instrument"
	"opari/otf"
	"opari/otf2"
)

// traceSampleFlags holds the flags of `opari trace stats` and `opari trace snapshots`.
type traceSampleFlags struct {
	damaged bool
	output  string // of an archive: the trace
	force   bool
	points  int
	groups  bool
	format  string
	level   int
}

func newTraceStats() *cobra.Command {
	var o traceSampleFlags
	cmd := &cobra.Command{
		Use:   "stats [flags] [-o NEW] TRACE",
		Short: "Add statistics to a trace",
		Long: `stats reads a trace's events and writes its files of statistics anew. They have the
calls of each process's functions, their exclusive and inclusive time, and its messages. They count
from the start of the trace, so the difference of two records is what happened between them (OTF
1.1, section 2.9). A recursion counts once for the inclusive time.

OTF2 has no such records: of an archive, stats makes the trace NEW.otf with them.`,
		Example: "  opari trace stats run.trace",
		Args:    arguments.One("trace"),
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
		Use:   "snapshots [flags] [-o NEW] TRACE",
		Short: "Add snapshots to a trace",
		Long: `snapshots reads a trace's events and writes its files of snapshots anew. They have
the functions on each process's stack at a time, and the messages that it has sent and that nobody
has received. Events of that very time do not count (OTF 1.1, section 2.8). Of an archive of OTF2
it makes the trace NEW.otf with them.`,
		Example: "  opari trace snapshots --points=10 run.trace",
		Args:    arguments.One("trace"),
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
	fs.StringVarP(&o.output, "output", "o", "", "name of the trace of an archive")
	fs.BoolVar(&o.force, "force", false, "overwrite a trace of that name")
	AddDamaged(fs, &o.damaged)
	fs.IntVar(&o.level, "compress", 0, "compress at this level, 1 to 9 (0: not at all)")
}

// sampler writes the files of one kind of a trace beside another name.
type sampler = func(trace, to string, manager *otf.FileManager, o otf.SampleOptions) error

// run writes the files of one kind beside the trace and moves them there when all are complete.
func (o *traceSampleFlags) run(named, ending, what string, write sampler) error {
	if o.points < 1 {
		return failure.Usage(fmt.Errorf("--points: %d is not positive", o.points))
	}
	if archive := ArchiveNamed(named); archive != "" {
		return o.convert(archive, what, write)
	}
	if o.output != "" {
		return failure.Usage(errors.New("-o is for archives of OTF2; a trace has such " +
			"files beside it"))
	}
	trace := traceNamed(named)
	if d := awaited(trace, damageOf); d.errors > 0 && !o.damaged {
		return d.refusal()
	}
	name := otf.TraceName(trace)
	dir, err := disk.Temporaries.CreateDir(filepath.Dir(name), ".opari-trace-")
	if err != nil {
		return failure.OS(filepath.Dir(name), err)
	}
	defer disk.Temporaries.Remove(dir)
	err = o.write(trace, filepath.Join(dir, filepath.Base(name)), what, write)
	if err == nil {
		err = RemoveFiles(name,
			func(e string) bool { return strings.HasSuffix(strings.TrimSuffix(e, ".z"), ending) })
	}
	if err == nil {
		err = moveFiles(dir, filepath.Dir(name))
	}
	return Error(err)
}

// convert makes a trace of an archive, with the files of one kind.
func (o *traceSampleFlags) convert(archive, what string, write sampler) error {
	if o.output == "" {
		return failure.File(archive, "%s are records of OTF: -o NEW makes a trace that has "+
			"them", what)
	}
	d := awaited(archive, damageOfArchive)
	if d.errors > 0 && !o.damaged {
		return d.refusal()
	}
	d.warn()
	var losses conversion.Losses
	err := staged(o.output, o.force, archive, func(to string) (err error) {
		if losses, err = conversion.ToOTF(archive, to, func(*otf2.Error) {}); err != nil {
			return archiveError(err)
		}
		return o.write(to, to, what, write)
	})
	if err == nil {
		listLosses(otf.TraceName(o.output)+".otf", losses)
	}
	return err
}

// write writes the files of one kind.
func (o *traceSampleFlags) write(trace, to, what string, write sampler) error {
	bar := terminal.NewProgress(what)
	defer bar.End()
	return write(trace, to, otf.NewFileManager(openFiles), otf.SampleOptions{
		Points: o.points, Groups: o.groups, Format: formats[o.format], Level: o.level,
		Progress: bar.Reader(),
	})
}
