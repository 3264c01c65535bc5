package traces

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/analysis/run"
	"opari/internal/expensive"
)

// TestDamagedTraces flips one bit in each copy of a recorded trace. A trace that the checker
// rejects gives no numbers, except with --damaged, and then no impossible times.
func TestDamagedTraces(t *testing.T) {
	expensive.Test(t, "it runs opari hundreds of times")
	random := rand.New(rand.NewPCG(6, 23))
	files, err := filepath.Glob("testdata/recorded/trace.*")
	if err != nil || len(files) != 4 {
		t.Fatal(files, err)
	}
	rejected := 0
	for range 400 {
		dir := t.TempDir()
		damaged := files[random.IntN(len(files))]
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if name == damaged {
				text[random.IntN(len(text))] ^= 1 << random.IntN(8)
			}
			if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), text,
				0o666); err != nil {
				t.Fatal(err)
			}
		}
		trace := filepath.Join(dir, "trace")
		d := damageOf(trace)
		_, err := Analyse(trace, run.Options{}, false)
		if d.errors > 0 {
			if rejected++; err == nil || !strings.Contains(err.Error(), d.first[0]) {
				t.Errorf("the checker says %q, the analysis %v", d.first, err)
			}
		}
		if result, err := Analyse(trace, run.Options{}, true); err == nil {
			checkTimes(t, result)
		}
	}
	if rejected < 100 {
		t.Errorf("%d of 400 traces are damaged by the checker's rules", rejected)
	}
}

func checkTimes(t *testing.T, r *analysis.Result) {
	t.Helper()
	if r.Wall < 0 {
		t.Errorf("%d ns of wall time", r.Wall)
	}
	for i := range r.Threads {
		for _, p := range r.Paths {
			for property := range analysis.NumProperties {
				if s := p.Severity(property, i); s < 0 || s > r.Wall {
					t.Errorf("%v of %s: %d of %d ns", property, p.Region.Name, s, r.Wall)
				}
			}
		}
	}
}
