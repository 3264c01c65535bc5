// Package wrapper tests `opari cc` against the promises of docs/reference/wrapper.md. It has a
// table of command lines. Each runs first with the bare compiler and then with the wrapped one,
// in the same folder, and the test compares everything that a build system could see.
package wrapper

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

// A form is a way to call the compilers of a script.
type form struct {
	name   string
	prefix string // precedes each compiler
	path   string // prepended to PATH
	// standard output lines with this prefix are the wrapper's own; "" for ours, which prints
	// none
	strip string
}

// A testCase is a script in which $CC, $CXX and $FC are the compilers.
type testCase struct {
	promise string // its number in docs/reference/wrapper.md
	name    string
	mode    string // how its files are compared
	reason  string // why the masquerade form does not run it; ""
	script  string
	files   []txtar.File
}

// The modes of a case.
const (
	calls = "calls" // instrumented: files are equal by the rule, and at least one has calls
	same  = "same"  // not instrumented: every file is equal, byte for byte
	fails = "fails" // the compiler refuses; it leaves the same files
)

var caseLine = regexp.MustCompile(`^## ([A-Z]\d+) (?:(same|fails): )?(.*?)(?: \[no masquerade: (.*)\])?$`)

// readCases reads the archives in testdata/cases. They have scripts, each after a line that
// begins with ##, and the files that these share.
func readCases(t *testing.T) []testCase {
	t.Helper()
	archives, err := filepath.Glob("testdata/cases/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	var all []testCase
	names := map[string]bool{}
	for _, name := range archives {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var c *testCase
		for i, line := range strings.Split(string(a.Comment), "\n") {
			switch {
			case strings.HasPrefix(line, "## "):
				m := caseLine.FindStringSubmatch(line)
				if m == nil {
					t.Fatalf("%s:%d: no case: %s", name, i+1, line)
				}
				all = append(all,
					testCase{promise: m[1], name: m[3], mode: m[2], reason: m[4], files: a.Files})
				c = &all[len(all)-1]
				if c.mode == "" {
					c.mode = calls
				}
				if names[c.name] {
					t.Fatalf("%s:%d: there are two cases %q", name, i+1, c.name)
				}
				names[c.name] = true
			case c != nil:
				c.script += line + "\n"
			}
		}
	}
	return all
}

// An outcome is what a build system could see of a run.
type outcome struct {
	code           int
	stdout, stderr string
	files          map[string]leftover
}

// A leftover is a file that remains after a run, or a folder, whose name ends in a slash.
type leftover struct {
	mode fs.FileMode
	data []byte
	list []symbol // of objects, archives and programs
}

// room is the folder for the runs of a case, one after the other, so that no path differs between
// them.
type room struct {
	dir, temp string
	env       []string
}

const patience = 3 * time.Minute // for one script, on a busy machine

// run runs the case's script in a fresh folder.
func (r *room) run(t *testing.T, c *testCase, f form) outcome {
	t.Helper()
	for _, d := range []string{r.dir, r.temp} {
		if err := os.RemoveAll(d); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	unpack(t, r.dir, c.files)
	cmd := exec.Command("sh", "-c", c.script)
	cmd.Dir = r.dir
	cmd.Env = append(slices.Clip(r.env), "TMPDIR="+r.temp, "CC="+f.prefix+"gcc",
		"CXX="+f.prefix+"g++", "FC="+f.prefix+"gfortran", "WRAP="+f.prefix)
	if f.path != "" {
		cmd.Env = append(cmd.Env, "PATH="+f.path+":"+os.Getenv("PATH"))
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &stdout, &stderr, patience
	watchdog := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	err := cmd.Run()
	if !watchdog.Stop() {
		t.Fatalf("%s: it takes more than %v", f.name, patience)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	o := outcome{
		code: cmd.ProcessState.ExitCode(), stdout: stdout.String(),
		stderr: stderr.String(), files: map[string]leftover{},
	}
	o.gather(t, r.dir, "")
	o.gather(t, r.temp, "(TMPDIR)/")
	if f.strip != "" {
		o.stdout = regexp.MustCompile(`(?m)^`+regexp.QuoteMeta(f.strip)+
			`.*\n`).ReplaceAllString(o.stdout, "")
	}
	return o
}

func unpack(t *testing.T, dir string, files []txtar.File) {
	t.Helper()
	for _, f := range files {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

var temporary = regexp.MustCompile(`\bcc\w{6}\b`)

// gather reads all files below dir.
func (o *outcome) gather(t *testing.T, dir, as string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || p == dir {
			return err
		}
		name, _ := filepath.Rel(dir, p)
		if name = as + name; as != "" {
			name = temporary.ReplaceAllString(name, "ccXXXXXX")
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		l := leftover{mode: info.Mode()}
		switch {
		case d.IsDir():
			o.files[name+"/"] = l
			return nil
		case info.Mode().IsRegular():
			if l.data, err = os.ReadFile(p); err != nil {
				return err
			}
			if isBinary(l.data) {
				l.list = symbols(t, p)
			}
		}
		o.files[name] = l
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// differences compares a wrapped run with the bare one and lists broken promises.
func (c *testCase) differences(bare, ours outcome, lib map[string]bool) []string {
	var list []string
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if bare.code != ours.code {
		add("exit code %d, not %d", ours.code, bare.code)
	}
	if bare.stdout != ours.stdout {
		add("standard output:\n%s", unlike(bare.stdout, ours.stdout))
	}
	if bare.stderr != ours.stderr {
		add("standard error:\n%s", unlike(bare.stderr, ours.stderr))
	}
	hasCalls := false
	for name, b := range bare.files {
		o, ok := ours.files[name]
		switch {
		case !ok:
			add("%s is missing", name)
			continue
		case b.mode != o.mode:
			add("%s: mode %v, not %v", name, o.mode, b.mode)
		}
		if c.mode == same && !bytes.Equal(b.data, o.data) && !strings.HasSuffix(name, ".gch") {
			add("%s: not the same bytes", name)
			continue
		}
		if d := byRule(name, b, o, lib); d != "" {
			add("%s: %s", name, d)
		}
		hasCalls = hasCalls || o.calls()
	}
	for name := range ours.files {
		if _, ok := bare.files[name]; !ok {
			add("%s is left behind", name)
		}
	}
	switch {
	case c.mode == calls && !hasCalls:
		add("nothing is instrumented")
	case c.mode == same && hasCalls:
		add("something is instrumented")
	}
	if c.mode == fails && bare.code == 0 {
		add("the bare compiler takes it")
	} else if c.mode == calls && bare.code != 0 {
		add("the bare run fails: %s%s", bare.stdout, bare.stderr)
	}
	return list
}

// unlike shows the first difference of two texts.
func unlike(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	i := 0
	for i < len(w) && i < len(g) && w[i] == g[i] {
		i++
	}
	return fmt.Sprintf("line %d: bare: %q\n        ours: %q", i+1, at(w, i), at(g, i))
}

func at(lines []string, i int) string {
	return strings.Join(lines[min(i, len(lines)):min(i+4, len(lines))], "\n")
}
