package report

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"opari/internal/analysis"
)

// SourceFinder gives the lines of a source file as a region names it, or an error that says for
// people why there are none.
type SourceFinder func(file string) ([]string, error)

// largestSource is the size of a file above which it is not looked at.
const largestSource = 16 << 20

// Sources looks for files in folders, one after the other; a path that is not relative is tried as
// it is. A file that was changed after recorded is not what ran, so it is not shown; with the zero
// time, all are.
func Sources(recorded time.Time, folders ...string) SourceFinder {
	return func(file string) ([]string, error) {
		names := []string{file}
		if !filepath.IsAbs(file) {
			names = names[:0]
			for _, f := range folders {
				names = append(names, filepath.Join(f, file))
			}
		}
		for _, name := range names {
			info, err := os.Stat(name)
			if err != nil || !info.Mode().IsRegular() {
				continue
			}
			if !recorded.IsZero() && info.ModTime().After(recorded) {
				return nil, fmt.Errorf("%s was changed after the run", file)
			}
			if info.Size() > largestSource {
				return nil, fmt.Errorf("%s is larger than %d MiB", file, largestSource>>20)
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, fmt.Errorf("%s cannot be read", file)
			}
			return strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(text), "\r\n", "\n"),
				"\n"), "\n"), nil
		}
		return nil, fmt.Errorf("%s was not found", file)
	}
}

// excerpt is part of a source file: lines from From on.
type excerpt struct {
	From  int      `json:"from"`
	Lines []string `json:"lines"`
}

// sourceJSON is what a page has of a file: excerpts in the order of lines, or Note, which says why
// there are none.
type sourceJSON struct {
	Note  string    `json:"note,omitempty"`
	Parts []excerpt `json:"parts,omitempty"`
}

// Lines before and behind the first of a region. All of a construct is shown, unless it is too
// long.
const (
	linesBefore = 5
	linesBehind = 14
	linesWithin = 120
	longestLine = 400 // bytes
)

// lines are those of a construct; end is 0, or that of its first line, where nothing else is known.
type lines struct{ first, end int }

// behind is the last line that is shown of an excerpt.
func (l lines) behind() int {
	return max(l.first+linesBehind, min(l.end+2, l.first+linesWithin))
}

// excerpts are the lines around all regions.
func excerpts(paths []*analysis.Path, find SourceFinder) map[string]*sourceJSON {
	wanted := map[string][]lines{}
	for _, q := range paths {
		if l := (lines{q.Line, q.End}); q.File != "" && !slices.Contains(wanted[q.File], l) {
			wanted[q.File] = append(wanted[q.File], l)
		}
	}
	out := map[string]*sourceJSON{}
	for file, at := range wanted {
		out[file] = &sourceJSON{}
		if find == nil {
			out[file].Note = "no source was looked for"
			continue
		}
		text, err := find(file)
		if err != nil {
			out[file].Note = err.Error()
			continue
		}
		slices.SortFunc(at, func(a, b lines) int {
			return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.end, b.end))
		})
		out[file].cut(text, at)
	}
	return out
}

// cut takes the lines of and around the constructs in at, which are sorted.
func (s *sourceJSON) cut(text []string, at []lines) {
	for _, l := range at {
		from, to := max(1, l.first-linesBefore), min(len(text), l.behind())
		if n := len(s.Parts); n > 0 {
			if last := &s.Parts[n-1]; from <= last.From+len(last.Lines) {
				from = last.From + len(last.Lines)
				for ; from <= to; from++ {
					last.Lines = append(last.Lines, shown(text[from-1]))
				}
				continue
			}
		}
		part := excerpt{From: from}
		for ; from <= to; from++ {
			part.Lines = append(part.Lines, shown(text[from-1]))
		}
		if len(part.Lines) > 0 {
			s.Parts = append(s.Parts, part)
		}
	}
	if len(s.Parts) == 0 {
		s.Note = "the file is shorter than the lines that were recorded"
	}
}

// shown is a line as valid UTF-8: what is not is read as Latin 1.
func shown(line string) string {
	if len(line) > longestLine {
		line = line[:longestLine]
		for len(line) > 0 && !utf8.RuneStart(line[len(line)-1]) {
			line = line[:len(line)-1]
		}
		line += " …"
	}
	if utf8.ValidString(line) {
		return line
	}
	var b strings.Builder
	for i := range len(line) {
		b.WriteRune(rune(line[i]))
	}
	return b.String()
}
