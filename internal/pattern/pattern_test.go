package pattern

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// TestGet checks that threads get the same expression, and that what is none panics.
func TestGet(t *testing.T) {
	p := Lazy{Text: `a+`}
	var all sync.WaitGroup
	var got [8]*regexp.Regexp
	for i := range got {
		all.Go(func() { got[i] = p.Get() })
	}
	all.Wait()
	for _, r := range got {
		if r == nil || r != got[0] || r.FindString("baab") != "aa" {
			t.Errorf("%p %v, not %p", r, r, got[0])
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	(&Lazy{Text: "("}).Get()
}

// TestPatterns compiles each expression of the module's sources: else a mistake in one would show
// only when that is used.
func TestPatterns(t *testing.T) {
	found := 0
	err := filepath.WalkDir("../..", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") {
			return err
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			return nil //nolint:nilerr // a test's input that is no Go
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if text, is := lazyText(n); is {
				found++
				if _, err := regexp.Compile(text); err != nil {
					t.Errorf("%s: %v", file, err)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || found < 25 {
		t.Errorf("%d patterns, %v", found, err)
	}
}

// lazyText returns the text of a pattern.Lazy{Text: ...} made of literals.
func lazyText(n ast.Node) (string, bool) {
	c, is := n.(*ast.CompositeLit)
	if !is || len(c.Elts) != 1 {
		return "", false
	}
	s, is := c.Type.(*ast.SelectorExpr)
	if !is || s.Sel.Name != "Lazy" {
		return "", false
	}
	kv, is := c.Elts[0].(*ast.KeyValueExpr)
	if !is {
		return "", false
	}
	return literal(kv.Value)
}

func literal(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		left, one := literal(e.X)
		right, other := literal(e.Y)
		return left + right, one && other
	}
	return "", false
}
