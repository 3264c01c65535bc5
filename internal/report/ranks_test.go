package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// threeRanks returns the profiles of three ranks with 4, 1 and 2 threads. In rank 0 a thread
// visits the loop of line 10 20 times and the others once, without waiting. In rank 2 thread 1
// has most of the work of the loop of line 20, and forks are expensive. Rank 1 only calls an
// MPI routine.
func threeRanks(t *testing.T) []*Profile {
	t.Helper()
	region := func(id int, kind string, line int) string {
		return fmt.Sprintf(
			`{"region":%d,"name":"%s","sub_name":"","directive":"%s","file":"r.c","begin":[%d,%d],"end":[%d,%d],"outer":0,"kind":"%s","num_sections":0,"facts":0}`+"\n",
			id, kind, kind, line, line, line+1, line+1, kind)
	}
	path := func(id, parent, region int) string {
		return fmt.Sprintf(`{"path":%d,"parent":%d,"region":%d}`+"\n", id, parent, region)
	}
	sample := func(path, thread, count, incl, excl, body, barrier int) string {
		return fmt.Sprintf(
			`{"path":%d,"thread":%d,"count":%d,"incl":%d,"excl":%d,"min":1,"max":%d,"body":%d,"barrier":%d,"wait":0,"hold":0}`+"\n",
			path, thread, count, incl, excl, incl/count, body, barrier)
	}
	head := func(rank, threads, wall int, more string) string {
		return fmt.Sprintf(
			`{"opari_profile":2,"program":"p","pid":%d,"wall_ns":%d,"threads":%d,"lost":%d,"clock":"tsc"%s,"rank":%d,"ranks":3}`+"\n", 100-rank, wall, threads, rank, more, rank)
	}
	texts := []string{
		head(0, 4, 1_000_000,
			`,"left_out":{"disabled":"--disable=atomic\n","off":2,"off_ns":50000}`) +
			region(1, "for", 10) + path(1, 0, 1) +
			sample(1, 0, 20, 300_000, 300_000, 300_000, 0) +
			sample(1, 1, 1, 10_000, 10_000, 10_000, 0) +
			sample(1, 2, 1, 10_000, 10_000, 10_000, 0) + sample(1, 3, 1, 10_000, 10_000, 10_000, 0),
		head(1, 1, 900_000, "") + region(1, "mpi", 5) + path(1, 0, 1) +
			sample(1, 0, 3, 600_000, 600_000, 0, 0),
		head(2, 2, 1_000_000,
			`,"left_out":{"disabled":"--disable=single\n","off":1,"off_ns":70000}`) +
			region(1, "parallel", 19) + region(2, "for", 20) +
			path(1, 0, 1) + path(2, 1, 2) +
			sample(1, 0, 13, 400_000, 150_000, 250_000, 0) +
			sample(1, 1, 13, 250_000, 0, 250_000, 0) +
			sample(2, 0, 13, 250_000, 250_000, 50_000, 200_000) +
			sample(2, 1, 13, 250_000, 250_000, 250_000, 0),
	}
	var all []*Profile
	for i, text := range texts {
		p, err := Read(fmt.Sprintf("p.%d", i), strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

// TestRanksAreNamed checks the combined profiles of ranks, in the table and in each format of
// the report. They name threads by rank and number, and count only threads that were there. No
// row has more lost time than time.
func TestRanksAreNamed(t *testing.T) {
	all := Ranks(threeRanks(t))
	for _, row := range all.Rows() {
		if row.Lost > row.Time {
			t.Errorf("%s %s: lost %d of %d", row.construct(), row.place(), row.Lost, row.Time)
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
	o := &Run{Tables: Tables, Threads: true}
	for _, groups := range [][][]entry{
		o.grouped(r, byConstruct), o.grouped(r, byRegion),
		o.paths(r),
	} {
		for _, rows := range groups {
			for _, e := range rows {
				if e.lost > e.Incl {
					t.Errorf("%s of thread %d: lost %d of %d", e.region, e.thread, e.lost, e.Incl)
				}
			}
		}
	}
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

// TestRankHeader checks that a profile has its rank, and that its report names threads by it.
func TestRankHeader(t *testing.T) {
	text := []byte(header + region + path + sample)
	with := WithRank(text, 3, 8)
	if rank, ranks := HeaderRank(bytes.NewReader(with)); rank != 3 || ranks != 8 {
		t.Errorf("rank %d of %d", rank, ranks)
	}
	if rank, ranks := HeaderRank(bytes.NewReader(text)); rank != 0 || ranks != 0 {
		t.Errorf("rank %d of %d", rank, ranks)
	}
	if again := WithRank(with, 5, 9); !bytes.Equal(again, with) {
		t.Errorf("changed again: %s", again)
	}
	p, err := Read("p", bytes.NewReader(with))
	if err != nil {
		t.Fatal(err)
	}
	if name := p.Result().ThreadName(1); name != "rank 3 thread 1" {
		t.Errorf("a thread is called %q", name)
	}
	if _, err := Read("p", bytes.NewReader(WithRank(text, 8, 8))); err == nil {
		t.Error("rank 8 of 8 is read")
	}
}
