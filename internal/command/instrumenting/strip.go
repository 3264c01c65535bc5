package instrumenting

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"opari/internal/command/arguments"
	"opari/internal/command/disk"
	"opari/internal/command/failure"
	"opari/internal/instrument"
	"opari/rewrite"
)

// Strip makes the command `opari strip`.
func Strip() *cobra.Command {
	var out string
	var force bool
	cmd := &cobra.Command{
		Use:   "strip [flags] FILE",
		Short: "Remove the instrumentation from a file",
		Long: `strip writes the text as it was before opari instrumented it, byte for byte, to
standard output or, with -o, to a file. It overwrites an existing file only if that holds just this
text already, is empty, or is an output of opari, or with --force.`,
		Example: "  opari program.c && opari strip -o stripped.c program.mod.c",
		Args:    arguments.One("file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return failure.Usage(errors.New("-o: the file name is empty"))
			}
			in, err := disk.Read(args[0], &instrument.Options{Lang: "c"})
			if err != nil {
				return err
			}
			text, err := rewrite.Strip(in.Text)
			if err != nil {
				return failure.File(in.Name, "%v", err)
			}
			o, err := disk.Plan(out, []*disk.Input{in}, force, text)
			if err != nil {
				return err
			}
			return o.Write(func(w io.Writer) error {
				_, err := w.Write(text)
				return err
			})
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "-", "write to this file")
	cmd.Flags().BoolVar(&force, "force", false, "overwrite an existing file")
	return cmd
}
