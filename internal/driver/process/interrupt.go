package process

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// interrupt sends a signal to a step and to what the step has started, the youngest first. A
// driver that alone gets the signal removes its temporary files while the compiler proper is
// about to make one, and that file would stay. A terminal's ^C reaches all of them, except a step
// that starts while the signal is on its way to opari.
func interrupt(step *os.Process, sig os.Signal) {
	tree := descendants(step.Pid)
	for i := len(tree) - 1; i >= 0; i-- {
		_ = syscall.Kill(tree[i], sig.(syscall.Signal))
	}
	_ = step.Signal(sig)
}

// notice treats a signal that ended a step as one for opari, too. The signal of a process group
// may end the child, and opari may wait for it, before the signal reaches opari. Otherwise opari
// would go on compiling.
func (r *Runner) notice(sig syscall.Signal) {
	switch sig {
	case syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT:
		r.mu.Lock()
		r.caught = sig
		r.mu.Unlock()
	}
}

// Watch passes a signal on to the running step and notes it; without a step it ends the process.
func (r *Runner) Watch() {
	if r.watching {
		return
	}
	r.watching = true
	c := make(chan os.Signal, 4)
	for _, sig := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(sig) { // nohup and background jobs of a shell ignore signals
			signal.Notify(c, sig)
		}
	}
	// Nobody reads the output any more: that must not end opari before it has cleaned up.
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
				// The main goroutine may still write there. It cannot make the directory again
				// once that is gone.
				for tries := 0; os.RemoveAll(r.folder) != nil && tries < 1000; tries++ {
				}
			}
			die(r.caught) // with the lock held, so nothing starts any more
		}
	}()
}

// die ends this process by the signal that it got, so that its parent sees the cause.
func die(sig syscall.Signal) {
	signal.Reset(sig)
	_ = syscall.Kill(os.Getpid(), sig)
	time.Sleep(100 * time.Millisecond) // the signal comes at once
	os.Exit(exitSignalOffset + int(sig))
}

// Interrupted reports whether a signal has come that ends the call.
func (r *Runner) Interrupted() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.caught != 0
}
