package arch

import (
	"go/scanner"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	longestLine     = 100 // columns of code; a tab has 4
	longestTextLine = 98  // columns of a document
	unbreakable     = 60  // columns from which one string may make a line too long
)

// tablesOfRows are files whose lines are rows of a table.
var tablesOfRows = []string{"internal/mpi/table.go"}

// stillLong lists prefixes of code files that still have longer lines. The last row is C code,
// which clang-format wraps.
var stillLong = []string{}

// TestLineLength checks the columns of Go code, C code and shell scripts. Exceptions are text in
// another language, such as a program in a test, and strings that cannot be broken.
func TestLineLength(t *testing.T) {
	sources(t, []string{".go", ".c", ".h", ".sh"}, func(_, file string, text []byte) {
		skip := func(name string) bool { return strings.HasPrefix(file, name) }
		if slices.ContainsFunc(stillLong, skip) || slices.Contains(tablesOfRows, file) ||
			isGenerated(text) {
			return
		}
		var exempt map[int]bool
		if filepath.Ext(file) == ".go" {
			exempt = longStrings(text, strings.HasSuffix(file, "_test.go"))
		}
		number := 0
		for line := range strings.Lines(string(text)) {
			number++
			if n := columns(line); n > longestLine && !exempt[number] {
				t.Errorf("%s:%d: %d columns, more than %d", file, number, n, longestLine)
			}
		}
	})
}

func isGenerated(text []byte) bool {
	head := string(text[:min(len(text), 400)])
	return strings.Contains(head, "Generated") || strings.Contains(head, "DO NOT EDIT")
}

// columns returns the width of a line on the screen.
func columns(line string) int {
	return len([]rune(strings.ReplaceAll(strings.TrimRight(line, "\n"), "\t", "    ")))
}

// longStrings finds the lines of Go code that a string makes long: a raw string or one without a
// space, longer than unbreakable. In a test, all lines within a raw string count.
func longStrings(text []byte, isTest bool) map[int]bool {
	lines := map[int]bool{}
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, 0)
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return lines
		}
		if tok != token.STRING {
			continue
		}
		first, count := file.Line(pos), strings.Count(literal, "\n")
		raw := literal[0] == '`'
		if count == 0 && columns(literal) > unbreakable &&
			(raw || !strings.Contains(literal, " ")) {
			lines[first] = true
		}
		if count > 0 && isTest {
			for n := range count + 1 {
				lines[first+n] = true
			}
		}
	}
}

var (
	tableRow  = regexp.MustCompile(`^\s*\|`)
	longWord  = regexp.MustCompile(`\S{60}`)
	codeFence = regexp.MustCompile("^\\s*(```|~~~)")
)

// TestDocumentLines checks the columns of documents. A row of a table and a line with a word that
// cannot be broken, such as an address, are exceptions.
func TestDocumentLines(t *testing.T) {
	documents(t, func(file string, text []byte) {
		if slices.Contains(unevenDocuments, file) {
			return
		}
		number := 0
		for line := range strings.Lines(string(text)) {
			number++
			n := columns(line)
			if n > longestTextLine && !tableRow.MatchString(line) && !longWord.MatchString(line) {
				t.Errorf("%s:%d: %d columns, more than %d", file, number, n, longestTextLine)
			}
		}
	})
}
