package export

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/report/fixture"
)

// This file has the rules of the Trace Event Format, from its document ("Trace Event Format",
// the JSON object format), for duration events and metadata. The tests check each rule on the
// fields of the file, with their types.

// metadata lists the metadata events, with their argument and whether it is a number.
var metadata = map[string]struct {
	argument string
	number   bool
}{
	"process_name": {"name", false}, "process_labels": {"labels", false},
	"process_sort_index": {"sort_index", true},
	"thread_name":        {"name", false}, "thread_sort_index": {"sort_index", true},
}

// reserved lists the colour names of the document that an exporter may use.
var reserved = strings.Fields("good bad terrible black grey white yellow olive generic_work " +
	"startup rail_response rail_animation rail_idle rail_load")

// validateTraceEvents checks a file against the rules.
func validateTraceEvents(text []byte) error {
	var file struct {
		Unit   *string          `json:"displayTimeUnit"`
		Other  map[string]any   `json:"otherData"`
		Events []map[string]any `json:"traceEvents"`
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&file); err != nil {
		return err
	}
	switch {
	case file.Events == nil:
		return errors.New("there is no array traceEvents")
	case file.Unit != nil && *file.Unit != "ms" && *file.Unit != "ns":
		return fmt.Errorf("displayTimeUnit is %q", *file.Unit)
	}
	tracks := map[[2]int64]*track{}
	arrows := map[int64]float64{}
	processes, threads := map[int64]bool{}, map[[2]int64]bool{}
	for i, e := range file.Events {
		if phase := e["ph"]; phase == "s" || phase == "f" {
			if err := validateArrow(e, arrows); err != nil {
				return fmt.Errorf("event %d: %w", i, err)
			}
			continue
		}
		if err := validateEvent(e, tracks, processes, threads); err != nil {
			return fmt.Errorf("event %d: %w", i, err)
		}
	}
	if len(arrows) > 0 {
		return fmt.Errorf("%d arrows do not end", len(arrows))
	}
	for at, t := range tracks {
		switch {
		case len(t.open) > 0:
			return fmt.Errorf("thread %v: %q are open at the end", at, t.open)
		case !threads[at]:
			return fmt.Errorf("thread %v has no thread_name", at)
		case !processes[at[0]]:
			return fmt.Errorf("process %d has no process_name", at[0])
		}
	}
	for at := range threads {
		if !processes[at[0]] {
			return fmt.Errorf("process %d has no process_name", at[0])
		}
	}
	return nil
}

// validateArrow checks one end of a flow against the rules. A flow begins before it ends, and
// its ends have the same name, category and number.
func validateArrow(e map[string]any, arrows map[int64]float64) error {
	id, err := integer(e, "id")
	if err != nil {
		return err
	}
	number, is := e["ts"].(json.Number)
	now, err := number.Float64()
	_, known := arrows[id]
	switch {
	case !is || err != nil:
		return fmt.Errorf("ts is %v", e["ts"])
	case e["name"] != "message" || e["cat"] != "message":
		return fmt.Errorf("an arrow of %v, %v", e["name"], e["cat"])
	case e["ph"] == "s" && !known:
		arrows[id] = now
		return nil
	case e["ph"] == "f" && known && e["bp"] == "e" && now >= arrows[id]:
		delete(arrows, id)
		return nil
	}
	return fmt.Errorf("arrow %d: %v", id, e)
}

// track is the state of a thread: the names of its open events, and the time of the last one.
type track struct {
	open []string
	last float64
	any  bool
}

func validateEvent(e map[string]any, tracks map[[2]int64]*track, processes map[int64]bool,
	threads map[[2]int64]bool,
) error {
	phase, _ := e["ph"].(string)
	pid, err := integer(e, "pid")
	if err != nil {
		return err
	}
	tid, err := integer(e, "tid")
	if err != nil {
		return err
	}
	name, named := e["name"].(string)
	if _, is := e["args"].(map[string]any); e["args"] != nil && !is {
		return fmt.Errorf("args is no object: %v", e["args"])
	}
	for key := range e {
		if !slices.Contains([]string{"name", "cat", "ph", "ts", "pid", "tid", "args", "cname"},
			key) {
			return fmt.Errorf("a field %q", key)
		}
	}
	at := [2]int64{pid, tid}
	switch phase {
	case "M":
		rule, known := metadata[name]
		if !known {
			return fmt.Errorf("metadata %q", name)
		}
		argument := e["args"].(map[string]any)[rule.argument]
		_, number := argument.(json.Number)
		_, text := argument.(string)
		if rule.number != number || !rule.number && !text {
			return fmt.Errorf("%s with %v", name, argument)
		}
		processes[pid] = processes[pid] || name == "process_name"
		threads[at] = threads[at] || name == "thread_name"
		return nil
	case "B", "E":
	default:
		return fmt.Errorf("phase %q", phase)
	}
	number, is := e["ts"].(json.Number)
	now, err := number.Float64()
	if !is || err != nil {
		return fmt.Errorf("ts is %v", e["ts"])
	}
	t := tracks[at]
	if t == nil {
		t = &track{}
		tracks[at] = t
	}
	if t.any && now < t.last {
		return fmt.Errorf("ts %v after %v", now, t.last)
	}
	t.any, t.last = true, now
	if phase == "E" {
		if n := len(t.open); n == 0 || named && t.open[n-1] != name {
			return fmt.Errorf("%q ends, open are %q", name, t.open)
		}
		t.open = t.open[:len(t.open)-1]
		return nil
	}
	category, is := e["cat"].(string)
	if name == "" || !is || category == "" || strings.Contains(category, ",") {
		return fmt.Errorf("name %q, category %q", name, category)
	}
	if cname, is := e["cname"]; is && !slices.Contains(reserved, fmt.Sprint(cname)) {
		return fmt.Errorf("colour %v", cname)
	}
	t.open = append(t.open, name)
	return nil
}

