package commandline

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// systemLibraries are the libraries that most links name; none is a measurement library.
var systemLibraries = []string{
	"c", "m", "pthread", "dl", "rt", "util", "gomp", "omp", "iomp5",
	"gcc", "gcc_s", "stdc++", "gfortran", "quadmath",
}

// LinkedFile is an object, an archive or a shared library, with the word that names it.
type LinkedFile struct{ File, Word string }

// LinkedFiles returns the linker's files that the command names by a path or by -l; all is false
// if there are more.
func (c *Command) LinkedFiles() (files []LinkedFile, all bool) {
	var names, folders []string
	all = true
	for i := range c.Args {
		a := &c.Args[i]
		switch {
		case a.File != nil && !a.File.Source && !a.File.header && !a.File.asm:
			files = append(files, LinkedFile{a.File.Name, a.File.Name})
		case a.Name == "-L":
			folders = append(folders, a.Value)
		case a.Name == "-l" && !slices.Contains(systemLibraries, a.Value):
			names = append(names, a.Value)
		case a.Kind == Link && hidesLibrary(a.Words[len(a.Words)-1]):
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
			files = append(files, LinkedFile{file, "-l" + name})
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

// findLibrary returns the file that the linker takes for -l NAME; "" if there is none.
func (c *Command) findLibrary(name string, folders []string) string {
	candidates := []string{"lib" + name + ".so", "lib" + name + ".a"}
	if c.Static {
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

// searched returns the folders in which the compiler and, after it, the linker look for libraries
// by default.
func (c *Command) searched() []string {
	words := slices.Concat(c.Compiler, c.Machine, []string{"-print-search-dirs"})
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

// LinkWords returns the words that may name a library: the last word of each argument, and -l
// with its value.
func (c *Command) LinkWords() []string {
	words := make([]string, len(c.Args))
	for i := range c.Args {
		a := &c.Args[i]
		words[i] = a.Words[len(a.Words)-1]
		if a.Name == "-l" {
			words[i] = "-l" + a.Value
		}
	}
	return words
}
