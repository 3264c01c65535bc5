package main

import (
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

//go:embed files/package.py files/meta.yaml files/opari.rb files/Containerfile
var recipeFiles embed.FS

// recipes writes, beside the tarballs that dist has made, what other package managers install them
// by: for Spack, conda and Homebrew, which fetch them below r.url, and for containers.
func (r *release) recipes() error {
	if !strings.HasPrefix(r.url, "https://") {
		return errors.New("recipes: say where the tarballs are: -url https://HOST/FOLDER")
	}
	name := "opari-" + r.version + "-linux"
	words := []string{
		"@URL@", strings.TrimSuffix(r.url, "/"), "@VERSION@", r.version, "@NAME@", name,
		"@CONDA@", strings.ReplaceAll(r.version, "-", "."), // conda parts names by dashes
	}
	sums, err := os.ReadFile(filepath.Join(r.out, "SHA256SUMS"))
	if err != nil {
		return err
	}
	for _, arch := range arches {
		sum := ""
		for line := range strings.Lines(string(sums)) {
			if f := strings.Fields(line); len(f) == 2 && f[1] == name+"-"+arch+".tar.gz" {
				sum = f[0]
			}
		}
		if sum == "" {
			return fmt.Errorf("recipes: there is no tarball for %s; make dist first", arch)
		}
		words = append(words, "@SUM_"+arch+"@", sum)
	}
	filled := strings.NewReplacer(words...)
	for from, to := range map[string]string{
		"package.py":    "recipes/spack/packages/opari/package.py",
		"meta.yaml":     "recipes/conda/meta.yaml",
		"opari.rb":      "recipes/homebrew/opari.rb",
		"Containerfile": "Containerfile",
	} {
		text, err := recipeFiles.ReadFile("files/" + from)
		if err != nil {
			return err
		}
		full := filled.Replace(string(text))
		if err := write(filepath.Join(r.out, to), []byte(full)); err != nil {
			return err
		}
	}
	return nil
}
