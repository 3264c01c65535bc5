package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// TestRecipes requires that the recipes name the tarballs with their sums, that nothing is left to
// fill in, and that Python reads those that are Python or YAML.
func TestRecipes(t *testing.T) {
	dir := t.TempDir()
	r := release{version: "1.2-rc", out: dir, url: "https://example.org/files/"}
	if err := r.recipes(); err == nil {
		t.Error("there are no tarballs, and recipes for them")
	}
	amd64, arm64 := strings.Repeat("a", 64), strings.Repeat("b", 64)
	sums := amd64 + "  opari-1.2-rc-linux-amd64.tar.gz\n"
	if err := os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(sums), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := r.recipes(); err == nil || !strings.Contains(err.Error(), "arm64") {
		t.Errorf("there is one tarball alone: %v", err)
	}
	sums += arm64 + "  opari-1.2-rc-linux-arm64.tar.gz\n"
	if err := os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(sums), 0o666); err != nil {
		t.Fatal(err)
	}
	r.url = "/files"
	if err := r.recipes(); err == nil {
		t.Error("/files is taken for an address")
	}
	r.url = "https://example.org/files/"
	if err := r.recipes(); err != nil {
		t.Fatal(err)
	}
	for name, sums := range map[string]bool{
		"recipes/spack/packages/opari/package.py": true, "recipes/conda/meta.yaml": true,
		"recipes/homebrew/opari.rb": true, "Containerfile": false,
	} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, left := range []string{"@URL", "@NAME", "@SUM", "@VERSION", "@CONDA"} {
			if strings.Contains(string(text), left) {
				t.Errorf("%s: %s is left:\n%s", name, left, text)
			}
		}
		for _, part := range []string{
			amd64, arm64, "https://example.org/files/opari-1.2-rc-linux-amd64.tar.gz",
		} {
			if sums && !strings.Contains(string(text), part) {
				t.Errorf("%s has no %s:\n%s", name, part, text)
			}
		}
	}
	expensive.Test(t, "it starts Python", "python3")
	const read = `
import ast, sys, yaml
ast.parse(open("recipes/spack/packages/opari/package.py").read())
meta = yaml.safe_load(open("recipes/conda/meta.yaml"))
assert meta["package"]["version"] == "1.2.rc", meta
assert [len(s["sha256"]) for s in meta["source"]] == [64, 64], meta
`
	cmd := exec.Command("python3", "-c", read)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err := exec.LookPath("ruby"); err != nil {
		t.Log("the formula is not read by ruby, which is not there")
	} else if out, err := exec.Command("ruby", "-c",
		filepath.Join(dir, "recipes/homebrew/opari.rb")).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
