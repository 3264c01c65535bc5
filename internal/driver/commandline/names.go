package commandline

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// These are the names of compilers, without target prefix and version suffix.
var (
	cCompilers = []string{
		"gcc", "cc", "c89", "c99", "clang", "icc", "icx", "mpicc", "mpigcc",
		"mpiclang", "mpiicc", "mpiicx", "oshcc", "nvc", "xgcc",
	}
	cxxCompilers = []string{
		"g++", "c++", "clang++", "icpc", "icpx", "mpicxx", "mpic++",
		"mpiCC", "mpigxx", "mpiicpc", "mpiicpx", "oshcxx", "oshc++", "nvc++", "CC", "xg++",
	}
	fortranCompilers = []string{
		"gfortran", "f77", "f95", "ifort", "ifx", "flang", "flang-new",
		"mpif77", "mpif90", "mpifort", "oshfort", "nvfortran",
	}
	launchers = []string{"ccache", "distcc", "icecc", "sccache"}
)

// PlainName returns the name of a compiler without directory, target prefix and version: gcc for
// /usr/bin/x86_64-linux-gnu-gcc-12. It returns "" for a name that is not a compiler's.
func PlainName(path string) string {
	base := strings.TrimSuffix(filepath.Base(path), ".exe")
	for _, maker := range []string{".openmpi", ".mpich"} { // Debian's names
		base = strings.TrimSuffix(base, maker)
	}
	i := strings.LastIndexByte(base, '-')
	if i > 0 && strings.Trim(base[i+1:], "0123456789.") == "" {
		base = base[:i]
	}
	best := ""
	for _, list := range [][]string{cCompilers, cxxCompilers, fortranCompilers} {
		for _, n := range list {
			if (base == n || strings.HasSuffix(base, "-"+n)) && len(n) > len(best) {
				best = n
			}
		}
	}
	return best
}

// SplitCompiler splits a command into the compiler with its launchers, and the compiler's
// arguments. ok is false if it recognises no compiler; then it takes the first word for the
// compiler.
func SplitCompiler(words []string) (compiler, args []string, ok bool) {
	n := 0
	for n < len(words)-1 && slices.Contains(launchers, filepath.Base(words[n])) {
		n++
	}
	if PlainName(words[n]) == "" {
		return words[:1], words[1:], false
	}
	return words[:n+1], words[n+1:], true
}

// CCompilerOf returns the C compiler that belongs to compiler: gcc-12 for g++-12. A C compiler is
// its own.
func CCompilerOf(compiler string) string {
	dir, base := filepath.Split(compiler)
	plain := PlainName(compiler)
	pair := map[string]string{
		"g++": "gcc", "c++": "cc", "clang++": "clang", "icpc": "icc", "icpx": "icx",
		"mpicxx": "mpicc", "mpic++": "mpicc",
		"mpiCC": "mpicc", "mpigxx": "mpigcc", "mpiicpc": "mpiicc", "mpiicpx": "mpiicx",
		"oshcxx": "oshcc", "oshc++": "oshcc",
		"nvc++": "nvc", "CC": "cc", "gfortran": "gcc", "flang": "clang", "flang-new": "clang",
		"mpif77": "mpicc", "mpif90": "mpicc",
		"mpifort": "mpicc", "ifort": "icc", "ifx": "icx", "f77": "cc", "f95": "cc",
		"oshfort": "oshcc", "nvfortran": "nvc",
	}[plain]
	if pair == "" {
		return compiler
	}
	i := strings.LastIndex(base, plain)
	return dir + base[:i] + pair + base[i+len(plain):]
}

// compiler returns the word of the command that names the compiler.
func (c *Command) compiler() string { return c.Compiler[len(c.Compiler)-1] }

// CCompiler returns the C compiler that belongs to the command's compiler.
func (c *Command) CCompiler() string { return CCompilerOf(c.compiler()) }

// IsFlang reports whether the compiler is LLVM's Fortran compiler.
func (c *Command) IsFlang() bool { return strings.HasPrefix(PlainName(c.compiler()), "flang") }

// IsGCC reports whether the compiler is GCC's, also under a system's name for its compiler such
// as /usr/bin/cc.
func (c *Command) IsGCC() bool {
	compiler := c.compiler()
	if name := PlainName(compiler); name == "cc" || name == "c++" {
		if found, err := exec.LookPath(compiler); err == nil {
			compiler, _ = filepath.EvalSymlinks(found) // "" is not a compiler's name
		}
	}
	switch PlainName(compiler) {
	case "gfortran", "gcc", "xgcc", "g++":
		return true
	}
	return false
}
