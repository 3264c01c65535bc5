package export

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"opari/internal/analysis"
	"opari/internal/expensive"
	"opari/internal/omp"
)

// plate returns a run with everything that an export must carry: nested regions, names with a
// semicolon, and times of many properties. One name and place is in two folders, and one region
// has two callers.
func plate() *analysis.Result {
	r := analysis.New("/home/me/heat", 1000_000,
		[]analysis.Thread{
			{Name: "thread 0 (initial)", End: 1000_000},
			{Name: "thread 1 (worker)", End: 1000_000},
		})
	root := r.Paths[0]
	parallel := r.Child(root,
		&analysis.Region{Kind: omp.KindParallel, Name: "parallel", File: "heat.c", Line: 3})
	loop := &analysis.Region{Kind: omp.KindFor, Name: "for", File: "src/heat.c", Line: 5}
	first := r.Child(parallel, loop)
	gate := r.Child(first,
		&analysis.Region{Kind: omp.KindCritical, Name: "critical(gate)", File: "heat.c", Line: 6})
	other := r.Child(root,
		&analysis.Region{Kind: omp.KindParallel, Name: "parallel", File: "heat.c", Line: 9})
	second := r.Child(other, loop)
	twin := r.Child(other,
		&analysis.Region{Kind: omp.KindFor, Name: "for", File: "lib/heat.c", Line: 5})
	escaped := r.Child(other,
		&analysis.Region{Kind: omp.KindRegion, Name: "a;b\nc", File: "heat.c", Line: 11})
	root.Add(analysis.Work, 0, 100_000)
	root.Add(analysis.IdleSerial, 1, 100_000)
	for thread := range 2 {
		n := int64(thread + 1)
		for i, q := range []*analysis.Path{parallel, first, gate, other, second, twin, escaped} {
			q.Visits[thread] = analysis.Visit{Count: n + int64(i), Incl: 1000, Min: 1, Max: 100}
			q.Add(analysis.Work, thread, 10_000*n+int64(i))
		}
		first.Add(analysis.ImbalanceLoop, thread, 3_000*n)
		first.Add(analysis.BarrierCost, thread, 70)
		gate.Add(analysis.CriticalWait, thread, 500)
		parallel.Add(analysis.ForkJoin, thread, 11)
		second.Add(analysis.TaskStarvation, thread, 1<<40) // more than 32 bits
	}
	r.Lost = []string{"2 records were lost"}
	return r
}

