package race

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
	return driver.IsCompiler(command) && !isSanitized(command)
}

// isSanitized reports whether a command is a program under ThreadSanitizer: sum-gcc has the name
// of a compiler and is what opari race shall run.
func isSanitized(command string) bool {
	path, err := exec.LookPath(command)
	if err != nil {
		return false
	}
	program, err := elf.Open(path)
	if err != nil {
		return false
	}
	defer program.Close()
	imported, _ := program.DynamicSymbols() // gcc links the sanitizer's library,
	own, _ := program.Symbols()             // clang puts it into the program
	return slices.ContainsFunc(slices.Concat(imported, own),
		func(s elf.Symbol) bool { return s.Name == "__tsan_init" })
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
