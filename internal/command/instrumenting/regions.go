package instrumenting

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"opari/descriptors"
	"opari/internal/analysis"
	"opari/internal/command/arguments"
	"opari/internal/command/disk"
	"opari/internal/command/failure"
	"opari/internal/instrument"
	"opari/internal/omp"
	"opari/parse"
)

// fileRegions is the output of `opari regions` for one file.
type fileRegions struct {
	File     string           `json:"file"`
	Regions  []regionEntry    `json:"regions"`
	Coverage []coverageEntry  `json:"coverage,omitempty"`
	Total    *coverageSummary `json:"total,omitempty"`
}

type regionEntry struct {
	ID        int    `json:"id"`
	Kind      string `json:"kind"`
	Name      string `json:"name"`
	SubName   string `json:"sub_name"`
	Directive string `json:"directive"`
	File      string `json:"file"`
	Begin     [2]int `json:"begin"` // first and last line of the opening directive
	End       [2]int `json:"end"`   // of the end directive or the end of the block
	Outer     int    `json:"outer"` // ID of the enclosing region, 0 for none
	Sections  int    `json:"num_sections"`
	Schedule  string `json:"schedule"`
	Facts     uint32 `json:"facts"`
	Function  string `json:"function"`
}

type coverageEntry struct {
	File         string `json:"file"`
	Line         int    `json:"line"`
	Column       int    `json:"column"`
	Directive    string `json:"directive"`
	Instrumented bool   `json:"instrumented"`
	Reason       string `json:"reason,omitempty"`
}

// coverageSummary counts the user's directives, and separately those in system headers. A user
// does not miss glibc's own `declare simd`.
type coverageSummary struct {
	Directives   int `json:"directives"`
	Instrumented int `json:"instrumented"`
	Skipped      int `json:"skipped"`
	System       int `json:"system"`
}

// Regions makes the command `opari regions`.
func Regions() *cobra.Command {
	var o instrument.Options
	var format string
	var coverage bool
	cmd := &cobra.Command{
		Use:   "regions [flags] FILE...",
		Short: "List the regions of source files, or the fate of each directive",
		Long: `regions lists what opari instruments in source files: number, place, construct, name
and enclosing region. With --coverage it lists every directive and lock call, whether opari
instruments it, and if not, why.

--format=lsp writes for editors, in the types of the Language Server Protocol 3.17: an object for
each file with its symbols, and with --coverage a diagnostic for each directive that is left out.`,
		Example: `  opari regions program.c
  opari regions --coverage --format=lsp program.c`,
		Args: arguments.Some("file"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := o.Check(); err != nil {
				return failure.Usage(err)
			}
			return listRegions(os.Stdout, args, &o, format, coverage)
		},
	}
	o.AddFlags(cmd.Flags(), instrument.Fail)
	cmd.Flags().Var(instrument.NewChoice(&format, "text", "json", "lsp"), "format",
		"text, json or lsp (for editors)")
	cmd.Flags().BoolVar(&coverage, "coverage", false,
		"list every directive, instrumented or not, and the reason")
	return cmd
}

// listRegions prints the regions of all readable files, and returns an error if a file is not
// readable.
func listRegions(w io.Writer, paths []string, o *instrument.Options, format string, coverage bool,
) error {
	b := bufio.NewWriter(w)
	var all []fileRegions
	failed := false
	for _, path := range paths {
		u, err := prepare(path, o)
		if err != nil {
			failed = true
			if !errors.As(err, new(failure.Exit)) {
				fmt.Fprintln(os.Stderr, err)
			}
			continue
		}
		fr := describe(u, coverage)
		all = append(all, fr)
		if format == "text" {
			if coverage {
				fr.coverageText(b)
			} else {
				fr.text(b)
			}
		}
	}
	if err := finishRegions(b, all, format, coverage); err != nil {
		return err
	}
	if err := b.Flush(); err != nil {
		return failure.OS("standard output", err)
	}
	if failed {
		return failure.Exit(1)
	}
	return nil
}

