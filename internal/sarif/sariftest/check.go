// Package sariftest checks for tests that a text keeps to the schema of SARIF 2.1.0.
package sariftest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	_ "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif" // has the schema
	"github.com/xeipuuv/gojsonschema"
)

// schema returns OASIS's schema. Module go-sarif has it in a constant of its own, so it is read
// from that module's source.
var schema = sync.OnceValues(func() (*gojsonschema.Schema, error) {
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}",
		"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif").Output()
	if err != nil {
		return nil, err
	}
	name := filepath.Join(strings.TrimSpace(string(dir)), "schema.go")
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	if err != nil {
		return nil, err
	}
	text := ""
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, is := n.(*ast.BasicLit); is && len(literal.Value) > len(text) {
			text, err = strconv.Unquote(literal.Value)
		}
		return true
	})
	if err != nil || !strings.Contains(text, "SARIF) Version 2.1.0 JSON Schema") {
		return nil, fmt.Errorf("%s has no schema: %v", name, err)
	}
	return gojsonschema.NewSchema(gojsonschema.NewStringLoader(text))
})

// Mistakes returns what the schema has against a text.
func Mistakes(t *testing.T, text []byte) []string {
	t.Helper()
	s, err := schema()
	if err != nil {
		t.Fatal(err)
	}
	result, err := s.Validate(gojsonschema.NewBytesLoader(text))
	if err != nil {
		return []string{err.Error()}
	}
	var all []string
	for _, e := range result.Errors() {
		all = append(all, e.String())
	}
	return all
}
