package arch

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// cRoom is a folder of the library's C. A file may use only files before it in the order of
// compilation; only restricts it further.
type cRoom struct {
	folder string
	only   []string // the other folders that it may use; nil: all before it
}

var cToolInterface = []string{
	"ompt_bridge/src", "ompt_bridge/src/platform", "ompt_bridge/src/recording",
}

// cRooms are the folders in the order of compilation. The recorders are tools: they know only the
// tool interface, whose headers are beside ompt_bridge.c.
var cRooms = []cRoom{
	{"ompt_bridge/src", nil},
	{"ompt_bridge/src/platform", nil},
	{"ompt_bridge/src/recording", nil},
	{"ompt_bridge/src/trace", cToolInterface},
	{"ompt_bridge/src/profile", cToolInterface},
	{"ompt_bridge/src/core", nil},
	{"ompt_bridge/src/constructs", nil},
	{"ompt_bridge/src/target", nil},
	{"ompt_bridge/src/inquiry", nil},
	{"ompt_bridge/src/generations", nil},
	{"ompt_bridge/src/startup", nil},
	{"pomp/src", nil},
	{"pomp/src/state", nil},
	{"pomp/src/runtime", nil},
	{"pomp/src/entry", nil},
	{"pomp/src/fortran", nil},
	{"pomp/src/gomp", nil},
	{"pomp/src/offload", nil},
	{"pomp/src/units", nil},
}

const (
	cUnit    = "pomp/src/pomp.c" // includes all others, by ompt_bridge.c
	cLargest = 16                // files of a folder
)

// cUnits are the files that only include others.
var cUnits = []string{"pomp.c", "ompt_bridge.c", "unit.c"}

var (
	cInclude = regexp.MustCompile(`(?m)^\s*#\s*include "([^"]+)"`)
	// cNoise matches text that names nothing: comments, strings, and conditions on whether an
	// includer has set a macro.
	cNoise = regexp.MustCompile(`(?s)/\*.*?\*/|"(?:\\.|[^"\\\n])*"|` +
		`'(?:\\.|[^'\\\n])*'|#ifn?def \w+`)
	// cName matches a name, and a tag together with its keyword.
	cName       = regexp.MustCompile(`(?:\b(?:struct|enum|union)\s+)?[A-Za-z_]\w*`)
	cMacro      = regexp.MustCompile(`(?m)^#define (\w+)`)
	cPasted     = regexp.MustCompile(`\b((?:opari|pomp|rec|trc)_(?:\w+_)?)##`)
	cAttribute  = regexp.MustCompile(`__attribute__\s*\(\(.*?\)\)+`)
	cFunction   = regexp.MustCompile(`^[^=({;]*?\b(\w+)\s*\(`)
	cPointer    = regexp.MustCompile(`^[^=({;]*\(\s*\*\s*(?:const |volatile )?(\w+)`)
	cVariable   = regexp.MustCompile(`^[^=({;]*?\b(\w+)\s*(?:\[[^=;]*)?(?:[=;]|$)`)
	cBehindBody = regexp.MustCompile(`^\}[^;=]*?\b(\w+)\s*(?:\[[^=;]*)?[=;]`)
	// cInterface matches names that objects and programs call: a public header declares them, or
	// they are the runtime's.
	cInterface = regexp.MustCompile(`^(POMP_[A-Z][a-z]\w*|pomp_\w+_1|GOMP_\w+|omp_\w+|ompt_\w+)$`)
)

// cTree holds C sources by path, with what they include and define.
type cTree struct {
	text   map[string]string
	order  []string          // of compilation
	owner  map[string]string // the one file that defines a name; "": several do
	prefix map[string]string // the same for the prefixes of names that a macro makes
}

// newCTree orders the files by the includes of unit.
func newCTree(text map[string]string, unit string) *cTree {
	t := &cTree{text: text, owner: map[string]string{}, prefix: map[string]string{}}
	t.visit(unit, map[string]bool{})
	for _, file := range t.order {
		code := cNoise.ReplaceAllString(text[file], " ")
		for _, name := range cDefined(code) {
			own(t.owner, name, file)
		}
		for _, m := range cPasted.FindAllStringSubmatch(code, -1) {
			own(t.prefix, m[1], file)
		}
	}
	return t
}

func own(owner map[string]string, name, file string) {
	if of, known := owner[name]; known && of != file {
		file = ""
	}
	owner[name] = file
}

