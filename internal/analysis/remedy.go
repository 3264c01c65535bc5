package analysis

// Remedy is how long a run would be, the further the cause of a finding is remedied.
type Remedy struct {
	Property Property
	Region   *Region
	// What would be done: "balance a.c:12 for", "less work in a.c:12 for" or "no lock a.c:12".
	What string
	// Walls are wall times in ns at equal steps, from none of it to all of it.
	Walls []int64
}

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
func (r *Result) AddRemedies(trace string, findings []Finding, o Options) error {
	left := int64(remedyEvents)
	for _, f := range findings {
		part := r.remedyOf(&f)
		steps := remedySteps
		if part.verb == unlocks {
			steps = 1
		}
		left -= int64(steps) * int64(r.Events)
		if left < 0 || len(r.Remedies) == mostRemedied {
			return nil
		}
		if (&WhatIf{parts: []whatIf{part}}).check(r) != nil {
			continue // nothing is known that remedies it
		}
		remedy := Remedy{Property: f.Property, Region: f.Region, What: part.what()}
		remedy.Walls = append(remedy.Walls, r.Wall)
		for i := range steps {
			part.by = float64(i+1) / float64(steps)
			if part.verb == scales {
				part.by = 1 - part.by
			}
			p, err := Predict(trace, r, &WhatIf{parts: []whatIf{part}}, o)
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
func (r *Result) remedyOf(f *Finding) whatIf {
	part := whatIf{verb: scales, place: f.Region.String()}
	switch {
	case f.Property.Of(BarrierImplicit) && f.Property != SingleWait && f.Property != FalseNesting:
		part.verb = balances
	case f.Property.Of(Mutex):
		part.verb = unlocks
	case f.Property == SingleWait || f.Property == IdleSerial:
	default:
		part.place = r.mostBlamed(f)
	}
	return part
}

// mostBlamed returns the region that is most to blame for a finding; "" if nothing is known.
func (r *Result) mostBlamed(f *Finding) string {
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

func (x *whatIf) what() string {
	switch x.verb {
	case balances:
		return "balance " + x.place
	case unlocks:
		return "no lock " + x.place
	}
	return "less work in " + x.place
}
