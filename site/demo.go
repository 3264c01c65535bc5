package main

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed demo.tmpl
var demoPage string

// demo measures examples/heat and writes its report into the pages, with pictures of it and the
// page that shows them.
func demo(root, opari, pages string) error {
	report, err := heat(root, opari)
	if err != nil {
		return err
	}
	dir := filepath.Join(pages, "demo")
	name := filepath.Join(dir, "heat.html")
	if err := write(name, report); err != nil {
		return err
	}
	if err := pictures(name, dir); err != nil {
		return err
	}
	return write(filepath.Join(pages, "demo.md"), []byte(demoPage))
}

// heat builds examples/heat through the wrapper, runs it, and returns the report as a page.
func heat(root, opari string) ([]byte, error) {
	work, err := os.MkdirTemp("", "opari-heat-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	if err := os.CopyFS(work, os.DirFS(filepath.Join(root, "examples", "heat"))); err != nil {
		return nil, err
	}
	for _, command := range [][]string{
		{"make", "--no-print-directory", "CC=" + opari + " cc gcc", "heat"},
		{opari, "run", "--trace=heat.trace", "./heat", "1000", "500"},
		{opari, "report", "--format=html", "-o", "heat.html", "heat.trace"},
	} {
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Dir = work
		cmd.Env = append(os.Environ(), "OMP_NUM_THREADS=2", "OMP_SCHEDULE=static")
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", strings.Join(command, " "), err, out)
		}
	}
	page, err := os.ReadFile(filepath.Join(work, "heat.html"))
	// The page names the program by its path, which is nobody's business.
	return []byte(strings.ReplaceAll(string(page), work+"/", "")), err
}