// finishRegions prints what is printed of all files at once.
func finishRegions(w io.Writer, all []fileRegions, format string, coverage bool) error {
	var document any = all
	switch format {
	case "text":
		if !coverage || len(all) < 2 {
			return nil
		}
		var sum coverageSummary
		for _, fr := range all {
			sum.add(*fr.Total)
		}
		_, err := fmt.Fprintf(w, "all files: %s\n", sum)
		return err
	case "lsp":
		files, err := lsp(all)
		if err != nil {
			return failure.OS(".", err)
		}
		document = files
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(document)
}

// prepare reads and parses a file and prints the diagnostics. Errors among them give an
// failure.Exit.
func prepare(path string, o *instrument.Options) (*instrument.Unit, error) {
	in, err := disk.Read(path, o)
	if err != nil {
		return nil, err
	}
	u := instrument.Prepare(in.Name, in.Text, in.Lang, in.Pre, o)
	instrument.PrintDiagnostics(os.Stderr, u.Diags, false)
	if u.Diags.HasErrors() {
		return nil, failure.Exit(1)
	}
	return u, nil
}

func describe(u *instrument.Unit, coverage bool) fileRegions {
	fr := fileRegions{File: u.File.Name, Regions: []regionEntry{}}
	for _, r := range u.Table.Regions {
		if r.Kind == omp.KindNone {
			continue // an option excludes this construct
		}
		fr.Regions = append(fr.Regions, entryOf(r))
	}
	if !coverage {
		return fr
	}
	fr.Coverage, fr.Total = []coverageEntry{}, &coverageSummary{}
	for _, c := range u.Table.Coverage {
		e := coverageEntry{
			c.Pos.File, c.Pos.Line, c.Pos.Column, c.Directive,
			c.Instrumented, c.Reason,
		}
		fr.Coverage = append(fr.Coverage, e)
		fr.Total.count(e)
	}
	return fr
}

func entryOf(r *descriptors.Region) regionEntry {
	e := regionEntry{
		ID: r.ID, Kind: r.Kind.String(), Name: r.Name, SubName: r.SubName, Directive: r.Directive,
		File: r.File, Begin: r.Begin, End: r.End,
		Sections: r.Sections, Schedule: r.Schedule.String(), Facts: uint32(r.Facts),
	}
	if r.Outer != nil {
		e.Outer = r.Outer.ID
	}
	if r.Construct != nil {
		e.Function = r.Construct.Function
	}
	return e
}

func (fr *fileRegions) text(w io.Writer) {
	if len(fr.Regions) == 0 {
		fmt.Fprintf(w, "%s: no regions\n", analysis.Printable(fr.File))
		return
	}
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "ID\tPLACE\tCONSTRUCT\tDIRECTIVE\tNAME\tIN")
	for _, r := range fr.Regions {
		place := analysis.Printable(r.File) + ":" + strconv.Itoa(r.Begin[0])
		if r.End[1] != r.Begin[0] {
			place += "-" + strconv.Itoa(r.End[1])
		}
		outer, name := "-", analysis.Printable(r.SubName)
		if r.Outer != 0 {
			outer = strconv.Itoa(r.Outer)
		}
		if name == "" {
			name = "-"
		}
		fmt.Fprintf(t, "%d\t%s\t%s\t%s\t%s\t%s\n", r.ID, place, r.Name, r.Directive, name, outer)
	}
	_ = t.Flush()
}

func (fr *fileRegions) coverageText(w io.Writer) {
	for _, c := range fr.Coverage {
		if c.isSystem() {
			continue
		}
		what := "instrumented"
		if !c.Instrumented {
			what = "skipped: " + c.Reason
		}
		fmt.Fprintf(w, "%s:%d: %s: %s\n",
			analysis.Printable(c.File), c.Line, analysis.Printable(c.Directive), what)
	}
	fmt.Fprintf(w, "%s: %s\n", analysis.Printable(fr.File), fr.Total)
}

// isSystem reports whether a directive is in a system header.
func (c *coverageEntry) isSystem() bool { return c.Reason == parse.InSystemHeader }

func (s *coverageSummary) count(c coverageEntry) {
	switch {
	case c.isSystem():
		s.System++
		return
	case c.Instrumented:
		s.Instrumented++
	default:
		s.Skipped++
	}
	s.Directives++
}

func (s *coverageSummary) add(t coverageSummary) {
	s.Directives += t.Directives
	s.Instrumented += t.Instrumented
	s.Skipped += t.Skipped
	s.System += t.System
}

func (s coverageSummary) String() string {
	noun := "directives"
	if s.Directives == 1 {
		noun = "directive"
	}
	t := fmt.Sprintf("%d %s, %d instrumented, %d skipped", s.Directives, noun,
		s.Instrumented, s.Skipped)
	if s.System > 0 {
		t += fmt.Sprintf("; %d in system headers", s.System)
	}
	return t
}
