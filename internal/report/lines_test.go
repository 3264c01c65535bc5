package report

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"opari/internal/analysis"
	"opari/internal/analysis/run"
	"opari/otf"
)

// sampledRun is a run of one thread: 90 ms in a parallel region in lines 7 to 9 of a file, and as
// many samples, at the lines hot and hot + 1.
func sampledRun(t *testing.T, file string, hot uint32) *analysis.Result {
	t.Helper()
	const ms = 1_000_000
	stub := filepath.Join(t.TempDir(), "trace")
	manager, master := otf.NewFileManager(8), otf.NewMasterControl()
	d := otf.OpenWStream(stub, 0, manager)
	err := errors.Join(d.WriteOtfVersion(), d.WriteDefTimerResolution(1e9))
	for _, c := range []string{
		"lines 7-9 " + file, "samples: 1000 a second", "stack 1: 0 10", "stack 2: 1 11",
		"stack 3: 2 12", "stack 4: 2 13", "stack 5: 3 14",
	} {
		err = errors.Join(err, d.WriteDefinitionComment(c))
	}
	err = errors.Join(err, d.WriteDefProcess(1, "thread 0 (initial)", 0),
		d.WriteDefSclFile(1, file), d.WriteDefScl(1, 1, 7), d.WriteDefScl(2, 1, 3),
		d.WriteDefScl(3, 1, 8), d.WriteDefScl(4, 1, hot), d.WriteDefScl(5, 1, hot+1),
		d.WriteDefFunctionGroup(1, "parallel"), d.WriteDefFunctionGroup(2, "implicit task"),
		d.WriteDefFunctionGroup(4, "sampled code"),
		d.WriteDefFunction(1, "parallel a.c:7", 1, 1),
		d.WriteDefFunction(2, "parallel: implicit task a.c:7", 2, 1),
		d.WriteDefFunction(10, "main", 4, 2), d.WriteDefFunction(11, "main", 4, 3),
		d.WriteDefFunction(12, "work", 4, 4), d.WriteDefFunction(13, "work", 4, 5),
		d.WriteDefFunction(14, "sin", 4, 0),
		d.WriteDefCounterGroup(1, "kernel"), d.WriteDefCounter(9, "sample",
			otf.CounterTypeAbs|otf.CounterScopePoint, 1, "stack"))
	master.Append(1, 1)
	w := otf.OpenWStream(stub, 1, manager)
	err = errors.Join(err, w.WriteBeginProcess(0, 1), w.WriteEnter(0, 1, 1, 0),
		w.WriteEnter(0, 2, 1, 0))
	for i := range uint64(90) {
		stack := []uint64{3, 4, 4, 5, 5, 5, 5, 5, 5}[i%9]
		err = errors.Join(err, w.WriteCounter(i*ms+1, 1, 9, stack))
	}
	err = errors.Join(err, w.WriteLeave(90*ms, 2, 1, 0), w.WriteLeave(90*ms, 1, 1, 0),
		w.WriteEndProcess(90*ms, 1), w.Close(), d.Close(), master.Write(stub, manager))
	if err != nil {
		t.Fatal(err)
	}
	r, err := run.FromTrace(stub, run.Options{EventCost: -1})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestLinesTable checks the table of lines, with the source at hand and without.
func TestLinesTable(t *testing.T) {
	r := sampledRun(t, "a.c", 20)
	for _, c := range []struct {
		name, text string
		all        bool
	}{
		{"no source", `
Lines, by samples
    time  samples    share  with calls  line
  90.0ms       90  100.0 %              a.c:7 parallel
  70.0ms       70   77.8 %      77.8 %    a.c:20 work
  20.0ms       20   22.2 %      22.2 %    a.c:21 work
                                          ... and 1 more (--lines shows all)
`, false},
		{"source, all lines", `
Lines, by samples
    time  samples    share  with calls  line
  90.0ms       90  100.0 %              a.c:7 parallel
  70.0ms       70   77.8 %      77.8 %    a.c:20 work: y = sin(x);
  20.0ms       20   22.2 %      22.2 %    a.c:21 work
       0        0    0.0 %     100.0 %    a.c:8 main
`, true},
	} {
		o := Run{Tables: []string{"lines"}, AllLines: c.all}
		if c.all {
			o.Source = func(string) ([]string, error) {
				return append(make([]string, 7), "", "", "", "", "", "", "", "", "", "", "", "",
					"   y =\tsin(x);"), nil
			}
		}
		var b bytes.Buffer
		if err := o.Text(&b, r); err != nil {
			t.Fatal(err)
		}
		if _, got, _ := strings.Cut(b.String(), "\n"); got != c.text {
			t.Errorf("%s:\n%swant%s", c.name, got, c.text)
		}
	}
}

// TestSampledExports checks that exports divide the work of a region among the stacks of its
// samples.
func TestSampledExports(t *testing.T) {
	r := sampledRun(t, "a.c", 20)
	var folded bytes.Buffer
	if err := Folded(&folded, r, WeightOf(analysis.Work)); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(folded.String()), "\n")
	want := []string{
		"thread 0 (initial);parallel a.c:7;main a.c:8;work a.c:20 10000000",
		"thread 0 (initial);parallel a.c:7;main a.c:8;work a.c:20;sin 60000000",
		"thread 0 (initial);parallel a.c:7;main a.c:8;work a.c:21 20000000",
	}
	if slices.Sort(lines); !slices.Equal(lines, want) {
		t.Errorf("folded:\n%s", folded.String())
	}
	reader, writer := io.Pipe()
	go func() { _ = writer.CloseWithError(Pprof(writer, r)) }()
	p, err := profile.Parse(reader)
	if err == nil {
		err = p.CheckValid()
	}
	if err != nil {
		t.Fatal(err)
	}
	times := map[string]int64{}
	for _, s := range p.Sample {
		var frames []string
		for _, l := range s.Location {
			frames = append(frames, l.Line[0].Function.Name)
		}
		times[strings.Join(frames, " < ")] += s.Value[1]
	}
	if times["sin < work < main < parallel a.c:7 < program"] != 60_000_000 ||
		times["work < main < parallel a.c:7 < program"] != 30_000_000 {
		t.Errorf("pprof: %v", times)
	}
}
