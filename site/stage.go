package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// projectPages stand at the top of the repository and are for its developers.
var projectPages = []string{"ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"}

// contents lists the documents for users, by chapter.
const contents = "docs/README.md"

// link is a link, or a picture, of a page to a file: its text, and the target without a fragment.
var link = regexp.MustCompile(`\[([^\[\]]*)\]\(([^)#:\s]+)(?:#[^)\s]*)?\)`)

// stage copies the pages, and the files that they link to, into a folder in which every link is
// what it is in the repository. It returns the chapters: the front page, then those of the
// contents.
func stage(root, pages string) ([]chapter, error) {
	chapters, err := readContents(root)
	if err != nil {
		return nil, err
	}
	waiting := append([]string{"README.md", contents}, projectPages...)
	for _, c := range chapters {
		waiting = append(waiting, c.pages...)
	}
	for i := 0; i < len(waiting); i++ {
		name := waiting[i]
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return nil, err
		}
		if path.Ext(name) == ".md" {
			var linked []string
			if text, linked, err = links(root, name, text); err != nil {
				return nil, err
			}
			for _, target := range linked {
				if !slices.Contains(waiting, target) {
					waiting = append(waiting, target)
				}
			}
		}
		if err := write(filepath.Join(pages, name), text); err != nil {
			return nil, err
		}
	}
	return append([]chapter{{"", []string{"README.md", "demo.md"}}}, chapters...), nil
}

// links returns the files that a page links to. A link to a folder, which a site cannot show,
// becomes its text.
func links(root, name string, text []byte) ([]byte, []string, error) {
	var files []string
	var failed error
	text = link.ReplaceAllFunc(text, func(all []byte) []byte {
		m := link.FindSubmatch(all)
		target := path.Join(path.Dir(name), string(m[2]))
		info, err := os.Stat(filepath.Join(root, target))
		if err != nil {
			failed = fmt.Errorf("%s: %w", name, err)
			return all
		}
		if info.IsDir() {
			return m[1]
		}
		files = append(files, target)
		return all
	})
	return text, files, failed
}

// readContents returns the chapters of the contents. Each document must be in one of them.
func readContents(root string) ([]chapter, error) {
	text, err := os.ReadFile(filepath.Join(root, contents))
	if err != nil {
		return nil, err
	}
	var chapters []chapter
	missing, err := documents(root)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(line, "## "); ok {
			chapters = append(chapters, chapter{name: strings.TrimSpace(name)})
		}
		for _, m := range link.FindAllStringSubmatch(line, -1) {
			page := path.Join(path.Dir(contents), m[2])
			if len(chapters) > 0 && missing[page] {
				c := &chapters[len(chapters)-1]
				c.pages = append(c.pages, page)
				delete(missing, page)
			}
		}
	}
	for page := range missing {
		return nil, fmt.Errorf("%s does not list %s", contents, page)
	}
	return chapters, nil
}

// documents returns the pages in docs but for the contents themselves.
func documents(root string) (map[string]bool, error) {
	found := map[string]bool{}
	err := fs.WalkDir(os.DirFS(root), path.Dir(contents),
		func(name string, d fs.DirEntry, err error) error {
			if err == nil && path.Ext(name) == ".md" && name != contents {
				found[name] = true
			}
			return err
		})
	return found, err
}

// write writes a file and the folders above it.
func write(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o666)
}
