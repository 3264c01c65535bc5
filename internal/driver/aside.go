package driver

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The user's own command is run aside for its messages alone: all that it writes goes to the temporary directory, and the files stay those of the instrumented
// text. It runs no further than it must to say all: through the front end, to assembler, or, where the linker has spoken, to the end.

const (
	throughFrontEnd = "-fsyntax-only"
	toAssembler     = "-S"
	toTheEnd        = "" // the link
)

// overheard is what was said aside.
type overheard struct {
	said []byte
	ok   bool
}

// retell lets the user hear what the compiler says of the user's own text. Where its front
// end says all that was said of the instrumented text, so far as that can be told apart and does not come from a front end, which has been asked, nothing more of the compiler needs to run.
func (s *session) retell(words []string, errs []byte, h *hearing) int {
	if s.cmd.cFamily() && !h.lost && !h.anyLate() {
		if said, ok := s.runAside(throughFrontEnd); s.interrupted() || ok && hear(said).holds(h.behind()) {
			s.pass(said)
			return 0
		}
	}
	mode := toAssembler
	if s.cmd.links() && (h.lost || s.cmd.optimizesInLink()) {
		mode = toTheEnd
	}
	if mode == toTheEnd || !bytes.Contains(errs, []byte("Assembler messages:")) {
		if said, ok := s.runAside(mode); ok || s.interrupted() {
			s.pass(said)
			return 0
		}
	}
	return s.again(words)
}

// optimizesInLink reports whether warnings of the text may come from the link.
func (c *command) optimizesInLink() bool {
	return slices.ContainsFunc(c.given, func(w string) bool { return strings.HasPrefix(w, "-flto") })
}

// runAside runs the user's own command aside and gives what it said. It does so once.
func (s *session) runAside(mode string) (said []byte, ok bool) {
	if o, done := s.asides[mode]; done {
		return o.said, o.ok
	}
	o := overheard{}
	if dir, err := s.temp(); err == nil {
		o = s.overhear(filepath.Join(dir, "aside"), mode)
	}
	if s.asides == nil {
		s.asides = map[string]overheard{}
	}
	s.asides[mode] = o
	return o.said, o.ok
}

// overhear runs it with dir for what it writes. What it says with that name in it is not what it would say.
func (s *session) overhear(dir, mode string) overheard {
	commands := s.cmd.aside(dir, mode)
	if commands == nil || os.MkdirAll(dir, 0o700) != nil {
		return overheard{}
	}
	var out, heard bytes.Buffer
	for _, words := range commands {
		if mode == toTheEnd {
			words = s.cmd.with(words, s.libs)
		}
		s.say(words)
		if s.step(words, &out, &heard) != 0 {
			return overheard{said: heard.Bytes()}
		}
	}
	return overheard{heard.Bytes(), !bytes.Contains(heard.Bytes(), []byte(dir))}
}

// again runs the user's own command and then words, which are not heard.
func (s *session) again(words []string) int {
	plain := s.cmd.plainWith(s.libs)
	s.say(plain)
	if code := s.step(plain, nil, nil); code != 0 || s.interrupted() {
		return code
	}
	s.say(words)
	var unheard bytes.Buffer
	return s.step(words, nil, &unheard)
}

// aside is the user's own command as far as mode, with all that it writes in dir; nil where that cannot be had. To assembler each source goes by itself, since
// no name can be given to several outputs.
func (c *command) aside(dir, mode string) [][]string {
	if slices.ContainsFunc(c.args, func(a arg) bool { return a.writesByName() || mode == toTheEnd && a.writesInLink() }) {
		return nil
	}
	if mode != toAssembler {
		return [][]string{c.asideOf(filepath.Join(dir, "out"), mode, func(*inputFile) bool { return true })}
	}
	var all [][]string
	sources := c.sources()
	for i, f := range sources {
		last := i == len(sources)-1 // has what is for the linker, of which the compiler's driver speaks at the end
		all = append(all, c.asideOf(filepath.Join(dir, strconv.Itoa(i)+".s"), mode, func(of *inputFile) bool { return of == f || last && !of.source }))
	}
	return all
}

// asideOf is that command for the inputs that are wanted.
func (c *command) asideOf(output, mode string, wanted func(*inputFile) bool) []string {
	w := append([]string(nil), c.compiler...)
	if mode != toTheEnd {
		w = append(w, mode)
	}
	if mode != throughFrontEnd || !c.clang {
		w = append(w, "-o", output)
	}
	if colorWanted(c) {
		w = append(w, "-fdiagnostics-color=always")
	}
	for i := range c.args {
		a := &c.args[i]
		switch a.kind {
		case input:
			linked := !a.file.source
			if !wanted(a.file) || linked && mode != toTheEnd && (c.links() || a.file.isAssembler()) {
				continue
			}
		case link:
			if mode != toTheEnd && c.links() {
				continue
			}
		}
		if !a.isForFiles() {
			w = append(w, a.words...)
		}
	}
	return w
}

// isAssembler reports whether the file is assembler's input.
func (f *inputFile) isAssembler() bool {
	return f.asm || strings.HasPrefix(f.explicit, "assembler") || f.explicit == "" && filepath.Ext(f.name) == ".s"
}

// isForFiles reports whether an argument is about the files that are written.
func (a *arg) isForFiles() bool {
	switch {
	case a.kind == output, a.kind == mode, a.kind == deps, a.kind == once:
		return true
	case strings.HasPrefix(a.words[0], "-fopt-info") && strings.Contains(a.words[0], "="):
		return true
	}
	return strings.HasPrefix(a.words[0], "-Wp,") && strings.Contains(a.words[0], ",-M")
}

// writesByName reports whether what is read or written has a name that is made from the output's.
func (a *arg) writesByName() bool {
	return strings.HasPrefix(a.words[0], "-fprofile-use") || strings.HasPrefix(a.words[0], "-fbranch-prob") // the file of counts is found by it
}

// besideOutput matches options with which a link writes more than what -o names: files of the linker, and those that older compilers put into the current folder.
var besideOutput = regexp.MustCompile(`^-(gsplit-dwarf|-?coverage|ftest-coverage|fprofile-|fstack-usage|fcallgraph-info|fsave-optimization-record)|` +
	`^(-Wl,|-Wl,.*,)?(--?(Map|dependency-file|out-implib|output)|-o|@)`)

// writesInLink reports whether a link may write more than what -o names.
func (a *arg) writesInLink() bool {
	return a.kind != output && slices.ContainsFunc(a.words, besideOutput.MatchString)
}
