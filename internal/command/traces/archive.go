package traces

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"opari/internal/command/disk"
	"opari/internal/command/failure"
	"opari/internal/command/terminal"
	"opari/internal/pattern"
	"opari/otf"
	"opari/otf2"
)

// ArchiveNamed returns the archive of OTF2 that a name means: an anchor file, its name without
// the ending, or the folder of a run. It returns "" where there is a trace of OTF instead.
func ArchiveNamed(name string) string {
	exists := func(path string) bool { _, err := os.Stat(path); return err == nil }
	if strings.HasSuffix(name, ".otf2") {
		return name
	}
	if exists(otf.TraceName(name) + ".otf") {
		return ""
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		if exists(filepath.Join(name, "trace.otf")) {
			return ""
		}
		for _, stem := range []string{"trace", "traces"} { // Score-P's is the second
			if path := filepath.Join(name, stem+".otf2"); exists(path) {
				return path
			}
		}
	}
	if path := name + ".otf2"; exists(path) {
		return path
	}
	return ""
}

// archiveError returns a message about an error in an archive, with file, chunk and byte.
func archiveError(err error) error {
	var damage *otf2.Error
	if errors.As(err, &damage) {
		return errors.New(archiveProblem(otf2.Problem{Error: *damage}))
	}
	return Error(err)
}

// archiveProblem formats a problem: "file: chunk N: byte N: error: what".
func archiveProblem(p otf2.Problem) string {
	severity := "error"
	if p.Warning {
		severity = "warning"
	}
	if p.Chunk == 0 {
		return fmt.Sprintf("%s: %s: %s", p.Path, severity, p.What)
	}
	return fmt.Sprintf("%s: chunk %d: byte %d: %s: %s", p.Path, p.Chunk, p.Offset, severity, p.What)
}

// printArchive prints the records of an archive.
func (o *tracePrintFlags) printArchive(archive string) error {
	r, err := otf2.OpenReader(archive, openFiles)
	if err != nil {
		return archiveError(err)
	}
	defer r.Close()
	r.SetTimeInterval(o.from, o.to)
	if len(o.processes) > 0 {
		locations, err := r.Locations()
		if err != nil {
			return archiveError(err)
		}
		known := map[uint64]bool{}
		for _, id := range locations {
			known[id] = true
		}
		var chosen []uint64
		for _, p := range o.processes {
			if !known[uint64(p)] {
				return failure.Usage(fmt.Errorf("--process: the archive has no location %d", p))
			}
			chosen = append(chosen, uint64(p))
		}
		r.SelectLocations(chosen)
	}
	out, err := disk.Plan(o.output, []*disk.Input{{}}, o.force)
	if err != nil {
		return err
	}
	return out.Write(func(w io.Writer) error { return o.printRecords(r, w) })
}

// printRecords prints the kinds of records in the order of --records.
func (o *tracePrintFlags) printRecords(r *otf2.Reader, out io.Writer) error {
	type read = func(*otf2.HandlerArray) (uint64, error)
	reads := map[string][]read{
		"definitions": {r.ReadGlobalDefinitions, r.ReadLocalDefinitions},
		"events":      {r.ReadEvents}, "snapshots": {r.ReadSnapshots}, "markers": {r.ReadMarkers},
		"statistics": {}, // OTF2 has none
	}
	w := bufio.NewWriterSize(out, 1<<16)
	for _, name := range o.records {
		kinds, is := reads[strings.TrimSpace(name)]
		if !is {
			return failure.Usage(fmt.Errorf("--records: what is %s? (definitions, events, "+
				"snapshots, markers)", name))
		}
		left := o.limit
		var line []byte
		printed := func(r *otf2.Record) error {
			line = append(r.AppendText(line[:0]), '\n')
			_, err := w.Write(line)
			if left--; err == nil && left == 0 {
				err = otf2.ErrBreak
			}
			return err
		}
		for i, k := range kinds {
			if i > 0 && o.limit > 0 && left == 0 {
				break
			}
			if _, err := k(&otf2.HandlerArray{Any: printed}); err != nil {
				return errors.Join(w.Flush(), archiveError(err))
			}
		}
	}
	return w.Flush()
}

// checkArchive prints the mistakes in an archive and reports whether there was an error.
func checkArchive(archive string, most int) (bool, error) {
	return printMistakes(archive, most, func(mistake mistake, done progress) error {
		return otf2.Check(archive, func(p otf2.Problem) {
			mistake(p.Warning, func() string { return archiveProblem(p) })
		}, done)
	})
}

