package report

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/report/fixture"
	"opari/internal/report/profile"
)

var updateRuns = flag.Bool("update", false, "write the golden files anew")

// bankRun returns the result of the profile of a run of three threads.
func bankRun(t *testing.T) *analysis.Result {
	t.Helper()
	f, err := os.Open("profile/testdata/bank.profile")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := profile.Read("bank.profile", f)
	if err != nil {
		t.Fatal(err)
	}
	return p.Result()
}

// TestRun compares the report of a profile in each format.
func TestRun(t *testing.T) {
	all := &Run{Tables: Tables, Threads: true, Share: 0.005, Width: 80}
	short := &Run{Tables: []string{"findings", "regions"}, Top: 3, Share: 0.005, Width: 60}
	for name, write := range map[string]func(io.Writer, *analysis.Result) error{
		"bank.report.txt": all.Text, "bank.report.md": all.Markdown, "bank.report.csv": all.CSV,
		"bank.report.json": all.JSON, "bank.short.txt": short.Text,
	} {
		var b bytes.Buffer
		if err := write(&b, bankRun(t)); err != nil {
			t.Fatal(err)
		}
		golden := filepath.Join("testdata", name)
		if *updateRuns {
			if err := os.WriteFile(golden, b.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if b.String() != string(want) {
			t.Errorf("%s is another one (-update writes it)", name)
		}
	}
}

// TestLines checks that a narrow terminal wraps findings and loses no number.
func TestLines(t *testing.T) {
	var b bytes.Buffer
	if err := (&Run{Tables: []string{"findings"}, Share: 0.005, Width: 60}).Text(&b,
		bankRun(t)); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if len(strings.TrimSuffix(line, "\n")) > 60 && !strings.HasPrefix(line, "/") {
			t.Errorf("%q is wider than 60", line)
		}
	}
}

// TestSourceText checks that the source marks all lines of a finding, and shows one line before
// and one after. It cuts long constructs.
func TestSourceText(t *testing.T) {
	r, _ := fixture.Heat()
	lines := strings.Split(strings.TrimSuffix(fixture.HeatSource, "\n"), "\n")
	var b bytes.Buffer
	show := &Run{
		Tables: []string{"source"}, Share: 0.02,
		Source: func(string) ([]string, error) { return lines, nil },
	}
	if err := show.Text(&b, r); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\n  heat.c:10 for\n     9      {\n  > 10  #pragma omp for\n  > 11          for (int i = " +
			"0; i < 100; i++) {\n" +
			"  > 12  #pragma omp critical(gate)\n  > 13              a[i] += i;\n  > 14          " +
			"}\n    15      }\n",
		"\n    11          for (int i = 0; i < 100; i++) {\n  > 12  #pragma omp critical(gate)\n " +
			"   13              a[i] += i;\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no\n%s\nin\n%s", want, b.String())
		}
	}
	var long strings.Builder
	excerptText(&long, make([]string, 100), &analysis.Region{File: "a.c", Line: 50, End: 90})
	if n := strings.Count(long.String(), ">"); n != linesShown+1 ||
		!strings.Contains(long.String(), "to line 90") {
		t.Errorf("%d lines are marked:\n%s", n, long.String())
	}
	show.Source = func(file string) ([]string, error) {
		return nil,
			fmt.Errorf("%s was not found", file)
	}
	b.Reset()
	if err := show.Markdown(&b, r); err != nil ||
		!strings.Contains(b.String(), "### Source\n\n~~~~\n") ||
		!strings.Contains(b.String(), "no source: heat.c was not found") {
		t.Errorf("%v: %s", err, b.String())
	}
}