// visit appends the files that a file includes, and then the file.
func (t *cTree) visit(file string, seen map[string]bool) {
	if seen[file] {
		return
	}
	seen[file] = true
	for _, included := range t.includes(file) {
		t.visit(included, seen)
	}
	t.order = append(t.order, file)
}

func (t *cTree) includes(file string) []string {
	var list []string
	for _, m := range cInclude.FindAllStringSubmatch(t.text[file], -1) {
		if included := path.Join(path.Dir(file), m[1]); t.text[included] != "" {
			list = append(list, included)
		}
	}
	return list
}

// cDefined lists the macros, functions and variables that code defines. A declaration is no
// definition: a file that declares a function uses it.
func cDefined(code string) []string {
	var names []string
	for _, m := range cMacro.FindAllStringSubmatch(code, -1) {
		names = append(names, m[1])
	}
	lines := strings.Split(code, "\n")
	for i, line := range lines {
		inMacro := i > 0 && strings.HasSuffix(lines[i-1], `\`)
		if line == "" || strings.ContainsAny(line[:1], " \t#*/") || inMacro {
			continue
		}
		line = cAttribute.ReplaceAllString(line, "")
		if m := cBehindBody.FindStringSubmatch(line); m != nil {
			names = append(names, m[1])
		} else if m := cPointer.FindStringSubmatch(line); m != nil {
			names = append(names, m[1])
		} else if m := cFunction.FindStringSubmatch(line); m != nil {
			if cHasBody(lines[i:]) {
				names = append(names, m[1])
			}
		} else if m := cVariable.FindStringSubmatch(line); m != nil {
			if strings.ContainsAny(line, "=;") && !strings.HasPrefix(line, "extern") {
				names = append(names, m[1])
			}
		}
	}
	return names
}

// cHasBody reports whether a body follows the head at the start of lines.
func cHasBody(lines []string) bool {
	for _, line := range lines {
		if at := strings.IndexAny(line, ";{"); at >= 0 {
			return line[at] == '{'
		}
	}
	return false
}

// mistakes returns the violations of the order of files or folders.
func (t *cTree) mistakes(rooms []cRoom) []string {
	var found []string
	say := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	place := map[string]int{}
	for i, file := range t.order {
		place[file] = i
	}
	room := func(file string) int {
		return slices.IndexFunc(rooms, func(r cRoom) bool { return r.folder == path.Dir(file) })
	}
	files := make([]int, len(rooms))
	for file := range t.text {
		r := room(file)
		if _, compiled := place[file]; !compiled {
			say("%s is not compiled: nothing includes it", file)
		}
		if r < 0 {
			say("%s: its folder has no row in the table of rooms", file)
			continue
		}
		files[r]++
	}
	for r, n := range files {
		if n > cLargest {
			say("%s has %d files, more than %d: it wants to be two folders", rooms[r].folder,
				n, cLargest)
		}
		if n == 0 {
			say("%s: there is no such folder", rooms[r].folder)
		}
	}
	may := func(from, to string) bool {
		f, o := room(from), room(to)
		if f < 0 || o < 0 || f == o {
			return true
		}
		return o < f && (rooms[f].only == nil || slices.Contains(rooms[f].only, rooms[o].folder))
	}
	for _, file := range t.order {
		isUnit := slices.Contains(cUnits, path.Base(file))
		for _, included := range t.includes(file) {
			if !isUnit && !may(file, included) {
				say("%s may not include %s", file, included)
			}
		}
		if isUnit {
			continue
		}
		used := map[string]bool{}
		for _, name := range cName.FindAllString(cNoise.ReplaceAllString(t.text[file], " "), -1) {
			if used[name] || cInterface.MatchString(name) {
				continue
			}
			used[name] = true
			of := t.of(name)
			if of == "" || of == file {
				continue
			}
			if !may(file, of) {
				say("%s may not use %s of %s", file, name, of)
			} else if place[of] > place[file] {
				say("%s uses %s of %s, which stands behind it", file, name, of)
			}
		}
	}
	slices.Sort(found)
	return found
}

// of returns the file that defines a name, or makes it by a macro; "" if none or several do.
func (t *cTree) of(name string) string {
	if of, known := t.owner[name]; known {
		return of
	}
	longest := ""
	for prefix := range t.prefix {
		if len(prefix) > len(longest) && len(name) > len(prefix) &&
			strings.HasPrefix(name, prefix) {
			longest = prefix
		}
	}
	return t.prefix[longest]
}

// TestCRooms checks the library's files against cRooms.
func TestCRooms(t *testing.T) {
	text := map[string]string{}
	sources(t, []string{".c", ".h"}, func(dir, file string, content []byte) {
		if strings.HasPrefix(dir+"/", "pomp/src/") ||
			strings.HasPrefix(dir+"/", "ompt_bridge/src/") {
			text[file] = string(content)
		}
	})
	tree := newCTree(text, cUnit)
	if len(tree.owner) < 1500 {
		t.Fatalf("only %d names are defined: the test looks in the wrong place", len(tree.owner))
	}
	for _, mistake := range tree.mistakes(cRooms) {
		t.Error(mistake)
	}
}

// TestCRoomsFinds plants each mistake in a small tree.
func TestCRoomsFinds(t *testing.T) {
	rooms := []cRoom{{"a", nil}, {"a/low", nil}, {"a/tool", []string{"a"}}, {"a/high", nil}}
	const unit = "a/unit.c"
	sound := map[string]string{
		unit: `#include "low/low.c"
#include "tool/tool.c"
#include "high/first.c"
#include "high/second.c"
`,
		"a/api.h": "struct s;\n",
		"a/low/low.c": `#define OPARI_LOW 1
static int opari_low(void) { return OPARI_LOW; }
#define OPARI_MAKES(name) int opari_made_##name(void)
`,
		"a/tool/tool.c": `#include "../api.h"
/* opari_low() */
static int opari_tool = 1;
`,
		"a/high/first.c": `static int opari_first(int one,
                       int other)
{
    return opari_low() + opari_tool + opari_made_it();
}
static struct {
    int n;
} opari_state = {0};
`,
		"a/high/second.c": `int opari_second(void) { return opari_first(1, opari_state.n) + POMP_Begin; }
`,
	}
	for _, c := range []struct{ name, file, text, want string }{
		{name: "none"},
		{
			"upward", "low/low.c", "int f(void) { return opari_first(1, 2); }",
			"a/low/low.c may not use opari_first of a/high/first.c",
		},
		{
			"variable", "low/low.c", "int f(void) { return opari_state.n; }",
			"a/low/low.c may not use opari_state of a/high/first.c",
		},
		{
			"declared", "low/low.c", "static int opari_second(void);",
			"a/low/low.c may not use opari_second of a/high/second.c",
		},
		{
			"include", "low/low.c", "#include \"../high/second.c\"",
			"a/low/low.c may not include a/high/second.c",
		},
		{
			"forbidden", "tool/tool.c", "int f(void) { return opari_low(); }",
			"a/tool/tool.c may not use opari_low of a/low/low.c",
		},
		{
			"macro", "tool/tool.c", "int f = OPARI_LOW;",
			"a/tool/tool.c may not use OPARI_LOW of a/low/low.c",
		},
		{
			"pasted", "tool/tool.c", "int f = opari_made_one();",
			"a/tool/tool.c may not use opari_made_one of a/low/low.c",
		},
		{
			"circle", "high/first.c", "int f(void) { return opari_second(); }",
			"a/high/first.c uses opari_second of a/high/second.c, which stands behind it",
		},
		{
			"lost", "high/third.c", "int f;",
			"a/high/third.c is not compiled: nothing includes it",
		},
		{
			"folder", "other/other.c", "int f;",
			"a/other/other.c: its folder has no row in the table of rooms",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := maps.Clone(sound)
			if c.file != "" {
				text["a/"+c.file] += c.text + "\n"
			}
			found := newCTree(text, unit).mistakes(rooms)
			if c.want == "" && len(found) > 0 || c.want != "" && !slices.Contains(found, c.want) {
				t.Errorf("found %q, want %q", found, c.want)
			}
		})
	}
	t.Run("size", func(t *testing.T) {
		text := map[string]string{}
		for i := range cLargest + 1 {
			text[unit] += fmt.Sprintf("#include \"low/n%d.c\"\n", i)
			text[fmt.Sprintf("a/low/n%d.c", i)] = "static int opari_n;\n"
		}
		want := fmt.Sprintf("a/low has %d files, more than %d: it wants to be two folders",
			cLargest+1, cLargest)
		if found := newCTree(text, unit).mistakes(rooms); !slices.Contains(found, want) {
			t.Errorf("found %q, want %q", found, want)
		}
	})
}
