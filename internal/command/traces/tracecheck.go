package traces

import (
	"bufio"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"opari/internal/command/arguments"
	"opari/internal/command/failure"
	"opari/internal/command/terminal"
	"opari/otf"
)

func newTraceCheck() *cobra.Command {
	most := 20
	cmd := &cobra.Command{
		Use:   "check [flags] TRACE...",
		Short: "Report mistakes in a trace, with file, line and byte",
		Long: `check reads all files of a trace and reports mistakes: in spelling, in the order of
time, processes in the wrong stream, undefined tokens, calls that do not nest. Bytes count from 0,
in the uncompressed text; of an archive of OTF2, in the file. The exit code is 1 when there is an
error. A warning is about something that readers accept.`,
		Example: "  opari trace check run.trace",
		Args:    arguments.Some("trace"),
		RunE: func(_ *cobra.Command, args []string) error {
			failed := false
			for _, trace := range args {
				check, named := checkTrace, ArchiveNamed(trace)
				if named != "" {
					check = checkArchive
				} else {
					named = traceNamed(trace)
				}
				bad, err := check(named, most)
				if err != nil {
					return Error(err)
				}
				failed = failed || bad
			}
			if failed {
				return failure.Exit(1)
			}
			return nil
		},
	}
	cmd.Flags().IntVar(&most, "max", most,
		"print at most this many messages for each trace (0: all)")
	return cmd
}

// checkTrace prints the mistakes in a trace and reports whether there was an error.
func checkTrace(trace string, most int) (bool, error) {
	return printMistakes(trace, most, func(mistake mistake, done progress) error {
		return otf.Check(trace, otf.NewFileManager(openFiles), func(p otf.Problem) {
			mistake(p.Warning, func() string { return problemText(p) })
		}, done)
	})
}

// A check calls mistake for each one, and progress with how much it has read.
type (
	mistake  func(warning bool, text func() string)
	progress func(done, size int64)
)

// printMistakes prints what a check calls mistakes, at most so many of them, and their numbers. It
// reports whether there was one that is no warning.
func printMistakes(name string, most int,
	check func(mistake, progress) error,
) (bool, error) {
	out := bufio.NewWriter(os.Stderr)
	bar := terminal.NewProgress("checking")
	errs, warnings := 0, 0
	err := check(func(warning bool, text func() string) {
		if warning {
			warnings++
		} else {
			errs++
		}
		if most == 0 || errs+warnings <= most {
			bar.End()
			fmt.Fprintln(out, text())
		}
	}, bar.Set)
	bar.End()
	if more := errs + warnings - most; most > 0 && more > 0 {
		fmt.Fprintf(out, "%s: %d more messages; --max=0 prints all\n", name, more)
	}
	if err == nil {
		_, err = fmt.Printf("%s: %d errors, %d warnings\n", name, errs, warnings)
	}
	return errs > 0, errors.Join(err, out.Flush())
}
