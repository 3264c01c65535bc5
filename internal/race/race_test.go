package race

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"opari/internal/sarif/sariftest"
)

// log returns a log of ThreadSanitizer with a report of two lines.
func log(first, second, location, threads string) string {
	return "==================\nWARNING: ThreadSanitizer: data race (pid=10)\n" +
		"  Write of size 4 at 0x7f0000000100 by thread T1:\n" + first + "\n" +
		"  Previous read of size 4 at 0x7f0000000100 by thread T2:\n" + second + "\n" +
		location + "\n\n" + threads + "\nSUMMARY: ThreadSanitizer: data race f.c:1 in f\n"
}

func frame(line string) string { return "    #0|f._omp_fn.0|f.c|" + line + "|/bin/f|0x10\n" }

const twoThreads = "  Thread T1 (tid=11, running) created by main thread at:\n" +
	"    #0|pthread_create|<null>|0|/lib/libtsan.so.2|0x1\n\n" +
	"  Thread T2 (tid=12, running) created by main thread at:\n"

// explained returns what Finish makes of a log about a source f.c.
func explained(t *testing.T, source, log string) *Findings {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "f.c"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	reports, err := Read(strings.NewReader(log))
	if err != nil {
		t.Fatal(err)
	}
	fs := New(dir)
	t.Cleanup(fs.Close)
	fs.Add(reports, Frames{11: 0x7f0000000200, 12: 0x7f0000000080})
	fs.Finish()
	return fs
}

// lineOf returns the number of the line with a mark.
func lineOf(source, mark string) string {
	return strconv.Itoa(strings.Count(source[:strings.Index(source, mark)], "\n") + 1)
}

// TestExplain requires the variable, why and try of a finding for each rule. The accesses are in
// the lines that are marked.
func TestExplain(t *testing.T) {
	for _, c := range []struct{ name, source, variable, why, advice string }{
		{
			"iterations", `
			#pragma omp parallel for
			for (int i = 0; i < n; i++)
				a[i] = a[i + 1]; /*1*/ /*2*/`,
			"a", "iterations of the parallel for at f.c:2", "elements of its own",
		},
		{
			"temporary", `
			#pragma omp parallel for
			for (int i = 0; i < n; i++) {
				t = b[i]; /*1*/
				c[i] = t; /*2*/
			}`,
			"t", "t is shared by default", "private(t)",
		},
		{
			"nowait", `
			#pragma omp parallel
			{
			#pragma omp for nowait
				for (int i = 0; i < n; i++)
					a[i] = i; /*1*/
				x = a[0]; /*2*/
			}`,
			"a", "no barrier stands between the `nowait` of the for at f.c:4",
			"remove the nowait",
		},
		{
			"names", `
			#pragma omp parallel
			{
			#pragma omp critical(u)
				x++; /*1*/
			#pragma omp critical(v)
				x++; /*2*/
			}`,
			"x", "critical(u) and critical(v) are two locks", "same name",
		},
		{
			"one critical", `
			#pragma omp parallel
			{
			#pragma omp critical
				x++; /*1*/
				y = x; /*2*/
			}`,
			"x", "the read at f.c:6 is in none", "critical of the same name",
		},
		{
			"tasks", `
			#pragma omp parallel
			#pragma omp single
			{
			#pragma omp task
				x = 1; /*1*/
			#pragma omp task
				y = x; /*2*/
			}`,
			"x", "no dependence orders the tasks", "depend(out: x)",
		},
		{
			"task and parent", `
			#pragma omp parallel
			#pragma omp single
			{
			#pragma omp task
				x = 1; /*1*/
				y = x; /*2*/
			}`,
			"x", "may run until the next taskwait or barrier", "taskwait before the access",
		},
		{
			"master", `
			#pragma omp parallel
			{
			#pragma omp master
				x = 1; /*1*/
				y = x; /*2*/
			}`,
			"x", "no thread waits for the master at f.c:4", "barrier",
		},
		{
			"sections", `
			#pragma omp parallel sections
			{
			#pragma omp section
				x = 1; /*1*/
			#pragma omp section
				y = x; /*2*/
			}`,
			"x", "the sections of", "private",
		},
		{
			"team", `
			#pragma omp parallel
				x = x + 1; /*1*/ /*2*/`,
			"x", "all threads of the parallel", "reduction(+: x)",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "void f(void) {" + c.source + "\n}\n"
			fs := explained(t, source, log(frame(lineOf(source, "/*1*/")),
				frame(lineOf(source, "/*2*/")), "", twoThreads))
			if len(fs.List) != 1 {
				t.Fatalf("%d findings", len(fs.List))
			}
			f := fs.List[0]
			if f.Variable != c.variable || !strings.Contains(f.Why, c.why) ||
				!strings.Contains(f.Advice, c.advice) {
				t.Errorf("variable %q\nwhy %s\ntry %s", f.Variable, f.Why, f.Advice)
			}
		})
	}
}

const source = "int x;\nvoid f(void) {\n x = 1;\n}\nint g(void) { return x; }\n"

