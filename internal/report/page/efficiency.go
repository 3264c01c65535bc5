package page

import (
	"opari/internal/analysis"
	"opari/internal/efficiency"
	"opari/internal/report/summary"
)

type (
	// pageEfficiency has the factors of the run and of its parallel regions, in one order: each is
	// followed by those whose product it is.
	pageEfficiency struct {
		Of      string             `json:"of"` // what the first column is of
		Factors []pageFactor       `json:"factors"`
		Run     []*pagePart        `json:"run"`
		Regions []regionEfficiency `json:"regions"`
	}
	pageFactor struct {
		Name  string `json:"name"`
		Long  string `json:"long"`
		What  string `json:"what"`
		Depth int    `json:"depth"`
	}
	// pagePart is the value of a factor, and nil where that is unknown. Times are in ns.
	pagePart struct {
		Text  string `json:"text"`
		Whole int64  `json:"whole"` // what the factor is a part of
		Lost  int64  `json:"lost"`
	}
	regionEfficiency struct {
		Paths []int       `json:"paths"` // of the region
		Parts []*pagePart `json:"parts"`
	}
)

// efficiencyOnPage returns the factors for the page, and nil for a run of one thread.
func efficiencyOnPage(r *analysis.Result) *pageEfficiency {
	run := efficiency.Of(r)
	if !run.Several() {
		return nil
	}
	all := append([]efficiency.Efficiency{run.Efficiency}, run.Regions...)
	factors := summary.ShownParts(&run, all)
	out := &pageEfficiency{
		Of: summary.EfficiencyOf(r, &run.Efficiency), Run: partsOnPage(&run.Efficiency, factors),
		Regions: []regionEfficiency{},
	}
	for i := range factors {
		p := &factors[i]
		out.Factors = append(out.Factors, pageFactor{p.Name, summary.LongName(p), p.What, p.Depth})
	}
	paths := map[analysis.Region][]int{}
	for _, q := range r.Paths {
		paths[*q.Region] = append(paths[*q.Region], q.ID)
	}
	for i := range run.Regions {
		e := &run.Regions[i]
		out.Regions = append(out.Regions,
			regionEfficiency{paths[*e.Region], partsOnPage(e, factors)})
	}
	return out
}

func partsOnPage(e *efficiency.Efficiency, factors []efficiency.Part) []*pagePart {
	parts := make([]*pagePart, len(factors))
	for i := range factors {
		p := e.Part(factors[i].Key)
		if p.Known() {
			whole, lost := e.Times(&p)
			parts[i] = &pagePart{p.String(), whole, lost}
		}
	}
	return parts
}
