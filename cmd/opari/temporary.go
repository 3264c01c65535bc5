package main

import (
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
)

// temporaries are the files and folders to remove when a signal ends the program.
var temporaries tempFiles

type tempFiles struct {
	sync.Mutex
	names   map[string]bool
	watched bool
}

// create makes a file in dir under the lock, so that a signal finds it in names, or not made yet.
func (t *tempFiles) create(dir string) (*os.File, error) {
	t.Lock()
	defer t.Unlock()
	t.watch()
	f, err := os.CreateTemp(dir, ".opari-*")
	if err == nil {
		t.names[f.Name()] = true
	}
	return f, err
}

// createDir makes a folder in dir as create makes a file.
func (t *tempFiles) createDir(dir, pattern string) (string, error) {
	t.Lock()
	defer t.Unlock()
	t.watch()
	name, err := os.MkdirTemp(dir, pattern)
	if err == nil {
		t.names[name] = true
	}
	return name, err
}

// watch begins to remove what is noted when a signal comes. The lock is held.
func (t *tempFiles) watch() {
	if t.watched {
		return
	}
	t.watched = true
	t.names = map[string]bool{}
	c := make(chan os.Signal, 1)
	notify(c, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		s := (<-c).(syscall.Signal)
		t.Lock() // and never unlock: no more files are made
		for n := range t.names {
			// Somebody may be writing into a folder: once it is gone nobody can make it again.
			for tries := 0; os.RemoveAll(n) != nil && tries < 1000; tries++ {
			}
		}
		os.Exit(128 + int(s))
	}()
}

// remove deletes name unless it was renamed away, which makes no difference to the caller.
func (t *tempFiles) remove(name string) {
	t.Lock()
	defer t.Unlock()
	_ = os.RemoveAll(name)
	delete(t.names, name)
}

// notify is signal.Notify, except for signals that this process ignores from its start, because of nohup for example.
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
	f, err := temporaries.create(o.scratchDir())
	if err != nil {
		return nil, err
	}
	temporaries.remove(f.Name())
	return f, nil
}
