package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"opari/recording"
	"opari/report"
)

// traceFlags are the flags of `opari run` that record traces.
type traceFlags struct {
	directory string // of the trace; "" none
	filter    string // file with rules; "" none
	estimate  bool
}

func (o *traceFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.Var(&fileName{&o.directory}, "trace", "record a trace of the events into this folder; without a profile, unless --profile is given")
	fs.Var(&fileName{&o.filter}, "filter", "record what the rules of this file leave of the events")
	fs.BoolVar(&o.estimate, "estimate", false, "say how large a trace of this run would be, instead of printing the profile")
}

// check refuses options that do not go together.
func (o *traceFlags) check() error {
	switch {
	case strings.HasPrefix(o.directory, "-"):
		return usageError{fmt.Errorf("--trace needs a folder: %s is an option, or ./%s", o.directory, o.directory)}
	case o.directory != "" && o.estimate:
		return usageError{errors.New("--estimate is instead of --trace: it records a profile")}
	case o.filter != "" && o.directory == "" && !o.estimate:
		return usageError{errors.New("--filter goes with --trace or --estimate")}
	}
	return nil
}

// rules reads the filter; without one nothing is left out.
func (o *traceFlags) rules() (*recording.Filter, error) {
	if o.filter == "" {
		return &recording.Filter{}, nil
	}
	f, err := os.Open(o.filter)
	if err != nil {
		return nil, osError(o.filter, err)
	}
	defer f.Close()
	return recording.ReadFilter(o.filter, f)
}

// traceName is what a folder of ours holds, recordingName what is left where a trace could not be made of it.
var (
	traceName     = regexp.MustCompile(`^trace(-[0-9]+)*(\.otf|\.[0-9a-f]+\.(def|events|snaps|stats)(\.z)?)$`)
	recordingName = regexp.MustCompile(`^[0-9]+(-[0-9]+)?\.(meta|mpi|table|[0-9]+)$`)
)

// prepare makes the folder, or empties it of an earlier trace.
func (o *traceFlags) prepare() error {
	if err := os.MkdirAll(o.directory, 0o777); err != nil {
		return noPlace(osError(o.directory, err))
	}
	old, err := os.ReadDir(o.directory)
	if err != nil {
		return osError(o.directory, err)
	}
	old = slices.DeleteFunc(old, func(f os.DirEntry) bool {
		return f.Name() == jobFile || strings.HasPrefix(f.Name(), roomFile)
	})
	for _, f := range old {
		if recordingName.MatchString(f.Name()) {
			return fileErrorf(o.directory, "the folder holds a recording; opari trace recover makes its trace, or name another folder")
		}
		if !traceName.MatchString(f.Name()) && !strings.HasPrefix(f.Name(), jobFile+"-") || f.IsDir() {
			return fileErrorf(o.directory, "the folder holds %s, which is no trace; name another one", f.Name())
		}
	}
	for _, f := range old {
		if err := os.Remove(filepath.Join(o.directory, f.Name())); err != nil {
			return osError(filepath.Join(o.directory, f.Name()), err)
		}
	}
	return nil
}

// variables are what the library is told by.
func (o *traceFlags) variables() ([]string, error) {
	f, err := o.rules()
	if err != nil {
		return nil, err
	}
	directory, err := filepath.Abs(o.directory)
	if err != nil {
		return nil, osError(o.directory, err)
	}
	return []string{"OPARI_TRACE=" + directory, "OPARI_TRACE_FILTER=" + f.Text()}, nil
}

// finish makes traces of what was recorded, and says what there is.
func (o *traceFlags) finish(program string) error {
	made, err := convertRecordings(o.directory, o.directory)
	if err == nil && made == 0 {
		if err := writable(o.directory); err != nil {
			return fmt.Errorf("%w: %s recorded nothing", err, program)
		}
		why := "it is not linked with the measurement library (opari cc at the link, or opari config --libs), or runs no OpenMP of its own"
		if os.Getenv("OPARI") == "off" {
			why = "OPARI=off is set"
		}
		fmt.Fprintf(os.Stderr, "opari: warning: %s recorded nothing: %s\n", program, why)
	}
	return err
}

