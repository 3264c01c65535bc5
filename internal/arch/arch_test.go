package arch

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rooms lists for each package of the module which others it may import; "all" allows any, stages
// any but commands. Tests may import anything.
//
// Imports follow one direction: text to constructs to regions to edits to text, and never back.
var rooms = map[string][]string{
	everywhere:         {},
	"internal/source":  {},
	"internal/omp":     {},
	"internal/omp/gen": {"internal/omp"},
	"internal/arch":    {},
	"parse/ctext":      {"internal/omp"},
	"parse/directive":  {"internal/source", "internal/omp", "parse/ctext"},
	"parse/construct":  {"internal/source", "internal/omp", "parse/directive"},
	"parse/macro":      {"parse/ctext"},
	"parse/branch":     {"internal/omp", "parse/ctext"},
	"parse/head":       {"parse/ctext", "parse/macro"},
	"parse/loop":       {"parse/ctext", "parse/macro", "parse/construct"},
	"parse/verify":     {"internal/source", "internal/omp", "parse/ctext", "parse/construct"},
	"parse": {
		"internal/source", "internal/omp", "parse/ctext", "parse/directive",
		"parse/construct", "parse/macro", "parse/branch", "parse/head", "parse/loop",
		"parse/verify",
	},
	"internal/indentation": {"internal/omp", "parse/ctext"},
	"fortran": {
		"internal/source", "internal/omp", "parse/directive",
		"parse/construct",
	},
	"descriptors": {
		"internal/source", "internal/omp", "parse/directive",
		"parse/construct",
	},
	"rewrite": {
		"internal/source", "internal/omp", "parse/ctext", "parse/directive",
		"parse/construct", "descriptors", "fortran",
	},
	"pomp":                     {"ompt_bridge"}, // the only other package with C sources to embed
	"ompt_bridge":              {},
	"otf":                      {},
	"otf/gen":                  {"otf"},
	"otf2":                     {},
	"otf2/gen":                 {"otf2"},
	"internal/conversion":      {"otf", "otf2", "internal/omp"},
	"internal/symbols":         {},
	"internal/eventlog":        {"internal/symbols"},
	"internal/spill":           {},
	"internal/graph":           {},
	"internal/unwind":          {},
	"internal/sampling":        {"internal/unwind"},
	"internal/analysis/offcpu": {},
	"internal/analysis":        {"internal/omp", "internal/analysis/offcpu"},
	"internal/analysis/trace":  {"otf", "internal/omp", "internal/analysis"},
	"internal/analysis/mpiwait": {
		"otf", "internal/spill", "internal/analysis", "internal/analysis/offcpu",
	},
	"internal/analysis/sharing":    {"internal/analysis"},
	"internal/analysis/counting":   {"internal/analysis"},
	"internal/analysis/starvation": {"internal/analysis"},
	"internal/analysis/polling": {
		"internal/omp", "internal/analysis", "internal/analysis/offcpu", "internal/analysis/trace",
	},
	"internal/analysis/whatif": {"internal/omp", "internal/analysis"},
	"internal/analysis/replay": {
		"otf", "internal/omp", "internal/graph", "internal/analysis", "internal/analysis/offcpu",
		"internal/analysis/trace", "internal/analysis/mpiwait", "internal/analysis/sharing",
		"internal/analysis/whatif", "internal/analysis/counting", "internal/analysis/starvation",
		"internal/analysis/polling",
	},
	"internal/analysis/finding": {
		"internal/omp", "internal/analysis", "internal/analysis/offcpu",
	},
	"internal/analysis/run": {
		"otf", "internal/omp", "internal/spill", "internal/graph", "internal/analysis",
		"internal/analysis/trace", "internal/analysis/mpiwait", "internal/analysis/whatif",
		"internal/analysis/replay", "internal/analysis/finding",
	},
	"internal/efficiency": {"internal/analysis", "internal/omp"},
	"internal/noise":      {},
	"internal/scaling": {
		"internal/analysis", "internal/analysis/finding", "internal/efficiency", "internal/noise",
	},
	"internal/report/layout":  {},
	"internal/report/summary": {"internal/analysis", "internal/efficiency"},
	"internal/report/profile": {
		"internal/omp", "internal/analysis", "internal/analysis/finding", "internal/report/layout",
		"internal/report/summary",
	},
	"internal/report": {
		"internal/omp", "internal/analysis", "internal/analysis/finding",
		"internal/analysis/whatif", "internal/efficiency", "internal/report/layout",
		"internal/report/summary", "internal/report/profile",
	},
	"internal/report/export": {"internal/omp", "internal/analysis"},
	"internal/report/compare": {
		"internal/analysis", "internal/analysis/finding", "internal/efficiency", "internal/noise",
		"internal/scaling", "internal/report", "internal/report/layout", "internal/report/profile",
	},
	"internal/report/scale": {
		"internal/analysis", "internal/noise", "internal/scaling", "internal/report/layout",
	},
	"internal/report/page": {
		"internal/analysis", "internal/analysis/finding", "internal/efficiency",
		"internal/scaling", "internal/spill", "internal/report", "internal/report/layout",
		"internal/report/scale", "internal/report/summary",
	},
	"internal/report/fixture": { // of tests
		"internal/analysis", "internal/analysis/run", "internal/omp", "internal/report/profile",
		"otf",
	},
	"internal/recording": {
		"otf", "internal/report/profile", "internal/eventlog", "internal/omp",
		"internal/spill", "internal/sampling", "internal/symbols",
	},
	"internal/race": {
		"internal/omp", "internal/symbols", "internal/instrument", "parse/construct",
		"internal/sarif",
	},
	"internal/sarif":           {},
	"internal/sarif/sariftest": {},
	"internal/mpi":             {"pomp"},
	"internal/pomp2":           {"pomp"},
	"internal/buildfiles":      {"pomp"},
	"internal/mpi/gen":         {"internal/mpi"},
	"internal/instrument": {
		"internal/source", "internal/omp", "parse", "parse/construct",
		"parse/verify", "fortran", "descriptors", "rewrite",
	},
	"internal/opari2": {"internal/omp", "internal/instrument", "fortran", "descriptors"},
	"internal/driver": {
		"internal/source", "internal/omp", "parse/construct", "rewrite",
		"pomp", "internal/mpi", "internal/instrument", "internal/driver/commandline",
		"internal/driver/scan", "internal/driver/process", "internal/driver/messages",
	},

	"internal/driver/commandline": {"internal/omp", "fortran", "rewrite"},
	"internal/driver/scan":        {"internal/omp", "fortran", "internal/driver/commandline"},
	"internal/driver/process":     {"internal/driver/commandline"},
	"internal/driver/messages": {
		"internal/source", "internal/omp", "internal/indentation",
		"internal/driver/commandline", "internal/driver/process",
	},

	"cmd/opari":                      {"all"},
	"internal/command/build":         {},
	"internal/command/failure":       {},
	"internal/command/arguments":     {"internal/command/failure"},
	"internal/command/terminal":      {stages},
	"internal/command/disk":          {stages, "internal/command/failure"},
	"internal/command/demo":          slices.Concat(shared, []string{stages}),
	"internal/command/instrumenting": slices.Concat(shared, []string{stages}),
	"internal/command/traces":        slices.Concat(shared, []string{stages}),
	"internal/command/reports": slices.Concat(shared, []string{
		stages, "internal/command/traces",
	}),
	"internal/command/running": slices.Concat(shared, []string{
		stages, "internal/command/traces", "internal/command/reports",
	}),
	"internal/command/race": slices.Concat(shared, []string{
		stages, "internal/command/running",
	}),
	"internal/command/scale": slices.Concat(shared, []string{
		stages, "internal/command/traces", "internal/command/reports", "internal/command/running",
	}),

	"packaging/release":  {"internal/buildfiles", "internal/driver"},
	"internal/browser":   {},
	"internal/offload":   {},
	"internal/expensive": {"internal/browser"},
	"bench": {
		"otf", "otf2", "internal/omp", "internal/recording", "internal/analysis",
		"internal/report/page", "internal/browser",
	},
	"site":            {"internal/browser"},
	"test/corpus":     {"internal/offload"},
	"test/directives": {},
	"test/peers":      {},
}

