package main

import (
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"opari/internal/command/arguments"
	"opari/internal/command/build"
	"opari/pomp"
	"opari/rewrite"
)

// version and commit are set by the linker in a release: -X main.version=1.2.
var version, commit string

func versionLine() string {
	return fmt.Sprintf("opari %s (POMP interface %s, ABI %d)", build.Version,
		rewrite.InterfaceVersion, pomp.ABI)
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, the commit, and the ABI",
		Long: `version prints the version of opari, the commit that it was built from, and the
number of the ABI. Instrumented objects and measurement libraries of one ABI work together. The
commit ends in + if files were changed since. A build by "go install" has no commit.`,
		Example: "  opari version",
		Args:    arguments.None,
		RunE: func(*cobra.Command, []string) error {
			return writeVersion(os.Stdout)
		},
	}
}

func writeVersion(w io.Writer) error {
	of := build.Commit
	if of == "" {
		of = "unknown"
	}
	_, err := fmt.Fprintf(w, "version    %s\ncommit     %s\nABI        %d\ninterface  %s\n"+
		"platform   %s/%s\nGo         %s\n", build.Version, of, pomp.ABI, rewrite.InterfaceVersion,
		runtime.GOOS, runtime.GOARCH, runtime.Version())
	return err
}
