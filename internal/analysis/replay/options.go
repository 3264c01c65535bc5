package replay

import (
	"opari/internal/analysis"
	"opari/internal/analysis/trace"
	"opari/internal/analysis/whatif"
)

// Options are the callbacks and settings of a replay.
type Options struct {
	// Progress gets how many bytes are read, and how many there are. For several ranks it gets
	// steps instead of bytes.
	Progress func(done, size int64)
	// EventCost is the cost of recording an event, in ns. 0 takes the cost that the recording
	// states; a negative number means no cost.
	EventCost int64
	// Interval gets what each thread did: without gaps, and in the order of time for each thread.
	// Paths stay valid after the call.
	Interval func(analysis.Interval)
	// Message gets each message of which both ends are known.
	Message func(analysis.Message)
	// Counter gets the values of counters, in the order of time for each thread.
	Counter func(analysis.Reading)
	// Window is the part of the run to analyse; nil: all.
	Window *analysis.Window

	span   *analysis.Span // Window on the clock of the trace
	whole  analysis.Span  // the run
	change *change
}

// Limit resolves the options' window for a trace.
func (o *Options) Limit(d *trace.Definitions, first, last uint64) error {
	if o.Window == nil {
		return nil
	}
	clock := (&Options{}).Clock(d)
	from := clock(first)
	s, err := o.Window.Span(from, clock(max(first, last)))
	if err != nil {
		return err
	}
	o.span, o.whole = &s, analysis.Span{From: from, To: clock(max(first, last))}
	return nil
}

// Change makes the replay that of a changed run. r is the result of the run as it was.
func (o *Options) WhatIf(w *whatif.Change, r *analysis.Result) { o.change = newChange(w, r) }

// Changes reports whether the run is a changed one.
func (o *Options) Changes() bool { return o.change != nil }

// Clock returns the function that turns the ticks of a trace into ns, within the window.
func (o *Options) Clock(d *trace.Definitions) func(ticks uint64) int64 {
	a := &Replay{options: *o, definitions: d}
	a.setScale()
	return a.ns
}
