package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"opari/pomp"
	"opari/rewrite"
)

// development is the version of a build from a checkout.
const development = "0.1-dev"

// version and commit are set by the linker in a release: -X main.version=1.2. In other builds they
// are what Go has noted, once noteVersion was called.
var version, commit string

// noteVersion is no init, because opari cc, which starts for each file, needs no version.
func noteVersion() {
	if version != "" {
		return
	}
	version = development
	if info, ok := debug.ReadBuildInfo(); ok {
		var of string
		if version, of = noted(info); commit == "" {
			commit = of
		}
	}
}

// noted returns version and commit of a build that the linker was told none. A build by `go
// install` has the version of its module. A build from a checkout has a commit instead, which ends
// in + if files were changed since.
func noted(info *debug.BuildInfo) (version, commit string) {
	version = development
	if v, ok := strings.CutPrefix(info.Main.Version, "v"); ok {
		version = v
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			version, commit = development, s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			commit += "+"
		}
	}
	return version, commit
}

func versionLine() string {
	return fmt.Sprintf("opari %s (POMP interface %s, ABI %d)", version, rewrite.InterfaceVersion,
		pomp.ABI)
}

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, the commit, and the ABI",
		Long: `version prints the version of opari, the commit that it was built from, and the
number of the ABI. Instrumented objects and measurement libraries of one ABI work together. The
commit ends in + if files were changed since. A build by "go install" has no commit.`,
		Example: "  opari version",
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			return writeVersion(os.Stdout)
		},
	}
}

func writeVersion(w io.Writer) error {
	of := commit
	if of == "" {
		of = "unknown"
	}
	_, err := fmt.Fprintf(w, "version    %s\ncommit     %s\nABI        %d\ninterface  %s\n"+
		"platform   %s/%s\nGo         %s\n", version, of, pomp.ABI, rewrite.InterfaceVersion,
		runtime.GOOS, runtime.GOARCH, runtime.Version())
	return err
}
