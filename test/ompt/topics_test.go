package ompt

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The programs of topics.txt and topics_more.txt are told here as by LLVM's runtime, up to their grades, and the
// logger's checker finds no fault.
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
		want[name] = grade
		source := filepath.Join(k.dir, name+".c")
		outside, within, found := strings.Cut(body, "\n%%\n")
		if !found {
			outside, within = "", body
		}
		body = "#include <omp.h>\nint n, a[8];\n" + outside + "\nint main(void)\n{\n" + within + "\n    return 0;\n}\n"
		if err := os.WriteFile(source, []byte(body), 0o666); err != nil {
			t.Fatal(err)
		}
		native := filepath.Join(k.dir, name+"-llvm")
		output(t, "clang-19", "-fopenmp", "-fopenmp-version=51", "-O1", "-w", source, "-o", native)
		k.run(t, native, filepath.Join(theirs, name+".log"))
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
