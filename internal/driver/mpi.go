package driver

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"opari/internal/driver/commandline"
	"opari/internal/mpi"
)

// mpiCompilers are the compiler wrappers of MPI's implementations.
var mpiCompilers = []string{
	"mpicc", "mpigcc", "mpiclang", "mpiicc", "mpiicx", "mpicxx", "mpic++", "mpiCC", "mpigxx",
	"mpiicpc", "mpiicpx", "mpif77", "mpif90", "mpifort",
}

// mpiName returns the plain name of an MPI compiler and the implementation, which Debian's names
// include (mpicc.openmpi); "" for others.
func mpiName(path string) (plain, implementation string) {
	base, implementation, _ := strings.Cut(filepath.Base(path), ".")
	if base = commandline.PlainName(base); !slices.Contains(mpiCompilers, base) {
		return "", ""
	}
	return base, implementation
}

// mpiLibraries returns the words of a command that name MPI's libraries.
func mpiLibraries(c *commandline.Command) []string {
	var found []string
	for _, word := range c.LinkWords() {
		if mpi.IsLibrary(word, "mpi", "mpich", "mpi_cxx", "mpicxx", "mpichcxx", "mpi_mpifh",
			"mpi_usempif08", "mpifort", "mpichfort", "mpichf90") {
			found = append(found, word)
		}
	}
	return found
}

// linksMPI reports whether the command links a program with MPI.
func linksMPI(c *commandline.Command) bool {
	plain, _ := mpiName(c.Compiler[len(c.Compiler)-1])
	return c.Links() && (plain != "" || len(mpiLibraries(c)) > 0)
}

// mpicc returns the MPI compiler for C that belongs to a command. That is the one in the command,
// its sibling for C, the one that has called opari (OMPI_CC, MPICH_CC), or the one in PATH.
func mpicc(c *commandline.Command) (string, error) {
	candidates := []string{c.Compiler[len(c.Compiler)-1]}
	if caller, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", os.Getppid())); err == nil {
		for i, word := range bytes.Split(caller, []byte{0}) {
			if i < 2 { // a script has its interpreter before it
				candidates = append(candidates, string(word))
			}
		}
	}
	for _, name := range candidates {
		plain, implementation := mpiName(name)
		if plain == "" {
			continue
		}
		dir, _ := filepath.Split(name)
		name = commandline.CCompilerOf(plain)
		if implementation != "" {
			name += "." + implementation
		}
		return exec.LookPath(dir + name)
	}
	for _, word := range c.Given {
		if word == "-lmpich" {
			if path, err := exec.LookPath("mpicc.mpich"); err == nil {
				return path, nil
			}
		}
	}
	return exec.LookPath("mpicc")
}

// mpiLayer returns the words that link the MPI layer; nil if it cannot be had, as the program
// runs without it.
func (s *session) mpiLayer() []string {
	if !linksMPI(s.cmd) {
		return nil
	}
	compiler, err := mpicc(s.cmd)
	path := ""
	if err == nil {
		path, err = mpi.Build(append([]string{compiler}, s.cmd.Machine...), "")
	}
	if err != nil {
		s.Warnf("the MPI layer cannot be built, the program is linked without it: %v", err)
		return nil
	}
	return mpi.Libs(path, mpiLibraries(s.cmd))
}
