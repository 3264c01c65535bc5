package corpus

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestFortranCoverage checks files of gfortran's front end tests and of libgomp that the compiler
// accepts: every fifth, or all with OPARI_ALL. Each directive must be in the coverage of `opari
// cc`, and in that of `opari regions`, whose total must count them.
func TestFortranCoverage(t *testing.T) {
	paths, err := SourcesFortran(corpusDir(t))
	if err != nil {
		t.Fatal(err)
	}
	paths = some(slices.DeleteFunc(paths, func(p string) bool { return !only(t, p) }), 5)
	var lock sync.Mutex
	accepted, directives := 0, 0
	each(t, len(paths), func(i int, dir string) {
		n, ok := fortranCoverage(t, paths[i], dir)
		lock.Lock()
		defer lock.Unlock()
		if ok {
			accepted, directives = accepted+1, directives+n
		}
	})
	t.Logf("%d of %d files are accepted, with %d directives", accepted, len(paths), directives)
	if accepted < len(paths)/2 && os.Getenv("OPARI_ONLY") == "" {
		t.Errorf("only %d of %d files count", accepted, len(paths))
	}
}

// fortranCoverage tests one file. It returns the number of its directives, and whether the
// compiler accepts it.
func fortranCoverage(t *testing.T, path, dir string) (int, bool) {
	p, err := program(filepath.Dir(path), path, nil)
	if err != nil {
		t.Error(err)
		return 0, false
	}
	argv := slices.Concat([]string{"gfortran"}, p.CompileFlags(path))
	if !Execute(dir, nil, buildLimit, append(argv, "-c", path, "-o", "bare.o")...).OK() {
		return 0, false
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
		return 0, false
	}
	preprocessed := text
	if strings.Contains(filepath.Ext(path), "F") || slices.Contains(p.Flags, "-cpp") {
		if o := Execute(dir, nil, buildLimit,
			append(argv, "-cpp", "-E", "-P", path, "-o", "text")...); o.OK() {
			preprocessed, _ = os.ReadFile(filepath.Join(dir, "text"))
		}
	}
	fixed := strings.EqualFold(filepath.Ext(path), ".f") &&
		!slices.Contains(p.Flags, "-ffree-form") || slices.Contains(p.Flags, "-ffixed-form")
	coverage := filepath.Join(dir, "coverage")
	front := []string{
		"env", "OPARI_COVERAGE=" + coverage, opariBinary, "cc", "--on-error=fail",
		"--diagnostics=instrumented",
	}
	if o := Execute(dir, nil, buildLimit,
		slices.Concat(front, argv, []string{"-c", path, "-o", "ours.o"})...); !o.OK() {
		t.Errorf("%s: %s", path, FirstDiagnostic(o.Output))
		return 0, true
	}
	seen := fortranDirectives(string(preprocessed), fixed)
	if slices.Contains(p.Flags, "-fno-openmp") {
		seen = 0
	}
	listed := 0
	lines, _ := os.ReadFile(coverage)
	for line := range strings.Lines(string(lines)) {
		var c struct{ File, Directive string }
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Errorf("%s: %v", path, err)
		} else if c.File == path && !strings.HasPrefix(c.Directive, notByDirective) {
			listed++ // directives from an INCLUDE line are listed under their own file
		}
	}
	if listed != seen {
		t.Errorf("%s: coverage lists %d directives, there are %d", path, listed, seen)
	}
	fortranTotal(t, p, dir, fortranDirectives(string(text), fixed))
	return seen, true
}

// fortranTotal compares the total of `opari regions` with the number of directives. A refused
// file has none.
func fortranTotal(t *testing.T, p Program, dir string, seen int) {
	o := Execute(dir, nil, runLimit, slices.Concat([]string{
		opariBinary, "regions", "--coverage",
		"--format=json",
	}, p.FormFlags(), []string{p.Path})...)
	var files []struct {
		Coverage []struct{ File, Directive string }
		Total    struct{ Directives, Instrumented, Skipped int }
	}
	i := strings.Index(o.Output, "[\n")
	if !o.OK() || i < 0 || json.Unmarshal([]byte(o.Output[i:]), &files) != nil || len(files) != 1 {
		return // TestFortranSources counts the refused files
	}
	f := files[0]
	others := 0 // calls, and directives from INCLUDE lines
	for _, c := range f.Coverage {
		if strings.HasPrefix(c.Directive, notByDirective) || c.File != p.Path {
			others++
		}
	}
	if f.Total.Directives != len(f.Coverage) || f.Total.Instrumented+
		f.Total.Skipped != f.Total.Directives || f.Total.Directives-others != seen {
		t.Errorf("%s: opari regions lists %d, of them %d no directives of the file, and totals "+
			"%v; there are %d directives", p.Path, len(f.Coverage), others, f.Total, seen)
	}
}

// fortranDirectives counts the directives of a text by its lines alone: lines with a sentinel,
// with their continuation lines, that are no end directive of a construct.
func fortranDirectives(text string, fixed bool) int {
	n, goesOn, words := 0, false, ""
	count := func() {
		squeezed := strings.ReplaceAll(strings.ReplaceAll(words, " ", ""), "\t", "")
		end := strings.HasPrefix(squeezed, "end") && !strings.HasPrefix(squeezed,
			"enddeclarevariant") && !strings.HasPrefix(squeezed, "endmetadirective")
		if !end && squeezed != "" {
			n++
		}
		words = ""
	}
	for line := range strings.Lines(text) {
		line = strings.ToLower(strings.TrimRight(line, " \t\r\n"))
		rest, is := sentinel(line, fixed, goesOn)
		if !is {
			continue
		}
		if fixed {
			goesOn = rest != "" && !strings.ContainsAny(rest[:1], " 0\t")
			rest = rest[min(1, len(rest)):]
		}
		if !goesOn {
			count()
		}
		if fixed {
			words += rest
			continue
		}
		rest = strings.TrimSpace(strings.SplitN(rest, "!", 2)[0])
		if goesOn && rest != "&" {
			rest = strings.TrimPrefix(rest, "&")
		}
		rest, goesOn = strings.CutSuffix(rest, "&")
		words += rest
	}
	count()
	return n
}

// sentinel returns what follows the sentinel of a directive's line. In free form a blank follows
// it, or an ampersand on a continuation line.
func sentinel(line string, fixed, goesOn bool) (string, bool) {
	if !fixed {
		rest, is := strings.CutPrefix(strings.TrimLeft(line, " \t"), "!$omp")
		return rest, is &&
			(rest == "" || strings.ContainsAny(rest[:1], " \t") || goesOn && rest[0] == '&')
	}
	if len(line) < 5 || !strings.ContainsAny(line[:1], "!c*") {
		return "", false
	}
	return strings.CutPrefix(line[1:], "$omp")
}