// archiveInfo prints what an archive holds; with count it reads the events and counts them.
func archiveInfo(archive string, count bool, checked string, out io.Writer) error {
	r, err := otf2.OpenReader(archive, openFiles)
	if err != nil {
		return err
	}
	defer r.Close()
	r.Tolerate(func(*otf2.Error) {}) // the check has reported it
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%s\t%s\n", name, fmt.Sprintf(format, args...))
	}
	counts := map[otf2.RecordType]uint64{}
	h := &otf2.HandlerArray{Any: func(r *otf2.Record) error { counts[r.Type]++; return nil }}
	var clock [4]uint64
	h.ClockProperties = func(_, ticks, offset, length, real uint64) error {
		counts[otf2.ClockPropertiesRecord]++
		clock = [4]uint64{ticks, offset, length, real}
		return nil
	}
	if _, err := r.ReadGlobalDefinitions(h); err != nil {
		return err
	}
	a := r.Anchor
	row("creator", "%q", a.Creator)
	row("version", "%d.%d.%d, format %d.%d", a.Version[0], a.Version[1], a.Version[2], a.Format[0],
		a.Format[1])
	if a.Machine != "" {
		row("machine", "%q", a.Machine)
	}
	if a.Description != "" {
		row("description", "%q", a.Description)
	}
	for _, p := range a.Properties {
		row("property", "%q %q", p.Name, p.Value)
	}
	row("resolution", "%d ticks per second", clock[0])
	row("locations", "%d", counts[otf2.LocationRecord])
	row("regions", "%d", counts[otf2.RegionRecord])
	row("events", "%d to %d: %.6f s", clock[1], clock[1]+clock[2],
		float64(clock[2])/float64(max(clock[0], 1)))
	row("checked", "%s", checked)
	if !count {
		return w.Flush()
	}
	for _, read := range []func(*otf2.HandlerArray) (uint64, error){
		r.ReadLocalDefinitions, r.ReadEvents, r.ReadSnapshots, r.ReadMarkers,
	} {
		if _, err := read(h); err != nil {
			return errors.Join(w.Flush(), err)
		}
	}
	for i := range otf2.Records {
		if k := &otf2.Records[i]; counts[k.Type] > 0 {
			row(k.Name, "%d", counts[k.Type])
		}
	}
	if n := counts[otf2.UnknownRecord]; n > 0 {
		row("unknown", "%d", n)
	}
	return w.Flush()
}

// locationFile matches the files in an archive's folder.
var locationFile = pattern.Lazy{Text: `^[0-9]+\.(evt|def|snap)$`}

// RemoveArchive removes the files of an archive: the anchor file first, and the folder only if it
// has nothing else.
func RemoveArchive(stub string) error {
	var errs []error
	for _, ending := range []string{".otf2", ".def", ".marker"} {
		if err := os.Remove(stub + ending); !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	files, _ := os.ReadDir(stub)
	for _, f := range files {
		if locationFile.Get().MatchString(f.Name()) {
			errs = append(errs, os.Remove(filepath.Join(stub, f.Name())))
		}
	}
	if files != nil {
		errs = append(errs, os.Remove(stub))
	}
	return errors.Join(errs...)
}

// StagedArchive writes an archive into a folder beside its destination. It moves the files when
// all are complete, the anchor file last.
func StagedArchive(output string, force bool, fill func(to string) error) error {
	stub := otf2.Stub(output)
	if _, err := os.Stat(stub + ".otf2"); err == nil && !force {
		return failure.File(stub+".otf2",
			"the archive exists; name another one, or say --force to overwrite it")
	}
	if _, err := os.Stat(stub); err == nil && !force {
		return failure.File(stub, "the archive's folder exists; name another one, or say --force "+
			"to overwrite it")
	}
	dir, err := disk.Temporaries.CreateDir(filepath.Dir(stub), ".opari-trace-")
	if err != nil {
		return failure.OS(filepath.Dir(stub), err)
	}
	defer disk.Temporaries.Remove(dir)
	made := filepath.Join(dir, filepath.Base(stub))
	if err = fill(made); err == nil {
		err = RemoveArchive(stub)
	}
	for _, ending := range []string{"", ".def", ".marker", ".otf2"} {
		if err == nil {
			if err = os.Rename(made+ending, stub+ending); ending == ".marker" &&
				errors.Is(err, os.ErrNotExist) {
				err = nil
			}
		}
	}
	return archiveError(err)
}

// mergeArchive copies an archive and makes what single locations define global.
func mergeArchive(archive, output string, force bool) error {
	if same(otf2.Stub(archive)+".otf2", otf2.Stub(output)+".otf2") {
		return failure.File(archive, "the output is the input; name another archive")
	}
	return StagedArchive(output, force, func(to string) error {
		done := terminal.Wait("merging " + archive)
		moved, err := otf2.Merge(archive, to)
		done()
		if moved > 0 && err == nil {
			fmt.Fprintf(os.Stderr, "opari: warning: %s: clock offsets move %d events before the "+
				"event before; these have its time\n", output, moved)
		}
		return err
	})
}
