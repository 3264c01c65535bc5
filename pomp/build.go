package pomp

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// compileFlags are the flags of both libraries. The static one is position-independent too,
// because programs are PIE by default. Vectorizing pairs of words is off: an event stores a few
// words from general registers, and moving them to vector registers costs more than a store.
var compileFlags = []string{
	"-O2", "-fno-tree-slp-vectorize", "-std=c11", "-fvisibility=hidden",
	"-fPIC", "-pthread", "-w",
}

// Build returns the library for compiler cc (its command and options, ["gcc"], ["clang",
// "-gdwarf-4"]). It builds the library in dir, unless it is there already. If dir is "", it
// uses the user's cache, $XDG_CACHE_HOME/opari. If the cache is not writable, it uses a directory
// of the user's own below the directory for temporary files. Several processes may call Build at
// once.
func Build(cc []string, dir string) (Lib, error) {
	files, err := sourceFiles()
	if err != nil {
		return Lib{}, err
	}
	dir, err = build(cc, dir, product{
		files: files, compile: compile, identity: fmt.Sprintf("%q %q %q", compileFlags, dynamicList,
			sharedVersion),
		results: []string{
			"lib/libpomp.a", "lib/libpomp_gomp.a", "lib/libpomp.so",
			"include/" + headers[0],
		},
	})
	return Lib{Dir: dir}, err
}

// product describes results that are built from sources and kept.
type product struct {
	files map[string][]byte // the sources
	// identity is what determines the results besides the sources and the compiler.
	identity string
	results  []string // paths below the product's folder
	// compile builds the results below out. work is an empty folder next to it.
	compile func(cc []string, work, out string, files map[string][]byte) error
}

// build returns the folder with the product for compiler cc, and builds the product if it is
// missing. The folder is in dir, or in the user's cache if dir is "".
func build(cc []string, dir string, p product) (string, error) {
	if len(cc) == 0 {
		return "", errors.New("no compiler to build the measurement library with")
	}
	key, err := identity(cc, p)
	if err != nil {
		return "", err
	}
	roots := []string{dir}
	if dir == "" {
		roots = cacheRoots()
	}
	for _, root := range roots {
		if root, err = filepath.Abs(root); err != nil {
			continue
		}
		if kept := filepath.Join(root, key); p.complete(kept) {
			return kept, nil
		}
	}
	for _, root := range roots {
		var built string
		if built, err = buildIn(root, key, cc, p); err == nil || !isDenied(err) {
			return built, err
		}
	}
	return "", err
}

// cacheRoots lists the directories that may hold a library, the preferred one first.
func cacheRoots() []string {
	var roots []string
	if cache, err := os.UserCacheDir(); err == nil {
		roots = append(roots, filepath.Join(cache, "opari"))
	}
	return append(roots, filepath.Join(os.TempDir(), fmt.Sprintf("opari-%d", os.Getuid())))
}

func isDenied(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) ||
		errors.Is(err, syscall.ENOTDIR) ||
		errors.Is(err, syscall.ENOSPC)
}

func (p *product) complete(dir string) bool {
	for _, f := range p.results {
		if s, err := os.Stat(filepath.Join(dir, filepath.FromSlash(f))); err != nil ||
			!s.Mode().IsRegular() {
			return false
		}
	}
	return ownedByUs(dir)
}

// ownedByUs reports whether dir belongs to this user. It guards against a library that somebody
// else has put into a directory that everybody can write to.
func ownedByUs(dir string) bool {
	s, err := os.Lstat(dir)
	if err != nil || !s.IsDir() {
		return false
	}
	st, ok := s.Sys().(*syscall.Stat_t)
	return !ok || int(st.Uid) == os.Getuid()
}

// identity names a product by its sources and the compiler. It describes the compiler by its
// file's path, size and time, which needs no process.
func identity(cc []string, p product) (string, error) {
	path, err := exec.LookPath(cc[0])
	if err != nil {
		return "", fmt.Errorf("compiler of the measurement library: %w", err)
	}
	if path, err = filepath.Abs(path); err != nil {
		return "", err
	}
	h := sha256.New()
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	s, err := os.Stat(real)
	if err != nil {
		return "", err
	}
	fmt.Fprintf(h, "%q %q %d %d %q %s\n", path, real, s.Size(), s.ModTime().UnixNano(),
		cc[1:], p.identity)
	for _, name := range slices.Sorted(maps.Keys(p.files)) {
		fmt.Fprintf(h, "%s %d\n", name, len(p.files[name]))
		h.Write(p.files[name])
	}
	return hex.EncodeToString(h.Sum(nil)[:12]), nil
}

// Building tells the user that a product is built, unless it is nil. The result ends that.
var Building func(compiler string) (done func())

