package wrapper

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// A build is a way to build a project: scripts that run in its folder with $CC, $CXX, $FC and
// $JOBS, and put the programs into build.
type build struct {
	name    string
	project string // archive in testdata/projects
	needs   []string
	wrapped bool   // by the compilers' names; otherwise by a launcher
	set     string // the environment of a wrapped build, or the words for configure
	configure,
	make, again, check string
	idle   string // what the second build prints, at least
	noLink bool   // opari does not see the link of Fortran
}

const launchAll = "-DCMAKE_%[1]s_COMPILER_LAUNCHER=opari;cc -DCMAKE_%[1]s_LINKER_LAUNCHER=opari;cc"

var builds = []build{
	{
		name: "make", project: "make", needs: []string{"make"}, wrapped: true,
		make: "mkdir -p build && make -j4 prog && cp prog build", again: "make -j4 prog",
		check: "make check", idle: "up to date",
	},
	{
		name: "make in masquerade", project: "make", needs: []string{"make"},
		set:  "PATH=$LINKS:$PATH",
		make: "mkdir -p build && make -j4 prog && cp prog build", again: "make -j4 prog",
		check: "make check", idle: "up to date",
	},
	{
		name: "CMake, Makefiles, -D", project: "cmake", needs: []string{"cmake", "make"},
		configure: "cmake -S . -B build $SET", set: "SET=" + launchAll,
		make: "cmake --build build -j4", again: "make -C build",
		check: "cd build && ctest --output-on-failure", idle: "100%", noLink: true,
	},
	{
		name: "CMake, Makefiles, environment", project: "cmake", needs: []string{"cmake", "make"},
		configure: "cmake -S . -B build",
		set:       "CMAKE_%[1]s_COMPILER_LAUNCHER=opari;cc CMAKE_%[1]s_LINKER_LAUNCHER=opari;cc",
		make:      "cmake --build build -j4", again: "make -C build",
		check: "cd build && ctest --output-on-failure", idle: "100%", noLink: true,
	},
	{
		name: "CMake, Ninja, -D", project: "cmake", needs: []string{"cmake", "ninja"},
		configure: "cmake -G Ninja -S . -B build $SET", set: "SET=" + launchAll,
		make: "cmake --build build -j4", again: "ninja -C build",
		check: "cd build && ctest --output-on-failure", idle: "no work to do", noLink: true,
	},
	{
		name: "CMake, Ninja, environment", project: "cmake", needs: []string{"cmake", "ninja"},
		configure: "cmake -G Ninja -S . -B build",
		set:       "CMAKE_%[1]s_COMPILER_LAUNCHER=opari;cc CMAKE_%[1]s_LINKER_LAUNCHER=opari;cc",
		make:      "cmake --build build -j4", again: "ninja -C build",
		check: "cd build && ctest --output-on-failure", idle: "no work to do", noLink: true,
	},
	{
		name: "CMake, Ninja, masquerade", project: "cmake", needs: []string{"cmake", "ninja"},
		set: "PATH=$LINKS:$PATH",
		configure: "cmake -G Ninja -S . -B build -DCMAKE_C_COMPILER=gcc -DCMAKE_CXX_COMPILER=g++ " +
			"-DCMAKE_Fortran_COMPILER=gfortran",
		make: "cmake --build build -j4", again: "ninja -C build",
		check: "cd build && ctest --output-on-failure", idle: "no work to do",
	},
	{
		name: "Autotools", project: "autotools", needs: []string{
			"autoreconf", "automake",
			"libtoolize", "make",
		}, wrapped: true,
		configure: "test -f main.F90 && mv main.F90 main.f90; autoreconf -fi >autoreconf.log " +
			"2>&1 || { cat autoreconf.log; exit 1; }; mkdir -p build && cd build && ../configure",
		make: "make -C build -j4", again: "make -C build", check: "make -C build check",
		idle: "Nothing to be done",
	},
	{
		name: "Meson", project: "meson", needs: []string{"meson", "ninja"}, wrapped: true,
		configure: "meson setup build",
		make:      "ninja -C build -j4", again: "ninja -C build",
		check: "meson test -C build --print-errorlogs", idle: "no work to do",
	},
}