// everywhere is a package that stands for one of the standard library.
const everywhere = "internal/pattern"

// stages stands for all packages that do the work, which know nothing of commands.
const stages = "stages"

// commands is the folder of the packages of commands.
const commands = "internal/command/"

// shared are the packages that all commands may import.
var shared = []string{
	"internal/command/build", "internal/command/failure", "internal/command/arguments",
	"internal/command/terminal", "internal/command/disk",
}

// outside lists the only modules that a package may use besides the standard library, by prefix
// of the import path.
var outside = map[string][]string{
	"cmd/opari":                      {"github.com/spf13/"},
	"internal/command/arguments":     {"github.com/spf13/"},
	"internal/command/disk":          {"github.com/spf13/pflag"},
	"internal/command/terminal":      {"golang.org/x/term", "golang.org/x/sys/unix"},
	"internal/command/demo":          {"github.com/spf13/"},
	"internal/command/instrumenting": {"github.com/spf13/", "github.com/sergi/go-diff"},
	"internal/command/traces":        {"github.com/spf13/"},
	"internal/command/reports":       {"github.com/spf13/"},
	"internal/command/running":       {"github.com/spf13/"},
	"internal/command/race":          {"github.com/spf13/", "golang.org/x/sys/unix"},
	"internal/command/scale":         {"github.com/spf13/"},
	// the options before the compiler's name
	"internal/driver":     {"github.com/spf13/pflag", "golang.org/x/term"},
	"internal/instrument": {"github.com/spf13/pflag"}, // the flags that all commands share
	"parse/verify":        {"modernc.org/"},
	"internal/sarif/sariftest": {
		"github.com/owenrumney/go-sarif/v3", "github.com/xeipuuv/gojsonschema",
	},
	// as many ranks at once as there are processors
	"internal/symbols":      {"github.com/ianlancetaylor/demangle"},
	"internal/analysis/run": {"golang.org/x/sync/errgroup"},
	"internal/recording":    {"golang.org/x/sync/errgroup"},
	"internal/sampling":     {"golang.org/x/sys/unix", "golang.org/x/arch/x86/x86asm"},
}

