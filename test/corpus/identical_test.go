package corpus

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// identicalGoal is how many files without OpenMP are compiled bare and wrapped. With OPARI_ALL it
// is two and a half times as many.
const identicalGoal = 80

// TestIdenticalObjects checks that `opari cc` makes exactly the compiler's object from a file
// without OpenMP, with -fopenmp and debug information.
//
// The files are the headers of the C and the C++ library, each in a program. In every other one a
// comment mentions omp, so that the wrapper has to read the preprocessor's output.
func TestIdenticalObjects(t *testing.T) {
	corpusDir(t)
	goal := identicalGoal
	if os.Getenv("OPARI_ALL") != "" {
		goal = identicalGoal * 5 / 2
	}
	var headers []string
	for _, pattern := range []string{
		"/usr/include/c++/*/*", "/usr/include/*.h",
		"/usr/include/*-linux-gnu/sys/*.h",
	} {
		files, _ := filepath.Glob(pattern)
		for _, f := range files {
			if ext := filepath.Ext(f); (ext == "" || ext == ".h") && isFile(f) &&
				filepath.Base(f) != "omp.h" {
				headers = append(headers, f)
			}
		}
	}
	headers = everyNth(headers, max(1, len(headers)*9/10/goal))
	var same, refused atomic.Int64
	each(t, len(headers), func(i int, dir string) {
		h := headers[i]
		text := fmt.Sprintf("#include \"%s\"\nstruct S { virtual ~S() {} int v = 0; };\nint f(S "+
			"*s) {\n  auto g = [=] { return s->v; };\n  return g() + __LINE__;\n}\n", h)
		if i%2 == 1 {
			text = "// nothing of omp\n" + text
		}
		if err := os.WriteFile(filepath.Join(dir, "f.cc"), []byte(text), 0o644); err != nil {
			t.Error(err)
			return
		}
		compile := []string{"g++", "-fopenmp", "-O1", "-g", "-w", "-c", "f.cc", "-o"}
		if !Execute(dir, nil, buildLimit, append(compile, "bare.o")...).OK() {
			refused.Add(1)
			return
		}
		o := Execute(dir, nil, buildLimit,
			append([]string{opariBinary, "cc"}, append(compile, "ours.o")...)...)
		bare, _ := os.ReadFile(filepath.Join(dir, "bare.o"))
		ours, err := os.ReadFile(filepath.Join(dir, "ours.o"))
		if !o.OK() || err != nil || strings.TrimSpace(o.Output) != "" || !bytes.Equal(bare, ours) {
			t.Errorf("%s: another object (%d and %d bytes): %s", h, len(bare), len(ours), o.Output)
			return
		}
		same.Add(1)
	})
	t.Logf("%d objects are identical; %d headers do not compile by themselves", same.Load(),
		refused.Load())
	if same.Load() < int64(goal*3/4) {
		t.Errorf("only %d files compile, of %d", same.Load(), len(headers))
	}
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
