// Package browser opens pages in a headless Chromium, for tests and measurements. It speaks the
// DevTools protocol through a pipe.
package browser

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"
)

// names are the browser's possible names in PATH.
var names = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}

// ErrNone is the error without an installed browser.
var ErrNone = errors.New("no Chromium in PATH (apt-get install chromium)")

// answerTime is how long an answer of the browser may take.
const answerTime = 60 * time.Second

// Browser is a running browser.
type Browser struct {
	command *exec.Cmd
	folder  string
	out     *os.File

	lock    sync.Mutex
	next    int
	waiting map[int]chan message
	pages   map[string]*Page // by session
	ended   error
}

// message is a message through the pipe, in either direction; a zero byte ends it.
type message struct {
	ID      int             `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// installed returns the path of a browser, or "".
func installed() string {
	for _, n := range names {
		if p, err := exec.LookPath(n); err == nil {
			return p
		}
	}
	return ""
}

// Installed reports whether there is a browser that Start can start.
func Installed() bool { return installed() != "" }

// Start starts a browser with a profile of its own. Without a browser it returns ErrNone.
func Start() (*Browser, error) {
	path := installed()
	if path == "" {
		return nil, ErrNone
	}
	folder, err := os.MkdirTemp("", "opari-browser")
	if err != nil {
		return nil, err
	}
	b := &Browser{folder: folder, waiting: map[int]chan message{}, pages: map[string]*Page{}}
	if err := b.start(path); err != nil {
		b.Close()
		return nil, err
	}
	if err := b.call("", "Browser.getVersion", nil, nil); err != nil {
		b.Close()
		return nil, fmt.Errorf("%s does not start: %w", path, err)
	}
	return b, nil
}

// start runs the binary, which reads from descriptor 3 and writes to 4.
func (b *Browser) start(path string) error {
	theirIn, ourOut, err := os.Pipe()
	if err != nil {
		return err
	}
	defer theirIn.Close()
	b.out = ourOut
	ourIn, theirOut, err := os.Pipe()
	if err != nil {
		return err
	}
	defer theirOut.Close()
	b.command = exec.Command(path, "--headless", "--remote-debugging-pipe",
		"--user-data-dir="+b.folder, "--no-first-run",
		"--no-default-browser-check", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--disable-gpu",
		"--disable-dev-shm-usage", "--no-sandbox", "--force-color-profile=srgb", "about:blank")
	b.command.ExtraFiles = []*os.File{theirIn, theirOut}
	b.command.Env = append(os.Environ(), "HOME="+b.folder)
	if err := b.command.Start(); err != nil {
		b.command = nil
		ourIn.Close()
		return err
	}
	go b.read(ourIn)
	return nil
}

// Close ends the browser.
func (b *Browser) Close() {
	if b.out != nil {
		b.out.Close() // the browser ends when the pipe does
	}
	if b.command != nil {
		done := make(chan struct{})
		go func() { _ = b.command.Wait(); close(done) }()
		select {
		case <-done:
		case <-time.After(5 * time.Second):
			_ = b.command.Process.Kill()
			<-done
		}
	}
	for range 20 { // its children may still be writing
		if os.RemoveAll(b.folder) == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func (b *Browser) read(in *os.File) {
	defer in.Close()
	r := bufio.NewReader(in)
	for {
		text, err := r.ReadBytes(0)
		if err != nil {
			b.end(err)
			return
		}
		var m message
		if err := json.Unmarshal(text[:len(text)-1], &m); err != nil {
			b.end(err)
			return
		}
		b.lock.Lock()
		answer, page := b.waiting[m.ID], b.pages[m.Session]
		delete(b.waiting, m.ID)
		b.lock.Unlock()
		if m.ID != 0 && answer != nil {
			answer <- m
		} else if page != nil {
			page.event(m.Method, m.Params)
		}
	}
}

func (b *Browser) end(err error) {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.ended = fmt.Errorf("the browser has ended: %w", err)
	for id, answer := range b.waiting {
		delete(b.waiting, id)
		close(answer)
	}
}

// call sends a request and waits for the answer. It decodes the answer into result unless that is
// nil.
func (b *Browser) call(session, method string, params, result any) error {
	var raw json.RawMessage
	if params != nil {
		var err error
		if raw, err = json.Marshal(params); err != nil {
			return err
		}
	}
	answer := make(chan message, 1)
	b.lock.Lock()
	if b.ended != nil {
		b.lock.Unlock()
		return b.ended
	}
	b.next++
	m := message{ID: b.next, Method: method, Params: raw, Session: session}
	b.waiting[m.ID] = answer
	text, err := json.Marshal(m)
	if err == nil {
		_, err = b.out.Write(append(text, 0))
	}
	b.lock.Unlock()
	if err != nil {
		return err
	}
	select {
	case m, ok := <-answer:
		if !ok {
			return b.ended
		}
		if m.Error != nil {
			return fmt.Errorf("%s: %s", method, m.Error.Message)
		}
		if result != nil {
			return json.Unmarshal(m.Result, result)
		}
		return nil
	case <-time.After(answerTime):
		return fmt.Errorf("%s: no answer in %v", method, answerTime)
	}
}
