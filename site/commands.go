package main

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// commandPages writes a page for each command, of its help, and returns their names.
func commandPages(root, pages string) ([]string, error) {
	dir := filepath.Join(pages, "commands")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	into, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(filepath.Join("scripts", "go"), "run", "-tags", "man", "./cmd/opari",
		"man", "--markdown", into)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("opari man: %w\n%s", err, out)
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, f := range files {
		// Each shell's completion is a command of its own, whose help is in opari completion.
		if strings.HasPrefix(f.Name(), "opari_completion_") {
			continue
		}
		names = append(names, path.Join("commands", f.Name()))
	}
	return names, nil
}
