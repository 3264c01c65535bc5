// Package opari2 knows the command lines, names and files of OPARI2 2.0, so that opari can stand
// in OPARI2's place in the build scripts of other measurement systems.
//
// Options are those of opari2, and Answer answers opari2-config. The instrumented text makes the
// calls of opari's own interface. The file that OPARI2's build scripts generate before the link
// defines these calls, and makes POMP2's calls from them (package pomp2). Scripts find the units
// of a program by their symbols (symbol.go).
package opari2

// Version is the version of OPARI2 whose behaviour this package follows, and InterfaceVersion
// that of its library's interface.
const (
	Version          = "2.0.7"
	InterfaceVersion = "3:0:0"
)
