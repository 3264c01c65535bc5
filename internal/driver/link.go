package driver

import "opari/pomp"

// libraries are the words that link the measurement library, nil where the command has no use for it: a shared library finds the
// interface in the program that loads it. What stands in the way is a warning: an instrumented program runs without
// the library as well. A library of the same interface in the link takes the place of ours.
func (s *session) libraries() []string {
	c := s.cmd
	if !c.links() || c.partial || c.noLib || c.shared {
		return nil
	}
	var own []string
	if s.audience, own = c.audience(); own != nil {
		return append(s.mpiLayer(), own...)
	}
	cc := append([]string{cCompilerOf(c.compiler[len(c.compiler)-1])}, c.machine...)
	lib, err := pomp.Build(cc, "")
	if err != nil {
		s.warnf("the measurement library cannot be built, the program is linked without it: %v", err)
		return nil
	}
	layer := s.mpiLayer()
	switch {
	case !c.openmp:
		return append(layer, lib.Libs(false)...)
	case c.static:
		wrapping, err := pomp.BuildWrapping(cc, "")
		if err != nil {
			s.warnf("what stands between a static program and its runtime cannot be built: %v", err)
			return append(layer, lib.Libs(false)...)
		}
		return append(layer, wrapping.Libs()...)
	}
	return append(layer, lib.DynamicLibs()...)
}
