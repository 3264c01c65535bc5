package race

import (
	"os"
	"path/filepath"
	"strings"

	"opari/internal/command/failure"
	"opari/internal/command/running"
	"opari/internal/driver"
)

// isBuild reports whether a command is known to build programs.
func isBuild(command string) bool {
	switch filepath.Base(command) {
	case "make", "gmake", "ninja", "cmake", "meson":
		return true
	}
	return driver.IsCompiler(command)
}

// buildForRace runs a command that builds, with opari in place of the compilers in PATH.
func buildForRace(args []string) error {
	if driver.IsCompiler(args[0]) {
		if code := driver.Main(append([]string{"--race"}, args...)); code != 0 {
			return failure.Exit(code)
		}
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "opari-race-")
	if err != nil {
		return failure.OS(os.TempDir(), err)
	}
	defer os.RemoveAll(dir)
	for _, name := range driver.CompilersInPath() {
		if err := os.Symlink(self, filepath.Join(dir, name)); err != nil {
			return failure.OS(dir, err)
		}
	}
	code, err := running.RunProgram(nil, args,
		"PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"),
		"OPARI_FLAGS="+strings.TrimSpace(os.Getenv("OPARI_FLAGS")+" --race"))
	if err != nil {
		return err
	}
	return running.AfterProgram(code, nil)
}
