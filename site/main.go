package main

import (
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	release := flag.String("release", "dev", "name of the release")
	picture := flag.String("picture", "", "only draw the picture of README.md, into this file")
	flag.Parse()
	var err error
	switch {
	case *picture != "" && flag.NArg() == 0:
		err = readmePicture(".", opari(), *picture)
	case *picture == "" && flag.NArg() == 1:
		err = build(".", opari(), *release, flag.Arg(0))
	default:
		flag.Usage()
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// opari returns the binary that makes the report.
func opari() string {
	name := os.Getenv("OPARI")
	if name == "" {
		name = filepath.Join("bin", "opari")
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	return path
}

// releaseName is what can be the name of a folder and a part of an address.
var releaseName = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z.+_-]*$`)

//go:embed mkdocs.yml
var settings string

// build writes a release of the site into a folder of dir.
func build(root, opari, release, dir string) error {
	if !releaseName.MatchString(release) {
		return fmt.Errorf("%q cannot be the name of a release", release)
	}
	work, err := os.MkdirTemp("", "opari-site-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	pages := filepath.Join(work, "pages")
	nav, err := stage(root, pages)
	if err != nil {
		return err
	}
	commands, err := commandPages(root, pages)
	if err != nil {
		return err
	}
	if err := demo(root, opari, pages); err != nil {
		return err
	}
	nav = append(nav, chapter{"Commands", commands}, chapter{"The project", projectPages})

	made := filepath.Join(work, "made")
	text := settings + fmt.Sprintf("docs_dir: %s\nsite_dir: %s\n", pages, made) + navigation(nav)
	config := filepath.Join(work, "mkdocs.yml")
	if err := os.WriteFile(config, []byte(text), 0o666); err != nil {
		return err
	}
	if err := mkdocs(config); err != nil {
		return err
	}
	return publish(made, dir, release)
}

// mkdocs turns pages into HTML. Its settings are strict: a broken link is an error.
func mkdocs(config string) error {
	cmd := exec.Command("mkdocs", "build", "--quiet", "--config-file", config)
	cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH=0") // the same pages have the same bytes
	out, err := cmd.CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		return errors.New("mkdocs is not there: scripts/install-tools.sh site installs it")
	}
	if err != nil {
		return fmt.Errorf("mkdocs: %w\n%s", err, out)
	}
	return nil
}

// chapter is a part of the navigation: pages under a name. A single page without a name stands
// beside the chapters.
type chapter struct {
	name  string
	pages []string
}

// navigation returns the chapters as MkDocs takes them. A page's name is its own heading.
func navigation(chapters []chapter) string {
	var b strings.Builder
	b.WriteString("nav:\n")
	for _, c := range chapters {
		indent := "  "
		if c.name != "" {
			fmt.Fprintf(&b, "  - %q:\n", c.name)
			indent = "      "
		}
		for _, page := range c.pages {
			fmt.Fprintf(&b, "%s- %q\n", indent, page)
		}
	}
	return b.String()
}
