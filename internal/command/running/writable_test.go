package running

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWritableLeavesNothing checks that testing a folder leaves no file, and that the error
// names a missing folder.
func TestWritableLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	o := traceFlags{directory: filepath.Join(dir, "gone")}
	if err := o.prepare(); err != nil {
		t.Fatal(err)
	}
	if err := writable(o.directory); err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(o.directory); err != nil || len(entries) > 0 {
		t.Errorf("the trial leaves %v behind: %v", entries, err)
	}
	if err := os.Remove(o.directory); err != nil {
		t.Fatal(err)
	}
	if err := writable(o.directory); err == nil ||
		!strings.Contains(err.Error(), o.directory+": error: no such file or directory") {
		t.Errorf("a folder that is gone: %v", err)
	}
}
