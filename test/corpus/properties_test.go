package corpus

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// instrumented is a file of the corpus with the output of `opari file.c`.
type instrumented struct {
	path      string
	original  []byte
	text      []byte // nil when it was refused
	dir, name string // the folder with original and text, NAME.c and NAME.mod.c
}

// eachInstrumented instruments every C file of the corpus and calls check with those that opari
// accepts.
func eachInstrumented(t *testing.T, check func(in *instrumented)) {
	t.Helper()
	paths, err := Sources(corpusDir(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) < 1000 {
		t.Fatalf("only %d files: is the corpus whole?", len(paths))
	}
	var lock sync.Mutex
	refused, accepted := 0, 0
	each(t, len(paths), func(i int, dir string) {
		if !only(t, paths[i]) {
			return
		}
		in := instrument(t, paths[i], dir)
		lock.Lock()
		if in.text == nil {
			refused++
		} else {
			accepted++
		}
		lock.Unlock()
		if in.text != nil {
			check(in)
		}
	})
	t.Logf("%d files checked, %d refused", accepted, refused)
	if accepted < 1000 && os.Getenv("OPARI_ONLY") == "" {
		t.Errorf("only %d of %d files are accepted", accepted, len(paths))
	}
}

// instrumentedBefore keeps the output of `opari NAME.c` by path, because several tests need it.
// TestDeterministic checks that another run gives the same.
var instrumentedBefore sync.Map

// instrument writes the output of `opari NAME.c` for the file at path into dir, beside a copy of
// the file.
func instrument(t *testing.T, path, dir string) *instrumented {
	in := &instrumented{path: path, dir: dir, name: strings.TrimSuffix(filepath.Base(path), ".c")}
	var err error
	if in.original, err = os.ReadFile(path); err == nil {
		err = os.WriteFile(filepath.Join(dir, in.name+".c"), in.original, 0o644)
	}
	if err != nil {
		t.Error(err)
		return in
	}
	result := filepath.Join(dir, in.name+".mod.c")
	if known, is := instrumentedBefore.Load(path); is {
		if in.text = known.([]byte); in.text != nil {
			err = os.WriteFile(result, in.text, 0o644)
		}
	} else if o := Execute(dir, nil, runLimit, opariBinary, in.name+".c"); o.OK() {
		in.text, err = os.ReadFile(result)
	} else if o.Code != 1 || !strings.Contains(o.Output, "error:") ||
		strings.Contains(o.Output, "goroutine ") {
		t.Errorf("%s: opari ends with %d: %.500s", path, o.Code, o.Output)
	}
	if err != nil {
		t.Error(err)
	}
	instrumentedBefore.Store(path, in.text)
	return in
}

// TestStrip checks that removing the insertions restores the input byte for byte, and that
// instrumented code is not instrumented again.
func TestStrip(t *testing.T) {
	eachInstrumented(t, func(in *instrumented) {
		o := Execute(in.dir, nil, runLimit, opariBinary, "strip", "-o", "back.c", in.name+".mod.c")
		back, err := os.ReadFile(filepath.Join(in.dir, "back.c"))
		if !o.OK() || err != nil {
			t.Errorf("%s: opari strip: %s", in.path, FirstDiagnostic(o.Output))
		} else if !bytes.Equal(back, in.original) {
			t.Errorf("%s: strip gives something else back: %s", in.path,
				firstDifference(in.original, back))
		}
		o = Execute(in.dir, nil, runLimit, opariBinary, in.name+".mod.c", "twice.c")
		if o.Code != 1 || !strings.Contains(o.Output, "error:") ||
			exists(filepath.Join(in.dir, "twice.c")) {
			t.Errorf("%s: instrumented twice: exit %d: %s", in.path, o.Code,
				FirstDiagnostic(o.Output))
		}
	})
}

// TestDeterministic checks that equal input with an equal name gives equal output: in another
// folder, at another time, and on another number of processors.
func TestDeterministic(t *testing.T) {
	eachInstrumented(t, func(in *instrumented) {
		other := filepath.Join(in.dir, "an other", "folder")
		if err := os.MkdirAll(other, 0o755); err != nil {
			t.Error(err)
			return
		}
		name := in.name + ".c"
		if err := os.WriteFile(filepath.Join(other, name), in.original, 0o600); err != nil {
			t.Error(err)
			return
		}
		o := Execute(other, []string{"GOMAXPROCS=1", "TZ=Asia/Tokyo", "HOME=/nonexistent"},
			runLimit, opariBinary, name)
		text, err := os.ReadFile(filepath.Join(other, in.name+".mod.c"))
		if !o.OK() || err != nil {
			t.Errorf("%s: refused in another folder: %s", in.path, FirstDiagnostic(o.Output))
		} else if !bytes.Equal(text, in.text) {
			t.Errorf("%s: something else in another folder: %s", in.path,
				firstDifference(in.text, text))
		}
	})
}

// firstDifference names the first line in which two texts differ.
func firstDifference(want, got []byte) string {
	a, b := bytes.SplitAfter(want, []byte("\n")), bytes.SplitAfter(got, []byte("\n"))
	for i := range a {
		if i >= len(b) {
			return "it ends before " + string(bytes.TrimSpace(a[i]))
		}
		if !bytes.Equal(a[i], b[i]) {
			return "line " + lineNumber(i+1) + ": want " + quoted(a[i]) + ", got " + quoted(b[i])
		}
	}
	return "it goes on behind the end"
}
