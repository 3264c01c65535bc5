package traces

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"opari/internal/analysis"
	"opari/internal/analysis/trace"
	"opari/internal/command/arguments"
	"opari/internal/command/terminal"
	"opari/otf"
)

func newTraceInfo() *cobra.Command {
	var count, damaged bool
	cmd := &cobra.Command{
		Use:   "info [flags] TRACE",
		Short: "Say what a trace holds",
		Long: `info says who wrote a trace, its times, its processes and its files. It reads the
definitions and the ends of the other files. With --count it reads all and counts the records of
each type. Only then does it check the whole trace, as opari trace check does; the row "checked"
says so. Rows "note" name what the trace leaves out.`,
		Example: "  opari trace info run.trace",
		Args:    arguments.One("trace"),
		RunE: func(_ *cobra.Command, args []string) error {
			archive, trace := ArchiveNamed(args[0]), traceNamed(args[0])
			checked := "definitions only: the events are not checked, --count does that"
			if count {
				var d damage
				if archive != "" {
					d = awaited(archive, damageOfArchive)
				} else {
					d = awaited(trace, damageOf)
				}
				if d.errors > 0 && !damaged {
					return d.refusal()
				}
				d.warn()
				if checked = "all"; d.errors > 0 {
					checked += ": " + d.text()
				}
			}
			out := bufio.NewWriter(os.Stdout)
			if archive != "" {
				return errors.Join(archiveError(archiveInfo(archive, count, checked, out)),
					out.Flush())
			}
			if err := traceInfo(trace, count, checked, out); err != nil {
				return Error(err)
			}
			return out.Flush()
		},
	}
	cmd.Flags().BoolVar(&count, "count", false, "count the records of each type")
	AddDamaged(cmd.Flags(), &damaged)
	return cmd
}

// traceFacts holds the facts in a trace's definitions.
type traceFacts struct {
	version, creator string
	resolution       uint64
	counts           map[otf.RecordType]uint64
	comments         []string
	counters         []string // names
}

func traceInfo(stub string, count bool, checked string, out io.Writer) error {
	r, err := otf.OpenReader(stub, otf.NewFileManager(openFiles))
	if err != nil {
		return err
	}
	defer r.Close()
	facts := traceFacts{resolution: otf.DefaultTimerResolution, counts: map[otf.RecordType]uint64{}}
	if err := facts.read(r, count); err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%s\t%s\n", name, fmt.Sprintf(format, args...))
	}
	processes := 0
	for _, e := range r.MasterControl().Entries() {
		processes += len(e.Processes)
	}
	if facts.creator != "" {
		row("creator", "%s", facts.creator)
	}
	if facts.version != "" {
		row("version", "%s", facts.version)
	}
	row("resolution", "%d ticks per second", facts.resolution)
	row("streams", "%d", len(r.MasterControl().Entries()))
	row("processes", "%d (%d defined)", processes, facts.counts[otf.DefProcessRecord])
	row("functions", "%d", facts.counts[otf.DefFunctionRecord])
	for _, kind := range []otf.FileKind{otf.Events, otf.Snapshots, otf.Statistics} {
		first, last, found, err := r.TimeRange(kind)
		if err != nil {
			return err
		}
		if found && last < first {
			return &otf.Error{Path: otf.TraceName(stub) + ".otf", What: "the " + kind.String() +
				" end before they begin; opari trace check says where"}
		}
		if found {
			row(kind.String(), "%d to %d: %.6f s", first, last,
				float64(last-first)/float64(max(facts.resolution, 1)))
		}
	}
	if err := fileRows(stub, row); err != nil {
		return err
	}
	row("checked", "%s", checked)
	facts.kernelRows(row)
	for _, note := range trace.Notes(facts.comments) {
		row("note", "%s", note)
	}
	if count {
		for _, k := range otf.Records() {
			if n := facts.counts[k.Type]; n > 0 {
				row(k.Name, "%d", n)
			}
		}
		if n := facts.counts[otf.UnknownRecord]; n > 0 {
			row("unknown", "%d", n)
		}
	}
	return w.Flush()
}

