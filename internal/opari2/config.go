package opari2

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Config answers the questions of build scripts, as opari2-config does.
type Config struct {
	Prefix   string    // where opari2 is installed
	Revision string    // of opari
	Out, Err io.Writer // the answer, and messages
	// InitFile writes the initialization file of the units that it is given.
	InitFile func(w io.Writer, units []Unit) error
	In       io.Reader // the output of nm, for InitFile
}

// initFile is the question that our script asks, and no other.
const initFile = "--init-file"

// Answer answers the last question in args and returns the exit code.
func (c *Config) Answer(args []string) int {
	question, cc := "--help", ""
	var objects []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		name, value, _ := strings.Cut(a, "=")
		switch {
		case name == "--cflags":
			question, cc = name, value
		case slices.Contains(questions, a):
			question = a
		case slices.Contains([]string{"--awk-cmd", "--awk-script", "--egrep"}, a):
			question = a
		case a == "--build-check" || a == "--fortran":
		case name == "--config":
			fmt.Fprintf(c.Err, "opari2-config: warning: %s is ignored\n", a)
		case question == createRegions && a[:min(1, len(a))] != "-":
			objects = append(objects, a)
		default:
			return c.unknown(a)
		}
	}
	if !slices.Contains(compilers, cc) {
		return c.unknown("--cflags=" + cc)
	}
	return c.answer(question, cc, objects)
}

// compilers are those that --cflags knows; "" is any.
var compilers = []string{"", "gnu", "intel", "sun", "pgi", "ibm", "cray", "fujitsu"}

const createRegions = "--create-pomp2-regions"

var questions = []string{
	"--nm", "--region-initialization", createRegions, "--version", "--interface-version",
	"--revision", "--opari2-revision", "--common-revision", "--help", initFile,
}

func (c *Config) unknown(option string) int {
	fmt.Fprintf(c.Err, "\nUnknown option %s. Abort.\n\n"+
		"Print opari2-config --help to get a list of options\n\n", option)
	return 1
}

func (c *Config) answer(question, cc string, objects []string) int {
	text := ""
	switch question {
	case "--nm":
		text = program("nm") + " -B"
	case "--awk-cmd":
		text = program("awk", "mawk", "gawk")
	case "--egrep":
		text = program("grep") + " -E"
	case "--awk-script", "--region-initialization":
		text = c.script()
	case createRegions:
		if len(objects) == 0 {
			fmt.Fprintln(c.Err, "\nERROR: Object files missing. Abort.")
			return 1
		}
		text = program("nm") + " -B " + strings.Join(objects, " ") + "  | " + c.script()
	case "--cflags":
		text = "-I" + filepath.Join(c.Prefix, "include")
		if cc == "intel" {
			text += " -warn nounused"
		} else if cc == "gnu" {
			text += " -Wno-unused"
		}
		if _, err := os.Stat(c.archive()); err == nil {
			text += " -Wl,-u,pomp_unit_1 -L" + filepath.Dir(c.archive()) + " -l" + archiveName
		}
	case "--version":
		text = Version + "\n"
	case "--interface-version":
		text = InterfaceVersion + "\n"
	case "--revision", "--opari2-revision", "--common-revision":
		text = "opari-" + c.Revision
	case "--help":
		text = configHelp
	case initFile:
		return c.initFile()
	}
	if _, err := io.WriteString(c.Out, text); err != nil {
		fmt.Fprintf(c.Err, "opari2-config: error: %v\n", err)
		return 1
	}
	return 0
}

func (c *Config) initFile() int {
	nm, err := io.ReadAll(c.In)
	if err == nil {
		err = c.InitFile(c.Out, Units(string(nm)))
	}
	if err != nil {
		fmt.Fprintf(c.Err, "opari2-config: error: %v\n", err)
		return 1
	}
	return 0
}

// program returns the path of the first of the programs that PATH has, or else the first name.
func program(names ...string) string {
	for _, n := range names {
		if path, err := exec.LookPath(n); err == nil {
			return path
		}
	}
	return names[0]
}

const configHelp = `Usage: opari2-config [OPTION] ... <command>

with the following commands:

   --nm                       Prints the nm command.
   --region-initialization    Prints the script that makes the initialization
                              file from the output of nm.
   --create-pomp2-regions <object files>
                              Prints the whole command that makes it.
   --awk-cmd, --awk-script, --egrep
                              [Deprecated, use --region-initialization]
                              Print the commands for awk and egrep, and the
                              script, which awk can run, too.
   --cflags[=(gnu|intel|sun|pgi|ibm|cray|fujitsu)]
                              Prints the options for compiling that file.
   --version                  Prints the version of OPARI2 that this follows.
   --interface-version        Prints the version of the POMP2 interface.
   --revision                 Prints the revision of opari.
   --help                     Prints this text.

and the following options, which have no effect here:

   [--fortran] [--build-check] [--config=<config file>]
`
