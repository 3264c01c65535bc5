package commandline

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Names by which compilers are known, without a target prefix and a version suffix.
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

// PlainName is the name of a compiler without directory, target prefix and version: gcc for
// /usr/bin/x86_64-linux-gnu-gcc-12. It is "" where the name is that of no compiler.
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

// SplitCompiler parts the words of a command into launchers with the compiler, and the compiler's
// arguments. ok is false where no compiler is recognised; then the first word alone is taken for
// it.
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

// CCompilerOf is the C compiler that belongs to compiler: gcc-12 for g++-12, the same for a C
// compiler.
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

// compiler is the compiler's own word of the command.
func (c *Command) compiler() string { return c.Compiler[len(c.Compiler)-1] }

// CCompiler is the C compiler that belongs to the command's.
func (c *Command) CCompiler() string { return CCompilerOf(c.compiler()) }

// IsFlang reports whether the compiler is LLVM's for Fortran.
func (c *Command) IsFlang() bool { return strings.HasPrefix(PlainName(c.compiler()), "flang") }

// IsGCC reports whether the compiler is GCC's, also by the names that systems have for their
// compiler, such as /usr/bin/cc.
func (c *Command) IsGCC() bool {
	compiler := c.compiler()
	if name := PlainName(compiler); name == "cc" || name == "c++" {
		if found, err := exec.LookPath(compiler); err == nil {
			compiler, _ = filepath.EvalSymlinks(found) // "" is no compiler's name
		}
	}
	switch PlainName(compiler) {
	case "gfortran", "gcc", "xgcc", "g++":
		return true
	}
	return false
}
