package driver

import "opari/pomp"

// libraries returns the words that link the measurement library; nil if the command does not need
// it. A shared library does not, as it finds the interface in the program that loads it. If the
// library cannot be built, opari warns: an instrumented program runs without it, too. A library
// of the same interface in the link replaces opari's.
func (s *session) libraries() []string {
	c := s.cmd
	if !c.Links() || c.Partial || c.NoLibraries || c.Shared {
		return nil
	}
	var own []string
	if s.symbols, own = librarySymbols(c); own != nil {
		return append(s.mpiLayer(), own...)
	}
	cc := append([]string{c.CCompiler()}, c.Machine...)
	lib, err := pomp.Build(cc, "")
	if err != nil {
		s.Warnf("the measurement library cannot be built, the program is linked without it: %v",
			err)
		return nil
	}
	layer := s.mpiLayer()
	switch {
	case !c.OpenMP:
		return append(layer, lib.Libs(false)...)
	case c.Static:
		wrapping, err := pomp.BuildWrapping(cc, "")
		if err != nil {
			s.Warnf("the wrappers of the calls of a static program's runtime cannot be built: %v",
				err)
			return append(layer, lib.Libs(false)...)
		}
		return append(layer, wrapping.Libs()...)
	}
	return append(layer, lib.DynamicLibs()...)
}