var languages = []struct{ dir, name string }{{"c", "C"}, {"cxx", "CXX"}, {"fortran", "Fortran"}}

// TestBuilds builds a project in each language, by each build system, in parallel. The second
// build must have nothing to do. The project must pass its tests and be instrumented.
func TestBuilds(t *testing.T) {
	f := setUp(t)
	sources, err := txtar.ParseFile("testdata/projects/sources.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for i := range builds {
		b := &builds[i]
		recipes, err := txtar.ParseFile("testdata/projects/" + b.project + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range languages {
			t.Run(b.name+"/"+l.name, func(t *testing.T) {
				t.Parallel()
				for _, n := range b.needs {
					if _, err := exec.LookPath(n); err != nil {
						t.Skipf("%s is not there: make test installs it", n)
					}
				}
				r := f.room(t)
				if err := os.MkdirAll(r.temp, 0o777); err != nil {
					t.Fatal(err)
				}
				unpack(t, r.dir,
					append(sources.Files[:len(sources.Files):len(sources.Files)], recipes.Files...))
				b.run(t, f, r, l.dir, l.name)
			})
		}
	}
}

func (b *build) run(t *testing.T, f *fixture, r *room, dir, language string) {
	dir = filepath.Join(r.dir, dir)
	prefix := ""
	if b.wrapped {
		prefix = "opari cc "
	}
	env := []string{
		"TMPDIR=" + r.temp, "CC=" + prefix + "gcc", "CXX=" + prefix + "g++",
		"FC=" + prefix + "gfortran", "OMP_NUM_THREADS=2",
	}
	path := filepath.Dir(f.opari) + ":" + os.Getenv("PATH")
	set := b.set
	if strings.Contains(set, "%") {
		set = strings.ReplaceAll(set, "%[1]s", language)
	}
	switch {
	case strings.HasPrefix(set, "PATH="):
		path = f.links + ":" + path
	case strings.HasPrefix(set, "SET="):
		env = append(env, strings.ReplaceAll(set, "'", ""))
	case set != "":
		env = append(env, strings.Fields(set)...)
	}
	env = append(env, "PATH="+path)
	for _, step := range []struct{ name, script string }{
		{"configure", b.configure},
		{"build", b.make},
	} {
		if out, err := f.shell(t, dir, step.script, env...); err != nil ||
			strings.Contains(out, "opari:") {
			t.Fatalf("%s: %v\n%s", step.name, err, out)
		}
	}
	out, err := f.shell(t, dir, b.again, env...)
	if err != nil || !strings.Contains(out, b.idle) || strings.Contains(out, "Building") ||
		strings.Contains(out, "opari") {
		t.Errorf("the second build: %v\n%s", err, out)
	}
	if out, err := f.shell(t, dir, b.check, env...); err != nil {
		t.Errorf("its tests: %v\n%s", err, out)
	}
	if left, _ := filepath.Glob(filepath.Join(r.temp, "opari-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	profile := filepath.Join(r.dir, "profile")
	out, err = f.shell(t, dir, "./build/prog", append(env, "OPARI_PROFILE="+profile)...)
	if err != nil {
		t.Errorf("the program: %v %s", err, out)
	}
	regions := 0
	names, _ := filepath.Glob(profile + "*")
	for _, n := range names {
		text, _ := os.ReadFile(n)
		regions += strings.Count(string(text), `"name":"parallel`)
	}
	want := 2
	if b.noLink && language == "Fortran" {
		want = 0 // instrumented but not measured: see docs/reference/wrapper.md
		if out, err := f.shell(t, dir, "nm build/prog | grep -c ' C pomp_fortran_1\\| B "+
			"pomp_fortran_1\\| b pomp_fortran_1'", env...); err != nil ||
			fmt.Sprint(strings.TrimSpace(out)) != "1" {
			t.Errorf("the program is not instrumented: %v %s", err, out)
		}
	}
	if regions != want {
		t.Errorf("%d parallel regions in the profile, not %d: %v", regions, want, names)
	}
}
