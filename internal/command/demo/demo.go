package demo

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"opari/internal/command/arguments"
	"opari/internal/command/failure"
	"opari/internal/driver/commandline"
	"opari/internal/sampling"
)

//go:embed program/galaxy.c
var program []byte

// These are the names of the files in the folder.
const (
	sourceName = "galaxy.c"
	binaryName = "galaxy"
	traceName  = "before.trace"
	pageName   = "report.html"
)

// demoFlags holds the flags of `opari demo`.
type demoFlags struct {
	cc string
}

// New makes the command `opari demo`.
func New() *cobra.Command {
	var o demoFlags
	cmd := &cobra.Command{
		Use:   "demo [flags] [DIRECTORY]",
		Short: "Show on a small program what opari does",
		Long: `demo writes a C program with three defects into a new directory, opari-demo or
DIRECTORY. It builds the program, runs it, and reports where its threads lost time. It prints each
command before it runs it, and at the end what to do next. It needs a C compiler with OpenMP, and
no network.

Where OMP_NUM_THREADS is not set, the program has 2 to 4 threads. Nothing is overwritten: the
directory must not exist.`,
		Example: "  opari demo\n  opari demo --cc=gcc-12 ~/galaxy",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return arguments.One("directory")(cmd, args)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			folder := "opari-demo"
			if len(args) > 0 {
				folder = args[0]
			}
			return o.run(os.Stdout, folder)
		},
	}
	cmd.Flags().StringVar(&o.cc, "cc", "gcc", "build with this compiler, with its options")
	return cmd
}

func (o *demoFlags) run(w io.Writer, folder string) error {
	compiler := strings.Fields(o.cc)
	if len(compiler) == 0 {
		return failure.Usage(errors.New("--cc: no compiler"))
	}
	if _, err := exec.LookPath(compiler[0]); err != nil {
		return fmt.Errorf("opari: error: %s: %w; name a C compiler: opari demo --cc=COMPILER",
			compiler[0], failure.Reason(err))
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("opari: error: %w", err)
	}
	if err := write(folder); err != nil {
		return err
	}
	d := &demonstration{
		w: w, self: self, folder: folder, threads: threads(),
		build: append(append([]string{"cc"}, compiler...),
			"-O2", "-g", "-fopenmp", sourceName, "-o", binaryName),
	}
	d.say("%s has a program with three defects. Build it with opari before the compiler:",
		filepath.Join(folder, sourceName))
	if err := d.do(d.build...); err != nil {
		return err
	}
	d.say("Record what its threads do:")
	if err := d.do(d.record(traceName)...); err != nil {
		return err
	}
	d.say("See where they lost time, the largest loss first:")
	if err := d.do("report", "--tables=findings", "--min-share=1", traceName); err != nil {
		return err
	}
	d.say("Write the report as a page that shows the source, too:")
	if err := d.do("report", "--format=html", "-o", pageName, traceName); err != nil {
		return err
	}
	return d.next()
}

// write writes the program into a new folder.
func write(folder string) error {
	switch err := os.Mkdir(folder, 0o777); {
	case os.IsExist(err):
		return failure.File(folder, "it exists, and opari demo overwrites nothing; name another "+
			"directory: opari demo DIRECTORY")
	case err != nil:
		return failure.OS(folder, err)
	}
	name := filepath.Join(folder, sourceName)
	return failure.OS(name, os.WriteFile(name, program, 0o666))
}

// threads returns the variable that gives the program few threads, or "" if the user has chosen.
func threads() string {
	if os.Getenv("OMP_NUM_THREADS") != "" {
		return ""
	}
	return "OMP_NUM_THREADS=" + strconv.Itoa(min(max(runtime.NumCPU(), 2), 4))
}

// demonstration prints and executes commands of opari in the folder of the program.
type demonstration struct {
	w       io.Writer
	self    string // path of opari
	folder  string
	threads string   // NAME=value for the program, or ""
	build   []string // arguments of opari
}

func (d *demonstration) say(format string, args ...any) {
	fmt.Fprintf(d.w, format+"\n\n", args...)
}

// record returns the arguments that record a trace. Samples say at which lines a serial part
// works, so they are taken where the kernel permits it.
func (d *demonstration) record(trace string) []string {
	args := []string{"run", "--trace=" + trace}
	r, err := sampling.Open(sampling.Options{Rate: 1000})
	r.Stop()
	if err == nil {
		args = append(args, "--sample")
	}
	return append(args, "./"+binaryName)
}

// shown returns a command as the user would type it.
func (d *demonstration) shown(args []string) string {
	words := commandline.ShellQuote(append([]string{"opari"}, args...))
	if args[0] == "run" && d.threads != "" {
		words = d.threads + " " + words
	}
	return words
}

// do prints a command and executes it.
func (d *demonstration) do(args ...string) error {
	fmt.Fprintf(d.w, "$ %s\n", d.shown(args))
	cmd := exec.Command(d.self, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = d.folder, d.w, os.Stderr
	if d.threads != "" {
		cmd.Env = append(os.Environ(), d.threads)
	}
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("opari: error: `opari %s` in %s: %w; its message stands above", args[0],
			d.folder, failure.Reason(err))
	}
	fmt.Fprintln(d.w)
	return nil
}

// next says where the page is and what to do.
func (d *demonstration) next() error {
	page, err := filepath.Abs(filepath.Join(d.folder, pageName))
	if err != nil {
		return failure.OS(d.folder, err)
	}
	_, err = fmt.Fprintf(d.w, `Open the page in a browser:

  %s

Mend a defect in %s, whose comments say how. Then see what that brings:

  cd %s
  %s
  %s
  opari compare %s after.trace

Your own program: put "opari cc" before its compiler, and "opari run" before its name.
`, page, filepath.Join(d.folder, sourceName), commandline.ShellQuote([]string{d.folder}),
		d.shown(d.build), d.shown(d.record("after.trace")), traceName)
	return err
}