// TestOwnMemory drops reports about memory that the tasks of one thread use one after the other,
// and keeps those about memory that they share.
func TestOwnMemory(t *testing.T) {
	const by = " (tid=0, running) created by main thread at:\n\n"
	tasks := func(other string) string {
		return "  Thread T1 'task on 11'" + by +
			"  Thread T2 'task on " + other + "'" + by +
			"  Thread T3 (tid=11, running) created by main thread at:\n"
	}
	runtimes := "  Location is heap block of size 64 at 0x7f0000000100 allocated by thread T3:\n" +
		"    #0|malloc|/src/libsanitizer/tsan/i.cpp|1|/lib/libtsan.so.2|0x1\n" +
		"    #1|<null>|<null>|0|/lib/libgomp.so.1|0x1\n"
	for _, c := range []struct {
		name, location, threads string
		want                    int
	}{
		{"a frame of tasks", "  Location is stack of thread T3.\n", tasks("12"), 0},
		{"a frame above", "  Location is stack of thread T2.\n", twoThreads, 1},
		{"another thread's stack", "  Location is stack of main thread.\n", tasks("12"), 1},
		{"the runtime's block", runtimes, tasks("11"), 0},
		{"the runtime's block, two threads", runtimes, tasks("12"), 1},
		{"a thread's variable", "  Location is TLS of thread T3.\n", tasks("11"), 0},
		{
			"a global variable", "  Location is global 'x' of size 4 at 0x7f0000000100 (f+0x1)\n",
			tasks("11"), 1,
		},
	} {
		fs := explained(t, source, log(frame("3"), frame("5"), c.location, c.threads))
		if len(fs.List) != c.want {
			t.Errorf("%s: %d findings, want %d", c.name, len(fs.List), c.want)
		}
	}
}

// TestPairs requires one finding for each pair of lines, in whatever order the accesses come.
func TestPairs(t *testing.T) {
	global := "  Location is global 'x' of size 4 at 0x7f0000000100 (f+0x1)\n"
	fs := explained(t, source, log(frame("3"), frame("5"), global, twoThreads)+
		log(frame("5"), frame("3"), "", twoThreads)+log(frame("3"), frame("3"), global, twoThreads))
	if len(fs.List) != 2 || fs.List[1].Count != 2 || fs.List[1].Variable != "x" ||
		fs.List[1].Guessed || fs.List[0].Accesses[0].Source != "x = 1;" {
		t.Errorf("%+v", fs.List)
	}
}

// TestSARIF requires what a code host needs of each result, and what the schema does.
func TestSARIF(t *testing.T) {
	fs := explained(t, source, log(frame("3"), frame("5"), "", twoThreads))
	var b bytes.Buffer
	if err := fs.SARIF(&b, "1.0"); err != nil {
		t.Fatal(err)
	}
	type location struct {
		PhysicalLocation struct {
			ArtifactLocation struct{ URI string }
			Region           struct{ StartLine int }
		}
	}
	var got struct {
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID              string
				RuleIndex           int
				Message             struct{ Text string }
				Locations           []location
				RelatedLocations    []location
				PartialFingerprints map[string]string
			}
		}
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if wrong := sariftest.Mistakes(t, b.Bytes()); wrong != nil {
		t.Errorf("%q: %s", wrong, &b)
	}
	run := got.Runs[0]
	r := run.Results[0]
	if got.Version != "2.1.0" || len(run.Results) != 1 ||
		run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID || r.Message.Text == "" ||
		len(r.PartialFingerprints) != 1 || len(r.Locations) != 1 || len(r.RelatedLocations) != 1 ||
		r.Locations[0].PhysicalLocation.ArtifactLocation.URI != "f.c" ||
		r.Locations[0].PhysicalLocation.Region.StartLine != 3 ||
		r.RelatedLocations[0].PhysicalLocation.Region.StartLine != 5 {
		t.Errorf("%s", b.String())
	}
}

// TestSuppressions requires which findings a line leaves out.
func TestSuppressions(t *testing.T) {
	for line, want := range map[string]int{
		"variable x": 0, "variable y": 1, "place f.c": 0, "place f.c:5": 0, "place f.c:4": 1,
		"place *.c:3": 0, "function f": 0, "function g": 1, "# variable x": 1,
	} {
		fs := explained(t, source, log(frame("3"), frame("5"),
			"  Location is global 'x' of size 4 at 0x7f0000000100 (f+0x1)\n", twoThreads))
		list, err := ReadSuppressions("known", strings.NewReader(line+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		fs.Suppress(list)
		if len(fs.List) != want || fs.Suppressed != 1-want {
			t.Errorf("%s: %d findings", line, len(fs.List))
		}
	}
	for _, line := range []string{"variable", "f.c:3", "place [a"} {
		if _, err := ReadSuppressions("known", strings.NewReader("\n"+line)); err == nil ||
			!strings.HasPrefix(err.Error(), "known:2:") {
			t.Errorf("%s: %v", line, err)
		}
	}
}