func TestPprofRead(t *testing.T) {
	r := plate()
	var b bytes.Buffer
	if err := Pprof(&b, r); err != nil {
		t.Fatal(err)
	}
	if !Exported(b.Bytes()) {
		t.Error("the profile is not known as ours")
	}
	p, err := profile.Parse(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.CheckValid(); err != nil {
		t.Fatal(err)
	}
	if p.DurationNanos != r.Wall || p.DefaultSampleType != "time" || len(p.Comments) != 1 ||
		p.Comments[0] != r.Lost[0] {
		t.Errorf("duration %d, default %q, comments %q", p.DurationNanos,
			p.DefaultSampleType, p.Comments)
	}
	// Per thread and column, and per property, the samples add up to the Result's sums.
	var visits int64
	sums := map[string]int64{}
	for _, s := range p.Sample {
		thread := s.Label["thread"][0]
		for i, v := range s.Value {
			sums[thread+" "+p.SampleType[i].Type] += v
		}
		if property := s.Label["property"]; property != nil {
			sums[property[0]] += s.Value[0]
		}
		visits += s.Value[len(s.Value)-1]
		if leaf := s.Location[len(s.Location)-1].Line[0].Function; leaf.Name != "program" {
			t.Errorf("the outermost frame is %q", leaf.Name)
		}
	}
	for i, thread := range r.Threads {
		for _, w := range sampleTypes {
			var want int64
			for p := range analysis.NumProperties {
				if p.Leaf() && w.of(p) {
					want += r.Sum(p, i)
				}
			}
			if got := sums[thread.Name+" "+w.key]; got != want || want == 0 {
				t.Errorf("%s, %s: %d, want %d", thread.Name, w.key, got, want)
			}
		}
	}
	for p := range analysis.NumProperties {
		if want := r.Sum(p, -1); p.Leaf() && sums[p.Key()] != want {
			t.Errorf("%s: %d, want %d", p, sums[p.Key()], want)
		}
	}
	var want int64
	for _, q := range r.Paths {
		for _, v := range q.Visits {
			want += v.Count
		}
	}
	if visits != want {
		t.Errorf("%d visits, want %d", visits, want)
	}
	names := map[string]int{}
	for _, f := range p.Function {
		names[f.Name]++
		if f.Name == "critical(gate) heat.c:6" && (f.Filename != "heat.c" || f.StartLine != 6) {
			t.Errorf("%+v", f)
		}
	}
	for _, name := range []string{
		"for src/heat.c:5", "for lib/heat.c:5", "parallel heat.c:3",
		"parallel heat.c:9",
	} {
		if names[name] != 1 {
			t.Errorf("%d functions are named %q; all: %v", names[name], name, names)
		}
	}
}

// TestPprofTool runs the real tool, which must find the source lines.
func TestPprofTool(t *testing.T) {
	expensive.Test(t, "it builds pprof")
	dir := t.TempDir()
	source := "int x;\n\n#pragma omp parallel\n{\n#pragma omp for\n#pragma omp critical(gate)\n"
	for name, text := range map[string]string{
		"heat.c":     source,
		"src/heat.c": "\n\n\n\n#pragma omp for // of src\n",
		"lib/heat.c": "\n\n\n\n#pragma omp for // of lib\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Create(filepath.Join(dir, "heat.pb.gz"))
	if err != nil {
		t.Fatal(err)
	}
	r := plate()
	if err := Pprof(f, r); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	tool := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("go",
			append(append([]string{"tool", "pprof"}, args...), "heat.pb.gz")...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GO111MODULE=off", "PPROF_TMPDIR="+dir)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go tool pprof %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	has := func(text string, parts ...string) {
		t.Helper()
		for _, p := range parts {
			if !strings.Contains(text, p) {
				t.Errorf("no %q in\n%s", p, text)
			}
		}
	}
	has(tool("-top", "-unit=ns", "-nodefraction=0", "-sample_index=work"), "Type: work",
		"critical(gate) heat.c:6", "for src/heat.c:5", "for lib/heat.c:5",
		strconv.FormatInt(r.Sum(analysis.Work, -1), 10)+"ns   100%  program")
	has(tool("-top", "-sample_index=visits", "-nodefraction=0"), "Type: visits",
		"parallel heat.c:9")
	has(tool("-list", `critical\(gate`, "-sample_index=waiting"), "1us        1us",
		"6:#pragma omp critical(gate)")
	has(tool("-list", "for src"), "5:#pragma omp for // of src")
	has(tool("-top", "-nodefraction=0", "-tagfocus=thread=worker"), "program")
	has(tool("-tags"), "imbalance-loop", "thread 1 (worker)")
}

func TestFolded(t *testing.T) {
	r := plate()
	for _, name := range WeightNames() {
		w, err := ParseWeight(name)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := Folded(&b, r, w); err != nil {
			t.Fatal(err)
		}
		var want, got int64
		for p := range analysis.NumProperties {
			if p.Leaf() && w.of(p) {
				want += r.Sum(p, -1)
			}
		}
		for line := range strings.Lines(b.String()) {
			i := strings.LastIndexByte(line, ' ')
			n, err := strconv.ParseInt(strings.TrimSpace(line[i:]), 10, 64)
			if err != nil || n <= 0 || !strings.HasPrefix(line, "thread ") {
				t.Fatalf("%s: %q", name, line)
			}
			got += n
		}
		if got != want {
			t.Errorf("%s: the stacks are %d ns, the run %d", name, got, want)
		}
		if want > 0 && !Exported(b.Bytes()) {
			t.Errorf("%s: the stacks are not known as ours", name)
		}
		if name == "time" {
			for _, line := range []string{
				"thread 1 (worker);parallel heat.c:3;for src/heat.c:5;[loop imbalance] 6000\n",
				"thread 0 (initial);parallel heat.c:3;for src/heat.c:5;critical(gate) heat.c:6 " +
					"10002\n",
				"thread 0 (initial);parallel heat.c:9;a,b c heat.c:11 10006\n",
				"thread 1 (worker);[serial code] 100000\n",
			} {
				if !strings.Contains(b.String(), line) {
					t.Errorf("no %q in\n%s", line, b.String())
				}
			}
			if want != r.Sum(analysis.Time, -1) {
				t.Errorf("time is %d, not %d", want, r.Sum(analysis.Time, -1))
			}
		}
	}
	if _, err := ParseWeight("mass"); err == nil {
		t.Error("mass is a weight")
	}
}

func TestExportedKnowsOthers(t *testing.T) {
	for _, head := range []string{
		"", "thread", "int main(void)\n", "thread safety\n",
		"thread 1;a 12\nand more\n", "{\"traceEvents\":[]}", "\x1f\x8b\x08\x00",
	} {
		if Exported([]byte(head)) {
			t.Errorf("%q is taken for ours", head)
		}
	}
}
