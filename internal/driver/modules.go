package driver

import (
	"os"
	"path/filepath"
	"strings"

	"opari/internal/driver/commandline"
	"opari/internal/omp"
	"opari/internal/pattern"
)

// moduleFiles has the contents, before the command runs, of the files of the modules that its
// sources define; nil: there is no file. After a source that it rejects, the compiler goes on
// with the others. So a second run would find their modules, where the original command would
// not.
type moduleFiles map[string][]byte

var moduleLine = pattern.Lazy{Text: `(?im)^[ \t]*module[ \t]+(\w+)[ \t]*\r?$`}

// modulesOf reads them if there are several sources.
func modulesOf(c *commandline.Command, sources []*sourceText) moduleFiles {
	if len(sources) < 2 {
		return nil
	}
	files := moduleFiles{}
	for _, r := range sources {
		if r.file.Lang != omp.Fortran {
			continue
		}
		for _, m := range moduleLine.Get().FindAllSubmatch(r.text, -1) {
			for _, ext := range []string{".mod", ".smod"} {
				name := filepath.Join(c.ModuleFolder(), strings.ToLower(string(m[1]))+ext)
				files[name], _ = os.ReadFile(name)
			}
		}
	}
	return files
}

// restore writes the former contents back.
func (m moduleFiles) restore() {
	for name, text := range m {
		if text == nil {
			_ = os.Remove(name)
		} else {
			_ = os.WriteFile(name, text, 0o666)
		}
	}
}
