package wrapper

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
)

// TestEZTraceTable runs the table with EZTrace's compiler wrapper, for comparison. The wrapper is
// unmodified except for the location of its files. The test logs two figures: a strict one, and
// one that ignores its own lines on standard output.
//
// It compares only what a build system sees: the exit code, both streams, the remaining files and
// the dependencies. It ignores that the wrapper instruments, and the symbols that it adds.
func TestEZTraceTable(t *testing.T) {
	if os.Getenv("OPARI_ALL") == "" {
		t.Skip("for comparison, with OPARI_ALL=1; it needs EZTrace's and OPARI2's Debian " +
			"packages: EZTrace cannot be had otherwise")
	}
	f := setUp(t)
	script := exec.Command("../../scripts/eztrace.sh")
	script.Stderr = os.Stderr
	out, err := script.Output()
	if err != nil {
		t.Skipf("Debian's packages of EZTrace cannot be had: %v", err)
	}
	root := strings.TrimSpace(string(out))
	text, err := os.ReadFile(filepath.Join(root, "usr/bin/eztrace_cc"))
	if err != nil {
		t.Fatal(err)
	}
	libraries, _ := filepath.Glob(filepath.Join(root, "usr/lib/*/libeztpomp.so"))
	if len(libraries) != 1 {
		t.Fatal(libraries)
	}
	here := strings.NewReplacer("\nprefix=/usr\n", "\nprefix="+root+"/usr\n",
		"\nlibdir=${exec_prefix}/lib\n", "\nlibdir="+filepath.Dir(libraries[0])+
			"\n").Replace(string(text))
	eztrace := filepath.Join(f.dir, "bin", "eztrace_cc")
	if err := os.WriteFile(eztrace, []byte(here), 0o777); err != nil {
		t.Fatal(err)
	}
	env := append(f.env[:len(f.env):len(f.env)], "LD_LIBRARY_PATH="+filepath.Dir(libraries[0]))
	own := regexp.MustCompile(`(?m)^\[eztrace_cc\].*\n`)
	var all, strict, lenient atomic.Int32
	t.Run("cases", func(t *testing.T) {
		for _, c := range readCases(t) {
			if strings.Contains(c.script, "WRAP:+") {
				continue // options of opari
			}
			t.Run(c.promise+"/"+c.name, func(t *testing.T) {
				t.Parallel()
				r := f.room(t)
				r.env = env
				bare := r.run(t, &c, form{name: "bare"})
				o := r.run(t, &c, form{name: "eztrace_cc", prefix: eztrace + " "})
				all.Add(1)
				if seenEqual(bare, o) {
					strict.Add(1)
				}
				o.stdout = own.ReplaceAllString(o.stdout, "")
				if seenEqual(bare, o) {
					lenient.Add(1)
				}
			})
		}
	})
	t.Logf("eztrace_cc: %d of %d cases as the bare compiler; %d with its own lines on standard "+
		"output forgiven", strict.Load(), all.Load(), lenient.Load())
}

// seenEqual compares what a build system sees, without the content of objects.
func seenEqual(a, b outcome) bool {
	if a.code != b.code || a.stdout != b.stdout || a.stderr != b.stderr ||
		len(a.files) != len(b.files) {
		return false
	}
	for name, l := range a.files {
		o, ok := b.files[name]
		if !ok || strings.HasSuffix(name, ".d") && string(l.data) != string(o.data) {
			return false
		}
	}
	return true
}
