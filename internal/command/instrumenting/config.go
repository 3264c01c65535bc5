package instrumenting

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"opari/internal/buildfiles"
	"opari/internal/command/arguments"
	"opari/internal/command/build"
	"opari/internal/command/failure"
	"opari/internal/driver"
	"opari/internal/driver/commandline"
	"opari/internal/instrument"
	"opari/internal/mpi"
	"opari/internal/pomp2"
	"opari/pomp"
)

// Config makes the command `opari config`.
func Config() *cobra.Command {
	var cflags, libs, static, shared, fortran bool
	var cc, pomp1 string
	cmd := &cobra.Command{
		Use:   "config [--cflags] [--libs] [--static|--shared] [--fortran] [--opari1=NAMES]",
		Short: "Print the options for compiling and linking by hand",
		Long: `config prints the options for building an instrumented program by hand.

--cflags are those for code that includes pomp_lib.h; instrumented code alone needs none. --libs
link the measurement library before the OpenMP runtime, as opari cc does. A program that is
itself linked with -static needs --libs --static. The first use builds the library for the
compiler and keeps it in the cache directory.

--opari1 is for a measurement library that was made for OPARI 1.x. It prints a C file, which the
program is linked with, or with --libs the options for that link. NAMES says how the library
spells its calls: mixed as POMP_For_enter, lower as pomp_for_enter.`,
		Example: "  opari program.c && gcc -fopenmp program.mod.c $(opari config --libs)",
		Args:    arguments.None,
		RunE: func(*cobra.Command, []string) error {
			switch {
			case pomp1 != "none":
				return printForOPARI1(pomp1, libs)
			case !cflags && !libs:
				return failure.Usage(errors.New("say --cflags, --libs or both"))
			case static && shared:
				return failure.Usage(errors.New("--static and --shared exclude each other"))
			}
			lib, err := buildLibrary(cc)
			if err != nil {
				return err
			}
			var words []string
			if cflags {
				words = append(words, lib.CFlags()...)
			}
			switch {
			case libs && shared:
				words = append(words, lib.Libs(true)...)
			case libs && static:
				wrapping, err := pomp.BuildWrapping(strings.Fields(cc), "")
				if err != nil {
					return fmt.Errorf("opari: error: %w", err)
				}
				words = append(words, wrapping.Libs()...)
			case libs:
				words = append(words, lib.DynamicLibs()...)
			}
			if libs && fortran && !shared {
				// The link may lack -fopenmp, so name the runtime in any case.
				words = append(words, "-lgomp")
			}
			_, err = fmt.Println(commandline.ShellQuote(words))
			return err
		},
	}
	fs := cmd.Flags()
	fs.BoolVar(&cflags, "cflags", false, "print the options for compiling")
	fs.BoolVar(&libs, "libs", false, "print the options for linking")
	fs.BoolVar(&static, "static", false, "the program is linked with -static")
	fs.BoolVar(&shared, "shared", false,
		"link the library as a shared one (default: into the program)")
	fs.BoolVar(&fortran, "fortran", false,
		"the program has Fortran in it: measure its tasks and locks")
	fs.StringVar(&cc, "cc", "gcc", "build the library for this compiler, with its options")
	fs.Var(instrument.NewChoice(&pomp1, "none", "mixed", "lower"), "opari1",
		"for a library made for OPARI 1.x: print the file that it hears the program by")
	return cmd
}

// opari1Regions is how many constructs, and how many user regions, the table of OPARI 1.x takes.
const opari1Regions = 100_000

// printForOPARI1 prints the initialization file for a library with such names, or the options for
// its link.
func printForOPARI1(spelling string, libs bool) error {
	names := pomp2.Mixed
	if spelling == "lower" {
		names = pomp2.Lower
	}
	if libs {
		_, err := fmt.Println(commandline.ShellQuote(pomp2.LinkOptions(names)))
		return err
	}
	return pomp2.InitFile1(os.Stdout, names, opari1Regions)
}

// Install makes the command `opari install`.
func Install() *cobra.Command {
	var prefix, cc, mpicc, wrappers string
	cmd := &cobra.Command{
		Use:   "install --prefix DIR | --wrappers DIR [COMPILER...]",
		Short: "Install the measurement library, or compilers of one word",
		Long: `install --prefix puts the measurement library below a directory: lib/libpomp.a,
lib/libpomp.so, the headers, pomp.pc for pkg-config, files for CMake's find_package(opari), and
share/opari with a toolchain file for CMake and a native file for Meson. It also installs the MPI
layer, lib/libopari_mpi.a and opari_mpi.pc, where it finds mpicc or --mpicc names a compiler. The
layer is for that MPI alone.

install --wrappers makes opari-gcc, opari-g++, opari-gfortran and more in a directory. They are
links to this program: opari-gcc is "opari cc gcc" in one word. Names of compilers, such as gcc-13,
choose for which.`,
		Example: `  opari install --prefix ~/opari
  opari install --wrappers ~/bin && make CC=opari-gcc`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case prefix == "" && wrappers == "":
				return failure.Usage(errors.New("say where: --prefix=DIR or --wrappers=DIR"))
			case wrappers == "" && len(args) > 0:
				return failure.Usage(fmt.Errorf("%s: install --prefix takes options only", args[0]))
			}
			if wrappers != "" {
				if err := installWrappers(wrappers, args); err != nil || prefix == "" {
					return err
				}
			}
			lib, err := buildLibrary(cc)
			if err != nil {
				return err
			}
			if err := lib.Install(prefix, build.Version); err != nil {
				return failure.OS(prefix, err)
			}
			if err := buildfiles.Install(prefix, build.Version); err != nil {
				return failure.OS(prefix, err)
			}
			return installLayer(prefix, mpicc)
		},
	}
	cmd.Flags().StringVar(&prefix, "prefix", "",
		"install into lib and include below this directory")
	cmd.Flags().StringVar(&wrappers, "wrappers", "",
		"make opari-gcc and its kin in this directory")
	cmd.Flags().StringVar(&cc, "cc", "gcc", "build the library for this compiler, with its options")
	cmd.Flags().StringVar(&mpicc, "mpicc", "", "build the MPI layer for this compiler, with its "+
		"options; - builds none (default mpicc, if it is there)")
	return cmd
}

// installWrappers makes wrappers in dir for the compilers, or for the usual ones.
func installWrappers(dir string, compilers []string) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("opari: error: %w", err)
	}
	if len(compilers) == 0 {
		compilers = driver.Wrapped()
	}
	if err := driver.InstallWrappers(self, dir, compilers); err != nil {
		return fmt.Errorf("opari: error: %w", err)
	}
	return nil
}

// installLayer installs the MPI layer if MPI is there.
func installLayer(prefix, mpicc string) error {
	words := strings.Fields(mpicc)
	if len(words) == 0 {
		path, err := exec.LookPath("mpicc")
		if err != nil {
			return nil
		}
		words = []string{path}
	}
	if mpicc == "-" {
		return nil
	}
	if err := mpi.Install(words, prefix, build.Version); err != nil {
		return fmt.Errorf("opari: error: the MPI layer: %w", err)
	}
	return nil
}

// buildLibrary builds the library for the compiler command cc.
func buildLibrary(cc string) (pomp.Lib, error) {
	words := strings.Fields(cc)
	if len(words) == 0 {
		return pomp.Lib{}, failure.Usage(errors.New("--cc: no compiler"))
	}
	lib, err := pomp.Build(words, "")
	if err != nil {
		return lib, failure.Compiler(err)
	}
	return lib, nil
}
