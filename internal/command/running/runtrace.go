package running

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"opari/internal/command/arguments"
	"opari/internal/command/failure"
	"opari/internal/command/terminal"
	"opari/internal/command/traces"
	"opari/internal/conversion"
	"opari/internal/recording"
	"opari/internal/report/profile"
	"opari/otf"
)

// traceFlags holds the flags of `opari run` that record traces.
type traceFlags struct {
	directory string // of the trace; "" for none
	filter    string // file with rules; "" for none
	estimate  bool
	sampling  recording.Sampling // of the trace whose size is estimated
	temporary bool               // the trace does not stay
	archive   bool               // make archives of OTF2 of the traces
}

func (o *traceFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.Var(arguments.FileName(&o.directory), "trace",
		"record a trace into this folder, and no profile unless --profile is given")
	fs.Var(arguments.FileName(&o.filter), "filter", "leave out events by the rules in this file")
	fs.BoolVar(&o.estimate, "estimate", false,
		"say how large a trace would be, instead of printing the profile")
}

// check rejects combinations of options that exclude each other.
func (o *traceFlags) check() error {
	switch {
	case strings.HasPrefix(o.directory, "-"):
		return failure.Usage(fmt.Errorf("--trace needs a folder: %s is an option, or ./%s",
			o.directory, o.directory))
	case o.directory != "" && o.estimate:
		return failure.Usage(errors.New("--estimate is instead of --trace: it records a profile"))
	case o.filter != "" && o.directory == "" && !o.estimate:
		return failure.Usage(errors.New("--filter goes with --trace or --estimate"))
	}
	return nil
}

// rules reads the filter. Without one, the recording omits nothing.
func (o *traceFlags) rules() (*recording.Filter, error) {
	if o.filter == "" {
		return &recording.Filter{}, nil
	}
	f, err := os.Open(o.filter)
	if err != nil {
		return nil, failure.OS(o.filter, err)
	}
	defer f.Close()
	return recording.ReadFilter(o.filter, f)
}

// variables returns the environment that makes the library record into a folder.
func (o *traceFlags) variables(f *recording.Filter, folder string) ([]string, error) {
	directory, err := filepath.Abs(folder)
	if err != nil {
		return nil, failure.OS(folder, err)
	}
	v := []string{"OPARI_TRACE=" + directory, "OPARI_TRACE_FILTER=" + f.Text()}
	if o.archive { // OTF2 has records for the numbers of tasks and requests
		v = append(v, "OPARI_TRACE_NUMBERS=1")
	}
	return v, nil
}

// finish converts the recordings in a folder to traces, and prints the result.
func (o *traceFlags) finish(program, folder string, how recording.Options) error {
	how.InTurn = func(do func() error) error { return inTurn(o.directory, do) }
	name := pathOf
	if o.temporary {
		name = func(*recording.Trace) string { return program }
	}
	if o.archive {
		name = archivePathOf
	}
	made, left, err := convertRecordings(o.directory, folder, o.directory, how, name)
	if o.archive && err == nil {
		err = makeArchives(made)
	}
	for _, l := range left {
		if o.temporary {
			fmt.Fprintf(os.Stderr, "opari: warning: process %d %s; it is not in the report\n",
				l.PID, l.Why)
			continue
		}
		then := "opari trace recover " + o.directory + " makes its trace when it has ended"
		if !l.Runs {
			then = "opari trace recover --force " + o.directory + " makes its trace all the same"
		}
		fmt.Fprintf(os.Stderr, "opari: warning: process %d %s; %s\n", l.PID, l.Why, then)
	}
	if err == nil && len(made)+len(left) == 0 {
		if err := writable(o.directory); err != nil {
			return fmt.Errorf("%w: %s recorded nothing", err, program)
		}
		why := whyNoRecord
		if os.Getenv("OPARI") == "off" {
			why = "OPARI=off is set"
		}
		fmt.Fprintf(os.Stderr, "opari: warning: %s recorded nothing: %s\n", program, why)
	}
	return err
}

func pathOf(t *recording.Trace) string { return t.Path }

func archivePathOf(t *recording.Trace) string { return archiveStub(t) + ".otf2" }

