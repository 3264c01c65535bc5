package whatif

import (
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/omp"
)

// TestParseWhatIf checks what is a change, and what messages say of all else.
func TestParseWhatIf(t *testing.T) {
	for text, want := range map[string]string{
		"balance a.c:1 for":                  "",
		" halve work of  f and threads 8":    "",
		"scale work of a.c:1 by 0":           "",
		"scale work of serial by hand by 2":  "",
		"no lock gate and no lock a.c:3":     "",
		"":                                   `"" is no change: write "balance PLACE"`,
		"balance":                            `"balance" is no change`,
		"double work of a.c:1":               `is no change`,
		"threads":                            `is no change`,
		"threads 0":                          `"0" is no number of threads`,
		"threads many":                       `"many" is no number of threads`,
		"balance a.c:1 and":                  ``,
		"balance a.c:1 and ":                 `"" is no change`,
		"scale work of a.c:1":                `by how much?`,
		"scale work of a.c:1 by NaN":         `"NaN" is no factor from 0 to 1000`,
		"scale work of a.c:1 by -1":          `"-1" is no factor`,
		"halve work of a.c:1 and scale it 3": `"scale it 3" is no change`,
	} {
		_, err := Parse(text)
		switch {
		case want == "" && err != nil:
			t.Errorf("%q: %v", text, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, not %q", text, err, want)
		}
	}
}

// TestNoPlace checks the messages for places where a change would change nothing.
func TestNoPlace(t *testing.T) {
	r := analysis.New("program", 100, []analysis.Thread{{Name: "thread 0 (initial)"}})
	add := func(q *analysis.Path, kind omp.Kind, name string, line int) *analysis.Path {
		return r.Child(q, &analysis.Region{Kind: kind, Name: name, File: "src/f.c", Line: line})
	}
	team := add(r.Paths[0], omp.KindParallel, "parallel", 10)
	loop := add(team, omp.KindFor, "for", 11)
	add(team, omp.KindBarrier, "barrier", 20)
	task := add(team, omp.KindTask, "task", 30)
	add(task, omp.KindCritical, "critical(gate)", 31)
	add(loop, omp.KindRegion, "hot", 12)
	add(r.Paths[0], omp.KindRegion, "read", 90)
	for text, want := range map[string]string{
		"balance f.c:13":                  "are: f.c:12 hot, f.c:11 for, f.c:10 parallel",
		"balance f.c:14":                  `no region is called "f.c:14" or is at that place`,
		"balance src/f.c:11":              "",
		"balance hot":                     "",
		"balance f.c:30":                  "threads of a team share no work there",
		"balance read":                    "threads of a team share no work there",
		"balance f.c:20":                  "threads of a team share no work there",
		"no lock f.c:11":                  "no thread waits there to exclude others; the nearest",
		"no lock gate":                    "",
		"no lock f.c:30":                  "",
		"no lock door":                    `no region is called "door"`,
		"halve work of f.c:20":            "there is only waiting",
		"halve work of f.c:88":            "are: f.c:90 read, f.c:31 critical(gate), f.c:30",
		"halve work of g.c:88":            "no region is called",
		"halve work of hot and no lock x": `is called "x"`,
		"threads 4":                       "",
	} {
		w, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		err = w.Check(r)
		switch {
		case want == "" && err != nil:
			t.Errorf("%q: %v", text, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, not %q", text, err, want)
		}
	}
}
