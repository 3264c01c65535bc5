package report

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"opari/analysis"
)

// TestRun compares the report of a profile in each format.
func TestRun(t *testing.T) {
	all := &Run{Tables: Tables, Threads: true, Share: 0.005, Width: 80}
	short := &Run{Tables: []string{"findings", "regions"}, Top: 3, Share: 0.005, Width: 60}
	for name, write := range map[string]func(io.Writer, *analysis.Result) error{
		"bank.report.txt": all.Text, "bank.report.md": all.Markdown, "bank.report.csv": all.CSV, "bank.report.json": all.JSON, "bank.short.txt": short.Text,
	} {
		var b bytes.Buffer
		if err := write(&b, bank(t).Result()); err != nil {
			t.Fatal(err)
		}
		golden := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(golden, b.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if b.String() != string(want) {
			t.Errorf("%s (-update writes it):\n%s", name, b.String())
		}
	}
}

// TestProfileSums: what a profile knows adds up to the processor time, but for what its threads' clocks differ.
func TestProfileSums(t *testing.T) {
	p := bank(t)
	r := p.Result()
	if got, want := r.Sum(analysis.Time, -1), r.Total(); float64(got) < 0.995*float64(want) || float64(got) > 1.005*float64(want) {
		t.Errorf("the severities are %d ns together, %d threads of %d ns are %d", got, len(r.Threads), r.Wall, want)
	}
	if got, want := r.Sum(analysis.ImbalanceLoop, -1), p.Regions[2].row().Barrier; got != want {
		t.Errorf("loop imbalance is %d, the loop's barrier %d", got, want)
	}
}

// TestLines: in a narrow terminal findings are broken, and no number is lost.
func TestLines(t *testing.T) {
	var b bytes.Buffer
	if err := (&Run{Tables: []string{"findings"}, Share: 0.005, Width: 60}).Text(&b, bank(t).Result()); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if len(strings.TrimSuffix(line, "\n")) > 60 && !strings.HasPrefix(line, "/") {
			t.Errorf("%q is wider than 60", line)
		}
	}
}
