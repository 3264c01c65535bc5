package report

import (
	"cmp"
	"encoding/csv"
	"strconv"

	"opari/internal/analysis"
	"opari/internal/efficiency"
	"opari/internal/report/summary"
)

// efficiencies has a row for the run and for each parallel region, and a column for each factor
// that is to be seen in any of them.
func (o *Run) efficiencies(r *analysis.Result) table {
	run := efficiency.Of(r)
	t := table{title: "Efficiency", head: []string{"time"}}
	rows := []efficiency.Efficiency{run.Efficiency}
	for _, e := range run.Regions {
		switch {
		case float64(e.Reserved) < o.Share*float64(run.Reserved):
		case o.Top > 0 && len(rows) > o.Top:
			t.hidden++
		default:
			rows = append(rows, e)
		}
	}
	var columns []string // keys
	for _, p := range summary.ShownParts(&run, rows) {
		columns, t.head = append(columns, p.Key), append(t.head, summary.LongName(&p))
	}
	t.head = append(t.head, "name")
	for i := range rows {
		t.rows = append(t.rows, efficiencyRow(r, &rows[i], columns))
	}
	return t
}

func efficiencyRow(r *analysis.Result, e *efficiency.Efficiency, columns []string) []string {
	values := map[string]string{}
	for _, p := range e.Parts() {
		values[p.Key] = p.String()
	}
	row := []string{analysis.Duration(e.Reserved)}
	for _, key := range columns {
		row = append(row, cmp.Or(values[key], "-"))
	}
	return append(row, summary.EfficiencyOf(r, e))
}

// efficienciesCSV writes a row for each factor: the processor time that it is a part of, and how
// much of that is lost.
func efficienciesCSV(c *csv.Writer, r *analysis.Result) {
	run := efficiency.Of(r)
	for _, e := range append([]efficiency.Efficiency{run.Efficiency}, run.Regions...) {
		var file, line string
		name := summary.EfficiencyOf(r, &e)
		if e.Region != nil {
			file, line, name = e.Region.File, strconv.Itoa(e.Region.Line), e.Region.Name
		}
		for _, p := range e.Parts() {
			whole, lost := e.Times(&p)
			_ = c.Write([]string{
				"efficiency", p.Key, name, file, line, "all", "", "",
				strconv.FormatInt(whole, 10), "", "", "", strconv.FormatInt(lost, 10), "",
			})
		}
	}
}
