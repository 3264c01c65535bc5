package pomp

import (
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Wrapping is the library for static programs on GCC's runtime. Like Lib.Interposing, it is
// between a program and its runtime. In a static program, no loader finds the runtime's
// definition after the library's, so --wrap makes the linker redirect the calls.
type Wrapping struct {
	Dir string // absolute; contains lib/libpomp_wrap.a, lib/pomp_wrap.options and lib/pomp.list
}

// realName begins the linker's name for the original definition of a wrapped routine, wrapName
// the name for the library's definition.
const (
	realName = "__real_"
	wrapName = "__wrap_"
)

// BuildWrapping returns that library for compiler cc. Like Build, it builds in dir, unless the
// library is there already.
func BuildWrapping(cc []string, dir string) (Wrapping, error) {
	files, err := sourceFiles()
	if err != nil {
		return Wrapping{}, err
	}
	dir, err = build(cc, dir, product{
		files: files, compile: compileWrapping, identity: fmt.Sprintf("wrap %q %q", compileFlags,
			dynamicList),
		results: []string{"lib/libpomp_wrap.a", "lib/pomp_wrap.options", "lib/pomp.list"},
	})
	return Wrapping{Dir: dir}, err
}

// Libs returns the options for linking a static program. The linker's options are in a file,
// because there are many.
func (w Wrapping) Libs() []string {
	dir := filepath.Join(w.Dir, "lib")
	return append([]string{"-Wl,@" + filepath.Join(dir, "pomp_wrap.options")},
		Lib(w).archive(filepath.Join(dir, "libpomp_wrap.a"))...)
}

// compileWrapping compiles the library. It renames the definitions that replace a runtime's
// routine to the names for which the linker looks. The object's symbols show which definitions
// these are. The option -u requests them, because the linker would not include an archive member
// that only weak references need.
func compileWrapping(cc []string, work, out string, files map[string][]byte) error {
	if err := writeFiles(work, files); err != nil {
		return err
	}
	object := filepath.Join(work, "pomp.o")
	args := slices.Concat(cc[1:], compileFlags, []string{
		"-DPOMP_INTERPOSE", "-DPOMP_WRAPPED", "-c", filepath.Join(work, "pomp", "src", "pomp.c"),
		"-o", object,
	})
	if err := run(cc[0], args...); err != nil {
		return err
	}
	names, err := wrapped(object)
	if err != nil {
		return err
	}
	var options, renamed strings.Builder
	for _, name := range names {
		fmt.Fprintf(&options, "-u %s --wrap=%s\n", name, name)
		fmt.Fprintf(&renamed, "%s %s%s\n", name, wrapName, name)
	}
	table := filepath.Join(work, "renamed")
	for path, text := range map[string]string{
		table: renamed.String(), filepath.Join(out, "lib", "pomp_wrap.options"): options.String(),
		filepath.Join(out, "lib", "pomp.list"): dynamicList,
	} {
		if err := writeFile(path, []byte(text)); err != nil {
			return err
		}
	}
	if err := run("objcopy", "--redefine-syms="+table, object); err != nil {
		return err
	}
	return archive(cc, filepath.Join(out, "lib", "libpomp_wrap.a"), object)
}

// wrapped lists the routines that an object defines although it also refers to the runtime's
// definition.
func wrapped(object string) ([]string, error) {
	f, err := os.Open(object)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	e, err := elf.NewFile(f)
	if err != nil {
		return nil, err
	}
	symbols, err := e.Symbols()
	if err != nil {
		return nil, err
	}
	defined := map[string]bool{}
	for _, s := range symbols {
		defined[s.Name] = s.Section != elf.SHN_UNDEF
	}
	var names []string
	for _, s := range symbols {
		if name, ok := strings.CutPrefix(s.Name, realName); ok && defined[name] {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, errors.New("building the measurement library: no call of the runtime " +
			"is wrapped")
	}
	slices.Sort(names)
	return names, nil
}
