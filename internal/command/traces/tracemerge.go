package traces

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"opari/internal/command/arguments"
	"opari/internal/command/disk"
	"opari/internal/command/failure"
	"opari/internal/command/terminal"
	"opari/internal/instrument"
	"opari/internal/pattern"
	"opari/otf"
)

// formats maps the values of --format.
var formats = map[string]otf.Format{"short": otf.FormatShort, "long": otf.FormatLong}

func newTraceMerge() *cobra.Command {
	var streams uint32
	var format, output string
	var level int
	var force bool
	cmd := &cobra.Command{
		Use:   "merge [flags] -o NEW TRACE",
		Short: "Copy a trace to another number of streams",
		Long: `merge copies a trace to NEW with as many streams as --streams says, and deals the
processes out evenly. It makes definitions of single streams global. Where two streams mean
different things by a token, merge gives it another number in all records of one of them.

The archive NEW.otf2 of an archive has the same locations. Their own numbers and clocks are those
of the whole.`,
		Example: "  opari trace merge --streams=1 -o merged run.trace",
		Args:    arguments.One("trace"),
		RunE: func(_ *cobra.Command, args []string) error {
			if output == "" {
				return failure.Usage(errors.New("-o: no name for the new trace"))
			}
			if level < 0 || level > 9 {
				return failure.Usage(fmt.Errorf("--compress: %d is not 0 to 9", level))
			}
			if archive := ArchiveNamed(args[0]); archive != "" {
				return mergeArchive(archive, output, force)
			}
			bar := terminal.NewProgress("merging")
			defer bar.End()
			o := otf.MergeOptions{
				Streams: streams, Format: formats[format], Level: level,
				Progress: bar.Reader(),
			}
			return staged(output, force, traceNamed(args[0]), func(to string) error {
				err := otf.Merge(traceNamed(args[0]), to, otf.NewFileManager(openFiles), o)
				if errors.Is(err, otf.ErrUnsorted) {
					// The error names the output, but the mistake is in the input.
					if d := damageOf(traceNamed(args[0])); d.errors > 0 {
						return errors.New(strings.Join(d.first, "\n"))
					}
				}
				return err
			})
		},
	}
	fs := cmd.Flags()
	fs.Uint32Var(&streams, "streams", 1, "streams of the new trace (0: one for each process)")
	fs.Var(instrument.NewChoice(&format, "short", "long"), "format",
		"short or long: how records are spelled")
	fs.IntVar(&level, "compress", 0, "compress at this level, 1 to 9 (0: not at all)")
	fs.StringVarP(&output, "output", "o", "", "name of the new trace")
	fs.BoolVar(&force, "force", false, "overwrite a trace of that name")
	return cmd
}

// traceFile matches the endings of a trace's files, after the trace's name.
var traceFile = pattern.Lazy{Text: `^\.(otf|[0-9a-f]+\.(def|events|snaps|stats|marker))(\.z)?$`}

// staged writes a trace into a folder beside its destination. It moves the files when all are
// complete, the master file last.
func staged(output string, force bool, source string, fill func(to string) error) error {
	name := otf.TraceName(output)
	if same(name+".otf", otf.TraceName(source)+".otf") {
		return failure.File(name+".otf", "the output is the input; name another trace")
	}
	if _, err := os.Stat(name + ".otf"); err == nil && !force {
		return failure.File(name+".otf",
			"the trace exists; name another one, or say --force to overwrite it")
	}
	dir, err := disk.Temporaries.CreateDir(filepath.Dir(name), ".opari-trace-")
	if err != nil {
		return failure.OS(filepath.Dir(name), err)
	}
	defer disk.Temporaries.Remove(dir)
	if err = fill(filepath.Join(dir, filepath.Base(name))); err == nil {
		err = RemoveFiles(name, func(string) bool { return true })
	}
	if err == nil {
		err = moveFiles(dir, filepath.Dir(name))
	}
	return Error(err)
}

// same reports whether two names mean one file.
func same(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}

// RemoveFiles removes the files of a trace whose endings match.
func RemoveFiles(name string, match func(ending string) bool) error {
	entries, err := os.ReadDir(filepath.Dir(name))
	if err != nil {
		return err
	}
	for _, e := range entries {
		ending, ours := strings.CutPrefix(e.Name(), filepath.Base(name))
		if ours && traceFile.Get().MatchString(ending) && match(ending) {
			if err := os.Remove(filepath.Join(filepath.Dir(name), e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// moveFiles moves all files from one folder to another, master files last, because a trace
// exists once its master file does.
func moveFiles(from, to string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, master := range []bool{false, true} {
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), ".otf") == master {
				if err := os.Rename(filepath.Join(from, e.Name()),
					filepath.Join(to, e.Name())); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func newTraceCompress() *cobra.Command {
	var level int
	var decompress, keep bool
	cmd := &cobra.Command{
		Use:   "compress [flags] TRACE",
		Short: "Compress a trace's files, or decompress them",
		Long: `compress replaces all files of a trace but the master file by compressed ones, which
end in .z. All commands read both, and so does the C library. (With zlib 1.2.12 and later the C
library cannot read event files of more than 4096 compressed bytes, not even its own.)`,
		Example: `  opari trace compress run.trace
  opari trace compress --level=9 run.trace && opari trace compress -d run.trace`,
		Args: arguments.One("trace"),
		RunE: func(_ *cobra.Command, args []string) error {
			if level < 1 || level > 9 {
				return failure.Usage(fmt.Errorf("--level: %d is not 1 to 9", level))
			}
			if decompress {
				level = 0
			}
			if archive := ArchiveNamed(args[0]); archive != "" {
				return failure.File(archive, "the files of OTF2 are not compressed: libotf2 could "+
					"not read them")
			}
			return Error(compressTrace(traceNamed(args[0]), level, keep))
		},
	}
	fs := cmd.Flags()
	fs.IntVar(&level, "level", 4, "compress at this level, 1 (fast) to 9 (small)")
	fs.BoolVarP(&decompress, "decompress", "d", false, "decompress")
	fs.BoolVarP(&keep, "keep", "k", false, "keep the files that were read")
	return cmd
}

// compressTrace compresses the uncompressed files, or with level 0 decompresses the others.
func compressTrace(trace string, level int, keep bool) error {
	files, err := otf.Files(trace)
	if err != nil {
		return err
	}
	bar := terminal.NewProgress("compressing")
	defer bar.End()
	for _, from := range files {
		plain, packed := strings.CutSuffix(from, ".z")
		if packed == (level > 0) || strings.HasSuffix(plain, ".otf") {
			continue
		}
		if err := recompress(from, plain, level, bar); err != nil {
			return err
		}
		// If both files exist, readers take the uncompressed one.
		if !keep {
			if err := os.Remove(from); err != nil {
				return err
			}
		}
	}
	return nil
}

// recompress makes one file beside its destination and moves it there.
func recompress(from, plain string, level int, bar *terminal.Progress) error {
	dir, err := disk.Temporaries.CreateDir(filepath.Dir(from), ".opari-trace-")
	if err != nil {
		return err
	}
	defer disk.Temporaries.Remove(dir)
	to := filepath.Join(dir, filepath.Base(plain))
	if err := otf.Recompress(from, to, level, otf.NewFileManager(openFiles), bar.Set); err != nil {
		return err
	}
	return moveFiles(dir, filepath.Dir(from))
}