// integer returns a field that must be an integer.
func integer(e map[string]any, field string) (int64, error) {
	n, is := e[field].(json.Number)
	v, err := n.Int64()
	if !is || err != nil {
		return 0, fmt.Errorf("%s is %v", field, e[field])
	}
	return v, nil
}

// TestTraceEvents checks that the file keeps the rules, whatever the threads did.
func TestTraceEvents(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 7))
		r := plate()
		for len(r.Threads) < 5 {
			r.Threads = append(r.Threads,
				analysis.Thread{Name: fmt.Sprintf("thread %d (\"worker\")", len(r.Threads))})
		}
		var b bytes.Buffer
		c := NewChrome(&b)
		if seed%3 == 0 {
			c.From, c.To = random.Int64N(2000), 2000+random.Int64N(5000)
		}
		times := make([]int64, len(r.Threads))
		for range random.IntN(500) {
			thread := random.IntN(len(times))
			from := times[thread]
			times[thread] += random.Int64N(200)
			c.Interval(analysis.Interval{
				Thread: thread, Path: r.Paths[random.IntN(len(r.Paths))],
				State: analysis.State(random.IntN(int(analysis.NumStates))),
				From:  1_000 + from, To: 1_000 + times[thread],
			})
		}
		if err := c.Finish(r); err != nil {
			t.Fatal(err)
		}
		if err := validateTraceEvents(b.Bytes()); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// TestTraceEventsOfRanks checks that each rank is a process with its threads and its name.
// Messages are arrows between them.
func TestTraceEventsOfRanks(t *testing.T) {
	r, _, messages := fixture.Ring(3)
	var b bytes.Buffer
	c := NewChrome(&b)
	for i := range r.Threads {
		c.Interval(analysis.Interval{
			Thread: i, Rank: i / 2, Path: r.Paths[1],
			State: analysis.StateMPI, From: 0, To: r.Wall,
		})
	}
	for _, m := range messages {
		m.Sender, m.Target = m.From/2, m.To/2
		c.Message(m)
	}
	if err := c.Finish(r); err != nil {
		t.Fatal(err)
	}
	if err := validateTraceEvents(b.Bytes()); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		`"ph":"s"`: 12, `"ph":"s","pid":2,"tid":3,"ts":0.100,"id":`: 1,
		`"ph":"f","pid":3,"tid":5,"ts":0.500,`: 1, `"args":{"tag":42,"bytes":12345}`: 24,
		`"name":"process_name","args":{"name":"ring rank 3 (node west)"}`: 1,
		`"name":"process_name"`: 4, `"cat":"mpi"`: 8,
	} {
		if got := strings.Count(b.String(), text); got != want {
			t.Errorf("%d times %s, want %d", got, text, want)
		}
	}
	var folded bytes.Buffer
	if err := Folded(&folded, r, WeightOf(analysis.Time)); err != nil {
		t.Fatal(err)
	}
	if !Exported(folded.Bytes()) {
		t.Errorf("not known as ours: %.100s", folded.String())
	}
}

// TestTraceEventRules checks that each rule finds the file that breaks it.
func TestTraceEventRules(t *testing.T) {
	const (
		names = `{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"t"}},{"ph":"M","pid":1,"tid":1,"name":"process_name","args":{"name":"p"}}`
		begin = `{"ph":"B","pid":1,"tid":1,"ts":1.5,"name":"a","cat":"c"},`
		end   = `{"ph":"E","pid":1,"tid":1,"ts":2,"name":"a"},`
	)
	if err := validateTraceEvents([]byte(`{"traceEvents":[` + begin + end + names + `]}`)); err !=
		nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		`{"traceEvents":[` + begin + names +
			`]}`: "open at the end",
		`{"traceEvents":[` + end + names +
			`]}`: "ends",
		`{"traceEvents":[` + begin + strings.Replace(end, `"ts":2`, `"ts":1`, 1) + names +
			`]}`: "after",
		`{"traceEvents":[` + begin + strings.Replace(end, `"name":"a"`, `"name":"b"`, 1) + names +
			`]}`: "ends",
		`{"traceEvents":[` + strings.Replace(begin, `"ts":1.5`, `"ts":"1.5"`, 1) + end + names +
			`]}`: "ts is",
		`{"traceEvents":[` + strings.Replace(begin, `"cat":"c"`, `"cat":"c,d"`, 1) + end + names +
			`]}`: "category",
		`{"traceEvents":[` + strings.Replace(begin, `"ts"`, `"cname":"blue","ts"`, 1) + end +
			names + `]}`: "colour",
		`{"traceEvents":[` + strings.Replace(begin, `"ph":"B"`, `"ph":"Z"`, 1) + end + names +
			`]}`: "phase",
		`{"traceEvents":[` + strings.Replace(begin, `"tid":1`, `"tid":"1"`, 1) + end + names +
			`]}`: "tid",
		`{"traceEvents":[` + strings.Replace(begin, `"ts"`, `"args":[],"ts"`, 1) + end + names +
			`]}`: "args",
		`{"traceEvents":[` + begin + end + strings.Split(names, "},{")[0] +
			`}]}`: "no process_name",
		`{"traceEvents":[` + begin + end +
			strings.Replace(names, "thread_name", "process_labels", 1) + `]}`: "process_labels",
		`{"traceEvents":[` + begin + end + strings.Replace(names, "thread_name", "thread", 1) +
			`]}`: "metadata",
		`{"displayTimeUnit":"s","traceEvents":[` + begin + end + names +
			`]}`: "displayTimeUnit",
		`{"events":[]}`: "no array",
	} {
		if err := validateTraceEvents([]byte(text)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
