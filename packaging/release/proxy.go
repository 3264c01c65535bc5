package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// own is the path of the module in a checkout. It has no host, because go would fetch a module
// from there; who publishes opari chooses one.
const own = "opari"

// proxy writes the module in the layout of a Go module proxy, by the path that r.module names:
// GOPROXY=file://DIR go install PATH/cmd/opari@VERSION.
func (r *release) proxy() error {
	if first, _, _ := strings.Cut(r.module, "/"); !strings.Contains(first, ".") {
		return errors.New("proxy: say by which path, such as -module example.org/opari")
	}
	if r.module != strings.ToLower(r.module) {
		return fmt.Errorf("%s: write the path in small letters", r.module)
	}
	version := r.semantic()
	dir := filepath.Join(r.out, filepath.FromSlash(r.module), "@v")
	list, err := output(r.root, "git", "ls-files")
	if err != nil {
		return err
	}
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	for name := range strings.SplitSeq(list, "\n") {
		text, err := os.ReadFile(filepath.Join(r.root, name))
		if err != nil {
			return err
		}
		if text, err = r.renamed(name, text); err != nil {
			return err
		}
		w, err := z.CreateHeader(&zip.FileHeader{
			Name: r.module + "@" + version + "/" + name, Method: zip.Deflate, Modified: r.time,
		})
		if err != nil {
			return err
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(r.root, "go.mod"))
	if err != nil {
		return err
	}
	if text, err = r.renamed("go.mod", text); err != nil {
		return err
	}
	info, err := json.Marshal(struct{ Version, Time string }{version, r.time.Format(time.RFC3339)})
	if err != nil {
		return err
	}
	for name, text := range map[string][]byte{
		version + ".zip": archive.Bytes(), version + ".mod": text, version + ".info": info,
		"list": []byte(version + "\n"),
	} {
		if err := write(filepath.Join(dir, name), text); err != nil {
			return err
		}
	}
	return nil
}

// semantic returns the version as Go wants it: v0.1.0-dev for 0.1-dev.
func (r *release) semantic() string {
	number, more := r.version, ""
	if i := strings.IndexByte(number, '-'); i >= 0 {
		number, more = number[:i], number[i:]
	}
	for strings.Count(number, ".") < 2 {
		number += ".0"
	}
	return "v" + number + more
}

// renamed returns a file's text with the published path of the module in its imports.
func (r *release) renamed(name string, text []byte) ([]byte, error) {
	switch {
	case name == "go.mod":
		rest, ok := bytes.CutPrefix(text, []byte("module "+own+"\n"))
		if !ok {
			return nil, fmt.Errorf("go.mod does not begin with the name of the module, %s", own)
		}
		return append([]byte("module "+r.module+"\n"), rest...), nil
	case filepath.Ext(name) != ".go" || strings.Contains(name, "testdata/"):
		return text, nil
	}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, name, text, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	done := 0
	for _, spec := range parsed.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil || !strings.HasPrefix(path, own+"/") {
			continue
		}
		at := files.Position(spec.Path.Pos()).Offset
		b.Write(text[done:at])
		b.WriteString(strconv.Quote(r.module + strings.TrimPrefix(path, own)))
		done = at + len(spec.Path.Value)
	}
	b.Write(text[done:])
	return b.Bytes(), nil
}
