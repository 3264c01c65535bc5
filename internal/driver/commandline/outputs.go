package commandline

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"opari/internal/omp"
)

// AuxiliaryName is where the compiler puts a file that it derives from source f, such as the
// dependencies.
func (c *Command) AuxiliaryName(f *File, ext string) string {
	base := Stem(filepath.Base(f.Name))
	switch {
	case c.Output != "" && (c.mode != "" || c.clang):
		return Stem(c.Output) + ext
	case c.mode != "" || c.clang:
		return base + ext
	case c.Output == "":
		return "a-" + base + ext
	}
	dir, out := filepath.Split(c.Output)
	out = strings.TrimSuffix(out, ".exe")
	if len(c.Sources()) == 1 && Stem(out) == base && c.onlyInput() {
		return dir + base + ext
	}
	if out == "a.out" {
		out = "a"
	}
	return dir + out + "-" + base + ext
}

// dependencies are what the options ask for of the file with the dependencies.
type dependencies struct {
	wanted      bool // -MD or -MMD
	named       bool // -MF
	onStdout    bool // ... names standard output
	targetNamed bool // -MT or -MQ
}

// LeavesDependencies reports whether the dependencies of f are left to the user's own command:
// gfortran adds a header that declares functions of vectors when it compiles; on standard output
// they would stand in the preprocessed text; and a compiler that finds them asked for in its
// environment writes them in every step.
func (c *Command) LeavesDependencies(f *File) bool {
	if f.Preprocessed {
		return false
	}
	return c.deps.wanted && (f.Lang == omp.Fortran || c.deps.onStdout) ||
		DependenciesInEnvironment()
}

// DependencyVariables are what asks GCC for dependencies without an option.
var DependencyVariables = []string{"DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES"}

// DependenciesInEnvironment reports whether one of them is set.
func DependenciesInEnvironment() bool {
	return slices.ContainsFunc(DependencyVariables,
		func(v string) bool { return os.Getenv(v) != "" })
}

// dumpNames are the options by which the optimizer's dumps are named for the source: they have
// its extension in their names.
func (c *Command) dumpNames() []string {
	isDump := func(a Argument) bool {
		return strings.HasPrefix(a.Name, "-fdump-") || strings.HasPrefix(a.Name, "-dumpbase")
	}
	if i := slices.IndexFunc(c.Args, isDump); i < 0 || c.Args[i].Name[1] == 'd' || c.clang ||
		c.mode == "" || len(c.Sources()) != 1 {
		return nil
	}
	f := c.Sources()[0]
	ext := filepath.Ext(f.Name)
	base := filepath.Base(f.Name)
	if c.Output != "" {
		base = Stem(filepath.Base(c.Output)) + ext
	}
	return []string{"-dumpbase", base, "-dumpbase-ext", ext}
}

// onlyInput reports whether the command has a single file.
func (c *Command) onlyInput() bool {
	n := 0
	for range c.files {
		n++
	}
	return n == 1
}

// dependenciesFile is where the dependencies go without -MF. Unlike other files beside the output
// they are named by -o in a link too.
func (c *Command) dependenciesFile(f *File) string {
	if c.Output != "" {
		return Stem(c.Output) + ".d"
	}
	return c.AuxiliaryName(f, ".d")
}

// dependenciesTarget is the name that stands before the colon in the dependencies.
func (c *Command) dependenciesTarget(f *File) string {
	if c.Output != "" {
		return c.Output
	}
	return Stem(filepath.Base(f.Name)) + ".o"
}
