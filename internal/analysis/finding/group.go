package finding

import (
	"cmp"
	"fmt"
	"slices"

	"opari/internal/analysis"
)

// Group is a loss in several regions, or in one.
type Group struct {
	Property analysis.Property
	Findings []Finding // the largest first, at least one
	Time     int64     // ns, of all of them
	Share    float64   // of the run's processor time
}

const (
	// fewFindings is how many findings of a property stand by themselves, if none stands out.
	fewFindings = 3
	// nearlyAll is the share of a group's time that its findings have. It keeps regions out that
	// lost some nanoseconds.
	nearlyAll = 0.99
)

// Groups returns the losses of at least the given share of the processor time, the largest first.
// Where one property has many regions, they are one group, and the smallest of them may be below
// the share. A finding with half of what remains of its property stands by itself.
func Groups(result *analysis.Result, share float64) []Group {
	r := run{result}
	by := map[analysis.Property][]Finding{}
	for _, f := range r.losses() {
		by[f.Property] = append(by[f.Property], f)
	}
	var all []Group
	for _, findings := range by {
		all = append(all, r.groups(findings, share)...)
	}
	slices.SortFunc(all, func(a, b Group) int {
		x, y := a.Findings[0].Region, b.Findings[0].Region
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Property, b.Property),
			cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Name, y.Name))
	})
	causesFirst(r, all, func(g Group) Finding { return g.Findings[0] })
	for i := range all {
		for k := range all[i].Findings {
			f := &all[i].Findings[k]
			f.Why = r.why(*f)
		}
	}
	return all
}

// groups divides the findings of one property.
func (r run) groups(findings []Finding, share float64) []Group {
	var all []Group
	alone := func() {
		all = append(all, r.group(findings[:1]))
		findings = findings[1:]
	}
	for len(findings) > 0 && findings[0].Share >= share && 2*findings[0].Time >= sum(findings) {
		alone()
	}
	if g := r.group(mostOf(findings)); len(g.Findings) > fewFindings {
		if g.Share >= share {
			all = append(all, g)
		}
		return all
	}
	for len(findings) > 0 && findings[0].Share >= share {
		alone()
	}
	if g := r.group(mostOf(findings)); len(g.Findings) > 1 && g.Share >= share {
		all = append(all, g)
	}
	return all
}

func (r run) group(findings []Finding) Group {
	if len(findings) == 0 {
		return Group{}
	}
	time := sum(findings)
	return Group{findings[0].Property, findings, time, float64(time) / float64(r.Total())}
}

func sum(findings []Finding) int64 {
	var sum int64
	for _, f := range findings {
		sum += f.Time
	}
	return sum
}

// mostOf returns the largest findings, which together have nearly all of the time.
func mostOf(findings []Finding) []Finding {
	all, some := sum(findings), int64(0)
	for i, f := range findings {
		if some += f.Time; float64(some) >= nearlyAll*float64(all) {
			return findings[:i+1]
		}
	}
	return findings
}

// String returns the group in the form of a message.
func (g *Group) String(r *analysis.Result) string {
	if len(g.Findings) == 1 {
		return g.Findings[0].String(r)
	}
	text := fmt.Sprintf("%s costs %s of %s in %d regions", g.Property.Phrase(),
		analysis.Duration(g.Time), analysis.Duration(r.Total()), len(g.Findings))
	if g.UpperBound() {
		text += " (" + upperBound + ")"
	}
	return text
}

// UpperBound reports whether at least half of the time is in findings that are upper bounds.
func (g *Group) UpperBound() bool {
	var dense int64
	for _, f := range g.Findings {
		if f.UpperBound {
			dense += f.Time
		}
	}
	return 2*dense >= g.Time
}

// Advice returns the advice for the largest finding.
func (g *Group) Advice(r *analysis.Result) string {
	f := g.Findings[0]
	if len(g.Findings) == 1 {
		return f.Advice(r)
	}
	return "of " + f.Region.String() + ", the largest: " + f.Advice(r)
}

// Where returns a finding below its group: place, construct, cause.
func (f Finding) Where() string {
	if f.Why == "" {
		return f.Region.String()
	}
	return f.Region.String() + " (" + f.Why + ")"
}
