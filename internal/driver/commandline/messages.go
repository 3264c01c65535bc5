package commandline

import (
	"path/filepath"
	"slices"
	"strconv"

	"opari/internal/pattern"
)

// An Extent says how far the original command goes when it runs only for its messages.
type Extent string

// The extents are options that end a compilation.
const (
	FrontEnd Extent = "-fsyntax-only"
	Assembly Extent = "-S"
	Program  Extent = "" // through the link
)

// ForMessages returns the original command up to extent, with all its outputs in folder. It
// returns nil if the command would write or read elsewhere. libs are the words for the link. For
// Assembly each source has its own command, since there is no name for several outputs.
func (c *Command) ForMessages(folder string, extent Extent, libs []string, color bool) [][]string {
	if c.readsByOutputName || extent == Program &&
		slices.ContainsFunc(c.Args, func(a Argument) bool { return a.writesInLink() }) {
		return nil
	}
	every := func(*File) bool { return true }
	switch extent {
	case Program:
		return [][]string{c.WithLibraries(c.forMessages(filepath.Join(folder, "out"), extent, every,
			color), libs)}
	case FrontEnd:
		return [][]string{c.forMessages(filepath.Join(folder, "out"), extent, every, color)}
	}
	var all [][]string
	sources := c.Sources()
	for i, f := range sources {
		// The last command has the linker's words, about which the compiler's driver has messages
		// at the end.
		last := i == len(sources)-1
		wanted := func(of *File) bool { return of == f || last && !of.Source }
		all = append(all, c.forMessages(filepath.Join(folder, strconv.Itoa(i)+".s"), extent, wanted,
			color))
	}
	return all
}

// forMessages returns that command for the wanted inputs.
func (c *Command) forMessages(output string, extent Extent, wanted func(*File) bool,
	color bool,
) []string {
	w := append([]string(nil), c.Compiler...)
	if extent != Program {
		w = append(w, string(extent))
	}
	if extent != FrontEnd || !c.clang {
		w = append(w, "-o", output)
	}
	if color {
		w = append(w, "-fdiagnostics-color=always")
	}
	for i := range c.Args {
		a := &c.Args[i]
		switch a.Kind {
		case Output, Mode, Dependencies, LastStep:
			continue
		case Input:
			linked := !a.File.Source
			if !wanted(a.File) || linked && extent != Program &&
				(c.Links() || a.File.isAssembler()) {
				continue
			}
		case Link:
			if extent != Program && c.Links() {
				continue
			}
		}
		if !a.namesFile {
			w = append(w, a.Words...)
		}
	}
	return w
}

// linkerOutput matches words that name an output file of the linker, and response files, which
// may contain such words.
var linkerOutput = pattern.Lazy{Text: `^(-Wl,|-Wl,.*,)?(--?(Map|dependency-file|out-implib|output)|-o|@)`}

// writesInLink reports whether a link may write more than the file of -o.
func (a *Argument) writesInLink() bool {
	return a.writesMore || a.Kind != Output &&
		slices.ContainsFunc(a.Words, linkerOutput.Get().MatchString)
}

// MustRun reports whether the original command has to run, whatever messages there are: it writes
// dependencies unlike any of opari's steps, or describes itself.
func (c *Command) MustRun() bool {
	return c.describesItself || slices.ContainsFunc(c.Sources(), c.LeavesDependencies)
}
