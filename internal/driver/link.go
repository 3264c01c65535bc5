package driver

import "opari/pomp"

// libraries are the words that link the measurement library, nil where the command does not need
// it: a shared library finds the interface in the program that loads it. A library that cannot be
// built is a warning: an instrumented program runs without it, too. A library of the same
// interface in the link takes the place of ours.
func (s *session) libraries() []string {
	c := s.cmd
	if !c.Links() || c.Partial || c.NoLibraries || c.Shared {
		return nil
	}
	var own []string
	if s.audience, own = audience(c); own != nil {
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
			s.Warnf("what stands between a static program and its runtime cannot be built: %v", err)
			return append(layer, lib.Libs(false)...)
		}
		return append(layer, wrapping.Libs()...)
	}
	return append(layer, lib.DynamicLibs()...)
}
