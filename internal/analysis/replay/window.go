package replay

import (
	"opari/internal/analysis"
	"opari/internal/analysis/trace"
	"opari/internal/analysis/whatif"
)

// counts reports whether what happens at now counts, and not only the time up to it.
func (a *Replay) counts(now int64) bool {
	return !a.before(now) && !a.after(now)
}

// before reports whether what happens at now may be before the window.
func (a *Replay) before(now int64) bool {
	s := a.options.span
	return s != nil && now == s.From && s.From > a.options.whole.From
}

// after reports whether what happens at now may be after the window.
func (a *Replay) after(now int64) bool {
	s := a.options.span
	return s != nil && now == s.To && s.To < a.options.whole.To
}

// visit counts a visit of a path. Visits outside of the window do not count, and those that its
// edges cut count with the part inside.
func (a *Replay) visit(path *analysis.Path, thread int, enter, now int64) {
	if a.before(now) || a.after(enter) {
		return
	}
	if a.before(enter) || a.after(now) {
		a.result.Part.Cut++
	}
	path.Visit(thread, now-enter)
}

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

// setScale sets the scale of the clock.
func (a *Replay) setScale() {
	if a.definitions.Resolution != 1e9 {
		a.scale = 1e9 / float64(a.definitions.Resolution)
	}
}

// now returns the time of an event in ns. It never runs backwards nor past the end, as the times
// of a damaged trace might.
func (a *Replay) now(ticks uint64) int64 {
	a.seen = min(max(a.seen, ticks), a.last)
	return a.ns(a.seen)
}

func (a *Replay) ns(ticks uint64) int64 {
	now := int64(ticks)
	if a.scale != 0 {
		now = int64(float64(ticks) * a.scale)
	}
	if a.options.span != nil {
		return a.options.span.Within(now)
	}
	return now
}