// buildIn builds in a temporary directory and then renames the result. The first of several
// builders wins.
func buildIn(root, key string, cc []string, p product) (string, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(root, 0o700); err != nil {
		return "", err
	}
	if !ownedByUs(root) {
		return "", fmt.Errorf("%s belongs to somebody else: %w", root, fs.ErrPermission)
	}
	work, err := os.MkdirTemp(root, "build-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	out := filepath.Join(work, "out")
	if Building != nil {
		defer Building(cc[0])()
	}
	if err := p.compile(cc, work, out, p.files); err != nil {
		return "", err
	}
	kept := filepath.Join(root, key)
	if err := os.Rename(out, kept); err != nil && !p.complete(kept) {
		return "", err
	}
	return kept, nil
}

// compile writes the sources below work, and the libraries and headers below out.
func compile(cc []string, work, out string, files map[string][]byte) error {
	if err := writeFiles(work, files); err != nil {
		return err
	}
	lib := Lib{Dir: out}
	for _, h := range headers {
		if err := writeFile(filepath.Join(out, "include", h), files["pomp/src/"+h]); err != nil {
			return err
		}
	}
	if err := writeFile(filepath.Join(out, "lib", "pomp.list"), []byte(dynamicList)); err != nil {
		return err
	}
	hidden := filepath.Join(work, "pomp.version")
	if err := writeFile(hidden, []byte(sharedVersion)); err != nil {
		return err
	}
	source := filepath.Join(work, "pomp", "src", "pomp.c")
	object := filepath.Join(work, "pomp.o")
	args := slices.Concat(cc[1:], compileFlags)
	static := make(chan error)
	go func() {
		err := run(cc[0], slices.Concat(args, []string{"-c", source, "-o", object})...)
		if err == nil {
			err = archive(cc, lib.Static(), object)
		}
		if err == nil {
			err = run(cc[0],
				slices.Concat(args, []string{"-DPOMP_INTERPOSE", "-c", source, "-o", object})...)
		}
		if err == nil {
			err = archive(cc, lib.Interposing(), object)
		}
		static <- err
	}()
	shared := run(cc[0], slices.Concat(args, []string{
		"-DOPARI_SHARED", "-DPOMP_INTERPOSE", "-shared", "-Wl,-soname,libpomp.so",
		"-Wl,-z,nodelete", "-Wl,--version-script=" + hidden, source, "-o", lib.Shared(),
	})...)
	if err := <-static; err != nil {
		return err
	}
	return shared
}

// archive makes an archive with an index. The archiver is the one that the compiler names, which
// knows the compiler's objects where that compiles for another processor; else the first one that
// exists.
func archive(cc []string, path, object string) error {
	archivers := []string{"ar", "gcc-ar", "llvm-ar", "llvm-ar-19"}
	if own, err := exec.Command(cc[0], append(slices.Clone(cc[1:]), "-print-prog-name=ar")...).
		Output(); err == nil {
		archivers = append([]string{strings.TrimSpace(string(own))}, archivers...)
	}
	var err error
	for _, ar := range archivers {
		if _, err = exec.LookPath(ar); err == nil {
			return run(ar, "rcs", path, object)
		}
	}
	return fmt.Errorf("archiver of the measurement library: %w", err)
}

func run(name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "OPARI=off") // the compiler may be opari's wrapper (OMPI_CC)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building the measurement library: %s: %w\n%s", name, err,
			strings.TrimSpace(string(out)))
	}
	return nil
}

// writeFiles writes files below dir.
func writeFiles(dir string, files map[string][]byte) error {
	for name, text := range files {
		if err := writeFile(filepath.Join(dir, filepath.FromSlash(name)), text); err != nil {
			return err
		}
	}
	return nil
}

func writeFile(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}

// Install copies the library below prefix: lib/libpomp.a, lib/libpomp_gomp.a, lib/libpomp.so,
// lib/pomp.list, lib/pkgconfig/pomp.pc and include/. It writes each file under another name and
// renames it. version goes into pomp.pc.
func (l Lib) Install(prefix, version string) error {
	prefix, err := filepath.Abs(prefix)
	if err != nil {
		return err
	}
	names := []string{"lib/libpomp.a", "lib/libpomp_gomp.a", "lib/libpomp.so", "lib/pomp.list"}
	for _, h := range headers {
		names = append(names, "include/"+h)
	}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(l.Dir, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		if err := InstallFile(filepath.Join(prefix, filepath.FromSlash(name)), text); err != nil {
			return err
		}
	}
	return InstallFile(filepath.Join(prefix, "lib", "pkgconfig", "pomp.pc"),
		[]byte(PkgConfig(prefix, version)))
}

// InstallFile writes a file under another name in the same folder and renames it. It makes the
// folder if necessary. As for all files that opari writes, the umask decides the mode of a new
// file, and an existing file keeps its mode.
func InstallFile(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	mode := fs.FileMode(0o666)
	if strings.HasSuffix(path, ".so") {
		mode = 0o777
	}
	f, err := createInFolderOf(path, mode)
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if old, there := os.Lstat(path); there == nil && old.Mode().IsRegular() {
		err = f.Chmod(old.Mode().Perm())
	}
	if err == nil {
		_, err = f.Write(text)
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	return err
}

// createInFolderOf creates a file with a new name in the folder of path. os.CreateTemp would make
// the file private. To undo that, one would need the umask, which a process can read only by
// setting it.
func createInFolderOf(path string, mode fs.FileMode) (*os.File, error) {
	for {
		name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".opari-%d", rand.Uint64()))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}
