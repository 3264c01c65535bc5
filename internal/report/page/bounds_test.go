package page

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/report"
	"opari/internal/report/profile"
)

// TestBounds checks that the table and the report of a profile mark waits as upper bounds only
// where visits are hardly longer than their recording.
func TestBounds(t *testing.T) {
	const visits = 1000
	for each, want := range map[int]bool{25: true, 400: false} {
		between := 10 * each // an atomic construct also counts the time between two visits
		if want {
			between = each
		}
		all := visits * (each + between)
		text := fmt.Sprintf(
			`{"opari_profile":2,"program":"./a","pid":1,"wall_ns":%d,"threads":1,"lost":0,"event_cost":9,"clock":"tsc"}
{"region":1,"name":"region","sub_name":"all","directive":"inst","file":"a.c","begin":[7,7],"end":[11,11],"outer":0,"kind":"region","num_sections":0,"facts":0}
{"path":1,"parent":0,"region":1}
{"path":1,"thread":0,"count":1,"incl":%[1]d,"excl":%[2]d,"min":%[1]d,"max":%[1]d,"body":%[1]d,"barrier":0,"wait":0,"hold":0}
{"region":2,"name":"atomic","sub_name":"","directive":"atomic","file":"a.c","begin":[9,9],"end":[9,9],"outer":1,"kind":"atomic","num_sections":0,"facts":0}
{"path":2,"parent":1,"region":2}
{"path":2,"thread":0,"count":%[3]d,"incl":%[4]d,"excl":%[4]d,"min":%[5]d,"max":%[5]d,"body":%[4]d,"barrier":0,"wait":%[4]d,"hold":0}
`, all, visits*between, visits, visits*each, each)
		p, err := profile.Read("a.profile", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		var table, plain, json bytes.Buffer
		r := p.Result()
		run := &report.Run{Tables: []string{"findings"}, Share: 0.005}
		if err := p.Table(&table, profile.Layout{Width: 200}); err != nil {
			t.Fatal(err)
		}
		if err := run.Text(&plain, r); err != nil {
			t.Fatal(err)
		}
		if err := run.JSON(&json, r); err != nil {
			t.Fatal(err)
		}
		page := pageData(r, nil)
		bound := "upper bound: most of it is the cost of measuring"
		for _, c := range []struct{ in, text, says string }{
			{"table", table.String(), "\nUpper bound, most of it is the cost of measuring (9 ns " +
				"an event, as the run has measured at its start): the waiting in a.c:9 atomic\n"},
			{"text", plain.String(), bound},
			{"JSON", json.String(), `"upper_bound": true`},
			{"page", fmt.Sprint(page.Findings), bound},
		} {
			if strings.Contains(c.text, c.says) != want {
				t.Errorf("visits of %d ns: the %s is\n%s", each, c.in, c.text)
			}
		}
		if got, want := r.Sum(analysis.Measurement, -1), int64(9*visits); got != want {
			t.Errorf("visits of %d ns: measurement is %d ns, want %d", each, got, want)
		}
		if got, want := r.Sum(analysis.Time, -1), r.Total(); got != want {
			t.Errorf("visits of %d ns: the severities are %d ns together, of %d", each, got, want)
		}
	}
}
