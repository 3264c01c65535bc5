package report

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"opari/internal/analysis"
	"opari/internal/omp"
)

// TestJSONCauses checks what JSON says of locks, of tasks that are held back and of last chunks.
func TestJSONCauses(t *testing.T) {
	r := analysis.New("p", 1000, []analysis.Thread{
		{Name: "thread 0 (initial)"}, {Name: "thread 1 (worker)"},
	})
	loop := r.Child(r.Paths[0], &analysis.Region{
		Kind: omp.KindFor, Name: "for", File: "f.c", Line: 3,
	})
	wait := &analysis.Region{Kind: omp.KindTaskwait, Name: "taskwait", File: "f.c", Line: 9}
	r.Exclusions = []*analysis.Exclusion{{
		Name: "lock 7", Held: []int64{300, 100}, Period: 500,
		Waits: []analysis.WaitFor{{Path: loop, Time: 250}},
	}}
	r.Starved = []analysis.Starved{{Waiter: loop, By: wait, Time: 40}}
	loop.LastChunks = []*analysis.LastChunk{{
		Before: 8, Iterations: 2, Waits: []int64{0, 60}, Longest: 70,
	}}
	var text bytes.Buffer
	if err := (&Run{}).JSON(&text, r); err != nil {
		t.Fatal(err)
	}
	type object = map[string]any
	type list = []any
	var got object
	if err := json.Unmarshal(text.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ got, want any }{
		"exclusions": {got["exclusions"], list{object{
			"name": "lock 7", "period_ns": 500., "held_ns": list{300., 100.},
			"waits": list{object{"path": 1., "time_ns": 250.}},
		}}},
		"starved": {got["starved"], list{object{
			"waiter": 1., "name": "taskwait", "file": "f.c", "line": 9., "time_ns": 40.,
		}}},
		"last chunks": {got["paths"].(list)[1].(object)["last_chunks"], list{object{
			"before": 8., "iterations": 2., "waits_ns": list{0., 60.}, "longest_ns": 70.,
		}}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
}