// convertRecordings makes a trace of each recording in folder, which is directory or below it. It
// says so of each trace, by its name.
func convertRecordings(directory, folder, to string, how recording.Options,
	name func(*recording.Trace) string,
) (made []*recording.Trace, left []*recording.Left, err error) {
	bar := terminal.NewProgress("converting")
	how.Progress = bar.Set
	made, left, err = recording.Recover(folder, to, how)
	bar.End()
	for _, t := range made {
		fmt.Fprintf(os.Stderr, "opari: %s: ", name(t))
		if t.Ranks > 0 {
			fmt.Fprintf(os.Stderr, "%s, ", terminal.Plural(uint64(t.Ranks), "rank"))
		}
		fmt.Fprintf(os.Stderr, "%s, %s", terminal.Plural(uint64(t.Threads), "thread"),
			terminal.Plural(t.Events, "event"))
		if t.MayRun() {
			fmt.Fprint(os.Stderr, " until now; the recording stays")
		} else if !t.Complete && t.Ranks > 0 {
			fmt.Fprint(os.Stderr, "; not all ranks ended in order")
		} else if !t.Complete {
			fmt.Fprint(os.Stderr, "; the process did not end in order")
		}
		fmt.Fprintln(os.Stderr)
		switch {
		case t.Lost > 0:
			fmt.Fprintf(os.Stderr, "opari: warning: %s: %s lost: %v\n", name(t),
				terminal.Plural(t.Lost, "record"), t.Failure)
		case t.Failure != 0:
			fmt.Fprintf(os.Stderr, "opari: warning: %s: a part of the recording could not be "+
				"written: %v\n", name(t), t.Failure)
		}
	}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EFBIG) ||
		errors.Is(err, syscall.EDQUOT) {
		err = fmt.Errorf("%w\n%s: the recording is kept; opari trace recover --output=FOLDER %s "+
			"makes the trace elsewhere", traces.Error(err), directory, directory)
	} else if err != nil {
		err = traces.Error(err)
	}
	return made, left, err
}

// archiveStub returns the name of the archive that replaces a trace. Another run may have made one
// of the trace's name meanwhile.
func archiveStub(t *recording.Trace) string {
	stub := otf.TraceName(t.Path)
	if _, err := os.Stat(stub + ".otf2"); err == nil {
		return fmt.Sprintf("%s-%d", stub, t.PID)
	}
	return stub
}

// makeArchives replaces traces by archives of OTF2.
func makeArchives(made []*recording.Trace) error {
	for _, t := range made {
		stub := otf.TraceName(t.Path)
		if err := traces.StagedArchive(archiveStub(t), true, func(to string) error {
			_, err := conversion.ToOTF2(stub, to) // opari's own traces lose nothing
			return err
		}); err != nil {
			return err
		}
		if err := traces.RemoveFiles(stub, func(string) bool { return true }); err != nil {
			return failure.OS(stub, err)
		}
	}
	return nil
}

// printEstimate prints how large a trace of the run would be.
func (o *traceFlags) printEstimate(w io.Writer, profiles []*profile.Profile, top int) error {
	f, err := o.rules()
	if err != nil {
		return err
	}
	for _, p := range profiles {
		e := recording.Predict(p, f, o.sampling)
		most := ""
		if f.Minimum > 0 {
			most = " at most"
		}
		fmt.Fprintf(w, "%s: a trace of this run has%s %s of %s in %s: %s while it runs, %s in "+
			"OTF\n", filepath.Base(p.Program), most,
			terminal.Plural(uint64(e.Records), "record"),
			terminal.Plural(uint64(len(e.Regions)), "region"),
			terminal.Plural(uint64(e.Threads), "thread"), bytesText(e.Raw), bytesText(e.Trace))
		if e.Samples > 0 {
			fmt.Fprintf(w, "  samples add at most %s in OTF: %d, if all threads always execute\n",
				bytesText(e.SampleBytes), e.Samples)
		}
		fmt.Fprintf(w, "%12s %10s %6s  %s\n", "events", "OTF", "share", "region")
		for i, r := range e.Regions {
			if i == top && top > 0 {
				fmt.Fprintf(w, "%d more regions (--top=0 shows all)\n", len(e.Regions)-top)
				break
			}
			name := r.Name
			if r.SubName != "" {
				name += "(" + r.SubName + ")"
			}
			fmt.Fprintf(w, "%12d %10s %5.1f%%  %s %s:%d\n", r.Events, bytesText(r.Trace),
				100*float64(r.Trace)/float64(max(e.Trace, 1)), name,
				filepath.Base(r.File), r.Begin[0])
		}
	}
	return nil
}

// bytesText formats a size for people: 950 B, 1.2 kB, 3.4 MB.
func bytesText(n int64) string {
	v := float64(n)
	for _, unit := range []string{"B", "kB", "MB", "GB"} {
		if v < 999.5 {
			if unit == "B" {
				return fmt.Sprintf("%d B", n)
			}
			return fmt.Sprintf("%.1f %s", v, unit)
		}
		v /= 1000
	}
	return fmt.Sprintf("%.1f TB", v)
}
