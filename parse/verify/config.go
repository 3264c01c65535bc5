package verify

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"modernc.org/cc/v4"
)

// A ccHost is the configuration of this machine's C compiler for one set of flags, with what each
// file needs of it.
type ccHost struct {
	config *cc.Config // never changed: each run uses a copy
	// Text before the file: -include, -imacros, and names that the front end does not know.
	prelude string
	system  []string // directories of headers that are not the user's
}

// hosts keeps the hosts by their flags, because asking the compiler takes longer than most files.
// It is asked only if a file is verified at all.
var hosts struct {
	sync.Mutex
	of map[string]*ccHost
}

// hostFor asks the host compiler, once per set of flags.
func hostFor(flags []string) (*ccHost, error) {
	key := strings.Join(flags, "\x00")
	hosts.Lock()
	defer hosts.Unlock()
	if h := hosts.of[key]; h != nil {
		return h, nil
	}
	ask, prelude, user := hostFlags(flags)
	config, err := cc.NewConfig("", "", ask...)
	if err != nil {
		return nil, err
	}
	h := &ccHost{config: config, prelude: preludeOf(config.Predefined) + prelude}
	for _, dir := range config.SysIncludePaths {
		if !slices.Contains(user, filepath.Clean(dir)) {
			h.system = append(h.system, dir+string(filepath.Separator))
		}
	}
	// The front end joins even an absolute path of an #include to a directory; with the root it
	// finds those.
	const root = string(filepath.Separator)
	config.IncludePaths = append(config.IncludePaths, root)
	config.SysIncludePaths = append(
		config.SysIncludePaths[:len(config.SysIncludePaths):len(config.SysIncludePaths)], root)
	if hosts.of == nil {
		hosts.of = map[string]*ccHost{}
	}
	hosts.of[key] = h
	return h, nil
}

// preludeOf defines away the names that the front end does not know and that change no
// statement's extent.
func preludeOf(predefined string) string {
	const names = "#define __transaction_atomic\n#define __transaction_relaxed\n"
	if strings.Contains(predefined, "#define __SEG_FS ") {
		return names + "#define __seg_fs\n#define __seg_gs\n"
	}
	return names
}

// hostFlags divides the flags of a compilation. ask are those to ask the compiler with, prelude
// has directives in place of -include and -imacros, user are the directories of the user's
// headers. It leaves out flags without influence on the meaning of the text.
func hostFlags(flags []string) (ask []string, prelude string, user []string) {
	openmp := false
	for i := 0; i < len(flags); i++ {
		f := flags[i]
		next := func(n int) string {
			if len(f) > n {
				return f[n:]
			}
			if i++; i < len(flags) {
				return flags[i]
			}
			return ""
		}
		switch {
		case strings.HasPrefix(f, "-include") || strings.HasPrefix(f, "-imacros"):
			prelude += fmt.Sprintf("#include %q\n", next(len("-include")))
		case strings.HasPrefix(f, "-isystem"),
			strings.HasPrefix(f, "-iquote"), strings.HasPrefix(f, "-idirafter"):
			kind := kindOfDir(f)
			ask = append(ask, kind, next(len(kind)))
		case strings.HasPrefix(f, "-I"):
			dir := next(2)
			user = append(user, filepath.Clean(dir))
			ask = append(ask, "-I"+dir)
		case strings.HasPrefix(f, "-D"), strings.HasPrefix(f, "-U"):
			ask = append(ask, f[:2]+next(2))
		case strings.HasPrefix(f, "-std="), f == "-ansi", f == "-pthread", f == "-nostdinc",
			strings.HasPrefix(f, "-m"), strings.HasPrefix(f, "-f"),
			strings.HasPrefix(f, "-O"), strings.HasPrefix(f, "--sysroot="):
			openmp = openmp || f == "-fopenmp"
			ask = append(ask, f)
		}
	}
	if !openmp {
		ask = append(ask, "-fopenmp")
	}
	return ask, prelude, user
}

// kindOfDir returns the option at the start of f that names a directory.
func kindOfDir(f string) string {
	for _, kind := range []string{"-isystem", "-iquote", "-idirafter"} {
		if strings.HasPrefix(f, kind) {
			return kind
		}
	}
	return f
}

// isSystem reports whether the file is in a directory of the system's headers.
func (h *ccHost) isSystem(name string) bool {
	for _, dir := range h.system {
		if strings.HasPrefix(name, dir) {
			return true
		}
	}
	return false
}

// ccFiles serves files to the front end. It normalises the user's, and leaves the system's
// unchanged.
type ccFiles struct{ host *ccHost }

// Open implements fs.FS for the paths that the front end makes, which need not be rooted.
func (h ccFiles) Open(name string) (fs.File, error) {
	f, err := os.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	if h.host.isSystem(name) {
		return f, nil
	}
	defer f.Close()
	if info.Size() > MaxText {
		return nil, fmt.Errorf("%s: too large to verify", name)
	}
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	text, deep := normalise(text, nil)
	if deep {
		return nil, fmt.Errorf("%s: nested too deeply to verify", name)
	}
	return &ccHeader{Reader: bytes.NewReader(text), info: info}, nil
}

// ccHeader is an open header of the user.
type ccHeader struct {
	*bytes.Reader
	info fs.FileInfo
}

func (h *ccHeader) Stat() (fs.FileInfo, error) { return h.info, nil }
func (h *ccHeader) Close() error               { return nil }

// The work and time limits for one file. A file that exceeds them is not verified.
const (
	expansionLimit = 50_000_000 // the number of tokens
	timeLimit      = 20 * time.Second
)

// frontEnd runs cc/v4 over the text of u, which is normalised. It needs the grammar only, so
// types are not checked.
//
// The preprocessor runs first, alone, because macros may expand to something that is nested too
// deeply.
func (h *ccHost) frontEnd(u *ccUnit, text []byte) (*cc.AST, error) {
	config := *h.config
	config.FS, config.FSOnly = ccFiles{h}, true
	config.ExpansionLimit = expansionLimit
	config.IgnoreStaticAssert = true
	sources := func() []cc.Source {
		p := pragmaHandler{u: u, seen: map[string]bool{}}
		u.unmarked = u.unmarked[:0]
		config.PragmaHandler = p.pragma
		return []cc.Source{
			{Name: "<predefined>", Value: config.Predefined},
			{Name: "<builtin>", Value: cc.Builtin},
			{Name: "<prelude>", Value: h.prelude},
			{Name: u.file.Name, Value: bytes.Clone(text)},
		}
	}
	if err := cc.Preprocess(&config, sources(), new(expanded)); err != nil {
		return nil, err
	}
	ast, err := cc.Parse(&config, sources())
	if err != nil { // an AST that comes with an error ends at the error, so it is of no use
		return nil, err
	}
	return ast, nil
}

// A pragmaHandler gets the pragmas that are not marks.
type pragmaHandler struct {
	u    *ccUnit
	seen map[string]bool // the files with #pragma once
}

func (p *pragmaHandler) pragma(t []cc.Token) error {
	if len(t) == 0 {
		return nil
	}
	at := t[0].Position()
	switch t[0].SrcStr() {
	case "omp":
		if at.Filename == p.u.file.Name {
			p.u.unmarked = append(p.u.unmarked, at.Offset)
		}
	case "once":
		if p.seen[at.Filename] {
			return cc.SkipSource
		}
		p.seen[at.Filename] = true
	}
	return nil
}
