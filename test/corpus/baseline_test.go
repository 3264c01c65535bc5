package corpus

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"testing"
)

const skipped = "skip" // a program that is not for this machine

var versionNumber = regexp.MustCompile(`[0-9]+(\.[0-9]+)*`)

// baseline builds and runs each program plain, and returns its class, or skipped. The file cache
// keeps the results, except timeouts, which depend on the machine's load at that time and not on
// the program.
func baseline(t *testing.T, plain *Way, all []Program, cache string) []string {
	t.Helper()
	known := readBaseline(cache)
	results := make([]string, len(all))
	var missing []int
	for i := range all {
		if all[i].Skip != "" {
			results[i] = skipped
		} else if results[i] = known[baselineKey(&all[i])]; results[i] == "" {
			missing = append(missing, i)
		}
	}
	if len(missing) == 0 {
		return results
	}
	found := map[string]string{}
	var lock sync.Mutex
	each(t, len(missing), func(n int, work string) {
		i := missing[n]
		r := plainResult(plain, &all[i], work)
		results[i] = string(r.Class)
		if !r.Timeout {
			lock.Lock()
			defer lock.Unlock()
			found[baselineKey(&all[i])] = results[i]
		}
	})
	if err := addToBaseline(cache, found); err != nil {
		t.Logf("what plain builds do is not kept: %v", err)
	}
	return results
}

// plainResult tries a program three times, since one that fails now and then proves nothing
// later. After a timeout it tries once more with nothing else running, because the machine may
// have been busy.
func plainResult(plain *Way, p *Program, dir string) Result {
	r := plain.Try(p, dir)
	for n := 0; n < 2 && r.Class == Pass && p.Kind == "run"; n++ {
		r = plain.Run(p, dir)
	}
	if r.Timeout {
		noise.Lock()
		defer noise.Unlock()
		r = plain.Try(p, dir)
	}
	return r
}

// baselineCache returns the file for results in the user's cache, by corpus and compiler, or ""
// without a cache folder.
func (s *suite) baselineCache(dir string) string {
	base, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	version := Execute(dir, nil, buildLimit, s.compiler, "-dumpfullversion")
	if !version.OK() { // LLVM's has none
		version = Execute(dir, nil, buildLimit, s.compiler, "--version")
	}
	name := fmt.Sprintf("plain-%s-%s-%s.json", filepath.Base(dir), s.compiler,
		versionNumber.FindString(version.Output))
	return filepath.Join(base, "opari", name)
}

// baselineKey identifies a program and its flags: other flags make another program.
func baselineKey(p *Program) string {
	asked := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q", p.Kind, p.Flags, p.Env, p.Lang))
	return fmt.Sprintf("%s %x", p.ID, asked[:4])
}

// readBaseline reads the known results. It returns none if the file is missing or invalid.
func readBaseline(cache string) map[string]string {
	known := map[string]string{}
	text, err := os.ReadFile(cache)
	if err != nil || json.Unmarshal(text, &known) != nil {
		return map[string]string{}
	}
	return known
}

// addToBaseline adds to the file by renaming a new one, since another test process may be reading
// it.
func addToBaseline(cache string, found map[string]string) error {
	if cache == "" {
		return nil
	}
	known := readBaseline(cache)
	maps.Copy(known, found)
	text, err := json.MarshalIndent(known, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(cache), 0o755); err != nil {
		return err
	}
	beside, err := os.CreateTemp(filepath.Dir(cache), "plain-*")
	if err != nil {
		return err
	}
	_, err = beside.Write(text)
	if e := beside.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(beside.Name(), cache)
	}
	if err != nil {
		_ = os.Remove(beside.Name())
	}
	return err
}

// TestBaselineKeepsNoTimeout checks that the next test run repeats only the programs that timed
// out, and those with other flags.
func TestBaselineKeepsNoTimeout(t *testing.T) {
	tried := map[string]int{}
	var lock sync.Mutex
	slow := true
	plain := &Way{Compile: func(_ string, p *Program, _, _ string) Result {
		lock.Lock()
		defer lock.Unlock()
		tried[p.ID]++
		switch {
		case p.ID == "slow" && slow:
			return Result{Class: Crashed, Timeout: true}
		case p.ID == "bad":
			return Result{Class: CompileError}
		}
		return Result{Class: Pass}
	}}
	programs := []Program{
		{ID: "good", Kind: "compile"},
		{ID: "bad", Kind: "compile"},
		{ID: "slow", Kind: "compile"},
		{ID: "other", Skip: "no"},
	}
	cache := filepath.Join(t.TempDir(), "opari", "plain.json")
	expect := func(want []string, times map[string]int) {
		t.Helper()
		if got := baseline(t, plain, programs, cache); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		if !maps.Equal(tried, times) {
			t.Errorf("tried %v, want %v", tried, times)
		}
	}
	expect([]string{"pass", "no compile", "opari broke", skipped},
		map[string]int{"good": 1, "bad": 1, "slow": 2})
	slow = false
	expect([]string{"pass", "no compile", "pass", skipped},
		map[string]int{"good": 1, "bad": 1, "slow": 3})
	expect([]string{"pass", "no compile", "pass", skipped},
		map[string]int{"good": 1, "bad": 1, "slow": 3})
	programs[0].Flags = []string{"-O2"}
	expect([]string{"pass", "no compile", "pass", skipped},
		map[string]int{"good": 2, "bad": 1, "slow": 3})
}

// TestProgramsAreLinkedOnce checks that all tests share one link of what is built in the same
// way. Other flags, another linker or library make another program, and so does a way that shares
// nothing.
func TestProgramsAreLinkedOnce(t *testing.T) {
	defer func(kept string) { objects = kept }(objects)
	objects = t.TempDir()
	log := filepath.Join(t.TempDir(), "log")
	compile := func(dir string, _ *Program, _, object string) Result {
		if err := os.WriteFile(filepath.Join(dir, object), nil, 0o644); err != nil {
			t.Error(err)
		}
		return Result{Class: Pass}
	}
	link := func(name string) []string {
		return []string{"sh", "-c", "echo >>" + log + "; : >program", name}
	}
	for i, c := range []struct {
		way    Way
		flags  []string
		extra  []string
		linked int
	}{
		{way: Way{Shares: "ours", Link: link("a")}, linked: 1},
		{way: Way{Shares: "ours", Link: link("a"), Env: []string{"OPARI=off"}}, linked: 1},
		{way: Way{Shares: "ours", Link: link("a")}, flags: []string{"-static"}, linked: 2},
		{way: Way{Shares: "ours", Link: link("b")}, linked: 3},
		{way: Way{Shares: "ours", Link: link("a"), Libs: []string{"-lm"}}, linked: 4},
		{way: Way{Shares: "theirs", Link: link("a")}, linked: 5},
		{way: Way{Link: link("a")}, linked: 6},
		{way: Way{Shares: "ours", Link: link("a")}, extra: []string{"more.c"}, linked: 7},
		{way: Way{Shares: "ours", Link: link("a")}, linked: 7},
	} {
		c.way.Compile = compile
		dir := t.TempDir()
		p := Program{Path: "p.c", Kind: "link", Flags: c.flags, Extra: c.extra}
		if r := c.way.Try(&p, dir); r.Class != Pass || !exists(filepath.Join(dir, "program")) {
			t.Errorf("%d: %+v", i, r)
		}
		if text, _ := os.ReadFile(log); len(text) != c.linked {
			t.Errorf("%d: linked %d times by now, not %d", i, len(text), c.linked)
		}
	}
}
