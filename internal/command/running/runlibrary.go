package running

import (
	"debug/elf"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"opari/internal/pattern"
	"opari/pomp"
)

// WarnOfUncalledLibrary warns, before a program starts, of a measurement library that gets no
// events. Such a library implements another interface than instrumented code calls, and the
// program lacks opari's.
func WarnOfUncalledLibrary(program string) {
	path, err := exec.LookPath(program)
	if err != nil || os.Getenv("OPARI") == "off" {
		return
	}
	libraries, ok := loaded(path)
	if !ok {
		return
	}
	var a pomp.Symbols
	for _, file := range append([]string{path}, libraries...) {
		if a.Read(file); a.HasLibrary() {
			return
		}
	}
	if library, ok := a.UncalledLibrary(); ok {
		fmt.Fprintf(os.Stderr, "opari: warning: %s; "+
			"link with opari cc, or with what opari config --libs prints, to measure\n", library)
	}
}

// listing matches the loaders that have --list: those of glibc and musl.
var listing = pattern.Lazy{Text: `^(ld-linux|ld-musl|ld64\.)`}

// loaded returns the shared libraries that a program starts with, including preloaded ones. The
// program's own loader lists them without starting it; ok is false for a loader that cannot.
func loaded(program string) (files []string, ok bool) {
	loader, err := loaderOf(program)
	if err != nil || loader == "" {
		return nil, err == nil
	}
	if !listing.Get().MatchString(filepath.Base(loader)) {
		return nil, false
	}
	out, err := exec.Command(loader, "--list", program).Output()
	for line := range strings.Lines(string(out)) {
		file := strings.TrimSpace(line)
		if end := strings.LastIndex(file, " (0x"); end > 0 {
			file = file[:end]
		}
		if _, found, resolved := strings.Cut(file, " => "); resolved {
			file = found
		}
		if strings.Contains(file, "/") { // a name without a path is the kernel's or was not found
			files = append(files, file)
		}
	}
	return files, err == nil
}

// loaderOf returns the program interpreter that an ELF file names, and "" if it names none.
func loaderOf(program string) (string, error) {
	f, err := elf.Open(program)
	if err != nil {
		return "", err
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			name, err := io.ReadAll(io.LimitReader(p.Open(), 4096))
			return strings.TrimRight(string(name), "\x00"), err
		}
	}
	return "", nil
}
