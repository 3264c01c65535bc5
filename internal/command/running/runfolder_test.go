package running

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"opari/internal/recording"
)

// TestNewerTraces checks that traces of runs which ended after this process began remain,
// although none of those runs is active.
func TestNewerTraces(t *testing.T) {
	o := traceFlags{directory: t.TempDir()}
	began := recording.Began()
	for name, time := range map[string]time.Time{
		"trace.otf": began.Add(-time.Millisecond), "trace.1.events": began.Add(time.Second),
		"trace-7.otf": began, "trace-7.1.events": began.Add(-time.Hour),
	} {
		path := filepath.Join(o.directory, name)
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time, time); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.prepare(); err != nil {
		t.Fatal(err)
	}
	var names []string
	files, err := os.ReadDir(o.directory)
	for _, f := range files {
		names = append(names, f.Name())
	}
	if got := strings.Join(names, " "); err != nil || got != "trace-7.1.events trace-7.otf" {
		t.Errorf("%s are left: %v", got, err)
	}
}
