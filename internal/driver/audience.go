package driver

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"opari/pomp"
)

// audience is what the files of the link say about who hears instrumented code, so far without the
// command's own sources. The words link a library that takes the place of ours.
func (c *command) audience() (a *pomp.Audience, own []string) {
	a = new(pomp.Audience)
	files, all := c.linked()
	if !all {
		a.Doubt()
	}
	for _, f := range files {
		if a.Read(f.file); a.Served() {
			// Units refer to a library weakly. The linker takes no object out of an archive for
			// that, and with --as-needed no shared library.
			switch shared, others := a.ServedByOthers(); {
			case others && shared:
				return a, []string{"-Wl,--push-state,--no-as-needed", f.word, "-Wl,--pop-state"}
			case others:
				return a, []string{"-Wl,-u,pomp_unit_1"}
			}
			break
		}
	}
	return a, nil
}

// warnOfStranger warns of a measurement library in the link that hears nothing, because it is for
// another interface than instrumented code calls. results are the sources as far as they have been
// preprocessed.
func (s *session) warnOfStranger(results []*result) {
	if s.audience == nil || s.opts.dryRun {
		return
	}
	for _, f := range s.cmd.sources() {
		text, instrumented := textOf(f, results)
		if instrumented {
			s.audience.Instruments()
		}
		if mentionsLibrary(text) {
			s.audience.Doubt()
		}
	}
	if stranger, ok := s.audience.Stranger(); ok {
		s.warnf("%s; leave it out, opari's own library measures (opari run PROGRAM), "+
			"or adapt it to pomp_lib.h", stranger)
	}
}

// textOf is what is known of a source's text, and whether it was instrumented.
func textOf(f *inputFile, results []*result) (text []byte, instrumented bool) {
	for _, r := range results {
		if r.file == f {
			return r.text, r.draft != nil
		}
	}
	text, _ = os.ReadFile(f.name) // without a text nothing is found in it
	return text, false
}

// mentionsLibrary reports whether a source may define the library that hears, or call another one
// by itself.
func mentionsLibrary(text []byte) bool {
	for _, word := range []string{"pomp_unit_1", "POMP2_", "pomp_parallel_", "POMP_Parallel_"} {
		if bytes.Contains(text, []byte(word)) {
			return true
		}
	}
	return false
}

// systemLibraries are what most links name; none is a measurement library.
var systemLibraries = []string{
	"c", "m", "pthread", "dl", "rt", "util", "gomp", "omp", "iomp5",
	"gcc", "gcc_s", "stdc++", "gfortran", "quadmath",
}

// linkedFile is an object, an archive or a shared library, and the word that names it.
type linkedFile struct{ file, word string }

// linked are the files for the linker that the command names, by a path or by -l; all is false
// where there are more.
func (c *command) linked() (files []linkedFile, all bool) {
	var names, folders []string
	all = true
	for i := range c.args {
		a := &c.args[i]
		switch {
		case a.file != nil && !a.file.source && !a.file.header && !a.file.asm:
			files = append(files, linkedFile{a.file.name, a.file.name})
		case a.name == "-L":
			folders = append(folders, a.value)
		case a.name == "-l" && !slices.Contains(systemLibraries, a.value):
			names = append(names, a.value)
		case a.kind == link && hidesLibrary(a.words[len(a.words)-1]):
			all = false
		}
	}
	asked := false
	for _, name := range names {
		file := c.findLibrary(name, folders)
		if file == "" && !asked {
			asked = true
			folders = append(folders, c.searched()...)
			file = c.findLibrary(name, folders)
		}
		if file == "" {
			all = false
		} else {
			files = append(files, linkedFile{file, "-l" + name})
		}
	}
	return files, all
}

// hidesLibrary reports whether a word for the linker may name a file: -Wl,-lpomp or -Wl,libpomp.a.
func hidesLibrary(word string) bool {
	word, ok := strings.CutPrefix(word, "-Wl,")
	return ok && slices.ContainsFunc(strings.Split(word, ","), func(part string) bool {
		ext := filepath.Ext(part)
		return strings.HasPrefix(part, "-l") || ext == ".a" || ext == ".o" || ext == ".so"
	})
}

// findLibrary is the file that the linker takes for -l NAME; "" where there is none.
func (c *command) findLibrary(name string, folders []string) string {
	candidates := []string{"lib" + name + ".so", "lib" + name + ".a"}
	if c.static {
		candidates = candidates[1:]
	}
	if exact, ok := strings.CutPrefix(name, ":"); ok {
		candidates = []string{exact}
	}
	for _, folder := range folders {
		for _, candidate := range candidates {
			if file := filepath.Join(folder, candidate); isRegular(file) {
				return file
			}
		}
	}
	return ""
}

func isRegular(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Mode().IsRegular()
}

// searched are the folders in which the compiler and, behind it, the linker look for libraries by
// themselves.
func (c *command) searched() []string {
	words := slices.Concat(c.compiler, c.machine, []string{"-print-search-dirs"})
	out, err := exec.Command(words[0], words[1:]...).Output()
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(out)) {
		if list, ok := strings.CutPrefix(line, "libraries: ="); ok {
			return append(filepath.SplitList(strings.TrimSuffix(list, "\n")), "/usr/local/lib")
		}
	}
	return nil
}
