package instrumenting

import (
	"os"

	"github.com/spf13/cobra"

	"opari/internal/command/arguments"
	"opari/internal/command/failure"
	"opari/internal/command/terminal"
	"opari/internal/instrument"
)

// Diff makes the command `opari diff`.
func Diff() *cobra.Command {
	var o instrument.Options
	var color string
	cmd := &cobra.Command{
		Use:   "diff [flags] FILE",
		Short: "Show what instrumentation does to a file, as a unified diff",
		Long: `diff prints the difference between a file and its instrumented text as a unified
diff, in colour on a terminal. The exit code is 0, whether there is a difference or not.`,
		Example: "  opari diff program.c",
		Args:    arguments.One("file"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := o.Check(); err != nil {
				return failure.Usage(err)
			}
			u, err := prepare(args[0], &o)
			if err != nil {
				return err
			}
			out, err := u.Text()
			if err != nil {
				return err
			}
			name := u.File.Name
			d := unifiedDiff(name, defaultOutput(name), u.File.Text, out,
				terminal.WantColor(color, os.Stdout))
			if _, err := os.Stdout.WriteString(d); err != nil {
				return failure.OS("standard output", err)
			}
			return nil
		},
	}
	o.AddFlags(cmd.Flags(), instrument.Fail)
	cmd.Flags().Var(instrument.NewChoice(&color, "auto", "always", "never"), "color",
		"auto, always or never")
	return cmd
}
