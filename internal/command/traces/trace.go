package traces

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"opari/internal/command/arguments"
	"opari/internal/command/disk"
	"opari/internal/command/failure"
	"opari/otf"
)

// openFiles is how many files of a trace may be open at a time.
const openFiles = 100

// New makes `opari trace`. Its command recover belongs to opari run, which records.
func New(recovery *cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "trace COMMAND",
		Short: "Print, merge, convert, compress and check traces in the Open Trace Formats",
		Long: `trace reads and writes traces in the Open Trace Format (OTF 1.1; it carries along
records of libotf 1.12), and archives of OTF2. Name a trace by its master file, NAME.otf, an
archive by its anchor file, NAME.otf2, or both by NAME alone or the folder of opari run --trace.`,
		Example: `  opari trace info run.trace
  opari trace convert -o new.otf2 run.trace`,
	}
	arguments.NeedCommand(cmd, "command of opari trace")
	cmd.AddCommand(newTraceInfo(), newTracePrint(), newTraceMerge(), newTraceConvert(),
		newTraceCompress(), newTraceStats(), newTraceSnapshots(), newTraceCheck(),
		recovery)
	return cmd
}

// traceNamed returns the trace that a name means: the name itself, or the trace in a folder of
// opari run --trace.
func traceNamed(name string) string {
	info, err := os.Stat(name)
	if err != nil || !info.IsDir() {
		return name
	}
	if _, err := os.Stat(otf.TraceName(name) + ".otf"); err == nil {
		return name
	}
	return filepath.Join(name, "trace")
}

// Error returns a message about an error in a trace, with file, line and byte if they are
// known.
func Error(err error) error {
	var damage *otf.Error
	var path *os.PathError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &damage):
		return errors.New(problemText(otf.Problem{Error: *damage}))
	case errors.As(err, &path):
		return failure.OS(path.Path, err)
	case strings.Contains(err.Error(), ": error: "): // package recording already names the file
		return err
	}
	return fmt.Errorf("opari: error: %w", err)
}

// problemText formats a problem: "file:line: byte N: error: what".
func problemText(p otf.Problem) string {
	severity := "error"
	if p.Warning {
		severity = "warning"
	}
	if p.Line == 0 {
		return fmt.Sprintf("%s: %s: %s", p.Path, severity, p.What)
	}
	return fmt.Sprintf("%s:%d: byte %d: %s: %s", p.Path, p.Line, p.Offset, severity, p.What)
}

// tracePrintFlags holds the flags of `opari trace print`.
type tracePrintFlags struct {
	from, to  uint64
	processes []uint
	records   []string
	limit     uint64
	output    string
	force     bool
}

func newTracePrint() *cobra.Command {
	var o tracePrintFlags
	cmd := &cobra.Command{
		Use:   "print [flags] TRACE",
		Short: "Print a trace's records as text",
		Long: `print prints a line for each record: its name, its stream (definitions) or time, and
its fields. Events, snapshots and statistics of all streams come in temporal order. Processes of an
archive of OTF2 are its locations; --records=markers prints its markers.`,
		Example: "  opari trace print --records=events --limit=10 run.trace",
		Args:    arguments.One("trace"),
		RunE: func(_ *cobra.Command, args []string) error {
			if archive := ArchiveNamed(args[0]); archive != "" {
				return o.printArchive(archive)
			}
			return o.run(traceNamed(args[0]))
		},
	}
	fs := cmd.Flags()
	fs.Uint64Var(&o.from, "from", 0, "print records of this time and later, in ticks")
	fs.Uint64Var(&o.to, "to", otf.MaxTime, "print records before this time")
	fs.UintSliceVar(&o.processes, "process", nil,
		"print records of these processes only, separated by commas")
	fs.StringSliceVar(&o.records, "records", []string{
		"definitions", "events", "snapshots",
		"statistics",
	}, "print these, separated by commas")
	fs.Uint64Var(&o.limit, "limit", 0, "print at most this many records of each of these (0: all)")
	fs.StringVarP(&o.output, "output", "o", "-", "write to this file; - is standard output")
	disk.AddForce(fs, &o.force)
	return cmd
}

func (o *tracePrintFlags) run(trace string) error {
	r, err := otf.OpenReader(trace, otf.NewFileManager(openFiles))
	if err != nil {
		return Error(err)
	}
	defer r.Close()
	if o.from > 0 || o.to < otf.MaxTime {
		r.SetTimeInterval(o.from, o.to)
	}
	if len(o.processes) > 0 {
		if err := o.choose(r); err != nil {
			return err
		}
	}
	r.SetRecordLimit(o.limit)
	out, err := disk.Plan(o.output, []*disk.Input{{}}, o.force)
	if err != nil {
		return err
	}
	return out.Write(func(w io.Writer) error { return o.print(r, w) })
}

// choose disables all processes except those that --process names.
func (o *tracePrintFlags) choose(r *otf.Reader) error {
	for _, e := range r.MasterControl().Entries() {
		for _, p := range e.Processes {
			r.DisableProcess(p)
		}
	}
	for _, p := range o.processes {
		if _, known := r.MasterControl().StreamOf(uint32(p)); !known || p > 1<<32-1 {
			return failure.Usage(fmt.Errorf("--process: the trace has no process %d", p))
		}
		r.EnableProcess(uint32(p))
	}
	return nil
}

// print prints the kinds of records in the order of --records.
func (o *tracePrintFlags) print(r *otf.Reader, out io.Writer) error {
	w := bufio.NewWriterSize(out, 1<<16)
	var line []byte
	h := &otf.HandlerArray{Any: func(r *otf.Record) error {
		line = append(r.AppendText(line[:0]), '\n')
		_, err := w.Write(line)
		return err
	}}
	reads := map[string]func(*otf.HandlerArray) (uint64, error){
		"definitions": r.ReadDefinitions, "events": r.ReadEvents, "snapshots": r.ReadSnapshots,
		"statistics": r.ReadStatistics,
	}
	for _, name := range o.records {
		read := reads[strings.TrimSpace(name)]
		if read == nil {
			return failure.Usage(fmt.Errorf("--records: what is %s? (definitions, events, "+
				"snapshots, statistics)", name))
		}
		if _, err := read(h); err != nil {
			return errors.Join(w.Flush(), Error(err))
		}
	}
	return w.Flush()
}
