package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"opari/otf"
)

// progressBar is a terminal line that shows the progress of long work. It appears after a
// moment, so that short work shows none, and end clears it. A nil progressBar does nothing:
// standard error is no terminal.
type progressBar struct {
	what        string
	begin, last time.Time
	shown       bool
}

func newProgress(what string) *progressBar {
	if !isTerminal(os.Stderr) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return &progressBar{what: what, begin: time.Now()}
}

// set shows that done of size is done.
func (p *progressBar) set(done, size int64) {
	now := time.Now()
	if p == nil || size <= 0 || now.Sub(p.begin) < 500*time.Millisecond ||
		now.Sub(p.last) < 100*time.Millisecond {
		return
	}
	p.last, p.shown = now, true
	width := min(max(terminalWidth(os.Stderr)-len(p.what)-10, 10), 50)
	part := min(float64(done)/float64(size), 1)
	full := int(part * float64(width))
	fmt.Fprintf(os.Stderr, "\r%s [%s%s] %3.0f %%", p.what, strings.Repeat("=", full),
		strings.Repeat(" ", width-full), 100*part)
}

// reader returns set as a callback for package otf, and nil if nothing is shown.
func (p *progressBar) reader() func(otf.Progress) {
	if p == nil {
		return nil
	}
	return func(at otf.Progress) { p.set(at.BytesRead, at.BytesSize) }
}

// end clears the line.
func (p *progressBar) end() {
	if p != nil && p.shown {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
}
