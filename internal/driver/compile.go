package driver

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/term"

	"opari/internal/driver/commandline"
	"opari/internal/driver/messages"
	"opari/internal/driver/process"
	"opari/internal/driver/scan"
	"opari/internal/instrument"
)

// compile preprocesses, instruments and compiles.
func (s *session) compile() int {
	c := s.cmd
	if s.DryRun {
		return s.printPlan()
	}
	if s.opts.keep == "" && s.opts.Functions == nil && scan.HoldNothing(c) {
		s.warnOfOtherLibrary(nil)
		return s.Replace(c.Original(s.libs))
	}
	var results []*sourceText
	var said bytes.Buffer // the preprocessor's standard error
	instrumented := false
	for _, f := range c.Sources() {
		text, ok := s.preprocess(f, &said)
		if s.Interrupted() {
			return process.ExitFailed
		}
		if !ok { // the compiler itself says what is wrong
			s.Clean()
			return s.Replace(c.Original(s.libs))
		}
		r := &sourceText{file: f, text: text}
		results = append(results, r)
		defer r.close()
		if code := s.instrument(r); code != 0 {
			return code
		}
		instrumented = instrumented || r.draft != nil
	}
	s.warnOfOtherLibrary(results)
	if !instrumented {
		s.writeCoverage(results)
		return s.compileOriginal()
	}
	replaced, err := s.store(results)
	if err != nil {
		s.Errorf("%v", err)
		return process.ExitNoSpace
	}
	code := s.compileInstrumented(append(c.Compile(replaced), s.libs...), results, said.Bytes())
	for _, r := range results {
		if r.draft != nil && r.draft.Module != "" {
			_ = os.Remove(filepath.Join(c.ModuleFolder(), r.draft.Module+".mod"))
		}
	}
	s.writeCoverage(results)
	return code
}

// compileInstrumented compiles with the command words. preprocessor is what the preprocessor has
// said.
func (s *session) compileInstrumented(words []string, sources []*sourceText,
	preprocessor []byte,
) int {
	c := messages.Compilation{
		Command: s.cmd, Libraries: s.libs, Runner: &s.Runner, Color: s.wantsColor(),
		ShowInstrumented: s.opts.diagnostics == ofInstrumented,
		Restore:          modulesOf(s.cmd, sources).restore,
	}
	for _, t := range sources {
		c.Sources = append(c.Sources, messages.Source{
			File: t.file, Text: t.text, Instrumented: t.draft != nil, Write: t.writeTo,
		})
	}
	end := c.Run(words, preprocessor)
	if end.Code == 0 && !s.Interrupted() {
		s.warnOfPending()
	}
	if end.Rejected {
		return s.reject(end.Reason)
	}
	return end.Code
}

// reject does what --on-error demands after the compiler has rejected the instrumented text and
// compiled the original one. reason is what it said.
func (s *session) reject(reason []byte) int {
	s.rejected = true
	what := firstLines(reason, 12)
	switch s.opts.OnError {
	case instrument.Passthrough:
	case instrument.Fail:
		s.Errorf("the compiler does not take the instrumented text:\n%s", what)
		if s.cmd.Output != "" {
			_ = os.Remove(s.cmd.Output)
		}
		return process.ExitFailed
	default:
		s.Warnf("the compiler does not take the instrumented text; compiled without "+
			"instrumentation:\n%s", what)
	}
	return 0
}

// firstLines returns the first n lines of a step's output.
func firstLines(said []byte, n int) []byte {
	end := 0
	for ; n > 0; n-- {
		i := bytes.IndexByte(said[end:], '\n')
		if i < 0 {
			return said
		}
		end += i + 1
	}
	return said[:end]
}

// warnLater is Warnf for warnings that do not matter if the compiler rejects the original text.
func (s *session) warnLater(format string, args ...any) {
	s.pending = append(s.pending, func() { s.Warnf(format, args...) })
}

// warnOfPending prints the warnings of warnLater.
func (s *session) warnOfPending() {
	for _, warn := range s.pending {
		warn()
	}
	s.pending = nil
}

// compileOriginal turns into the original command, or runs it if warnings may have to follow.
func (s *session) compileOriginal() int {
	words := s.cmd.Original(s.libs)
	if len(s.pending) == 0 {
		s.Clean()
		return s.Replace(words)
	}
	code := s.Run(words, nil, nil)
	if code == 0 && !s.Interrupted() {
		s.warnOfPending()
	}
	return code
}

// preprocess returns the preprocessed text of f. The preprocessor's messages go to said.
func (s *session) preprocess(f *commandline.File, said *bytes.Buffer) ([]byte, bool) {
	if f.Preprocessed {
		text, err := os.ReadFile(f.Name)
		return text, err == nil
	}
	s.Watch()
	var out bytes.Buffer
	out.Grow(1 << 18)
	if s.Run(s.cmd.Preprocess(f, s.wantsColor()), &out, said) != 0 {
		return nil, false
	}
	return out.Bytes(), true
}

// wantsColor reports whether the compiler would colour messages that go to opari's standard
// error.
func (s *session) wantsColor() bool {
	return !s.cmd.ChoosesColor && term.IsTerminal(int(os.Stderr.Fd())) &&
		os.Getenv("TERM") != "dumb"
}

// printPlan prints what compile would do.
func (s *session) printPlan() int {
	replaced := map[*commandline.File]string{}
	dir := filepath.Join(os.TempDir(), "opari-0")
	for i, f := range s.cmd.Sources() {
		from := f.Name
		name := filepath.Join(dir, strconv.Itoa(i), f.TempName())
		if !f.Preprocessed {
			from = commandline.Stem(name) + ".orig" + filepath.Ext(name)
			fmt.Fprintf(s.Messages, "%s >%s\n", commandline.ShellQuote(s.cmd.Preprocess(f, false)),
				commandline.ShellQuote([]string{from}))
		}
		fmt.Fprintln(s.Messages, commandline.ShellQuote([]string{"opari", from, name}))
		replaced[f] = name
	}
	s.Print(append(s.cmd.Compile(replaced), s.libs...))
	return 0
}
