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

// SourceFinder returns the lines of a source file as a region names it. Its error explains to
// users why there are none.
type SourceFinder func(file string) ([]string, error)

// largestSource is the size of the largest file that Sources reads.
const largestSource = 16 << 20

// Sources returns a finder that searches the folders in order. It opens an absolute path
// directly. It refuses a file changed after recorded, which is not the text that ran. With a
// zero recorded, it accepts every file.
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

// excerpt is a part of a source file that begins at line From.
type excerpt struct {
	From  int      `json:"from"`
	Lines []string `json:"lines"`
}

// SourceJSON holds the excerpts of a file in the order of lines, or a note that explains why
// there are none.
type SourceJSON struct {
	Note  string    `json:"note,omitempty"`
	Parts []excerpt `json:"parts,omitempty"`
}

// These bound an excerpt: lines before and after the first line of a region. An excerpt covers
// the entire construct unless that is too long.
const (
	linesBefore = 5
	linesAfter  = 14
	linesWithin = 120
	LongestLine = 400 // bytes
)

// lines is the extent of a construct; end is 0, or the end of the first line, if nothing else
// is known.
type lines struct{ first, end int }

// lastShown returns the last line of the construct's excerpt.
func (l lines) lastShown() int {
	return max(l.first+linesAfter, min(l.end+2, l.first+linesWithin))
}

// Excerpts returns, by file, the lines around all regions.
func Excerpts(paths []*analysis.Path, find SourceFinder) map[string]*SourceJSON {
	wanted := map[string][]lines{}
	for _, q := range paths {
		if l := (lines{q.Line, q.End}); q.File != "" && !slices.Contains(wanted[q.File], l) {
			wanted[q.File] = append(wanted[q.File], l)
		}
	}
	out := map[string]*SourceJSON{}
	for file, at := range wanted {
		out[file] = &SourceJSON{}
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

// cut takes the lines of and around the constructs in at, which is sorted.
func (s *SourceJSON) cut(text []string, at []lines) {
	for _, l := range at {
		from, to := max(1, l.first-linesBefore), min(len(text), l.lastShown())
		if n := len(s.Parts); n > 0 {
			if last := &s.Parts[n-1]; from <= last.From+len(last.Lines) {
				from = last.From + len(last.Lines)
				for ; from <= to; from++ {
					last.Lines = append(last.Lines, Shown(text[from-1]))
				}
				continue
			}
		}
		part := excerpt{From: from}
		for ; from <= to; from++ {
			part.Lines = append(part.Lines, Shown(text[from-1]))
		}
		if len(part.Lines) > 0 {
			s.Parts = append(s.Parts, part)
		}
	}
	if len(s.Parts) == 0 {
		s.Note = "the file is shorter than the lines that were recorded"
	}
}

// Shown returns a line as valid UTF-8. It reads an invalid line as Latin 1.
func Shown(line string) string {
	if len(line) > LongestLine {
		line = line[:LongestLine]
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
