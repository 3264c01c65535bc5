package report

import (
	"encoding/csv"
	"fmt"
	"strconv"

	"opari/internal/analysis"
	"opari/internal/analysis/whatif"
)

// whatIfShare is the share of the run from which on a region of the new critical path is shown.
const whatIfShare = 0.01

// whatIfs has a table for each prediction.
func (o *Run) whatIfs() []table {
	var all []table
	for _, p := range o.WhatIf {
		t := table{
			title: "What if: " + p.Change, prose: true,
			head: []string{"time", "share", "was", "critical path, then"},
		}
		t.rows = append(t.rows, []string{
			analysis.Duration(p.Wall), percent(p.Wall, p.Measured), analysis.Duration(p.Measured),
			"the run: " + saved(p),
		})
		shown := 0
		for _, c := range p.Critical {
			if float64(max(c.Time, c.Was)) < whatIfShare*float64(p.Measured) {
				continue
			}
			if o.Top > 0 && shown == o.Top {
				t.hidden++
				continue
			}
			shown++
			t.rows = append(t.rows, []string{
				analysis.Duration(c.Time), percent(c.Time, p.Wall), analysis.Duration(c.Was),
				"  " + c.Region.String(),
			})
		}
		for _, note := range p.Notes {
			t.rows = append(t.rows, []string{"", "", "", note})
		}
		all = append(all, t)
	}
	return all
}

// saved says how much shorter or longer the run would be.
func saved(p *whatif.Prediction) string {
	switch time := p.Saving(); {
	case time > 0:
		return fmt.Sprintf("%s less, %s", analysis.Duration(time), percent(time, p.Measured))
	case time < 0:
		return fmt.Sprintf("%s more, %s", analysis.Duration(-time), percent(-time, p.Measured))
	}
	return "as long as it was"
}

// whatIfJSON is a prediction: how long the run would be with a change. Times are in ns.
type whatIfJSON struct {
	Change   string             `json:"change"`
	Wall     int64              `json:"wall_ns"`
	Saving   int64              `json:"saving_ns"` // negative: the run would be longer
	Critical []whatIfRegionJSON `json:"critical_path"`
	Notes    []string           `json:"notes,omitempty"` // what is unsure, for people
}

// whatIfRegionJSON is the time of a region on the critical path.
type whatIfRegionJSON struct {
	Name string `json:"name"`
	File string `json:"file"`
	Line int    `json:"line"`
	Time int64  `json:"time_ns"` // with the change
	Was  int64  `json:"was_ns"`
}

func (o *Run) whatIfsToJSON() []whatIfJSON {
	var all []whatIfJSON
	for _, p := range o.WhatIf {
		j := whatIfJSON{
			Change: p.Change, Wall: p.Wall, Saving: p.Saving(), Notes: p.Notes,
			Critical: []whatIfRegionJSON{},
		}
		for _, c := range p.Critical {
			g := c.Region
			j.Critical = append(j.Critical, whatIfRegionJSON{g.Name, g.File, g.Line, c.Time, c.Was})
		}
		all = append(all, j)
	}
	return all
}

// whatIfsCSV writes a row for each prediction, whose time is that of the run with the change, and
// one for each region of its critical path.
func (o *Run) whatIfsCSV(c *csv.Writer) {
	for _, p := range o.WhatIf {
		row := func(kind, name, file, line string, time int64) {
			_ = c.Write([]string{
				"what-if", kind, name, file, line, "all", "", "", strconv.FormatInt(time, 10),
				"", "", "", "", "",
			})
		}
		row("wall", p.Change, "", "", p.Wall)
		row("saving", p.Change, "", "", p.Saving())
		for _, x := range p.Critical {
			g := x.Region
			row("critical-path", g.Name, g.File, strconv.Itoa(g.Line), x.Time)
		}
		for _, note := range p.Notes {
			row("note", note, "", "", 0)
		}
	}
}
