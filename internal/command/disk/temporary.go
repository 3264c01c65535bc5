package disk

import (
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
)

// Temporaries are the files and folders to remove when a signal ends the program.
var Temporaries tempFiles

type tempFiles struct {
	sync.Mutex
	names   map[string]bool
	watched bool
}

// create makes a file in dir under the lock. So the signal handler finds it in names, or it
// does not exist yet.
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

// CreateDir makes a folder in dir as create makes a file.
func (t *tempFiles) CreateDir(dir, pattern string) (string, error) {
	t.Lock()
	defer t.Unlock()
	t.watch()
	name, err := os.MkdirTemp(dir, pattern)
	if err == nil {
		t.names[name] = true
	}
	return name, err
}

// watch starts the handler that removes all names on a signal. The caller holds the lock.
func (t *tempFiles) watch() {
	if t.watched {
		return
	}
	t.watched = true
	t.names = map[string]bool{}
	c := make(chan os.Signal, 1)
	Notify(c, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		s := (<-c).(syscall.Signal)
		t.Lock() // never unlocked, so that no more files are made
		for n := range t.names {
			// Another goroutine may be writing into a folder. It cannot make the folder again
			// once that is gone.
			for tries := 0; os.RemoveAll(n) != nil && tries < 1000; tries++ {
			}
		}
		os.Exit(128 + int(s))
	}()
}

// Remove deletes name. If name was renamed away, that makes no difference to the caller.
func (t *tempFiles) Remove(name string) {
	t.Lock()
	defer t.Unlock()
	_ = os.RemoveAll(name)
	delete(t.names, name)
}

// Notify is signal.Notify, except for signals that this process has ignored from its start, for
// example under nohup.
func Notify(c chan<- os.Signal, signals ...os.Signal) {
	for _, s := range signals {
		if !signal.Ignored(s) {
			signal.Notify(c, s)
		}
	}
}

// ScratchDir returns the folder of scratch files, on the disk of the output.
func (o *Output) ScratchDir() string {
	if o.Path == "-" || o.Special {
		return os.TempDir()
	}
	return filepath.Dir(o.Path)
}

// Scratch opens a file for data that exceeds memory. It removes the name at once, so that the
// file disappears when the program ends, however that happens.
func (o *Output) Scratch() (*os.File, error) {
	f, err := Temporaries.create(o.ScratchDir())
	if err != nil {
		return nil, err
	}
	Temporaries.Remove(f.Name())
	return f, nil
}
