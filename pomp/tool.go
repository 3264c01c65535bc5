package pomp

import (
	"embed"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"opari/ompt_bridge"
)

// These are the tools of this project: the names of their sources in ompt_bridge/tools, without
// ".c".
const (
	ToolLog   = "tool_log"
	ToolCheck = "ompt_check"
	ToolRace  = "ompt_race"
)

// BuildTool returns the path of a shared library with one of these OMPT tools for compiler cc.
// Like Build, it builds in dir, unless the library is there already.
func BuildTool(tool string, cc []string, dir string) (string, error) {
	files := map[string][]byte{}
	for _, tree := range []struct {
		files embed.FS
		dir   string
	}{{ompt_bridge.Tools, "tools"}, {ompt_bridge.Sources, "src"}} {
		entries, err := tree.files.ReadDir(tree.dir)
		if err != nil {
			return "", err
		}
		for _, e := range entries {
			name := path.Join(tree.dir, e.Name())
			if tree.dir == "src" && !strings.HasPrefix(e.Name(), "omp_tools") {
				continue
			}
			if files[name], err = tree.files.ReadFile(name); err != nil {
				return "", err
			}
		}
	}
	library := "lib/libopari-" + tool + ".so"
	dir, err := build(cc, dir, product{
		files: files, results: []string{library}, identity: fmt.Sprintf("%q %s",
			compileFlags, tool),
		compile: func(cc []string, work, out string, files map[string][]byte) error {
			target := filepath.Join(out, filepath.FromSlash(library))
			if err := writeFiles(work, files); err != nil {
				return err
			}
			if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
				return err
			}
			return run(cc[0], slices.Concat(cc[1:], compileFlags,
				[]string{"-shared", filepath.Join(work, "tools", tool+".c"), "-o", target})...)
		},
	})
	return filepath.Join(dir, filepath.FromSlash(library)), err
}
