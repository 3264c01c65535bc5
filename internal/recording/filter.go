package recording

import (
	"bufio"
	"fmt"
	"io"
	"path"
	"strings"
	"time"
)

// Filter says what the library records of a program. The zero Filter records everything.
type Filter struct {
	rules   []rule
	Minimum time.Duration // shorter regions with nothing recorded inside are left out
}

// rule includes or excludes regions.
type rule struct {
	include bool
	field   byte // k: kind, n: name, f: file
	pattern string
}

var fields = map[string]byte{"kind": 'k', "name": 'n', "file": 'f'}

// ReadFilter reads a filter; name is for messages. Its lines are
//
//	exclude kind|name|file PATTERN
//	include kind|name|file PATTERN
//	minimum DURATION
//
// Empty lines and those that begin with # have no effect. The last rule that matches a region
// decides; without one, the library records it.
func ReadFilter(name string, r io.Reader) (*Filter, error) {
	var f Filter
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		if err := f.add(line); err != nil {
			return nil, fmt.Errorf("%s:%d: error: %w", name, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: error: %w", name, err)
	}
	if len(f.Text()) > maxFilter {
		return nil, fmt.Errorf("%s: error: the rules have more than %d bytes", name, maxFilter)
	}
	return &f, nil
}

// maxFilter limits the length of the rules, because they go through the environment.
const maxFilter = 100_000

func (f *Filter) add(line string) error {
	verb, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	if verb == "minimum" {
		d, err := time.ParseDuration(rest)
		if err != nil || d < 0 {
			return fmt.Errorf("%q is no duration; write it as 500ns, 2us or 1.5ms", rest)
		}
		f.Minimum = d
		return nil
	}
	field, pattern, _ := strings.Cut(rest, " ")
	pattern = strings.TrimSpace(pattern)
	switch {
	case verb != "exclude" && verb != "include":
		return fmt.Errorf("a rule begins with exclude, include or minimum, not %q", verb)
	case fields[field] == 0:
		return fmt.Errorf("%s what? (kind, name or file, and a pattern)", verb)
	case pattern == "":
		return fmt.Errorf("%s %s needs a pattern", verb, field)
	}
	if _, err := path.Match(pattern, ""); err != nil {
		return fmt.Errorf("%q is no pattern: %w", pattern, err)
	}
	f.rules = append(f.rules, rule{verb == "include", fields[field], pattern})
	return nil
}

// Text returns the filter in the form of the environment variable: a line with the minimum in ns,
// then one for each rule.
func (f *Filter) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d\n", f.Minimum.Nanoseconds())
	for _, r := range f.rules {
		sign := byte('-')
		if r.include {
			sign = '+'
		}
		fmt.Fprintf(&b, "%c%c%s\n", sign, r.field, r.pattern)
	}
	return b.String()
}

// Wants reports whether the library records a region. The library decides the same with
// fnmatch(3).
func (f *Filter) Wants(kind, name, subName, file string) bool {
	wanted := true
	if subName != "" {
		name = subName
	}
	for _, r := range f.rules {
		text := file
		switch {
		case r.field == 'k':
			text = kind
		case r.field == 'n':
			text = name
		case !strings.Contains(r.pattern, "/"):
			text = text[strings.LastIndexByte(text, '/')+1:]
		}
		if match(r.pattern, text) {
			wanted = r.include
		}
	}
	return wanted
}

// match works like fnmatch without flags: * and ? match slashes, too.
func match(pattern, text string) bool {
	const slash = "\x00"
	ok, err := path.Match(strings.ReplaceAll(pattern, "/", slash),
		strings.ReplaceAll(text, "/", slash))
	return err == nil && ok
}
