package driver

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"opari/internal/omp"
)

// moduleFiles remembers what stood in the files of the modules that a command's sources define, as their contents, nil for none. Of several sources the
// compiler goes on behind one that it refuses, so that a second try may find the modules of those that follow, where the
// user's own would not.
type moduleFiles map[string][]byte

var moduleLine = regexp.MustCompile(`(?im)^[ \t]*module[ \t]+(\w+)[ \t]*\r?$`)

// modulesOf reads them, for several sources alone.
func (c *command) modulesOf(results []*result) moduleFiles {
	if len(results) < 2 {
		return nil
	}
	files := moduleFiles{}
	for _, r := range results {
		if r.file.lang != omp.Fortran {
			continue
		}
		for _, m := range moduleLine.FindAllSubmatch(r.text, -1) {
			for _, ext := range []string{".mod", ".smod"} {
				name := filepath.Join(c.moduleDir(), strings.ToLower(string(m[1]))+ext)
				files[name], _ = os.ReadFile(name)
			}
		}
	}
	return files
}

// restore puts back what was there.
func (m moduleFiles) restore() {
	for name, text := range m {
		if text == nil {
			_ = os.Remove(name)
		} else {
			_ = os.WriteFile(name, text, 0o666)
		}
	}
}
