package build

import (
	"runtime/debug"
	"strings"
)

// development is the version of a build from a checkout.
const development = "0.1-dev"

// Version and Commit are what the linker was told (cmd/opari), or what Go has noted, once Note was
// called.
var Version, Commit string

// Note finds out version and commit. It is no init, because opari cc, which starts for each file,
// needs no version.
func Note() {
	if Version != "" {
		return
	}
	Version = development
	if info, ok := debug.ReadBuildInfo(); ok {
		var of string
		if Version, of = noted(info); Commit == "" {
			Commit = of
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
