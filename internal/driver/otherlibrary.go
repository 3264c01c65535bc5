package driver

import (
	"bytes"
	"os"

	"opari/internal/driver/commandline"
	"opari/pomp"
)

// librarySymbols returns what the symbols of the linked files say about which library gets the
// events, still without the command's own sources. own are words that link a library which
// replaces opari's.
func librarySymbols(c *commandline.Command) (a *pomp.Symbols, own []string) {
	a = new(pomp.Symbols)
	files, all := c.LinkedFiles()
	if !all {
		a.AddUnreadable()
	}
	for _, f := range files {
		if a.Read(f.File); a.HasLibrary() {
			// Units refer to a library weakly. For a weak reference the linker takes no object
			// from an archive, and with --as-needed no shared library.
			switch shared, others := a.Replacement(); {
			case others && shared:
				return a, []string{"-Wl,--push-state,--no-as-needed", f.Word, "-Wl,--pop-state"}
			case others:
				return a, []string{"-Wl,-u,pomp_unit_1"}
			}
			break
		}
	}
	return a, nil
}

// warnOfOtherLibrary warns of a measurement library in the link that gets no events, because its
// interface is not the one that instrumented code calls. sources are the sources that were
// preprocessed.
func (s *session) warnOfOtherLibrary(sources []*sourceText) {
	if s.symbols == nil || s.DryRun {
		return
	}
	for _, f := range s.cmd.Sources() {
		text, instrumented := textOf(f, sources)
		if instrumented {
			s.symbols.AddInstrumented()
		}
		if mentionsLibrary(text) {
			s.symbols.AddUnreadable()
		}
	}
	if library, ok := s.symbols.UncalledLibrary(); ok {
		s.Warnf("%s; leave it out, opari's own library measures (opari run PROGRAM), "+
			"or adapt it to pomp_lib.h", library)
	}
}

// textOf returns the known text of a source, and whether it was instrumented.
func textOf(f *commandline.File, sources []*sourceText) (text []byte, instrumented bool) {
	for _, r := range sources {
		if r.file == f {
			return r.text, r.draft != nil
		}
	}
	text, _ = os.ReadFile(f.Name) // if it cannot be read, the text is empty and mentions nothing
	return text, false
}

// mentionsLibrary reports whether a source may define the library that gets the events, or may
// itself call another one.
func mentionsLibrary(text []byte) bool {
	for _, word := range []string{"pomp_unit_1", "POMP2_", "pomp_parallel_", "POMP_Parallel_"} {
		if bytes.Contains(text, []byte(word)) {
			return true
		}
	}
	return false
}
