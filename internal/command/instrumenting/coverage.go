package instrumenting

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"opari/internal/command/arguments"
	"opari/internal/command/failure"
	"opari/internal/instrument"
)

// buildCoverage is the JSON that `opari coverage` prints.
type buildCoverage struct {
	Coverage []coverageEntry `json:"coverage"`
	Total    coverageSummary `json:"total"`
}

// Coverage makes the command `opari coverage`.
func Coverage() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "coverage [flags] FILE...",
		Short: "Print what became of each directive of a build, with a total",
		Long: `coverage reads the files that builds with OPARI_COVERAGE=FILE leave, with a line for
each directive that a compiler saw. It prints each line once and in order, whatever order the
compilers ran in.

A directive in a header counts once however many sources include it. It counts twice where one
source has it instrumented and another has not. opari leaves directives in system headers
alone; coverage counts them by themselves and lists them in JSON only.`,
		Example: `  OPARI_COVERAGE=seen make -B CC="opari cc gcc" && opari coverage seen`,
		Args:    arguments.Some("file"),
		RunE: func(_ *cobra.Command, args []string) error {
			return printCoverage(os.Stdout, args, format == "json")
		},
	}
	cmd.Flags().Var(instrument.NewChoice(&format, "text", "json"), "format", "text or json")
	return cmd
}

// printCoverage prints the directives in the files at paths, and their total.
func printCoverage(w io.Writer, paths []string, asJSON bool) error {
	all := []coverageEntry{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return failure.OS(path, err)
		}
		if all, err = appendCoverage(all, path, text); err != nil {
			return err
		}
	}
	slices.SortFunc(all, func(a, b coverageEntry) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column), cmp.Compare(a.Directive, b.Directive),
			cmp.Compare(a.Reason, b.Reason))
	})
	fr := fileRegions{File: "all files", Coverage: slices.Compact(all), Total: &coverageSummary{}}
	for _, c := range fr.Coverage {
		fr.Total.count(c)
	}
	b := bufio.NewWriter(w)
	if asJSON {
		e := json.NewEncoder(b)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		if err := e.Encode(buildCoverage{fr.Coverage, *fr.Total}); err != nil {
			return err
		}
	} else {
		fr.coverageText(b)
	}
	if err := b.Flush(); err != nil {
		return failure.OS("standard output", err)
	}
	return nil
}

// appendCoverage appends the lines of text, which is the content of the file at path.
func appendCoverage(all []coverageEntry, path string, text []byte) ([]coverageEntry, error) {
	n := 0
	for line := range bytes.Lines(text) {
		n++
		var c coverageEntry
		if err := json.Unmarshal(line, &c); err != nil || c.File == "" {
			return nil, fmt.Errorf("%s:%d:1: error: this is no line of a file that "+
				"OPARI_COVERAGE has named", path, n)
		}
		all = append(all, c)
	}
	return all, nil
}
