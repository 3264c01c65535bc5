package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"opari/internal/omp"
)

// homonyms lists the files in which a string may equal a directive's name, with its meaning
// there.
var homonyms = map[string]string{
	"fortran/function.go":              "attributes of variables",
	"fortran/statement.go":             "statements of Fortran",
	"internal/eventlog/event.go":       "names of fields of the log",
	"internal/eventlog/names.go":       "names of OMPT's events and of what they tell",
	"internal/recording/kinds.go":      "names of records, as in trace.h",
	"internal/report/profile/table.go": "titles of columns",
	"parse/ctext/token.go":             "keywords of C",
}

// TestDirectivesAreValues checks that code refers to directives by rows of the table and to
// regions by kinds, never by names.
func TestDirectivesAreValues(t *testing.T) {
	names := map[string]bool{}
	for i := range omp.Directives {
		if d := &omp.Directives[i]; d.Kind != omp.KindNone {
			names[d.Name] = true
			names[d.NameIn(omp.Fortran)] = true
		}
	}
	met := map[string]bool{}
	goFiles(t, func(_, file string, text []byte) {
		elsewhere := []string{"internal/omp/", "bench/", "test/", "internal/report/fixture/"}
		if strings.HasSuffix(file, "_test.go") || anyPrefix(file, elsewhere) {
			return
		}
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, file, text, 0)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			return
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if l, is := n.(*ast.BasicLit); is && l.Kind == token.STRING {
				if word, _ := strconv.Unquote(l.Value); names[word] {
					if met[file] = true; homonyms[file] == "" {
						t.Errorf("%s: %s names a directive: use its row of internal/omp",
							files.Position(l.Pos()), l.Value)
					}
				}
			}
			return true
		})
	})
	for file, what := range homonyms {
		if !met[file] {
			t.Errorf("%s has no %s any more: remove its row", file, what)
		}
	}
}
