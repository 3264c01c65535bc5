package report

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"opari/internal/analysis"
	"opari/internal/report/export"
	"opari/internal/report/fixture"
)

// TestLinesTable checks the table of lines, with the source at hand and without.
func TestLinesTable(t *testing.T) {
	r := fixture.Sampled(t, "a.c", 20)
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
	r := fixture.Sampled(t, "a.c", 20)
	var folded bytes.Buffer
	if err := export.Folded(&folded, r, export.WeightOf(analysis.Work)); err != nil {
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
	go func() { _ = writer.CloseWithError(export.Pprof(writer, r)) }()
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
