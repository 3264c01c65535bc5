package commandline

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"opari/internal/omp"
)

// AuxiliaryName returns the path of a file that the compiler derives from source f, such as the
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

// dependencies are the options about the file of dependencies.
type dependencies struct {
	wanted      bool // -MD or -MMD
	named       bool // -MF
	onStdout    bool // -MF names standard output
	targetNamed bool // -MT or -MQ
}

// LeavesDependencies reports whether the user's own command must write the dependencies of f.
// gfortran adds, when it compiles, a header that declares vector functions. On standard output
// the dependencies would be among the preprocessed text. A compiler that the environment asks for
// dependencies writes them in every step.
func (c *Command) LeavesDependencies(f *File) bool {
	if f.Preprocessed {
		return false
	}
	return c.deps.wanted && (f.Lang == omp.Fortran || c.deps.onStdout) ||
		DependenciesInEnvironment()
}

// DependencyVariables are the variables that ask GCC for dependencies without an option.
var DependencyVariables = []string{"DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES"}

// DependenciesInEnvironment reports whether one of them is set.
func DependenciesInEnvironment() bool {
	return slices.ContainsFunc(DependencyVariables,
		func(v string) bool { return os.Getenv(v) != "" })
}

// dumpNames returns the options that name the optimizer's dumps after the source: they include
// its extension.
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

// onlyInput reports whether the command has only one file.
func (c *Command) onlyInput() bool {
	n := 0
	for range c.files {
		n++
	}
	return n == 1
}

// dependenciesFile returns where the dependencies go without -MF. Unlike other files beside the
// output, they take their name from -o in a link, too.
func (c *Command) dependenciesFile(f *File) string {
	if c.Output != "" {
		return Stem(c.Output) + ".d"
	}
	return c.AuxiliaryName(f, ".d")
}

// dependenciesTarget returns the name before the colon in the dependencies.
func (c *Command) dependenciesTarget(f *File) string {
	if c.Output != "" {
		return c.Output
	}
	return Stem(filepath.Base(f.Name)) + ".o"
}