// forbidden are package names that say nothing about the purpose.
var forbidden = []string{
	"util", "utils", "common", "types", "helpers", "helper", "misc",
	"base", "lib",
}

const (
	root       = "../.."
	module     = "opari/"
	longestGo  = 420 // lines of a Go file without tests
	longestC   = 420 // lines of a C file
	longestAny = 700 // lines of a test
)

// goFiles calls visit with each Go file of the repository: its package folder, its path and its
// text.
func goFiles(t *testing.T, visit func(dir, file string, text []byte)) {
	t.Helper()
	sources(t, []string{".go"}, visit)
}

// sources calls visit with every file below the root that has one of the extensions, except in
// testdata, which is not our code.
func sources(t *testing.T, extensions []string, visit func(dir, file string, text []byte)) {
	t.Helper()
	seen := 0
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == "testdata" || p != root && strings.HasPrefix(name, ".") &&
				name != ".." {
				return filepath.SkipDir
			}
			return nil
		}
		if !slices.Contains(extensions, filepath.Ext(p)) {
			return nil
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		file, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		file = filepath.ToSlash(file)
		seen++
		visit(path.Dir(file), file, text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 10 {
		t.Fatalf("only %d files found below %s: the test looks in the wrong place", seen, root)
	}
}

// TestImports checks the imports against rooms.
func TestImports(t *testing.T) {
	goFiles(t, func(dir, file string, text []byte) {
		if strings.HasSuffix(file, "_test.go") {
			return
		}
		allowed, known := rooms[dir]
		if !known {
			t.Errorf("%s: package %s has no row in the table of rooms", file, dir)
			return
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ImportsOnly)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			return
		}
		for _, spec := range parsed.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			if inner, ours := strings.CutPrefix(name, module); ours {
				if inner != dir && inner != everywhere && !slices.Contains(allowed, inner) &&
					!slices.Contains(allowed, "all") &&
					(!slices.Contains(allowed, stages) || strings.HasPrefix(inner, commands)) {
					t.Errorf("%s: %s may not import %s", file, dir, inner)
				}
			} else if first, _, _ := strings.Cut(name, "/"); strings.Contains(first, ".") &&
				!anyPrefix(name, outside[dir]) {
				t.Errorf("%s: %s may not import %s", file, dir, name)
			}
		}
	})
}

// TestNames rejects package names without a meaning, and folders that differ from the name of
// their package.
func TestNames(t *testing.T) {
	goFiles(t, func(dir, file string, text []byte) {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.PackageClauseOnly)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			return
		}
		name := strings.TrimSuffix(parsed.Name.Name, "_test")
		if slices.Contains(forbidden, name) {
			t.Errorf("%s: package %s says nothing about what it is for", file, name)
		}
		if name != "main" && name != path.Base(dir) {
			t.Errorf("%s: package %s lies in folder %s", file, name, path.Base(dir))
		}
	})
}

var skipsByItself = regexp.MustCompile(`testing\.Short\(\) \{\s*t\.Skip`)

// TestOneWayToSkip checks that tests skip only by internal/expensive, so that each reason has the
// same wording.
func TestOneWayToSkip(t *testing.T) {
	goFiles(t, func(_, file string, text []byte) {
		if strings.HasSuffix(file, "_test.go") && skipsByItself.Match(text) {
			t.Errorf("%s skips under -short by itself: call internal/expensive", file)
		}
	})
}

// TestLength keeps files short enough to read in one go. Generated files may be longer.
func TestLength(t *testing.T) {
	sources(t, []string{".go", ".c", ".h", ".js", ".css"}, func(_, file string, text []byte) {
		limit := longestC
		switch {
		case strings.HasSuffix(file, "_test.go"):
			limit = longestAny
		case strings.HasSuffix(file, ".go"):
			limit = longestGo
		case strings.HasPrefix(file, "examples/"), strings.HasPrefix(file, "bench/"):
			return
		}
		head := text[:min(len(text), 400)]
		if strings.Contains(string(head), "Generated") ||
			strings.Contains(string(head), "DO NOT EDIT") {
			return
		}
		if lines := strings.Count(string(text), "\n"); lines > limit {
			t.Errorf("%s: %d lines, more than %d: it wants to be two files", file, lines, limit)
		}
	})
}

func anyPrefix(s string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}
