package driver

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"opari/internal/driver/commandline"
	"opari/internal/driver/process"
)

// guard is an environment variable with the compilers in whose place opari was already called. A
// compiler's wrapper that looks for the compiler in PATH, as ccache does, finds opari again;
// opari must not call that wrapper once more.
const guard = "OPARI_MASQUERADE"

// Masquerade reports whether argv0 is a compiler's name, that is, a link to opari in the
// compiler's place, or the name of a wrapper such as opari-gcc. If so, it does the call's work
// with the compiler: the next program of the compiler's name in PATH that is not opari.
func Masquerade(argv0 string, args []string) (code int, ok bool) {
	name := strings.TrimPrefix(filepath.Base(argv0), wrapperPrefix)
	if commandline.PlainName(name) == "" {
		return 0, false
	}
	been := filepath.SplitList(os.Getenv(guard))
	path := realCompiler(name, been)
	s := newSession()
	if path == "" {
		s.Errorf("there is no %s in PATH besides opari", name)
		return process.ExitNotFound, true
	}
	_ = os.Setenv(guard, strings.Join(append(been, path), string(os.PathListSeparator)))
	if len(been) > 0 { // an outer opari does the work
		return s.Replace(append([]string{path}, args...)), true
	}
	return Main(append([]string{path}, args...)), true
}

// realCompiler returns the first program called name in PATH that is neither opari nor in been;
// "" if there is none.
func realCompiler(name string, been []string) string {
	self, err := os.Stat("/proc/self/exe")
	if err != nil {
		return ""
	}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 &&
			!os.SameFile(info, self) && !slices.Contains(been, path) {
			return path
		}
	}
	return ""
}

// IsCompiler reports whether a command is a compiler by its name.
func IsCompiler(command string) bool {
	return commandline.PlainName(filepath.Base(command)) != ""
}

// CompilersInPath returns the names of the compilers in PATH, each once.
func CompilersInPath() []string {
	var names []string
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		entries, _ := os.ReadDir(dir) // a folder may be missing
		for _, e := range entries {
			if IsCompiler(e.Name()) && !slices.Contains(names, e.Name()) {
				names = append(names, e.Name())
			}
		}
	}
	return names
}
