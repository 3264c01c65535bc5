package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// TestManual checks that a build with the tag man writes a page for each command. The page
// shows the options, keeps the characters that Markdown would take for markup, and has no
// warning of groff.
func TestManual(t *testing.T) {
	expensive.Test(t, "it links opari once more", "go")
	dir := filepath.Join(t.TempDir(), "pages")
	if out, err := exec.Command("go", "run", "-tags", "man", ".", "man",
		dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, want := range map[string][]string{
		"opari": {
			`.TH "OPARI" "1"`, "opari -o OUT FILE           likewise",
			`--functions\fP[=globs]`, "!GLOB",
		},
		"opari-cc":  {"OPARI_COVERAGE=FILE", "COMPILER ARGUMENTS..."},
		"opari-run": {"kind|name|file PATTERN"},
	} {
		page := filepath.Join(dir, name+".1")
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range want {
			if !strings.Contains(strings.ReplaceAll(string(text), `\-`, "-"), part) {
				t.Errorf("%s has no %q:\n%s", page, part, text)
			}
		}
		if _, err := exec.LookPath("man"); err == nil {
			cmd := exec.Command("man", "--warnings", "-l", page)
			var warnings strings.Builder
			cmd.Stderr = &warnings
			if err := cmd.Run(); err != nil || warnings.Len() > 0 {
				t.Errorf("man %s: %v %s", page, err, &warnings)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "opari-man.1")); err == nil {
		t.Error("the generator has a page of its own")
	}
}
