package race

import (
	"bufio"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Suppression is a line of a suppressions file: kind and pattern. Used counts the findings that it
// has suppressed.
type Suppression struct {
	Line, Used    int
	kind, pattern string
}

func (s *Suppression) String() string { return s.kind + " " + s.pattern }

// ReadSuppressions reads a file such as
//
//	# the counter may be wrong
//	variable hits
//	place    src/cache.c:120
//	place    third_party/*.c
//	function Cache::evict
//
// A pattern is one of shells. An error names the file and the line.
func ReadSuppressions(name string, r io.Reader) ([]*Suppression, error) {
	var list []*Suppression
	s := bufio.NewScanner(r)
	for n := 1; s.Scan(); n++ {
		line := strings.TrimSpace(s.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		kind, pattern, _ := strings.Cut(line, " ")
		pattern = strings.TrimSpace(pattern)
		_, err := path.Match(pattern, "")
		switch {
		case !slices.Contains([]string{"place", "variable", "function"}, kind) || pattern == "":
			return nil, fmt.Errorf("%s:%d:1: error: a line is place, variable or function, and a "+
				"pattern", name, n)
		case err != nil:
			return nil, fmt.Errorf("%s:%d:%d: error: %s is no pattern", name, n, len(kind)+2,
				pattern)
		}
		list = append(list, &Suppression{Line: n, kind: kind, pattern: pattern})
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("%s: error: %w", name, err)
	}
	return list, nil
}

// Suppress removes the findings that one of the lines names, by either of their accesses.
func (fs *Findings) Suppress(list []*Suppression) {
	fs.List = slices.DeleteFunc(fs.List, func(f *Finding) bool {
		for _, s := range list {
			if s.matches(f) {
				s.Used++
				fs.Suppressed++
				return true
			}
		}
		return false
	})
}

func (s *Suppression) matches(f *Finding) bool {
	if s.kind == "variable" {
		return matches(s.pattern, f.Variable)
	}
	return slices.ContainsFunc(f.Accesses[:], func(a Access) bool {
		return slices.ContainsFunc(append([]Place{a.Place}, a.Calls...), s.matchesPlace)
	})
}

func (s *Suppression) matchesPlace(p Place) bool {
	if s.kind == "function" {
		return matches(s.pattern, p.Function)
	}
	return matches(s.pattern, p.File) ||
		matches(s.pattern, p.File+":"+strconv.Itoa(p.Line))
}

// matches matches a name, or the end of one behind a slash.
func matches(pattern, name string) bool {
	for name != "" {
		if ok, _ := path.Match(pattern, name); ok {
			return true
		}
		_, rest, cut := strings.Cut(name, "/")
		if !cut {
			return false
		}
		name = rest
	}
	return false
}
