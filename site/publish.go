package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// listed is a release as the theme reads it from versions.json, to offer all of them on each page.
type listed struct {
	Version string   `json:"version"`
	Title   string   `json:"title"`
	Aliases []string `json:"aliases"`
}

const versions = "versions.json"

// publish puts a made release into its folder of dir, in the place of one of the same name, and
// lists it first. The front page of dir leads to the release that is listed first.
func publish(made, dir, release string) error {
	list, err := releases(dir)
	if err != nil {
		return err
	}
	place := filepath.Join(dir, release)
	if _, err := os.Stat(place); err == nil && !known(list, release) {
		return fmt.Errorf("%s is there and is no release of the site", place)
	}
	if err := os.RemoveAll(place); err != nil {
		return err
	}
	if err := os.CopyFS(place, os.DirFS(made)); err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(l listed) bool { return l.Version == release })
	list = slices.Insert(list, 0, listed{release, release, []string{}})
	text, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return err
	}
	if err := write(filepath.Join(dir, versions), append(text, '\n')); err != nil {
		return err
	}
	front := strings.ReplaceAll(frontPage, "RELEASE", release)
	return write(filepath.Join(dir, "index.html"), []byte(front))
}

const frontPage = `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>opari</title>
<link rel="icon" href="data:,">
<meta http-equiv="refresh" content="0; url=RELEASE/index.html">
<a href="RELEASE/index.html">opari RELEASE</a>
</html>
`

// releases returns what dir holds.
func releases(dir string) ([]listed, error) {
	text, err := os.ReadFile(filepath.Join(dir, versions))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []listed
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, versions), err)
	}
	return list, nil
}

func known(list []listed, release string) bool {
	return slices.ContainsFunc(list, func(l listed) bool { return l.Version == release })
}
