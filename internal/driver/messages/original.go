package messages

import (
	"bytes"
	"os"
	"path/filepath"

	"opari/internal/driver/commandline"
)

// originalMessages are the messages of the original command up to an extent.
type originalMessages struct {
	said []byte
	ok   bool
}

// messagesOfOriginal runs the original command for its messages alone: it writes to the temporary
// folder, and no file of the instrumented compilation changes. It runs no further than it must to
// say all. d is what the compiler has said of the instrumented text: where the front end gives
// all of that again, but for messages that only front ends give, the rest of the compiler need
// not run. ok is false where the messages cannot be had in this way.
func (c *Compilation) messagesOfOriginal(d *diagnostics) (said []byte, ok bool) {
	if c.Command.AllInC() && !d.unknown && !d.anyLaterPass() {
		said, ok = c.runForMessages(commandline.FrontEnd)
		if c.Runner.Interrupted() || ok && parse(said).contain(d.possiblyLaterPass()) {
			return said, true
		}
	}
	extent := commandline.Assembly
	if c.Command.Links() && (d.unknown || c.Command.OptimizesInLink) {
		extent = commandline.Program
	}
	if extent == commandline.Assembly && d.ofAssembler {
		return nil, false
	}
	said, ok = c.runForMessages(extent)
	return said, ok || c.Runner.Interrupted()
}

// runForMessages runs the original command up to extent and gives what it said. It does so once.
func (c *Compilation) runForMessages(extent commandline.Extent) (said []byte, ok bool) {
	if m, done := c.original[extent]; done {
		return m.said, m.ok
	}
	m := originalMessages{}
	if folder, err := c.Runner.Folder(); err == nil {
		m = c.runIn(filepath.Join(folder, "original"), extent)
	}
	if c.original == nil {
		c.original = map[commandline.Extent]originalMessages{}
	}
	c.original[extent] = m
	return m.said, m.ok
}

// runIn runs the original command up to extent with folder for what it writes. Messages that name
// this folder are not those that the user would have seen.
func (c *Compilation) runIn(folder string, extent commandline.Extent) originalMessages {
	commands := c.Command.ForMessages(folder, extent, c.Libraries, c.Color)
	if commands == nil || os.MkdirAll(folder, 0o700) != nil {
		return originalMessages{}
	}
	var stdout, stderr bytes.Buffer
	for _, words := range commands {
		if c.Runner.Run(words, &stdout, &stderr) != 0 {
			return originalMessages{said: stderr.Bytes()}
		}
	}
	return originalMessages{stderr.Bytes(), !bytes.Contains(stderr.Bytes(), []byte(folder))}
}

// frontEndAccepts reports whether the front end takes the original text, where a warning may be
// an error that the instrumented text does not have. It is asked before the instrumented text is
// compiled, so that no object stays.
func (c *Compilation) frontEndAccepts() bool {
	_, ok := c.runForMessages(commandline.FrontEnd)
	return ok
}
