package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"opari/internal/report"
	"opari/internal/report/fixture"
	"opari/internal/report/profile"
)

// TestRanksAreNamed checks the combined profiles of ranks, in the table and in each format of
// the report. They name threads by rank and number, and count only threads that were there. No
// row has more lost time than time.
func TestRanksAreNamed(t *testing.T) {
	all := profile.Ranks(fixture.ThreeRanks(t))
	for _, row := range all.Rows() {
		if row.Lost > row.Time {
			t.Errorf("%s %v: lost %d of %d", row.Name, row.Begin, row.Lost, row.Time)
		}
		if row.Begin[0] == 10 && (row.Count != 23 || row.Lost != 0 || row.ImbalLoss != 870_000) {
			t.Errorf("line 10: %d visits, lost %d, imbalance %d", row.Count, row.Lost,
				row.ImbalLoss)
		}
	}
	var js bytes.Buffer
	if err := all.JSON(&js); err != nil {
		t.Fatal(err)
	}
	var table struct {
		Regions []struct {
			Begin   [2]int
			Threads []struct{ Rank, Thread int }
		}
	}
	if err := json.Unmarshal(js.Bytes(), &table); err != nil {
		t.Fatal(err)
	}
	for _, r := range table.Regions {
		if got := fmt.Sprint(r.Threads); r.Begin[0] == 20 && got != "[{2 0} {2 1}]" ||
			r.Begin[0] == 5 && got != "[{1 0}]" {
			t.Errorf("threads of line %d: %s", r.Begin[0], got)
		}
	}
	r := all.Result()
	var names []string
	for i := range r.Threads {
		names = append(names, r.ThreadName(i))
	}
	if want := []string{
		"rank 0 thread 0", "rank 0 thread 1", "rank 0 thread 2", "rank 0 thread 3",
		"rank 1 thread 0", "rank 2 thread 0", "rank 2 thread 1",
	}; !slices.Equal(names, want) {
		t.Errorf("threads: %q", names)
	}
	o := &report.Run{Tables: report.Tables, Threads: true}
	var text, md, csv, report bytes.Buffer
	for _, err := range []error{
		o.Text(&text, r), o.Markdown(&md, r), o.CSV(&csv, r),
		o.JSON(&report, r),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	page, err := json.Marshal(pageData(r, nil))
	if err != nil {
		t.Fatal(err)
	}
	why := []string{
		"rank 2 thread 1 has 83 % of the work", "13 times a thread in 2 of 7 threads",
		"in rank 0 threads wait for one",
	}
	notes := []string{
		"instrumented with --disable=atomic --disable=single", "measurement switched off 2 " +
			"times, for 70.0us at most in a process, on all threads",
		"records lost: 3: times are incomplete",
		"work, and what was left out",
	}
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"text": {text.String(), append(why, notes...)}, "Markdown": {
			md.String(),
			append(why, notes...),
		}, "JSON": {report.String(), append(why, notes...)},
		"CSV":  {csv.String(), append([]string{"rank 2 thread 1,13,"}, notes...)},
		"page": {string(page), append(why, notes...)},
	} {
		for _, part := range c.want {
			if !strings.Contains(c.text, part) {
				t.Errorf("%s lacks %q", name, part)
			}
		}
		if strings.Contains(c.text, "thread 6") || strings.Contains(c.text, "thread 5") {
			t.Errorf("%s numbers threads across ranks", name)
		}
	}
	if t.Failed() {
		t.Logf("%s\n%s", text.String(), csv.String())
	}
}
