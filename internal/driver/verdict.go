package driver

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// What the user is told is what the compiler says of the user's own text. Of the instrumented one it may say something else: macros are
// expanded in it, so that warnings lose the notes of their expansion and point elsewhere within strings, and some come that
// are kept back inside of macros. So where it says anything that is not known to be the same (see faithful.go) the user's own command is run too, as
// far as it takes to hear it again, and is the one that is heard.

// last runs the last command and gives its verdict.
func (s *session) last(words, libs []string, said *bytes.Buffer) int {
	own := s.opts.diagnostics == ofInstrumented
	misled := !own && s.misled()
	if misled && s.cmd.warningsAreErrors() {
		if code := s.forbidden(); code != 0 {
			return code
		}
	}
	if colorWanted(s.cmd) {
		words = append(words, "-fdiagnostics-color=always")
	}
	s.say(words)
	var errs bytes.Buffer
	code := s.step(words, nil, &errs)
	if s.interrupted() {
		return code
	}
	switch {
	case code != 0:
		return s.refused(words, libs, errs.Bytes())
	case slices.ContainsFunc(s.cmd.sources(), s.cmd.depsAreOthers):
		if code = s.again(words); code != 0 {
			return code
		}
	case own:
		s.pass(said.Bytes())
		s.pass(errs.Bytes())
	default:
		if code = s.judge(words, said, errs.Bytes(), misled); code != 0 {
			return code
		}
	}
	s.tell()
	return 0
}

// judge has the user hear what the compiler says of the user's own text, given what the preprocessor said and what the compiler said of the
// instrumented one.
func (s *session) judge(words []string, said *bytes.Buffer, errs []byte, misled bool) int {
	if said.Len() == 0 && !misled {
		h := hear(errs)
		switch {
		case len(errs) == 0 || s.withheld(h):
			return 0
		case s.faithful(h):
			s.pass(errs)
			return 0
		}
	}
	return s.retell(words, errs, hear(errs))
}

func (c *command) warningsAreErrors() bool {
	return slices.ContainsFunc(c.given, func(w string) bool { return strings.HasPrefix(w, "-Werror") })
}

// refused follows when the compiler does not take the instrumented text. The user's own command is run: either it fails too, and says so better,
// or warnings are errors, which do not count where the user's text has none, or the instrumentation is at fault, and the policy
// of --on-error holds.
func (s *session) refused(words, libs []string, errs []byte) int {
	s.modules.restore()
	plain := s.cmd.plainWith(nil)
	s.say(plain)
	if code := s.step(plain, nil, nil); code != 0 || s.interrupted() {
		return code
	}
	s.tell()
	if s.opts.diagnostics == ofOriginal && s.cmd.warningsAreErrors() {
		words = append(words[:len(words):len(words)], "-w")
		s.say(words)
		var rest bytes.Buffer
		if s.step(words, nil, &rest) == 0 || s.interrupted() {
			return 0
		}
		if s.opts.OnError != Fail { // the object is gone
			s.say(plain)
			s.step(plain, nil, &rest)
		}
	}
	s.untaken = true
	what := firstLines(errs, 12)
	switch s.opts.OnError {
	case Passthrough:
	case Fail:
		s.errorf("the compiler does not take the instrumented text:\n%s", what)
		if s.cmd.output != "" {
			_ = os.Remove(s.cmd.output)
		}
		return exitFailed
	default:
		s.warnf("the compiler does not take the instrumented text; compiled without instrumentation:\n%s", what)
	}
	if len(libs) > 0 { // objects that were instrumented before still want the library
		return s.step(s.cmd.plainWith(libs), nil, nil)
	}
	return 0
}

// retell lets the user hear what the compiler says of the user's own text, while the files stay those of the instrumented one. Where its front
// end says all that was said of the instrumented text, so far as that can be told apart and does not come from a front end, which has been asked, nothing more of the compiler needs to run.
func (s *session) retell(words []string, errs []byte, h *hearing) int {
	if s.cmd.cFamily() && !h.lost && !h.any(late) {
		if said, ok := s.runAside(errs, "-fsyntax-only"); s.interrupted() || ok && hear(said).holds(h.behind()) {
			s.pass(said)
			return 0
		}
	}
	if said, ok := s.runAside(errs, "-S"); ok || s.interrupted() {
		s.pass(said)
		return 0
	}
	return s.again(words)
}

// runAside runs the user's own command aside and gives what it said.
func (s *session) runAside(errs []byte, mode string) (said []byte, ok bool) {
	words := s.aside(errs, mode)
	if words == nil {
		return nil, false
	}
	s.say(words)
	var out, heard bytes.Buffer
	ok = s.step(words, &out, &heard) == 0
	return heard.Bytes(), ok
}

// again runs the user's own command and then words, which are not heard.
func (s *session) again(words []string) int {
	plain := s.cmd.plainWith(nil)
	s.say(plain)
	if code := s.step(plain, nil, nil); code != 0 || s.interrupted() {
		return code
	}
	s.say(words)
	var unheard bytes.Buffer
	return s.step(words, nil, &unheard)
}

// aside is the user's own command, with -S or -fsyntax-only for its mode, and with all that it writes in the temporary directory, nil where that
// cannot be had.
func (s *session) aside(errs []byte, as string) []string {
	c := s.cmd
	if c.mode == "" || len(c.sources()) != 1 || !c.onlyInput() || bytes.Contains(errs, []byte("Assembler messages:")) {
		return nil
	}
	dir, err := s.temp()
	if err != nil {
		return nil
	}
	dir = filepath.Join(dir, "aside")
	if os.MkdirAll(dir, 0o700) != nil {
		return nil
	}
	w := append([]string(nil), c.compiler...)
	if w = append(w, as); as == "-S" {
		w = append(w, "-o", filepath.Join(dir, "out.s"))
	}
	if colorWanted(c) {
		w = append(w, "-fdiagnostics-color=always")
	}
	for i := range c.args {
		a := &c.args[i]
		switch {
		case a.kind == output, a.kind == mode, a.kind == deps, a.kind == once:
			continue
		case strings.HasPrefix(a.words[0], "-fprofile-use"), strings.HasPrefix(a.words[0], "-fbranch-prob"):
			return nil // the file of counts is found by the output's name
		case strings.HasPrefix(a.words[0], "-fopt-info") && strings.Contains(a.words[0], "="):
			continue
		case strings.HasPrefix(a.words[0], "-Wp,") && strings.Contains(a.words[0], ",-M"):
			continue
		}
		w = append(w, a.words...)
	}
	return w
}

// pass hands on what a step said.
func (s *session) pass(said []byte) { _, _ = os.Stderr.Write(said) }

// later is warnf for what is of no interest where the compiler refuses the user's text.
func (s *session) later(format string, args ...any) {
	s.pending = append(s.pending, func() { s.warnf(format, args...) })
}

// tell says what was left for later.
func (s *session) tell() {
	for _, say := range s.pending {
		say()
	}
	s.pending = nil
}

// finish is replace for when something may be left to say after the compiler's verdict.
func (s *session) finish(words []string) int {
	if len(s.pending) == 0 {
		s.clean()
		return s.replace(words)
	}
	s.say(words)
	code := s.step(words, nil, nil)
	if code == 0 && !s.interrupted() {
		s.tell()
	}
	return code
}
