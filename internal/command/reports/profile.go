package reports

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"opari/internal/command/arguments"
	"opari/internal/command/disk"
	"opari/internal/command/failure"
	"opari/internal/command/terminal"
	"opari/internal/instrument"
	"opari/internal/report/profile"
)

// ProfilePrinter prints the profiles of a run. It holds the flags that `opari run` and `opari
// report --format=table` share.
type ProfilePrinter struct {
	Format string
	Output string
	force  bool
	out    *disk.Output // for --output; nil: not planned yet
	Top    int
}

// Add adds the flags; usually the report goes to output.
func (o *ProfilePrinter) Add(cmd *cobra.Command, output string) {
	fs := cmd.Flags()
	fs.Var(instrument.NewChoice(&o.Format, "table", "json", "otf2"), "format",
		"table or json; of a trace, otf2: an archive of OTF2 instead of OTF")
	fs.StringVarP(&o.Output, "output", "o", "", "write the report to this file instead of "+output)
	disk.AddForce(fs, &o.force)
	arguments.AddTop(fs, &o.Top, "the table")
}

// Plan checks that the report of files may be written to the file that --output names.
func (o *ProfilePrinter) Plan(files []string) (err error) {
	if o.Output != "" {
		o.out, err = disk.Plan(o.Output, disk.Stat(files), o.force)
	}
	return err
}

// Fill has fill write to w, or to the file that --output names.
func (o *ProfilePrinter) Fill(w *os.File, fill func(io.Writer) error) error {
	if o.out == nil {
		return disk.Buffered(w, w.Name(), fill)
	}
	return o.out.Write(fill)
}

// Print writes the profiles to w, or to the file that --output names.
func (o *ProfilePrinter) Print(w *os.File, profiles []*profile.Profile) error {
	layout := profile.Layout{Width: terminal.Width(w), Top: o.Top}
	return o.Fill(w, func(w io.Writer) error {
		for i, p := range profiles {
			if i > 0 && o.Format == "table" {
				fmt.Fprintln(w)
			}
			var err error
			if o.Format == "json" {
				err = p.JSON(w)
			} else {
				err = p.Table(w, layout)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// reprint prints profiles as opari run does.
func (o *ProfilePrinter) reprint(files []string) error {
	for _, f := range files {
		switch trace, err := TraceOf(f); {
		case err != nil:
			return err
		case trace != "":
			return failure.File(f, "--format=table is for profiles; a trace has --format=text")
		}
	}
	if err := o.Plan(files); err != nil {
		return err
	}
	var profiles []*profile.Profile
	for _, f := range files {
		p, err := readRun(f)
		if err != nil {
			return err
		}
		profiles = append(profiles, p)
	}
	return o.Print(os.Stdout, profiles)
}

// ReportTraces prints the report of each trace in a folder on standard error, or to the file of
// --output. The first is of the program itself, others are of processes that it started.
func (o *ProfilePrinter) ReportTraces(directory string, lines bool) error {
	files, err := filepath.Glob(filepath.Join(directory, "*.otf"))
	if err != nil || len(files) == 0 {
		return nil // that the program recorded nothing has been said
	}
	how := reportFlags{
		format: "text", output: o.Output, force: o.force, top: o.Top, share: usualShare,
		terminal: os.Stderr, costGiven: func() bool { return false }, lines: lines,
	}
	if o.Format == "json" {
		how.format = o.Format
	}
	slices.SortFunc(files, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	return how.run(files)
}
