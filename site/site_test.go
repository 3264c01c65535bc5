package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/png"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"opari/internal/browser"
	"opari/internal/expensive"
)

// TestSite builds two releases, follows every link of the pages, and reads them in a browser.
func TestSite(t *testing.T) {
	expensive.Browser(t)
	expensive.Need(t, "mkdocs", "make", "gcc")
	opari := filepath.Join(t.TempDir(), "opari")
	compile := exec.Command("go", "build", "-o", opari, "opari/cmd/opari")
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	dir := t.TempDir()
	if err := build("..", opari, "1.0", dir); err != nil {
		t.Fatal(err)
	}
	if err := publish(filepath.Join(dir, "1.0"), dir, "1.1"); err != nil {
		t.Fatal(err)
	}
	for _, v := range views {
		text, err := os.ReadFile(filepath.Join(dir, "1.1", "demo", v.name+".png"))
		if err != nil {
			t.Fatal(err)
		}
		if c, err := png.DecodeConfig(bytes.NewReader(text)); err != nil || c.Width < 500 {
			t.Errorf("the picture of %s: %v, %d pixels wide", v.name, err, c.Width)
		}
	}
	if n := followLinks(t, os.DirFS(dir)); n < 1000 {
		t.Errorf("only %d links in the pages", n)
	}
	readSite(t, dir)
}

var (
	tag      = regexp.MustCompile(`(?s)<[a-z][^>]*>`)
	pointer  = regexp.MustCompile(`\b(?:href|src)="([^"]*)"`)
	identity = regexp.MustCompile(`\bid="([^"]*)"`)
)

// followLinks checks that each link of a page leads to a file, and each fragment to an element of
// it. It returns how many links there are.
func followLinks(t *testing.T, site fs.FS) int {
	t.Helper()
	ids := map[string][]string{} // of each page
	links := map[string][]string{}
	err := fs.WalkDir(site, ".", func(name string, d fs.DirEntry, err error) error {
		// The reports' scripts make links of their own, which their tests follow.
		if err != nil || filepath.Ext(name) != ".html" ||
			strings.HasSuffix(name, "demo/heat.html") || strings.HasSuffix(name, "404.html") {
			return err
		}
		text, err := fs.ReadFile(site, name)
		for _, element := range tag.FindAllString(string(text), -1) {
			for _, m := range pointer.FindAllStringSubmatch(element, -1) {
				links[name] = append(links[name], m[1])
			}
			for _, m := range identity.FindAllStringSubmatch(element, -1) {
				ids[name] = append(ids[name], m[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for page, targets := range links {
		for _, target := range targets {
			count++
			if strings.Contains(target, ":") {
				continue // to other sites, which a test must not ask
			}
			file, fragment, _ := strings.Cut(target, "#")
			file = strings.TrimPrefix(filepath.Join(filepath.Dir(page), file), "./")
			if strings.HasPrefix(target, "#") || target == "" {
				file = page
			}
			if _, err := fs.Stat(site, file); err != nil {
				t.Errorf("%s leads to %s: %v", page, target, err)
			}
			if fragment != "" && strings.HasSuffix(file, ".html") &&
				!slices.Contains(ids[file], fragment) {
				t.Errorf("%s leads to %s, which has no such element", page, target)
			}
		}
	}
	return count
}

// readSite opens pages as a reader does: from the front page to the latest release, the list of
// releases, a search, and the report. Nothing comes from another host.
func readSite(t *testing.T, dir string) {
	t.Helper()
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	b, err := browser.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	p, err := b.Open(server.URL+"/", 1280, 900)
	if err != nil {
		t.Fatal(err)
	}
	wait := func(what, expression string) {
		t.Helper()
		if err := p.Wait(expression, time.Minute); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	wait("the front page",
		`location.pathname === "/1.1/" && document.readyState === "complete"`)
	wait("the releases",
		`document.querySelector(".md-version__list")?.textContent.match(/1\.1\s*1\.0/) !== null`)
	// The theme ignores what is typed before it has loaded its index: this types again each second.
	wait("the search", `(() => {
		const q = document.querySelector(".md-search__input");
		if (!(Date.now() < window.typed + 1000)) {
			window.typed = Date.now();
			q.focus();
			q.value = q.value === "imbalance" ? "imbalance " : "imbalance";
			q.dispatchEvent(new KeyboardEvent("keyup", {key: "e"}));
		}
		return document.querySelectorAll(".md-search-result__item a").length > 3 })()`)
	for _, request := range p.Requests() {
		if !strings.HasPrefix(request, server.URL) && !strings.HasPrefix(request, "data:") &&
			!strings.HasPrefix(request, "blob:") {
			t.Errorf("a page asks for %s", request)
		}
	}
	if err := p.Go(server.URL + "/1.1/demo/heat.html"); err != nil {
		t.Fatal(err)
	}
	wait("the report", `document.querySelector("#findings").textContent.includes("relax.c:29")`)
	if wrong := p.Errors(); len(wrong) > 0 {
		t.Errorf("the browser says: %v", wrong)
	}
}

// TestContents checks that each document is in the contents, once.
func TestContents(t *testing.T) {
	chapters, err := readContents("..")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, c := range chapters {
		for _, page := range c.pages {
			if listed[page] {
				t.Errorf("%s is in two chapters", page)
			}
			listed[page] = true
		}
	}
	if !listed["docs/howto/build.md"] || len(listed) < 30 {
		t.Errorf("the contents list %d documents", len(listed))
	}
}

// TestPublish checks that a release takes the place of one of its name, that the latest leads,
// and that a folder of the user's stays.
func TestPublish(t *testing.T) {
	made, dir := t.TempDir(), t.TempDir()
	page := filepath.Join(made, "index.html")
	for i, release := range []string{"1.0", "1.1", "1.0"} {
		if err := os.WriteFile(page, fmt.Append(nil, i), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := publish(made, dir, release); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, versions))
	if err != nil {
		t.Fatal(err)
	}
	var list []struct{ Version string }
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	if len(list) != 2 || list[0].Version != "1.0" || list[1].Version != "1.1" {
		t.Errorf("%s", text)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "1.0", "index.html")); string(text) != "2" {
		t.Errorf("1.0 holds %q", text)
	}
	mine := filepath.Join(dir, "2.0", "mine")
	if err := write(mine, nil); err != nil {
		t.Fatal(err)
	}
	if err := publish(made, dir, "2.0"); err == nil {
		t.Error("a folder that is no release was replaced")
	}
	if _, err := os.Stat(mine); err != nil {
		t.Error(err)
	}
}
