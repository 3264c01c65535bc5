package main

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"opari/internal/driver"
	"opari/internal/mpi"
	"opari/pomp"
)

func newConfig() *cobra.Command {
	var cflags, libs, static, shared, fortran bool
	var cc string
	cmd := &cobra.Command{
		Use:   "config [--cflags] [--libs] [--static|--shared] [--fortran]",
		Short: "Print the options for compiling and linking by hand",
		Long: `config prints what a compiler needs to compile code that includes pomp_lib.h
(--cflags; instrumented code alone needs nothing) and to link an instrumented program with the
measurement library (--libs). In the program, the library stands before the OpenMP runtime, as in
one that opari cc links. A program that is itself linked with -static needs --libs --static. The
library is built for the compiler on first use and kept in the cache directory.`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			switch {
			case !cflags && !libs:
				return usageError{errors.New("say --cflags, --libs or both")}
			case static && shared:
				return usageError{errors.New("--static and --shared exclude each other")}
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
				// whether the program is linked with -fopenmp or not
				words = append(words, "-lgomp")
			}
			_, err = fmt.Println(driver.ShellQuote(words))
			return err
		},
	}
	fs := cmd.Flags()
	fs.BoolVar(&cflags, "cflags", false, "options for compiling")
	fs.BoolVar(&libs, "libs", false, "options for linking")
	fs.BoolVar(&static, "static", false, "the program is linked with -static")
	fs.BoolVar(&shared, "shared", false,
		"link the library as a shared one (default: into the program)")
	fs.BoolVar(&fortran, "fortran", false,
		"the program has Fortran in it: learn of its tasks and locks from libgomp")
	fs.StringVar(&cc, "cc", "gcc", "compiler that the library is built for, with its options")
	return cmd
}

func newInstall() *cobra.Command {
	var prefix, cc, mpicc string
	cmd := &cobra.Command{
		Use:   "install --prefix DIR",
		Short: "Install the measurement library, its headers and pomp.pc",
		Long: `install puts the measurement library below a directory: lib/libpomp.a,
lib/libpomp.so, the headers, and pomp.pc for pkg-config. Where MPI's compiler is there, or is named
by --mpicc, the MPI layer comes with it, lib/libopari_mpi.a and opari_mpi.pc. It is for that MPI
alone.`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			if prefix == "" {
				return usageError{errors.New("say where: --prefix=DIR")}
			}
			lib, err := buildLibrary(cc)
			if err != nil {
				return err
			}
			if err := lib.Install(prefix, version); err != nil {
				return osError(prefix, err)
			}
			return installLayer(prefix, mpicc)
		},
	}
	cmd.Flags().StringVar(&prefix, "prefix", "", "directory that gets lib and include")
	cmd.Flags().StringVar(&cc, "cc", "gcc",
		"compiler that the library is built for, with its options")
	cmd.Flags().StringVar(&mpicc, "mpicc", "", "MPI's compiler that the MPI layer is built for, "+
		"with its options; - is none (default mpicc, if it is there)")
	return cmd
}

// installLayer installs the MPI layer, where there is MPI.
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
	if err := mpi.Install(words, prefix, version); err != nil {
		return fmt.Errorf("opari: error: the MPI layer: %w", err)
	}
	return nil
}

// buildLibrary builds the library for the compiler command cc.
func buildLibrary(cc string) (pomp.Lib, error) {
	words := strings.Fields(cc)
	if len(words) == 0 {
		return pomp.Lib{}, usageError{errors.New("--cc: no compiler")}
	}
	lib, err := pomp.Build(words, "")
	if err != nil {
		return lib, fmt.Errorf("opari: error: %w", err)
	}
	return lib, nil
}

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError{fmt.Errorf("%s: %s takes options only", args[0], cmd.CommandPath())}
	}
	return nil
}
