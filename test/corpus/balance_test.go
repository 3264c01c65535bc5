package corpus

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// leaves lists programs that leave a construct where no call can be written, with the reason.
// Whether it shows depends on which thread is first.
var leaves = map[string]string{
	"libgomp.c/sections-2.c": "calls exit inside a section",
	"libgomp.c/pr66133.c":    "calls exit inside a task",
}

// TestBalance links programs with a library that checks the calls (testdata/balance.c) instead of
// ours: every ninth one, or all with OPARI_ALL. Each begin must have its end, in order, on its
// thread, with its handle.
func TestBalance(t *testing.T) {
	programs := some(suiteC.runnable(t), 9)
	checker := balanceChecker(t, "balance.c")
	for _, w := range []*Way{
		Wrapper(opariBinary, "gcc", os.DevNull),
		SourceMode(opariBinary, "gcc", config(t, "--cflags"), nil, nil),
	} {
		w.Link, w.Libs = []string{"gcc"}, []string{checker, "-lpthread"}
		balance(t, w, programs, 100)
	}
}

// balanceChecker builds the library that checks the calls.
func balanceChecker(t *testing.T, source string) (object string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	object = filepath.Join(t.TempDir(), "balance.o")
	o := Execute(t.TempDir(), nil, buildLimit, "gcc", "-std=c11", "-O1", "-Wall", "-Wextra",
		"-Wshadow", "-Werror", "-fPIC",
		"-I"+filepath.Join(root, "pomp", "src"), "-c", filepath.Join(root, "test", "corpus",
			"testdata", source), "-o", object)
	if !o.OK() {
		t.Fatal(o.Output)
	}
	return object
}

// balance runs programs, which must make at least average calls on average.
func balance(t *testing.T, w *Way, programs []Program, average int) {
	t.Helper()
	results := make([]Result, len(programs))
	calls := make([]int, len(programs))
	each(t, len(programs), func(i int, dir string) {
		count := filepath.Join(dir, "calls")
		local := *w
		local.Env = []string{"OPARI_BALANCE=" + count}
		if results[i] = local.Try(&programs[i], dir); results[i].Timeout {
			// A mistake that the checker finds only now and then counts.
			results[i] = again(&local, &programs[i], dir, results[i])
		}
		text, err := os.ReadFile(count)
		if err != nil {
			return // by _exit a program leaves none; a forked process appends its own
		}
		for line := range strings.FieldsSeq(string(text)) {
			n, _ := strconv.Atoi(line)
			calls[i] += n
		}
	})
	refused, total := 0, 0
	var silent []string
	for i, r := range results {
		id := programs[i].ID
		reason, known := leaves[id]
		total += calls[i]
		switch {
		case r.Class == Refused:
			refused++
		case known && (r.Class == Pass || r.Class == WrongResult):
			t.Logf("%s: %s: %s", w.Name, id, reason)
		case r.Class != Pass:
			t.Errorf("%s: %s: %s: %.300s", w.Name, id, r.Class, r.Why)
		case calls[i] == 0:
			silent = append(silent, id)
		}
	}
	t.Logf("%s: %d programs balance over %d calls; %d refused; %d make no call: %s", w.Name,
		len(programs)-refused, total, refused, len(silent), strings.Join(silent, " "))
	if total < average*len(programs) && os.Getenv("OPARI_ONLY") == "" {
		t.Errorf("%s: only %d calls from %d programs: is the checker linked?", w.Name, total,
			len(programs))
	}
}