// read reads the definitions, and with count all other records.
func (f *traceFacts) read(r *otf.Reader, count bool) error {
	reads := []func(*otf.HandlerArray) (uint64, error){r.ReadDefinitions}
	if count {
		reads = append(reads, r.ReadSnapshots, r.ReadStatistics)
	}
	bar := terminal.NewProgress("reading")
	defer bar.End()
	if count {
		if err := f.countEvents(r, bar); err != nil {
			return err
		}
	}
	h := &otf.HandlerArray{Any: func(d *otf.Record) error {
		f.counts[d.Type]++
		switch d.Type {
		case otf.DefCreatorRecord:
			f.creator = analysis.Printable(d.Texts[0])
		case otf.DefVersionRecord:
			if f.version == "" {
				v := d.Values[0]
				f.version = strings.TrimSpace(fmt.Sprintf("%d.%d.%d %s", v>>16&255, v>>8&255, v&255,
					analysis.Printable(d.Texts[0])))
			}
		case otf.DefinitionCommentRecord:
			f.comments = append(f.comments, d.Texts[0])
		case otf.DefCounterRecord:
			f.counters = append(f.counters, analysis.Printable(d.Texts[0]))
		case otf.DefTimerResolutionRecord:
			f.resolution = d.Values[0]
		}
		return nil
	}}
	if bar != nil {
		r.SetRecordLimit(1 << 20)
	}
	for _, read := range reads {
		for {
			n, err := read(h)
			if err != nil {
				return err
			}
			if n == 0 || bar == nil {
				break
			}
			bar.Set(r.Bytes(otf.Snapshots))
		}
	}
	return nil
}

// countEvents counts the events of each type, of several streams at a time.
func (f *traceFacts) countEvents(r *otf.Reader, bar *terminal.Progress) error {
	var lock sync.Mutex
	done, streams := int64(0), int64(len(r.MasterControl().Entries()))
	_, err := r.ReadStreams(runtime.GOMAXPROCS(0), func(uint32) (*otf.HandlerArray, func() error) {
		var counts [math.MaxUint8 + 1]uint64 // by type
		event := func(t otf.RecordType) func(uint64, uint32, uint32, uint32) error {
			return func(uint64, uint32, uint32, uint32) error { counts[t]++; return nil }
		}
		h := &otf.HandlerArray{
			Enter: event(otf.EnterRecord), Leave: event(otf.LeaveRecord),
			Any: func(d *otf.Record) error { counts[d.Type]++; return nil },
		}
		return h, func() error {
			lock.Lock()
			defer lock.Unlock()
			for t, n := range counts {
				if n > 0 {
					f.counts[otf.RecordType(t)] += n
				}
			}
			done++
			bar.Set(done, streams)
			return nil
		}
	})
	return err
}

// kernelRows prints what the trace has of the kernel: samples, and the names of counters.
func (f *traceFacts) kernelRows(row func(name, format string, args ...any)) {
	rate, lost, stacks := "", "", 0
	for _, c := range f.comments {
		if strings.HasPrefix(c, "stack ") {
			stacks++
		}
		if text, is := strings.CutPrefix(c, "samples: "); is {
			rate = analysis.Printable(text)
		}
		if text, is := strings.CutPrefix(c, "samples lost: "); is {
			lost = ", " + analysis.Printable(text) + " lost"
		}
	}
	if rate != "" {
		row("samples", "%s%s, in %d stacks of calls", rate, lost, stacks)
	}
	var names []string
	for _, name := range f.counters {
		if name, is := strings.CutPrefix(name, "counter "); is {
			names = append(names, name)
		}
	}
	if names != nil {
		row("counters", "%s", strings.Join(names, ", "))
	}
}

// fileRows prints the number of files and their total size.
func fileRows(trace string, row func(name, format string, args ...any)) error {
	files, err := otf.Files(trace)
	if err != nil {
		return err
	}
	var total int64
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil {
			return err
		}
		total += info.Size()
	}
	row("files", "%d, %d bytes", len(files), total)
	return nil
}
