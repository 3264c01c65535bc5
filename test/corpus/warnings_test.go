package corpus

import (
	"bytes"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// strict has the warnings that people build with; the second row is for code in C90.
var strict = [][]string{
	{"-fsyntax-only", "-Wall", "-Wextra", "-Wshadow", "-Wpedantic"},
	{
		"-fsyntax-only", "-std=gnu90", "-Wall", "-Wdeclaration-after-statement",
		"-Wstrict-prototypes",
		"-Wmissing-prototypes", "-Wmissing-declarations",
	},
}

var (
	warning = regexp.MustCompile(`(?m)^([^:\n]+:\d+):(?:\d+:)? ([Ww]arning|[Ee]rror): (.*)$`)
	numbers = regexp.MustCompile(`<U[^>]*>|[\w.]*\.\d+\b`) // the compiler's own variables
	ownName = regexp.MustCompile(`\.mod\.c\b`)
	lock    = regexp.MustCompile(`\bpomp_omp_|\bpomp_(?:(?:init|destroy|set|unset|test)_)`)
)

// complaints returns the warnings and errors in a compiler's output: file:line and text, sorted,
// without duplicates.
func complaints(output string) []string {
	var all []string
	for _, m := range warning.FindAllStringSubmatch(output, -1) {
		where := filepath.Base(ownName.ReplaceAllString(m[1], ".c"))
		all = append(all, where+": "+m[2]+": "+m[3])
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// fresh lists the messages of after that before lacks. The line does not matter: compilers place
// messages about multi-line directives and macro expansions differently when these are on one
// line.
func fresh(before, after []string) []string {
	known := map[string]bool{}
	for _, w := range before {
		known[message(w)] = true
	}
	var news []string
	for _, w := range after {
		if !known[message(w)] && !lock.MatchString(w) {
			news = append(news, w)
		}
	}
	return news
}

// message returns a complaint without its position.
func message(complaint string) string {
	_, m, _ := strings.Cut(complaint, ": ")
	return numbers.ReplaceAllString(m, "<own>")
}

// afterDirective reports whether a complaint is about a declaration after a stand-alone
// directive. To gcc the directive is no statement, but the call after it is one, and in C90 no
// declaration may follow a statement.
func afterDirective(in *instrumented, complaint string) bool {
	if !strings.Contains(complaint, "forbids mixed declarations") &&
		!strings.Contains(complaint, "declaration-after-statement") {
		return false
	}
	_, rest, _ := strings.Cut(complaint, ":")
	digits, _, _ := strings.Cut(rest, ":")
	line, _ := strconv.Atoi(digits)
	lines := strings.Split(string(in.original), "\n")
	return line >= 2 && line <= len(lines) &&
		strings.HasPrefix(strings.TrimSpace(lines[line-2]), "#pragma omp")
}

// knownNews lists files that do get a new warning, with the reason. The test fails if one of them
// no longer does.
var knownNews = map[string]string{
	"pr25874.c": "an inline function with external linkage may not use static ones without a " +
		"warning in C, and descriptors are static",
}

// rows returns the rows of strict that a compiler gets for the file at path. gcc gets both for
// each file, and clang for a fourth of them, for those of knownNews, or for all with OPARI_ALL.
// The inserted code has few forms, and each is in many files.
func rows(cc, path string) [][]string {
	name := filepath.Base(path)
	if cc == "gcc" || knownNews[name] != "" || crc32.ChecksumIEEE([]byte(name))%4 == 0 ||
		os.Getenv("OPARI_ALL") != "" || os.Getenv("OPARI_ONLY") != "" {
		return strict
	}
	return nil
}

// TestWarnings checks that `opari file.c` causes no new warning, with gcc and with clang.
func TestWarnings(t *testing.T) {
	cflags := config(t, "--cflags")
	var compilers []string
	for _, cc := range []string{"gcc", "clang-19"} {
		if _, err := exec.LookPath(cc); err == nil {
			compilers = append(compilers, cc)
		} else {
			t.Errorf("%s is not there: make test installs it", cc)
		}
	}
	var stale sync.Map // files of knownNews that were tested and had no new warning so far
	eachInstrumented(t, func(in *instrumented) {
		if bytes.Contains(in.original, []byte("dg-error")) {
			return // no valid program: the other findings depend on where the compiler stops
		}
		dir, base := filepath.Dir(in.path), filepath.Base(in.path)
		reason := knownNews[base]
		if reason != "" {
			stale.Store(base, reason)
		}
		for _, cc := range compilers {
			for _, flags := range rows(cc, in.path) {
				argv := slices.Concat([]string{cc, "-fopenmp"}, flags, []string{"-I" + dir})
				before := Execute(in.dir, nil, buildLimit, append(argv, in.name+".c")...)
				if !before.OK() {
					continue // a test of that compiler's errors, or not for it
				}
				after := Execute(in.dir, nil, buildLimit,
					slices.Concat(argv, cflags, []string{in.name + ".mod.c"})...)
				news := fresh(complaints(before.Output), complaints(after.Output))
				news = slices.DeleteFunc(news,
					func(w string) bool { return afterDirective(in, w) })
				switch {
				case len(news) == 0 && after.OK():
				case reason != "":
					stale.Delete(base)
					t.Logf("%s: known: %s", in.path, reason)
				default:
					t.Errorf("%s: %s %s: %d new, first: %.300s", in.path, cc,
						strings.Join(flags, " "), len(news), first(news, after.Output))
				}
			}
		}
	})
	stale.Range(func(name, reason any) bool {
		t.Errorf("%s brings nothing new, though it is listed (%s)", name, reason)
		return true
	})
}

// byText are warnings about the spacing of the original text, which the preprocessor removes.
var byText = []string{"-Wmisleading-indentation", "-Wunused-macros"}

// TestWrapperWarnings checks that `opari cc` prints exactly the compiler's messages, including
// the optimizer's warnings.
func TestWrapperWarnings(t *testing.T) {
	programs := some(goodPrograms(t), 6)
	each(t, len(programs), func(i int, dir string) {
		p := &programs[i]
		flags := slices.Concat([]string{"-fopenmp"}, p.Flags,
			[]string{"-Wall", "-Wextra", "-Wshadow", "-Wpedantic", "-c", p.Path, "-o", "o.o"})
		before := Execute(dir, nil, buildLimit, append([]string{"gcc"}, flags...)...)
		after := Execute(dir, nil, buildLimit,
			append([]string{opariBinary, "cc", "--diagnostics=instrumented", "gcc"}, flags...)...)
		b, a := complaints(before.Output), complaints(after.Output)
		if news := fresh(b, a); len(news) > 0 {
			t.Errorf("%s: %d new warnings, first: %.300s", p.ID, len(news), news[0])
		}
		gone := slices.DeleteFunc(fresh(a, b), func(w string) bool {
			return slices.ContainsFunc(byText,
				func(f string) bool { return strings.Contains(w, f) })
		})
		if len(gone) > 0 {
			t.Errorf("%s: %d warnings lost, first: %.300s", p.ID, len(gone), gone[0])
		}
	})
}

func first(list []string, other string) string {
	if len(list) > 0 {
		return list[0]
	}
	return FirstDiagnostic(other)
}
