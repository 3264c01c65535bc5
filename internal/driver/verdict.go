package driver

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strings"

	"opari/internal/instrument"
)

// What the user is told is what the compiler says of the user's own text. Of the instrumented one it may say something else: macros are
// expanded in it, so that warnings lose the notes of their expansion and point elsewhere within strings, and some come that
// are kept back inside of macros. So where it says anything that is not known to be the same (see faithful.go) the user's own command is run too, as
// far as it takes to hear it again, and is the one that is heard.

// last runs the last command and gives its verdict.
func (s *session) last(words []string, said *bytes.Buffer) int {
	own := s.opts.diagnostics == ofInstrumented
	misled := !own && s.misled()
	if colorWanted(s.cmd) {
		words = append(words, "-fdiagnostics-color=always")
	}
	if s.cmd.isHeardItself() || misled && s.cmd.warningsAreErrors() && !s.permitted() {
		return s.behindOwn(words)
	}
	if s.interrupted() {
		return exitFailed
	}
	s.say(words)
	var errs bytes.Buffer
	code := s.step(words, nil, &errs)
	if s.interrupted() {
		return code
	}
	switch {
	case code != 0:
		return s.refused(words, errs.Bytes(), nil)
	case own:
		s.pass(said.Bytes())
		s.pass(errs.Bytes())
	default:
		if code = s.pickMessages(words, said, errs.Bytes(), misled); code != 0 {
			return code
		}
	}
	s.tell()
	return 0
}

// isHeardItself reports whether the user's own command has to run, whatever there is to say of the text: it writes dependencies as no step of ours does, or it
// speaks of itself.
func (c *command) isHeardItself() bool {
	return slices.ContainsFunc(c.sources(), c.depsAreOthers) ||
		slices.ContainsFunc(c.args, func(a arg) bool { return a.name == "-v" || strings.HasPrefix(a.name, "-ftime-report") })
}

// behindOwn runs the user's own command, which is heard, and then the last one, whose files stay.
func (s *session) behindOwn(words []string) int {
	plain := s.cmd.plainWith(s.libs)
	s.say(plain)
	if code := s.step(plain, nil, nil); code != 0 || s.interrupted() {
		return code
	}
	s.say(words)
	var errs bytes.Buffer
	code := s.step(words, nil, &errs)
	switch {
	case s.interrupted():
	case code != 0:
		return s.refused(words, errs.Bytes(), io.Discard)
	default:
		s.tell()
	}
	return code
}

// pickMessages has the user hear what the compiler says of the user's own text, given what the preprocessor said and what the compiler said of the
// instrumented one.
func (s *session) pickMessages(words []string, said *bytes.Buffer, errs []byte, misled bool) int {
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
// of --on-error holds. What it says goes to heard, nil for standard error.
func (s *session) refused(words []string, errs []byte, heard io.Writer) int {
	s.modules.restore()
	plain := s.cmd.plainWith(s.libs)
	s.say(plain)
	if code := s.step(plain, nil, heard); code != 0 || s.interrupted() {
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
		if s.opts.OnError != instrument.Fail { // the object is gone
			s.say(plain)
			s.step(plain, nil, &rest)
		}
	}
	s.untaken = true
	what := firstLines(errs, 12)
	switch s.opts.OnError {
	case instrument.Passthrough:
	case instrument.Fail:
		s.errorf("the compiler does not take the instrumented text:\n%s", what)
		if s.cmd.output != "" {
			_ = os.Remove(s.cmd.output)
		}
		return exitFailed
	default:
		s.warnf("the compiler does not take the instrumented text; compiled without instrumentation:\n%s", what)
	}
	return 0
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
