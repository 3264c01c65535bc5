package peers

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"opari/test/corpus"
)

const (
	document = "../../docs/reference/opari2-issues.md"
	unknown  = "-" // not measured

	intro = `# Open issues of OPARI2

` + "`go test ./test/peers -update`" + ` writes this page; do not edit it.

OPARI2 lists what it cannot do in its OPEN_ISSUES. Each row below is one of these issues, or
another that we met, with a program in test/peers/testdata. All programs pass with opari:

- GCC builds each one plain, through ` + "`opari cc`" + ` and from the text of ` + "`opari FILE`" + `. There is no new
  message.
- All three print the same.
- Coverage and profile have its directives.
- By OPARI2's command lines and with its library it prints the same, too. In C and C++,
  ` + "`opari2 --preprocessed`" + ` instruments all its directives.

` + "`opari FILE`" + ` leaves a directive alone that a macro or a header holds, and the wrapper instruments
it. The first lines of such a program list both coverages ("source:").

The last column is the result with OPARI2 %s, which gets the file as it is: ` +
		"`opari2 FILE`,\n`gcc -c`" +
		`, and a link with functions that do nothing. "passes" means that the output is the same.
It says nothing about make, filters and measurement. Where OPARI2 made fewer or more regions than
the wrapper instruments directives, the column has both numbers. A combined directive counts once.

| issue | program | OPARI2 |
|---|---|---|
`
)

// usage is the row without a program: TestUnknownOption.
const usage = "an unknown option is passed over"

// TestDocument checks that the table in docs has a row for each program, with the measured result
// of OPARI2.
func TestDocument(t *testing.T) {
	all := programs(t)
	slices.SortStableFunc(all, func(a, b program) int { return strings.Compare(a.issue, b.issue) })
	old, _ := os.ReadFile(document)
	version, peer := unknown, map[string]string{}
	row := regexp.MustCompile("(?m)^\\| .* \\| `?(.+?)`? \\| (.*) \\|$")
	for _, m := range row.FindAllStringSubmatch(string(old), -1) {
		peer[m[1]] = m[2]
	}
	if m := regexp.MustCompile(`with OPARI2 (\S+),`).FindSubmatch(old); m != nil {
		version = string(m[1])
	}
	if _, err := exec.LookPath("opari2"); *update && err == nil {
		o := corpus.Execute(".", nil, limit, "opari2", "--version")
		version = regexp.MustCompile(`[0-9]+(\.[0-9]+)+`).FindString(o.Output)
		for i := range all {
			peer[all[i].name] = all[i].opari2(t)
		}
		o = corpus.Execute(folder(t), nil, limit, "opari2", "--no-such-option",
			"closing_brace.c", "out.c")
		peer["TestUnknownOption"] = fmt.Sprintf("exit %d", o.Code)
	}
	var b strings.Builder
	fmt.Fprintf(&b, intro, version)
	for _, p := range all {
		fmt.Fprintf(&b, "| %s | `%s` | %s |\n", strings.ReplaceAll(p.issue, "|", `\|`), p.name,
			peer[p.name])
	}
	fmt.Fprintf(&b, "| %s | `TestUnknownOption` | %s |\n", usage, peer["TestUnknownOption"])
	if *update {
		if err := os.WriteFile(document, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if b.String() != string(old) {
		t.Errorf("%s does not list the programs of testdata as they are: go test ./test/peers "+
			"-update", document)
	}
}

var (
	regionMade = regexp.MustCompile(`opari2_ctc_[0-9]+`)
	undefined  = regexp.MustCompile(`(?m) U ((?:pomp2|POMP2)_\w+)$`)
)

// opari2 returns the result of p with OPARI2.
func (p *program) opari2(t *testing.T) string {
	dir := folder(t)
	if o := p.build(dir, nil, nil, p.name, nil); !o.OK() {
		t.Fatal(o.Output)
	}
	want := run(dir).Output
	// OPARI2's output needs the preprocessor.
	ext := strings.ReplaceAll(filepath.Ext(p.name), "f", "F")
	out := strings.TrimSuffix(p.name, filepath.Ext(p.name)) + ".mod" + ext
	o := corpus.Execute(dir, nil, limit, "opari2", p.name, out)
	switch {
	case o.Timeout:
		return "OPARI2 does not end"
	case !o.OK():
		return fmt.Sprintf("refuses it, exit %d", o.Code)
	}
	made := map[string]bool{}
	text, _ := os.ReadFile(filepath.Join(dir, p.name+".opari.inc"))
	for _, m := range regionMade.FindAllString(string(text), -1) {
		made[m] = true
	}
	o = corpus.Execute(dir, nil, limit, slices.Concat([]string{p.compiler(), "-fopenmp", "-w"},
		p.flags, []string{"-I.", "-c", out, "-o", "o.o"})...)
	if !o.OK() {
		return "does not compile: " + strings.ReplaceAll(message(o.Output), "|", `\|`)
	}
	said := p.link2(dir, want)
	if wanted := len(p.wanted) - strings.Count(strings.Join(p.wanted, "; ")+";", " skipped;") -
		strings.Count(strings.Join(p.wanted, ";"), "omp_"); len(made) != wanted && len(made) > 0 {
		said += fmt.Sprintf("; %d regions, not %d", len(made), wanted)
	}
	return said
}

// link2 links the object from OPARI2's text with empty functions, and runs the program.
func (p *program) link2(dir, want string) string {
	symbols := corpus.Execute(dir, nil, limit, "nm", "o.o").Output
	var stub strings.Builder
	seen := map[string]bool{}
	for _, m := range undefined.FindAllStringSubmatch(symbols, -1) {
		seen[m[1]] = true
		calls := ""
		switch own := strings.Trim(strings.ToLower(m[1])[len("pomp2_"):], "_"); {
		case own == "lib_get_max_threads":
			calls = "omp_get_max_threads()"
		case strings.HasSuffix(own, "_lock"):
			calls = "omp_" + own + "(p)"
		default:
			calls = "0"
		}
		fmt.Fprintf(&stub, "long %s(void *p) { return %s; }\n", m[1], calls)
	}
	if len(seen) == 0 {
		return "instruments nothing"
	}
	if err := os.WriteFile(filepath.Join(dir, "stub.c"), []byte(stub.String()), 0o644); err != nil {
		return err.Error()
	}
	if o := corpus.Execute(dir, nil, limit, "gcc", "-w", "-c", "stub.c", "-o", "stub.o"); !o.OK() {
		return message(o.Output)
	}
	if o := corpus.Execute(dir, nil, limit, slices.Concat([]string{p.compiler(), "-fopenmp"},
		p.flags, []string{"o.o", "stub.o", "-o", "program"})...); !o.OK() {
		return "does not link: " + message(o.Output)
	}
	switch o := run(dir); {
	case !o.OK():
		return fmt.Sprintf("exit %d", o.Code)
	case o.Output != want:
		return "prints something else"
	}
	return "passes"
}

var place = regexp.MustCompile(`^\S*?:[0-9:]+ `)

// message returns the first error of a compiler, without its position.
func message(output string) string {
	return place.ReplaceAllString(corpus.FirstDiagnostic(output), "")
}
