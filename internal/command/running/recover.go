package running

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"opari/internal/command/arguments"
	"opari/internal/command/failure"
	"opari/internal/instrument"
	"opari/internal/recording"
)

// recoverFlags holds the flags of `opari trace recover`.
type recoverFlags struct {
	output string
	format string // of the traces
	force  bool
}

// Recover makes the command `opari trace recover`.
func Recover() *cobra.Command {
	var o recoverFlags
	cmd := &cobra.Command{
		Use:   "recover [flags] DIRECTORY",
		Short: "Rebuild traces from the files of killed jobs",
		Long: `recover rebuilds traces from the files that programs recorded into a folder. Use it
where opari run itself was killed or found no room on the disk. Use it, too, where something else
than opari run started programs with OPARI_TRACE=DIRECTORY in the environment.

It leaves the recording of a process that still runs, and of one on another host or in another
PID namespace, which it cannot see. With --force it makes traces of what these have recorded by
now, and keeps their recordings. The exit code is 1 where it made no trace.`,
		Example: "  OPARI_TRACE=recording ./program; opari trace recover recording",
		Args:    arguments.One("directory"),
		RunE:    func(_ *cobra.Command, args []string) error { return o.run(args[0]) },
	}
	fs := cmd.Flags()
	fs.StringVarP(&o.output, "output", "o", "", "write the traces into this folder")
	fs.Var(instrument.NewChoice(&o.format, "otf", "otf2"), "format",
		"otf or otf2: the format of the traces")
	fs.BoolVar(&o.force, "force", false, "also make traces of processes that may still run")
	return cmd
}

// run converts the recordings in the folder itself, and then those in the folders of its runs.
func (o *recoverFlags) run(directory string) error {
	folders, err := runFolders(directory)
	if err != nil {
		return err
	}
	to := directory
	if o.output != "" {
		to = o.output
		if err := os.MkdirAll(to, 0o777); err != nil {
			return failure.OS(to, err)
		}
	}
	var own *runFolder
	err = inTurn(to, func() (err error) {
		own, err = makeRun(to)
		return err
	})
	if err != nil {
		return err
	}
	defer own.end()
	made, reasons, err := o.convert(directory, directory, to, own.path, false)
	for _, folder := range folders {
		if err != nil {
			return err
		}
		run, held := takeRun(folder)
		if held && !o.force {
			if recordings(folder) {
				reasons = append(reasons,
					"a run of opari goes on there, and makes its trace itself")
			}
			continue
		}
		some, why, failed := o.convert(directory, folder, to, own.path, held)
		made, reasons, err = made+some, append(reasons, why...), failed
		if !held {
			run.end()
		}
	}
	return o.result(directory, made, reasons, err)
}

// convert makes the traces of one folder. held means that its run is active, and will make its
// traces itself.
func (o *recoverFlags) convert(directory, folder, to, work string, held bool) (
	traces int, reasons []string, err error,
) {
	name := pathOf
	if o.format == "otf2" {
		name = archivePathOf
	}
	made, left, err := convertRecordings(directory, folder, to, recording.Options{
		Force: o.force, Keep: held, Work: work,
		InTurn: func(do func() error) error { return inTurn(to, do) },
	}, name)
	if o.format == "otf2" && err == nil {
		err = makeArchives(made)
	}
	for _, l := range left {
		program := filepath.Base(l.Program)
		reasons = append(reasons, fmt.Sprintf("process %d (%s) %s", l.PID, program, l.Why))
	}
	return len(made), reasons, err
}

// result prints why recordings remain, and fails if there is no trace.
func (o *recoverFlags) result(directory string, made int, reasons []string, err error) error {
	switch {
	case err != nil:
		return err
	case made == 0 && len(reasons) == 0:
		return failure.File(directory, "nothing is recorded there; opari run "+
			"--trace=DIRECTORY PROGRAM records")
	case made == 0:
		return failure.File(directory, "no trace was made: %s; "+
			"--force makes traces of what is recorded by now, and keeps the recordings",
			strings.Join(reasons, "; "))
	}
	for _, why := range reasons {
		fmt.Fprintf(os.Stderr, "opari: warning: %s: %s; "+
			"--force makes a trace of what is recorded by now\n", directory, why)
	}
	return nil
}

// runFolders returns the folders of the runs in a folder of traces.
func runFolders(directory string) ([]string, error) {
	files, err := os.ReadDir(directory)
	if err != nil {
		return nil, failure.OS(directory, err)
	}
	var runs []string
	for _, f := range files {
		if runName.Get().MatchString(f.Name()) && f.IsDir() {
			runs = append(runs, filepath.Join(directory, f.Name()))
		}
	}
	return runs, nil
}