// convertRecordings makes a trace of each recording in a folder, in another or the same one, and returns how many were found.
func convertRecordings(directory, to string) (int, error) {
	bar := newProgress("converting")
	traces, running, err := recording.ConvertAll(directory, to, bar.set)
	bar.end()
	for _, t := range traces {
		fmt.Fprintf(os.Stderr, "opari: %s: ", t.Path)
		if t.Ranks > 0 {
			fmt.Fprintf(os.Stderr, "%s, ", plural(uint64(t.Ranks), "rank"))
		}
		fmt.Fprintf(os.Stderr, "%s, %s", plural(uint64(t.Threads), "thread"), plural(t.Events, "event"))
		if !t.Complete && t.Ranks > 0 {
			fmt.Fprint(os.Stderr, "; not all ranks ended in order")
		} else if !t.Complete {
			fmt.Fprint(os.Stderr, "; the process did not end in order")
		}
		fmt.Fprintln(os.Stderr)
		switch {
		case t.Lost > 0:
			fmt.Fprintf(os.Stderr, "opari: warning: %s: %s lost: %v\n", t.Path, plural(t.Lost, "record"), t.Failure)
		case t.Failure != 0:
			fmt.Fprintf(os.Stderr, "opari: warning: %s: a part of the recording could not be written: %v\n", t.Path, t.Failure)
		}
	}
	for _, pid := range running {
		fmt.Fprintf(os.Stderr, "opari: warning: process %d is still running; opari trace recover %s makes its trace when it has ended\n", pid, directory)
	}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EFBIG) || errors.Is(err, syscall.EDQUOT) {
		err = fmt.Errorf("%w\n%s: the recording is kept; opari trace recover --output=FOLDER %s makes the trace elsewhere", traceError(err), directory, directory)
	} else if err != nil {
		err = traceError(err)
	}
	return len(traces) + len(running), err
}

func plural(n uint64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func newTraceRecover() *cobra.Command {
	output := ""
	cmd := &cobra.Command{
		Use:   "recover [flags] DIRECTORY",
		Short: "Make traces of what programs have recorded, however they ended",
		Long: `recover makes a trace of each recording in a folder, as opari run --trace does when the program has ended. It is for what is left where opari run
itself was killed or found no room on the disk, and where programs were started with OPARI_TRACE=DIRECTORY in the environment and without opari run.`,
		Args: one("directory"),
		RunE: func(_ *cobra.Command, args []string) error {
			to := args[0]
			if output != "" {
				to = output
				if err := os.MkdirAll(to, 0o777); err != nil {
					return osError(to, err)
				}
			}
			made, err := convertRecordings(args[0], to)
			if err == nil && made == 0 {
				return fileErrorf(args[0], "nothing is recorded there")
			}
			return err
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "put the traces into this folder instead")
	return cmd
}

// printEstimate prints how large a trace of the run would be.
func (o *traceFlags) printEstimate(w io.Writer, profiles []*report.Profile, top int) error {
	f, err := o.rules()
	if err != nil {
		return err
	}
	for _, p := range profiles {
		e := recording.Predict(p, f)
		most := ""
		if f.Minimum > 0 {
			most = " at most"
		}
		fmt.Fprintf(w, "%s: a trace of this run has%s %s of %s in %s: %s while it runs, %s in OTF\n", filepath.Base(p.Program), most,
			plural(uint64(e.Records), "record"), plural(uint64(len(e.Regions)), "region"), plural(uint64(e.Threads), "thread"), bytesText(e.Raw), bytesText(e.Trace))
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
			fmt.Fprintf(w, "%12d %10s %5.1f%%  %s %s:%d\n", r.Events, bytesText(r.Trace), 100*float64(r.Trace)/float64(max(e.Trace, 1)), name, filepath.Base(r.File), r.Begin[0])
		}
	}
	return nil
}

// bytesText is a size for people: 950 B, 1.2 kB, 3.4 MB.
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
