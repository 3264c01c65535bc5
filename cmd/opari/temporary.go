package main

import (
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
)

// temporaries are the files to remove when a signal ends the program.
var temporaries tempFiles

type tempFiles struct {
	sync.Mutex
	names   map[string]bool
	watched bool
}

func (t *tempFiles) add(name string) {
	t.Lock()
	defer t.Unlock()
	if !t.watched {
		t.watched = true
		t.names = map[string]bool{}
		c := make(chan os.Signal, 1)
		notify(c, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
		go func() {
			s := (<-c).(syscall.Signal)
			t.Lock() // for good: nothing is renamed any more
			for n := range t.names {
				_ = os.Remove(n)
			}
			os.Exit(128 + int(s))
		}()
	}
	t.names[name] = true
}

// remove deletes name unless it was renamed away, which makes no difference to the caller.
func (t *tempFiles) remove(name string) {
	t.Lock()
	defer t.Unlock()
	_ = os.Remove(name)
	delete(t.names, name)
}

// notify is signal.Notify but for signals that this process was told to ignore, by nohup for one.
func notify(c chan<- os.Signal, signals ...os.Signal) {
	for _, s := range signals {
		if !signal.Ignored(s) {
			signal.Notify(c, s)
		}
	}
}

// scratchDir is where scratch opens files: on the disk that the output will be on.
func (o *output) scratchDir() string {
	if o.path == "-" || o.special {
		return os.TempDir()
	}
	return filepath.Dir(o.path)
}

// scratch opens a file for what is too much for memory. It loses its name at once, so that it is gone when the program ends,
// however it ends.
func (o *output) scratch() (*os.File, error) {
	f, err := os.CreateTemp(o.scratchDir(), ".opari-*")
	if err != nil {
		return nil, err
	}
	temporaries.add(f.Name())
	temporaries.remove(f.Name())
	return f, nil
}
