package terminal

import (
	"fmt"
	"os"
	"strings"
	"time"

	"opari/otf"
)

// Progress is a terminal line that shows the progress of long work. It appears after a
// moment, so that short work shows none, and end clears it. A nil Progress does nothing:
// standard error is no terminal.
type Progress struct {
	what        string
	begin, last time.Time
	shown       bool
}

// clearLine makes a terminal clear the line that the cursor is in.
const clearLine = "\r\x1b[K"

// NewProgress returns the line that shows the progress of what, for example "reading a.otf".
func NewProgress(what string) *Progress {
	if !obeys(os.Stderr) {
		return nil
	}
	return &Progress{what: what, begin: time.Now()}
}

// Set shows that done of size is done.
func (p *Progress) Set(done, size int64) {
	now := time.Now()
	if p == nil || size <= 0 || now.Sub(p.begin) < 500*time.Millisecond ||
		now.Sub(p.last) < 100*time.Millisecond {
		return
	}
	p.last, p.shown = now, true
	width := min(max(Width(os.Stderr)-len(p.what)-10, 10), 50)
	part := min(float64(done)/float64(size), 1)
	full := int(part * float64(width))
	fmt.Fprintf(os.Stderr, "\r%s [%s%s] %3.0f %%", p.what, strings.Repeat("=", full),
		strings.Repeat(" ", width-full), 100*part)
}

// Wait shows what opari waits for, and for how many seconds, until the result is called. It shows
// nothing of short work, and nothing if standard error is no terminal.
func Wait(what string) (done func()) {
	if !obeys(os.Stderr) {
		return func() {}
	}
	stop, stopped := make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		begin, shown := time.Now(), false
		turns := time.NewTicker(time.Second)
		defer turns.Stop()
		for {
			select {
			case <-stop:
				if shown {
					fmt.Fprint(os.Stderr, clearLine)
				}
				return
			case now := <-turns.C:
				shown = true
				fmt.Fprintf(os.Stderr, "%s%s ... %.0f s", clearLine, what,
					now.Sub(begin).Seconds())
			}
		}
	}()
	return func() {
		close(stop)
		<-stopped
	}
}

// Reader returns set as a callback for package otf, and nil if nothing is shown.
func (p *Progress) Reader() func(otf.Progress) {
	if p == nil {
		return nil
	}
	return func(at otf.Progress) { p.Set(at.BytesRead, at.BytesSize) }
}

// End clears the line.
func (p *Progress) End() {
	if p != nil && p.shown {
		fmt.Fprint(os.Stderr, clearLine)
	}
}
