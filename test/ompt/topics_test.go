package ompt

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestTopicsAsLLVM checks that the programs of topics.txt and topics_more.txt have the same
// events as on LLVM's runtime, up to their grades. The logger's checker must find no violation.
func TestTopicsAsLLVM(t *testing.T) {
	k := setup(t)
	var topics []string
	for _, file := range []string{"testdata/topics.txt", "testdata/topics_more.txt"} {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		topics = append(topics, strings.Split(string(b), "\n== ")[1:]...)
	}
	ours, theirs := filepath.Join(k.dir, "ours"), filepath.Join(k.dir, "theirs")
	for _, dir := range []string{ours, theirs} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]string{}
	for _, topic := range topics {
		header, body, _ := strings.Cut(topic, "\n")
		name, grade, _ := strings.Cut(header, " ")
		if want[name] != "" {
			t.Fatalf("%s: two programs have this name", name)
		}
		want[name] = grade
		source := filepath.Join(k.dir, name+".c")
		outside, within, found := strings.Cut(body, "\n%%\n")
		if !found {
			outside, within = "", body
		}
		body = "#include <omp.h>\nint n, a[8];\n" + outside + "\nint main(void)\n{\n" + within +
			"\n    return 0;\n}\n"
		if err := os.WriteFile(source, []byte(body), 0o666); err != nil {
			t.Fatal(err)
		}
		native := filepath.Join(k.dir, name+"-llvm")
		output(t, "clang-19", "-fopenmp", "-fopenmp-version=51", "-O1", "-w",
			"-I"+filepath.Join(neighbour, "c"), source, "-o", native)
		k.run(t, native, filepath.Join(theirs, name+".log"))
		if strings.Contains(body, "omp teams") {
			foldLeague(t, filepath.Join(theirs, name+".log"))
		}
		program, ok := k.build(t, source)
		if !ok {
			t.Fatalf("%s: not compiled", name)
		}
		log := filepath.Join(ours, name+".log")
		k.run(t, program, log)
		if got, err := os.ReadFile(log); err != nil || violations(string(got)) != "" {
			t.Errorf("%s: %v, the checker says:\n%s", name, err, violations(string(got)))
		}
	}
	hold(t, theirs, ours, want)
}

// foldLeague rewrites a log of LLVM's runtime for a program with one league. That runtime reports
// a parallel region within each initial task, and foldLeague makes this region the initial task
// itself.
//
// docs/reference/ompt-llvm.md explains leagues. The initial task of a league of one team also has
// the name of its region.
func foldLeague(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(data), "I1", "I/p1.0")
	folded := 0
	for _, initial := range []string{"I/p1.0", "I/p1.1"} {
		inner := initial + "/p1.0"
		head := "\n== task " + inner + "\n"
		before, section, found := strings.Cut(text, head)
		if !found {
			continue
		}
		lines := strings.SplitAfter(section, "\n")
		end := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "== ") })
		// The begin and the end of the region itself are omitted.
		events, rest := strings.Join(lines[1:end-1], ""), strings.Join(lines[end:], "")
		begin, end2 := "  parallel_begin "+initial+"/p1 ", "  parallel_end "+initial+"/p1 "
		first, last := strings.Index(before, begin), strings.Index(before, end2)
		if first < 0 || last < first {
			t.Fatalf("%s: %s has no region:\n%s", file, initial, text)
		}
		last += strings.Index(before[last:]+"\n", "\n") + 1
		text = before[:first] + events + (before + "\n")[last:] + rest
		text = strings.ReplaceAll(text, inner+"/", initial+"/")
		folded++
	}
	if folded == 0 {
		t.Errorf("%s: no initial task of a league:\n%s", file, text)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
