package pomp

import (
	"embed"
	"io/fs"
	"path/filepath"
	"strings"

	"opari/ompt_bridge"
)

// ABI is the number of the interface between an instrumented unit and the library.
const ABI = 1

//go:embed src/*.c src/*.h src/*/*.c src/*/*.h
var sources embed.FS

// Lib is a built library. Dir contains lib/libpomp.a, lib/libpomp_gomp.a, lib/libpomp.so,
// lib/pomp.list and include/.
type Lib struct {
	Dir string // absolute
}

// Static returns the path of libpomp.a.
func (l Lib) Static() string { return filepath.Join(l.Dir, "lib", "libpomp.a") }

// Interposing returns the path of libpomp_gomp.a: libpomp.a with definitions of some routines
// that GCC calls for OpenMP. These are between a dynamic program and its runtime, and give a tool
// events that the source cannot show.
func (l Lib) Interposing() string { return filepath.Join(l.Dir, "lib", "libpomp_gomp.a") }

// Shared returns the path of libpomp.so.
func (l Lib) Shared() string { return filepath.Join(l.Dir, "lib", "libpomp.so") }

// CFlags returns the compiler options for code that includes pomp_lib.h. Instrumented code needs
// none.
func (l Lib) CFlags() []string { return []string{"-I" + filepath.Join(l.Dir, "include")} }

// Libs returns the options for linking a program with the shared library or with libpomp.a. The
// latter is for a program without an OpenMP runtime. The units refer to the library weakly, so an
// option makes the linker include the static one. Its interface is exported for instrumented
// libraries that the program loads later. A shared library is linked without either, because it
// finds the interface in the program.
func (l Lib) Libs(shared bool) []string {
	dir := filepath.Join(l.Dir, "lib")
	if shared {
		return []string{
			"-L" + dir, "-Wl,--no-as-needed", "-lpomp", "-Wl,--as-needed",
			"-Wl,-rpath," + dir, "-pthread",
		}
	}
	return l.archive(l.Static())
}

// DynamicLibs returns the options for linking a dynamic program with OpenMP. They include the
// library, and its definitions between the program and GCC's runtime.
func (l Lib) DynamicLibs() []string { return l.archive(l.Interposing()) }

func (l Lib) archive(file string) []string {
	return []string{
		"-Wl,-u,pomp_unit_1",
		"-Wl,--dynamic-list=" + filepath.Join(l.Dir, "lib", "pomp.list"), file, "-pthread",
	}
}

// PkgConfig returns the text of pomp.pc for the library as installed below prefix.
func PkgConfig(prefix, version string) string {
	return `prefix=` + prefix + `
libdir=${prefix}/lib
includedir=${prefix}/include

Name: pomp
Description: measurement library for OpenMP programs instrumented by opari
Version: ` + version + `
Cflags: -I${includedir}
Libs: -L${libdir} -Wl,--no-as-needed -lpomp -Wl,--as-needed -Wl,-rpath,${libdir} -pthread
Libs.private: -Wl,-u,pomp_unit_1 -Wl,--dynamic-list=${libdir}/pomp.list -pthread
`
}

// dynamicList names what a program exports for the instrumented libraries that it loads: the
// interface, and the routines of OpenMP that its runtime may lack.
const dynamicList = "{ POMP_*; pomp_unit_1; pomp_fortran_1; pomp_message_1; pomp_recording_1; " +
	"omp_control_tool*; ompt_control*; omp_init_lock_with_hint*; omp_init_nest_lock_with_hint*; " +
	"};\n"

// sharedVersion prevents the shared library from exporting symbols that the linker defines: the
// ends of a section, src/runtime/redirect.c.
const sharedVersion = "{ local: __start_pomp_redirected; __stop_pomp_redirected; };\n"

// headers are the public headers.
var headers = []string{"pomp_lib.h", "pomp_events.h", "pomp_messages.h", "omp_control.h"}

// Header returns the text of a public header.
func Header(name string) ([]byte, error) { return sources.ReadFile("src/" + name) }

// sourceFiles returns every file of the library by its path, such as pomp/src/pomp.c or
// ompt_bridge/src/core/bridge.h.
func sourceFiles() (map[string][]byte, error) {
	files := map[string][]byte{}
	for tree, fsys := range map[string]embed.FS{
		"pomp":        sources,
		"ompt_bridge": ompt_bridge.Sources,
	} {
		err := fs.WalkDir(fsys, "src", func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || strings.HasPrefix(e.Name(), ".") {
				return err
			}
			text, err := fsys.ReadFile(path)
			files[tree+"/"+path] = text
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}
