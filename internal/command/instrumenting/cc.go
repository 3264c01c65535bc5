package instrumenting

import (
	"github.com/spf13/cobra"

	"opari/internal/command/failure"
	"opari/internal/driver"
)

const ccLong = `opari cc stands before a compiler: opari cc gcc -fopenmp -c f.c -o f.o

Where OpenMP is on, it has the compiler preprocess each C, C++ or Fortran source, instruments
the text, and compiles it as the command line says. A link gets the measurement library. In
all other cases the compiler takes this process over, as it is. opari cc compiles as it is what
it cannot instrument, with a warning (--on-error).

  make CC="opari cc gcc" FC="opari cc gfortran"
  cmake -DCMAKE_C_COMPILER_LAUNCHER="opari;cc" -DCMAKE_C_LINKER_LAUNCHER="opari;cc"
  ln -s $(command -v opari) ~/masquerade/gcc; PATH=~/masquerade:$PATH make

Our options stand before the compiler's name. Environment:
  OPARI=off             run the compiler, do nothing else
  OPARI_FLAGS           options, such as --functions; the command line beats them
  OPARI_CONFIG=FILE     a file of options, which OPARI_FLAGS beats; by default opari/flags
                        in XDG_CONFIG_HOME or ~/.config
  OPARI_COVERAGE=FILE   append a JSON line for each directive: what became of it and why

opari cc leaves the programs alone by which configure, CMake and Meson try the compiler.`

// CC exists for the help: start calls the wrapper before it builds this command tree.
func CC() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cc [flags] COMPILER ARGUMENTS...",
		Short: "Compile and link with instrumentation: put this before the compiler",
		Long:  ccLong,
		Example: `  opari cc gcc -fopenmp program.c -o program
  make CC="opari cc gcc"`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if code := driver.Main(args); code != 0 {
				return failure.Exit(code)
			}
			return nil
		},
	}
	cmd.Flags().AddFlagSet(driver.CCFlags())
	return cmd
}
