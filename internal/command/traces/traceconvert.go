package traces

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"opari/internal/command/arguments"
	"opari/internal/command/failure"
	"opari/internal/command/terminal"
	"opari/internal/conversion"
	"opari/otf"
	"opari/otf2"
)

func newTraceConvert() *cobra.Command {
	var output string
	var force bool
	cmd := &cobra.Command{
		Use:   "convert [flags] -o NEW TRACE",
		Short: "Make an archive of OTF2 from a trace of OTF, or the other way round",
		Long: `convert makes the archive NEW.otf2 from a trace of OTF, with the records that Score-P
would write, or the trace NEW.otf from an archive of OTF2. It lists on standard error what the
other format cannot say.`,
		Example: "  opari trace convert -o new.otf2 run.trace",
		Args:    arguments.One("trace"),
		RunE: func(_ *cobra.Command, args []string) error {
			if output == "" {
				return failure.Usage(errors.New("-o: no name for the new trace"))
			}
			if archive := ArchiveNamed(args[0]); archive != "" {
				return convertArchive(archive, output, force)
			}
			return convertTrace(traceNamed(args[0]), output, force)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "name of the new trace or archive")
	cmd.Flags().BoolVar(&force, "force", false, "overwrite a trace of that name")
	return cmd
}

// convertTrace makes an archive from a trace.
func convertTrace(trace, output string, force bool) error {
	if d := awaited(trace, damageOf); d.failed != nil {
		return Error(d.failed)
	} else if d.errors > 0 {
		return d.refusal()
	}
	var losses conversion.Losses
	err := StagedArchive(output, force, func(to string) (err error) {
		defer terminal.Wait("converting " + trace)()
		losses, err = conversion.ToOTF2(trace, to)
		return err
	})
	if err == nil {
		listLosses(otf2.Stub(output)+".otf2", losses)
	}
	return err
}

// convertArchive makes a trace from an archive.
func convertArchive(archive, output string, force bool) error {
	var losses conversion.Losses
	err := staged(output, force, archive, func(to string) (err error) {
		defer terminal.Wait("converting " + archive)()
		losses, err = conversion.ToOTF(archive, to, nil)
		return archiveError(err)
	})
	if err == nil {
		listLosses(otf.TraceName(output)+".otf", losses)
	}
	return err
}

// listLosses says what a conversion has left out.
func listLosses(path string, losses conversion.Losses) {
	for _, line := range losses.Lines() {
		fmt.Fprintf(os.Stderr, "opari: %s: left out: %s\n", path, line)
	}
}
