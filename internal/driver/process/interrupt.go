package process

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// interrupt sends a signal to a step and to what the step has started, the youngest first. A
// driver that alone is hit removes its temporary files while the compiler proper, just started,
// is about to make one of them: that file would stay. A terminal's ^C reaches all of them at
// once; but not when the step was started while the signal was on its way to us.
func interrupt(step *os.Process, sig os.Signal) {
	tree := descendants(step.Pid)
	for i := len(tree) - 1; i >= 0; i-- {
		_ = syscall.Kill(tree[i], sig.(syscall.Signal))
	}
	_ = step.Signal(sig)
}

// notice takes a signal that ended a step for one that was meant for us too: of a process group
// the child may be hit, and waited for, before we are. Anything else would compile on.
func (r *Runner) notice(sig syscall.Signal) {
	switch sig {
	case syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT:
		r.mu.Lock()
		r.caught = sig
		r.mu.Unlock()
	}
}

// Watch passes a signal on to the step that runs and notes it; without one it ends the process
// here.
func (r *Runner) Watch() {
	if r.watching {
		return
	}
	r.watching = true
	c := make(chan os.Signal, 4)
	for _, sig := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(sig) { // nohup, and what a shell runs in the background
			signal.Notify(c, sig)
		}
	}
	// Nobody hears us any more: that must not end us before we have cleaned up.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	go func() {
		for sig := range c {
			r.mu.Lock()
			r.caught = sig.(syscall.Signal)
			if r.child != nil {
				interrupt(r.child, sig)
				r.mu.Unlock()
				continue
			}
			if r.folder != "" {
				// The main goroutine may be writing there: once the directory is gone it cannot
				// make it again.
				for tries := 0; os.RemoveAll(r.folder) != nil && tries < 1000; tries++ {
				}
			}
			die(r.caught) // with the lock held: nothing is started any more
		}
	}()
}

// die ends this process by the signal it was sent, so that its parent sees what happened.
func die(sig syscall.Signal) {
	signal.Reset(sig)
	_ = syscall.Kill(os.Getpid(), sig)
	time.Sleep(100 * time.Millisecond) // it comes at once
	os.Exit(exitSignalOffset + int(sig))
}

// Interrupted reports whether a signal has come that ends the call.
func (r *Runner) Interrupted() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.caught != 0
}
