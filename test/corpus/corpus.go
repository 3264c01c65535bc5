// Package corpus runs opari over programs that others wrote to test OpenMP compilers: the
// testsuite of GCC's runtime library and the parser tests of its front ends.
//
// The tests need OPARI_CORPUS, the folder that scripts/corpus.sh prints; `make test` sets it.
// Only programs that pass when built and run plain count.
package corpus

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Program is one self-checking program.
type Program struct {
	ID    string // path below the testsuite's folder
	Path  string
	Kind  string   // what to do: run, link, compile, assemble
	Flags []string // of the compiler, without -fopenmp
	Env   []string // of the run: NAME=value
	Extra []string // paths of further sources
	Skip  string   // why it is not for this machine; else ""
	Lang  string   // the argument of --lang, if the name does not show it: c++
	Flang bool     // the flags are for LLVM's compiler
}

// Libgomp lists the C programs of the runtime library's testsuite below dir, ordered by name.
// Files that are only additional sources of others are not programs.
func Libgomp(dir string) ([]Program, error) {
	return libgomp(dir, targetsC, []string{"libgomp.c", "libgomp.c-c++-common"}, ".c")
}

// LibgompCxx does the same for C++: its own programs, and the common ones compiled as C++.
func LibgompCxx(dir string) ([]Program, error) {
	return libgomp(dir, targetsCxx, []string{"libgomp.c++", "libgomp.c-c++-common"}, ".C", ".c")
}

// LibgompFortran does the same for Fortran.
func LibgompFortran(dir string) ([]Program, error) {
	return libgomp(dir, nil, []string{"libgomp.fortran"}, fortranExtensions...)
}

var fortranExtensions = []string{
	".f", ".F", ".f90", ".F90", ".f95", ".F95", ".f03", ".F03",
	".f08", ".F08",
}

func libgomp(dir string, targets, folders []string, extensions ...string) ([]Program, error) {
	suite := filepath.Join(dir, "libgomp", "testsuite")
	var all []Program
	for _, sub := range folders {
		files, err := filesBelow(filepath.Join(suite, sub), extensions...)
		if err != nil {
			return nil, err
		}
		for _, path := range files {
			p, err := program(suite, path, targets)
			if err != nil {
				return nil, err
			}
			all = append(all, p)
		}
	}
	extra := map[string]bool{}
	for _, p := range all {
		for _, e := range p.Extra {
			extra[filepath.Clean(e)] = true
		}
	}
	return slices.DeleteFunc(all, func(p Program) bool { return extra[p.Path] }), nil
}

// program reads the test directives of the file at path. targets are the true ones besides those
// of the machine.
func program(suite, path string, targets []string) (Program, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Program{}, err
	}
	id, err := filepath.Rel(suite, path)
	if err != nil {
		return Program{}, err
	}
	d := parseDejaGnu(string(text), targets)
	p := Program{ID: id, Path: path, Kind: d.kind, Env: d.env, Skip: d.skip, Flags: []string{"-O2"}}
	if d.options != nil {
		p.Flags = d.options
	}
	if filepath.Ext(path) != ".c" {
		p.Flags = slices.DeleteFunc(p.Flags,
			func(f string) bool { return strings.HasPrefix(f, "-fdump-") })
	}
	if slices.Contains(targets, "c++") && filepath.Ext(path) == ".c" {
		p.Lang = "c++"
	}
	p.Flags = append(slices.Clone(p.Flags), d.additional...)
	for _, e := range d.sources {
		p.Extra = append(p.Extra, filepath.Join(filepath.Dir(path), e))
	}
	if !slices.Contains([]string{"run", "link", "compile", "assemble"}, p.Kind) {
		p.Skip = "dg-do " + p.Kind
	}
	return p, nil
}

// Sources lists the C files of the front end's OpenMP tests below dir, which are for parsing and
// not for running.
func Sources(dir string) ([]string, error) {
	var all []string
	for _, sub := range []string{
		"gcc/testsuite/gcc.dg/gomp", "gcc/testsuite/c-c++-common/gomp",
		"libgomp/testsuite/libgomp.c", "libgomp/testsuite/libgomp.c-c++-common",
	} {
		files, err := filesBelow(filepath.Join(dir, sub), ".c")
		if err != nil {
			return nil, err
		}
		all = append(all, files...)
	}
	return all, nil
}

// SourcesFortran does the same for Fortran.
func SourcesFortran(dir string) ([]string, error) {
	var all []string
	for _, sub := range []string{
		"gcc/testsuite/gfortran.dg/gomp",
		"libgomp/testsuite/libgomp.fortran",
	} {
		files, err := filesBelow(filepath.Join(dir, sub), fortranExtensions...)
		if err != nil {
			return nil, err
		}
		all = append(all, files...)
	}
	return all, nil
}

// filesBelow lists the files below dir with one of the extensions, sorted.
func filesBelow(dir string, extensions ...string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && slices.Contains(extensions, filepath.Ext(path)) {
			files = append(files, path)
		}
		return err
	})
	slices.Sort(files)
	return files, err
}

// CompileFlags returns the flags that compile p's source to an object. They disable warnings,
// which are not the test's subject.
func (p *Program) CompileFlags(source string) []string {
	dir := filepath.Dir(source)
	if p.Flang {
		return append(append([]string{"-fopenmp"}, p.Flags...), "-w", "-I"+dir)
	}
	return append(append([]string{"-fopenmp"}, p.Flags...), "-w", "-iquote", dir, "-I"+dir)
}

// FormFlags returns opari's flags for the language and the source form, which a compiler gets by
// its name and flags.
func (p *Program) FormFlags() []string {
	switch {
	case p.Lang != "":
		return []string{"--lang=" + p.Lang}
	case slices.Contains(p.Flags, "-ffixed-form"):
		return []string{"--form=fixed"}
	case slices.Contains(p.Flags, "-ffree-form"):
		return []string{"--form=free"}
	}
	return nil
}

// LinkFlags returns the flags that link p.
func (p *Program) LinkFlags() []string { return append([]string{"-fopenmp"}, p.Flags...) }
