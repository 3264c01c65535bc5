package run

import (
	"strings"

	"opari/internal/analysis"
	"opari/internal/analysis/replay"
	"opari/internal/analysis/trace"
	"opari/otf"
)

// Options are the callbacks and settings of FromTrace.
type Options = replay.Options

// errNoEvents returns the error for a trace without events.
func errNoEvents(name string) error {
	return &otf.Error{
		Path: strings.TrimSuffix(name, ".otf") + ".otf",
		What: "the trace has no events",
	}
}

// FromTrace analyses a trace that opari recorded. It also reads other traces in the Open Trace
// Format, but they hold no OpenMP regions.
func FromTrace(name string, o Options) (*analysis.Result, error) {
	r, err := otf.OpenReader(name, otf.NewFileManager(64))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	d := trace.New()
	if _, err := r.ReadDefinitions(d.Handlers()); err != nil {
		return nil, err
	}
	d.Resolve()
	if d.RankOf != nil {
		return fromRanks(name, r.MasterControl(), d, o)
	}
	first, last, found, err := r.TimeRange(otf.Events)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, errNoEvents(name)
	}
	if err := o.Limit(d, first, last); err != nil {
		return nil, err
	}
	a := replay.New(d, first, last, o)
	if o.Progress != nil {
		r.SetRecordLimit(1 << 20)
	}
	var events uint64
	for {
		n, err := r.ReadEvents(a.Handlers())
		if err != nil {
			return nil, err
		}
		events += n
		if o.Progress == nil || n == 0 {
			break
		}
		o.Progress(r.Bytes(otf.Events))
	}
	result := a.Finish()
	result.Events = events
	return result, nil
}
