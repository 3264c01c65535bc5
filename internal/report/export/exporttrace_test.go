package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"opari/internal/analysis"
	"opari/internal/analysis/run"
	"opari/internal/expensive"
)

// TestExportTraces exports traces of programs with tasks at barriers, nested regions, locks and
// ordered loops. Each file must agree with the analysis.
func TestExportTraces(t *testing.T) {
	expensive.Compilers(t)
	dir := t.TempDir()
	opari := filepath.Join(dir, "opari")
	execute := func(name string, args ...string) {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Env = append(os.Environ(), "OMP_NUM_THREADS=2", "OMP_DYNAMIC=false",
			"OMP_WAIT_POLICY=passive")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
	}
	execute("go", "build", "-o", opari, "opari/cmd/opari")
	for _, name := range []string{"tasks", "nesting", "lock", "ordered", "sections", "creation"} {
		t.Run(name, func(t *testing.T) {
			program, trace := filepath.Join(dir, name), filepath.Join(dir, name+".trace")
			execute(opari, "cc", "gcc", "-fopenmp", "-O1",
				"../../analysis/run/testdata/seeds/"+name+".c",
				"-o", program)
			execute(opari, "run", "--trace="+trace, program)
			var pprof, folded bytes.Buffer
			b := newBoth(0, 0)
			r, err := run.FromTrace(filepath.Join(trace, "trace"),
				run.Options{Interval: b.interval})
			if err != nil {
				t.Fatal(err)
			}
			for _, err := range []error{
				Pprof(&pprof, r), Folded(&folded, r, WeightOf(analysis.Time)),
			} {
				if err != nil {
					t.Fatal(err)
				}
			}
			b.compare(t, r)
			checkSlices(t, r, b.text.Bytes())
			checkSums(t, r, &pprof, &folded)
		})
	}
}

// checkSlices adds up, for each region and thread, the time in its slices outside those of
// other regions.
func checkSlices(t *testing.T, r *analysis.Result, text []byte) {
	t.Helper()
	_, events := readChrome(t, text)
	type key struct {
		thread int
		region string
	}
	got, want := map[key]int64{}, map[key]int64{}
	stacks, last := map[int][]string{}, map[int]int64{}
	slices := 0
	for _, e := range events {
		if e.Phase == "M" {
			continue
		}
		now := nanoseconds(t, e.Time)
		stack := stacks[e.Thread]
		for i := len(stack) - 1; i >= 0; i-- {
			if stack[i] != "" { // a state is part of the region around it
				got[key{e.Thread, stack[i]}] += now - last[e.Thread]
				break
			}
		}
		last[e.Thread] = now
		if e.Phase == "E" {
			stacks[e.Thread] = stack[:len(stack)-1]
			continue
		}
		slices++
		region := ""
		if e.Args != nil {
			var at struct {
				File string
				Line int
			}
			if err := json.Unmarshal(e.Args, &at); err != nil {
				t.Fatal(err)
			}
			region = fmt.Sprintf("%s, %s:%d", e.Name, at.File, at.Line)
		}
		stacks[e.Thread] = append(stack, region)
	}
	for _, q := range r.Paths {
		for i, v := range q.Visits {
			if v.Excl > 0 && q.File != "" && q.KindName() != "serial" {
				want[key{
					i + 1,
					fmt.Sprintf("%s %s, %s:%d", q.Name, q.Place(), q.File, q.Line),
				}] += v.Excl
			}
		}
	}
	for k, time := range want {
		if got[k] != time {
			t.Errorf("%v: the slices are %d ns, the analysis has %d", k, got[k], time)
		}
	}
	if len(got) != len(want) || len(want) < 3 {
		t.Errorf("slices of %d regions, the analysis has %d", len(got), len(want))
	}
	t.Logf("%d slices of %d events of the trace", slices, r.Events)
}

func nanoseconds(t *testing.T, microseconds json.Number) int64 {
	t.Helper()
	x, err := microseconds.Float64()
	if err != nil {
		t.Fatal(err)
	}
	return int64(math.Round(x * 1000))
}

// checkSums compares the sum of all samples and stacks with the processor time.
func checkSums(t *testing.T, r *analysis.Result, pprof, folded *bytes.Buffer) {
	t.Helper()
	p, err := profile.Parse(pprof)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.CheckValid(); err != nil {
		t.Fatal(err)
	}
	var samples, stacks int64
	for _, s := range p.Sample {
		samples += s.Value[0]
	}
	for line := range strings.Lines(folded.String()) {
		n, err := strconv.ParseInt(strings.TrimSpace(line[strings.LastIndexByte(line, ' '):]), 10,
			64)
		if err != nil {
			t.Fatal(err)
		}
		stacks += n
	}
	if want := r.Sum(analysis.Time, -1); samples != want || stacks != want {
		t.Errorf("samples %d ns, stacks %d, the analysis has %d", samples, stacks, want)
	}
}
