package main

import (
	"github.com/spf13/cobra"

	"opari/internal/driver"
)

const ccLong = `opari cc stands before a compiler: opari cc gcc -fopenmp -c f.c -o f.o

Where OpenMP is on, each C, C++ and Fortran source is preprocessed by the compiler, instrumented,
and compiled as the command line says; a link gets the measurement library. In all other cases the
compiler takes this process over, as it is. What cannot be instrumented is compiled as it is, with a
warning (--on-error).

  make CC="opari cc gcc" FC="opari cc gfortran"
  cmake -DCMAKE_C_COMPILER_LAUNCHER="opari;cc"
  ln -s $(command -v opari) ~/masquerade/gcc; PATH=~/masquerade:$PATH make

Our options stand before the compiler's name. Environment:
  OPARI=off             run the compiler, do nothing else
  OPARI_FLAGS           options, such as --functions; those on the command line beat them
  OPARI_CONFIG=FILE     more options, which OPARI_FLAGS beats; without it opari/flags in the
                        folder of your configuration, XDG_CONFIG_HOME or ~/.config
  OPARI_COVERAGE=FILE   append a JSON line for each directive: what became of it and why

Programs by which configure, CMake and Meson try the compiler are left alone.`

// newCC is there for the help: start hands the command to the wrapper before this tree is built.
func newCC() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cc [flags] COMPILER ARGUMENTS...",
		Short: "Compile and link with instrumentation: put this before the compiler",
		Long:  ccLong,
		Args:  cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if code := driver.Main(args); code != 0 {
				return exitError(code)
			}
			return nil
		},
	}
	cmd.Flags().AddFlagSet(driver.CCFlags())
	return cmd
}
