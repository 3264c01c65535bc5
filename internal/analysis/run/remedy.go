package run

import (
	"opari/internal/analysis"
	"opari/internal/analysis/finding"
	"opari/internal/analysis/whatif"
)

const (
	// remedySteps is how many times are predicted for changes that can be done in part.
	remedySteps = 4
	// mostRemedied is how many findings have a remedy, the largest first.
	mostRemedied = 8
	// remedyEvents is how many events may be read for all remedies together. It takes some
	// seconds. A trace of more events has no remedies; --what-if predicts any change of it.
	remedyEvents = 10_000_000
)

// AddRemedies predicts what remedying the largest findings would bring. r is the result of the
// same trace with the same options.
func AddRemedies(r *analysis.Result, trace string, findings []finding.Finding,
	o Options,
) error {
	left := int64(remedyEvents)
	for _, f := range findings {
		part := remedyOf(r, &f)
		steps := remedySteps
		if part.Verb == whatif.Unlocks {
			steps = 1
		}
		left -= int64(steps) * int64(r.Events)
		if left < 0 || len(r.Remedies) == mostRemedied {
			return nil
		}
		if (&whatif.Change{Parts: []whatif.Part{part}}).Check(r) != nil {
			continue // nothing is known that remedies it
		}
		remedy := analysis.Remedy{Property: f.Property, Region: f.Region, What: whatOf(&part)}
		remedy.Walls = append(remedy.Walls, r.Wall)
		for i := range steps {
			part.By = float64(i+1) / float64(steps)
			if part.Verb == whatif.Scales {
				part.By = 1 - part.By
			}
			p, err := Predict(trace, r, &whatif.Change{Parts: []whatif.Part{part}}, o)
			if err != nil {
				return err
			}
			remedy.Walls = append(remedy.Walls, p.Wall)
		}
		r.Remedies = append(r.Remedies, remedy)
	}
	return nil
}

// remedyOf returns what would remedy a finding: sharing work well, no lock, or less work where the
// threads were that others waited for.
func remedyOf(r *analysis.Result, f *finding.Finding) whatif.Part {
	part := whatif.Part{Verb: whatif.Scales, Place: f.Region.String()}
	switch {
	case f.Property.Of(analysis.BarrierImplicit) && f.Property != analysis.SingleWait &&
		f.Property != analysis.FalseNesting:
		part.Verb = whatif.Balances
	case f.Property.Of(analysis.Mutex):
		part.Verb = whatif.Unlocks
	case f.Property == analysis.SingleWait || f.Property == analysis.IdleSerial:
	default:
		part.Place = mostBlamed(r, f)
	}
	return part
}

// mostBlamed returns the region that is most to blame for a finding; "" if nothing is known.
func mostBlamed(r *analysis.Result, f *finding.Finding) string {
	times := map[string]int64{}
	most := ""
	for _, b := range r.Blame {
		if b.Property == f.Property && b.Waiter.Region == f.Region {
			name := b.Cause.Region.String()
			if times[name] += b.Time; times[name] > times[most] {
				most = name
			}
		}
	}
	return most
}

// whatOf says what a change would be, for people.
func whatOf(x *whatif.Part) string {
	switch x.Verb {
	case whatif.Balances:
		return "balance " + x.Place
	case whatif.Unlocks:
		return "no lock " + x.Place
	}
	return "less work in " + x.Place
}
