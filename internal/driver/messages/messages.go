// Package messages shows the user the compiler's messages about the original text, while the
// compiler compiles the instrumented one.
package messages

import (
	"bytes"
	"io"
	"os"

	"opari/internal/driver/commandline"
	"opari/internal/driver/process"
)

// Compilation is the last step of a command: the one that compiles the instrumented texts and
// links.
//
// Of the instrumented text the compiler may say something else than of the original one: macros
// are expanded in it, so that warnings lose the notes of their expansion and point elsewhere
// within strings, and some come that the compiler does not give within macros. So where it says
// anything that is not known to be the same, the original command runs too, as far as it takes to
// get its messages, and the user sees these.
type Compilation struct {
	Command *commandline.Command
	// Words for the link: what is instrumented elsewhere may need them in the original, too.
	Libraries        []string
	Sources          []Source
	Runner           *process.Runner
	Color            bool   // messages are in colour
	ShowInstrumented bool   // show the messages about the instrumented text
	Restore          func() // gives files back that a failed compilation has removed

	original map[commandline.Extent]originalMessages // that have been asked for
}

// Source is a source of the command.
type Source struct {
	File         *commandline.File
	Text         []byte                // preprocessed
	Instrumented bool                  // something has been inserted
	Write        func(io.Writer) error // writes the text that is compiled
}

// Outcome is the end of a compilation.
type Outcome struct {
	Code int // the compiler's exit code
	// Rejected says that the compiler takes the original text and not the instrumented one. The
	// original has then been compiled, and Reason is what the compiler said of the instrumented
	// text.
	Rejected bool
	Reason   []byte
}

// Run compiles by the command words. preprocessor is what the preprocessor has said of the
// original text.
func (c *Compilation) Run(words []string, preprocessor []byte) Outcome {
	indentation := !c.ShowInstrumented && c.mayWarnOfIndentation()
	if c.Color {
		words = append(words, "-fdiagnostics-color=always")
	}
	if c.Command.MustRun() || indentation && c.Command.WarningsAreErrors && !c.frontEndAccepts() {
		return c.originalFirst(words)
	}
	if c.Runner.Interrupted() {
		return Outcome{Code: process.ExitFailed}
	}
	var said bytes.Buffer
	code := c.Runner.Run(words, nil, &said)
	switch {
	case c.Runner.Interrupted():
		return Outcome{Code: code}
	case code != 0:
		return c.originalInstead(words, said.Bytes(), nil)
	case c.ShowInstrumented:
		show(preprocessor)
		show(said.Bytes())
		return Outcome{}
	}
	return Outcome{Code: c.showOriginal(words, preprocessor, said.Bytes(), indentation)}
}

// show prints what a step has said.
func show(said []byte) { _, _ = os.Stderr.Write(said) }

// runOriginal runs the original command. Its messages go to stderr, nil for ours.
func (c *Compilation) runOriginal(stderr io.Writer) int {
	return c.Runner.Run(c.Command.Original(c.Libraries), nil, stderr)
}

// originalFirst runs the original command, of which the user sees the messages, and then words,
// whose files stay.
func (c *Compilation) originalFirst(words []string) Outcome {
	if code := c.runOriginal(nil); code != 0 || c.Runner.Interrupted() {
		return Outcome{Code: code}
	}
	var said bytes.Buffer
	code := c.Runner.Run(words, nil, &said)
	if code != 0 && !c.Runner.Interrupted() {
		return c.originalInstead(words, said.Bytes(), io.Discard)
	}
	return Outcome{Code: code}
}

// originalInstead follows when the compiler does not take the instrumented text, of which it has
// said reason. The original command runs: either it fails too, and says why in the user's terms,
// or warnings are errors, which do not count where the original text has none, or the
// instrumentation is at fault. The messages of the original go to stderr, nil for ours.
func (c *Compilation) originalInstead(words []string, reason []byte, stderr io.Writer) Outcome {
	c.Restore()
	if code := c.runOriginal(stderr); code != 0 || c.Runner.Interrupted() {
		return Outcome{Code: code}
	}
	if !c.ShowInstrumented && c.Command.WarningsAreErrors {
		words = append(words[:len(words):len(words)], "-w")
		if c.Runner.Run(words, nil, io.Discard) == 0 || c.Runner.Interrupted() {
			return Outcome{}
		}
		c.runOriginal(io.Discard) // the object is gone
	}
	return Outcome{Rejected: true, Reason: reason}
}

// showOriginal has the user see what the compiler says of the original text, given what the
// preprocessor has said, and the compiler of the instrumented text. indentation is set where a
// warning about indentation may be missing.
func (c *Compilation) showOriginal(words []string, preprocessor, compiler []byte,
	indentation bool,
) int {
	d := parse(compiler)
	if len(preprocessor) == 0 && !indentation {
		switch {
		case len(compiler) == 0 || c.onlyMacrosCompare(d):
			return 0
		case c.sameForOriginal(d):
			show(compiler)
			return 0
		}
	}
	if said, ok := c.messagesOfOriginal(d); ok {
		show(said)
		return 0
	}
	if code := c.runOriginal(nil); code != 0 || c.Runner.Interrupted() {
		return code
	}
	return c.Runner.Run(words, nil, io.Discard)
}
