package driver

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Names by which compilers are known, without a target prefix and a version suffix.
var (
	cCompilers       = []string{"gcc", "cc", "c89", "c99", "clang", "icc", "icx", "mpicc", "mpigcc", "mpiclang", "mpiicc", "mpiicx", "oshcc", "nvc", "xgcc"}
	cxxCompilers     = []string{"g++", "c++", "clang++", "icpc", "icpx", "mpicxx", "mpic++", "mpiCC", "mpigxx", "mpiicpc", "mpiicpx", "oshcxx", "oshc++", "nvc++", "CC", "xg++"}
	fortranCompilers = []string{"gfortran", "f77", "f95", "ifort", "ifx", "flang", "flang-new", "mpif77", "mpif90", "mpifort", "oshfort", "nvfortran"}
	launchers        = []string{"ccache", "distcc", "icecc", "sccache"}
)

// guard names the compilers that opari has become already, in place of which it was called. A compiler's wrapper that looks for the
// compiler in PATH, as ccache does, finds opari again: then it must not be sent round once more.
const guard = "OPARI_MASQUERADE"

// plainName is the name of a compiler without directory, target prefix and version: gcc for /usr/bin/x86_64-linux-gnu-gcc-12.
// It is "" where the name is that of no compiler.
func plainName(path string) string {
	base := strings.TrimSuffix(filepath.Base(path), ".exe")
	for _, maker := range []string{".openmpi", ".mpich"} { // Debian's names
		base = strings.TrimSuffix(base, maker)
	}
	if i := strings.LastIndexByte(base, '-'); i > 0 && strings.Trim(base[i+1:], "0123456789.") == "" {
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

// splitCompiler parts the words of a command into launchers with the compiler, and the compiler's arguments. ok is false where no
// compiler is recognised; then the first word alone is taken for it.
func splitCompiler(words []string) (compiler, args []string, ok bool) {
	n := 0
	for n < len(words)-1 && slices.Contains(launchers, filepath.Base(words[n])) {
		n++
	}
	if plainName(words[n]) == "" {
		return words[:1], words[1:], false
	}
	return words[:n+1], words[n+1:], true
}

// Masquerade reports whether argv0 is a compiler's name, that is, a link to opari that is called in the compiler's place, and
// does the call's work with the compiler: the next program of that name in PATH that is not opari.
func Masquerade(argv0 string, args []string) (code int, ok bool) {
	name := filepath.Base(argv0)
	if plainName(name) == "" {
		return 0, false
	}
	been := filepath.SplitList(os.Getenv(guard))
	path := realCompiler(name, been)
	s := &session{warns: os.Stderr}
	if path == "" {
		s.errorf("there is no %s in PATH besides opari", name)
		return exitNotFound, true
	}
	_ = os.Setenv(guard, strings.Join(append(been, path), string(os.PathListSeparator)))
	if len(been) > 0 { // an opari further out does the work
		return s.replace(append([]string{path}, args...)), true
	}
	return Main(append([]string{path}, args...)), true
}

// realCompiler is the first program called name in PATH that is neither opari nor one of those where we have been; "" if
// there is none.
func realCompiler(name string, been []string) string {
	self, err := os.Stat("/proc/self/exe")
	if err != nil {
		return ""
	}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 && !os.SameFile(info, self) && !slices.Contains(been, path) {
			return path
		}
	}
	return ""
}

// cCompilerOf is the C compiler that belongs to compiler: gcc-12 for g++-12, the same for a C compiler.
func cCompilerOf(compiler string) string {
	dir, base := filepath.Split(compiler)
	plain := plainName(compiler)
	pair := map[string]string{
		"g++": "gcc", "c++": "cc", "clang++": "clang", "icpc": "icc", "icpx": "icx", "mpicxx": "mpicc", "mpic++": "mpicc",
		"mpiCC": "mpicc", "mpigxx": "mpigcc", "mpiicpc": "mpiicc", "mpiicpx": "mpiicx", "oshcxx": "oshcc", "oshc++": "oshcc",
		"nvc++": "nvc", "CC": "cc", "gfortran": "gcc", "flang": "clang", "flang-new": "clang", "mpif77": "mpicc", "mpif90": "mpicc",
		"mpifort": "mpicc", "ifort": "icc", "ifx": "icx", "f77": "cc", "f95": "cc", "oshfort": "oshcc", "nvfortran": "nvc",
	}[plain]
	if pair == "" {
		return compiler
	}
	i := strings.LastIndex(base, plain)
	return dir + base[:i] + pair + base[i+len(plain):]
}
