package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/analysis/run"
	"opari/otf"
)

// sharedRun is a run of two threads: 50 ms in a parallel region of a.c:7 to 9, with a sample each
// ms at a.c:8, at which each thread writes a long of its own. The longs are so many bytes apart.
func sharedRun(t *testing.T, apart uint64) *analysis.Result {
	t.Helper()
	const ms = 1_000_000
	stub := filepath.Join(t.TempDir(), "trace")
	manager, master := otf.NewFileManager(8), otf.NewMasterControl()
	d := otf.OpenWStream(stub, 0, manager)
	const point = otf.CounterTypeAbs | otf.CounterScopePoint
	err := errors.Join(d.WriteOtfVersion(), d.WriteDefTimerResolution(1e9))
	for _, c := range []string{"lines 7-9 a.c", "samples: 1000 a second", "stack 1: 0 10"} {
		err = errors.Join(err, d.WriteDefinitionComment(c))
	}
	err = errors.Join(err, d.WriteDefProcess(1, "thread 0 (initial)", 0),
		d.WriteDefProcess(2, "thread 1 (worker)", 0), d.WriteDefSclFile(1, "a.c"),
		d.WriteDefScl(1, 1, 7), d.WriteDefScl(2, 1, 8), d.WriteDefFunctionGroup(1, "parallel"),
		d.WriteDefFunctionGroup(2, "implicit task"), d.WriteDefFunctionGroup(4, "sampled code"),
		d.WriteDefFunction(1, "parallel a.c:7", 1, 1),
		d.WriteDefFunction(2, "parallel: implicit task a.c:7", 2, 1),
		d.WriteDefFunction(10, "main", 4, 2), d.WriteDefCounterGroup(1, "kernel"),
		d.WriteDefCounter(7, "data written", point, 1, "address"),
		d.WriteDefCounter(9, "sample", point, 1, "stack"))
	for process := uint32(1); process <= 2; process++ {
		master.Append(process, process)
		w := otf.OpenWStream(stub, process, manager)
		err = errors.Join(err, w.WriteBeginProcess(0, process))
		if process == 1 {
			err = errors.Join(err, w.WriteEnter(0, 1, 1, 0))
		}
		err = errors.Join(err, w.WriteEnter(0, 2, process, 0))
		for i := range uint64(49) {
			at := (i + 1) * ms
			err = errors.Join(err, w.WriteCounter(at, process, 9, 1),
				w.WriteCounter(at, process, 7, 4096+apart*uint64(process)))
		}
		err = errors.Join(err, w.WriteLeave(50*ms, 2, process, 0))
		if process == 1 {
			err = errors.Join(err, w.WriteLeave(50*ms, 1, 1, 0))
		}
		err = errors.Join(err, w.WriteEndProcess(50*ms, process), w.Close())
	}
	if err = errors.Join(err, d.Close(), master.Write(stub, manager)); err != nil {
		t.Fatal(err)
	}
	r, err := run.FromTrace(stub, run.Options{EventCost: -1})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestFalseSharing checks the finding in each form, that it can be too small for one, and that
// threads with lines of their own have none.
func TestFalseSharing(t *testing.T) {
	const text = "false sharing, a heuristic from samples: thread 0 and thread 1 use data 8 " +
		"bytes apart in one line of the cache at a.c:8"
	near, far := sharedRun(t, 8), sharedRun(t, 64)
	for _, c := range []struct {
		r     *analysis.Result
		share float64
		named bool
	}{{near, 0.005, true}, {near, 0.99, false}, {far, 0.005, false}} {
		o := &Run{Tables: []string{"findings"}, Share: c.share}
		var plain, marked, separated bytes.Buffer
		if err := errors.Join(o.Text(&plain, c.r), o.Markdown(&marked, c.r),
			o.CSV(&separated, c.r)); err != nil {
			t.Fatal(err)
		}
		row := "  98.0ms  98.0 %  a.c:7 parallel: work seems slowed by " + text + "\n"
		for form, has := range map[string]bool{
			"text": strings.Contains(plain.String(), row) &&
				strings.Contains(plain.String(), "  advice: "+analysis.SharingAdvice+"\n"),
			"Markdown": strings.Contains(marked.String(), "slowed by "+text),
			"CSV": strings.Contains(separated.String(),
				`hint,false-sharing,"`+text+`",a.c,7,all,98,98000000,`),
		} {
			if has != c.named {
				t.Errorf("share %g: %s: %v\n%s%s%s", c.share, form, has, &plain, &marked,
					&separated)
			}
		}
	}
	var b bytes.Buffer
	if err := (&Run{}).JSON(&b, near); err != nil {
		t.Fatal(err)
	}
	var out runJSON
	if err := json.Unmarshal(b.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	var found []*sharingJSON
	for _, q := range out.Paths {
		if q.Sharing != nil {
			found = append(found, q.Sharing)
		}
	}
	if len(found) != 1 || found[0].Text != text || found[0].Apart != 8 || found[0].Lines != 1 ||
		found[0].Time != 98_000_000 || !slices.Equal(found[0].Threads, []int{0, 1}) ||
		!slices.Equal(found[0].Codes, []codeJSON{{"main", "a.c", 8, 98}}) {
		t.Errorf("JSON: %+v", found)
	}
}
