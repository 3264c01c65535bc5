package run

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"opari/internal/analysis"
	"opari/internal/analysis/whatif"
)

// Predict finds out what a run would be with a change. r is the result of the same trace with the
// same options. It reads the trace once more and keeps who waited for whom; what threads do
// between takes as long as the change says, and their waits are as long as it takes them.
func Predict(trace string, r *analysis.Result, w *whatif.Change, o Options,
) (*whatif.Prediction, error) {
	if r.Part != nil && r.Part.Region != "" {
		return nil, errors.New("what if: not within a region")
	}
	if err := w.Check(r); err != nil {
		return nil, err
	}
	o.Interval, o.Message = nil, nil
	o.WhatIf(w, r)
	with, err := FromTrace(trace, o)
	if err != nil {
		return nil, err
	}
	p := &whatif.Prediction{
		Change: w.Text, Measured: r.Wall, Wall: with.Predicted, Notes: notesOn(w, r),
	}
	times := map[analysis.Region]*whatif.Critical{}
	at := func(q *analysis.Path) *whatif.Critical {
		c := times[*q.Region]
		if c == nil {
			c = &whatif.Critical{Region: q.Region}
			times[*q.Region] = c
		}
		return c
	}
	for _, q := range r.Paths {
		at(q).Was += q.Critical
	}
	for _, q := range with.Paths {
		at(q).Time += q.Critical
	}
	for _, c := range times {
		if c.Was != 0 || c.Time != 0 {
			p.Critical = append(p.Critical, *c)
		}
	}
	slices.SortFunc(p.Critical, func(a, b whatif.Critical) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(b.Was, a.Was),
			strings.Compare(a.Region.String(), b.Region.String()))
	})
	return p, nil
}

// muchOff is the share of the processor time off the CPU from which on predictions are unsure.
const muchOff = 0.05

// notesOn returns what is unsure of a prediction.
func notesOn(w *whatif.Change, r *analysis.Result) []string {
	var notes []string
	if r.SeveralProcesses() {
		notes = append(notes, "unsure: over ranks, messages keep their order, and threads of one "+
			"rank keep their order at each call of MPI")
	}
	if off := r.Sum(analysis.Preempted, -1); float64(off) > muchOff*float64(r.Total()) {
		notes = append(notes, fmt.Sprintf("unsure: other programs had the threads' processors for "+
			"%s, which counts as part of what they did", analysis.Duration(off)))
	}
	var waited int64
	for i := range r.Threads {
		waited += r.Threads[i].Waited
	}
	if !r.Scheduled && float64(waited) > muchOff*float64(r.Total()) {
		notes = append(notes, fmt.Sprintf("unsure: threads waited %s for a processor, and the "+
			"trace does not say when", analysis.Duration(waited)))
	}
	for i := range w.Parts {
		switch w.Parts[i].Verb {
		case whatif.Threaded:
			notes = append(notes, "unsure: loops, sections and tasks of full teams take a part of "+
				"their time in proportion, each thread has a processor, and memory is no limit")
		case whatif.Balances:
			if r.SeveralProcesses() {
				notes = append(notes, "balanced among the threads of each rank")
			}
		}
	}
	return notes
}
