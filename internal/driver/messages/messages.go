// Package messages shows the user the compiler's messages about the original text while the
// compiler compiles the instrumented one.
package messages

import (
	"bytes"
	"io"
	"os"

	"opari/internal/driver/commandline"
	"opari/internal/driver/process"
)

// Compilation is the last step of a command: it compiles the instrumented texts and links.
//
// The compiler's messages about the instrumented text may differ from those about the original
// one, because macros are expanded in it. Warnings lose the notes of their expansion and point
// elsewhere within strings, and some appear that the compiler omits within macros. So if a
// message is not known to be the same, the original command also runs, as far as its messages
// require, and the user sees these.
type Compilation struct {
	Command *commandline.Command
	// Libraries are words for the link. The original needs them, too, if other parts of the
	// program are instrumented.
	Libraries        []string
	Sources          []Source
	Runner           *process.Runner
	Color            bool   // messages are in colour
	ShowInstrumented bool   // show the messages about the instrumented text
	Restore          func() // restores files that a failed compilation has removed

	original map[commandline.Extent]originalMessages // the messages known so far
}

// Source is a source of the command.
type Source struct {
	File         *commandline.File
	Text         []byte                // the preprocessed text
	Instrumented bool                  // the text has insertions
	Write        func(io.Writer) error // writes the text for the compiler
}

// Outcome is the result of a compilation.
type Outcome struct {
	Code int // the compiler's exit code
	// Rejected says that the compiler accepts the original text but not the instrumented one. It
	// has then compiled the original; Reason is what it said of the instrumented text.
	Rejected bool
	Reason   []byte
}

// Run compiles with the command words. preprocessor is what the preprocessor said of the original
// text.
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

// show prints the output of a step.
func show(said []byte) { _, _ = os.Stderr.Write(said) }

// runOriginal runs the original command. Its messages go to stderr; nil means opari's own.
func (c *Compilation) runOriginal(stderr io.Writer) int {
	return c.Runner.Run(c.Command.Original(c.Libraries), nil, stderr)
}

// originalFirst runs the original command, whose messages the user sees, and then words, whose
// files stay.
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

// originalInstead runs the original command after the compiler has rejected the instrumented text
// with reason. There are three cases. The original fails, too, and says why in the user's terms.
// Or warnings are errors, which do not count if the original text has none. Or the
// instrumentation is at fault. The messages of the original go to stderr; nil means opari's own.
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
		c.runOriginal(io.Discard) // that removed the object
	}
	return Outcome{Rejected: true, Reason: reason}
}

// showOriginal shows what the compiler says of the original text. It gets what the preprocessor
// has said, and the compiler of the instrumented text. indentation is set if a warning about
// indentation may be missing.
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
