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

// messagesOfOriginal runs the original command only for its messages. It writes to the temporary
// folder and changes no file of the instrumented compilation. It goes no further than all
// messages require: d is what the compiler said of the instrumented text. If the front end
// repeats all of that, except for messages that only front ends give, the rest of the compiler
// need not run. ok is false if the messages cannot be had in this way.
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

// runForMessages runs the original command up to extent, once, and returns its messages.
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

// runIn runs the original command up to extent with its outputs in folder. If a message names
// this folder, the user would have seen another one.
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

// frontEndAccepts reports whether the front end accepts the original text. This matters if a
// warning may be an error that the instrumented text does not have. It runs before the
// instrumented text is compiled, so that no object remains.
func (c *Compilation) frontEndAccepts() bool {
	_, ok := c.runForMessages(commandline.FrontEnd)
	return ok
}
