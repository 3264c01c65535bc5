package run

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"opari/internal/expensive"
	"opari/otf"
)

// dataAccess is what a thread does at each of its samples.
type dataAccess struct {
	address uint64
	write   bool
}

// sharingTrace writes a trace of two threads in a parallel region of a.c:7 to 9. Both have a sample
// each ms, in main at a.c:8; what says which access it has.
func sharingTrace(t *testing.T, samples int, what func(thread, i int) dataAccess) string {
	t.Helper()
	const ms = 1_000_000
	stub := filepath.Join(t.TempDir(), "trace")
	manager, master := otf.NewFileManager(8), otf.NewMasterControl()
	d := otf.OpenWStream(stub, 0, manager)
	const point = otf.CounterTypeAbs | otf.CounterScopePoint
	err := errors.Join(d.WriteOtfVersion(), d.WriteDefTimerResolution(1e9))
	for _, c := range []string{
		"lines 7-9 a.c", "samples: 1000 a second", "stack 1: 0 10", "stack 2: 1 11",
	} {
		err = errors.Join(err, d.WriteDefinitionComment(c))
	}
	err = errors.Join(err, d.WriteDefProcess(1, "thread 0 (initial)", 0),
		d.WriteDefProcess(2, "thread 1 (worker)", 0),
		d.WriteDefSclFile(1, "a.c"), d.WriteDefScl(1, 1, 7), d.WriteDefScl(2, 1, 8),
		d.WriteDefFunctionGroup(1, "parallel"), d.WriteDefFunctionGroup(2, "implicit task"),
		d.WriteDefFunctionGroup(4, "sampled code"),
		d.WriteDefFunction(1, "parallel a.c:7", 1, 1),
		d.WriteDefFunction(2, "parallel: implicit task a.c:7", 2, 1),
		d.WriteDefFunction(10, "main", 4, 2), d.WriteDefFunction(11, "<opari>", 4, 0),
		d.WriteDefCounterGroup(1, "kernel"), d.WriteDefCounter(8, "data read", point, 1, "address"),
		d.WriteDefCounter(7, "data written", point, 1, "address"),
		d.WriteDefCounter(9, "sample", point, 1, "stack"))
	for thread := range uint32(2) {
		process := thread + 1
		master.Append(process, process)
		w := otf.OpenWStream(stub, process, manager)
		err = errors.Join(err, w.WriteBeginProcess(0, process))
		if thread == 0 {
			err = errors.Join(err, w.WriteEnter(0, 1, 1, 0))
		}
		err = errors.Join(err, w.WriteEnter(0, 2, process, 0))
		for i := range samples {
			at, access := uint64(i+1)*ms+uint64(thread)*1000, what(int(thread), i)
			counter, stack := uint32(8), uint64(1)
			if access.write {
				counter = 7
			}
			if access.address >= measuredData {
				stack = 2
			}
			err = errors.Join(err, w.WriteCounter(at, process, 9, stack),
				w.WriteCounter(at, process, counter, access.address))
		}
		end := uint64(samples+2) * ms
		err = errors.Join(err, w.WriteLeave(end, 2, process, 0))
		if thread == 0 {
			err = errors.Join(err, w.WriteLeave(end, 1, 1, 0))
		}
		err = errors.Join(err, w.WriteEndProcess(end, process), w.Close())
	}
	if err = errors.Join(err, d.Close(), master.Write(stub, manager)); err != nil {
		t.Fatal(err)
	}
	return stub
}

// measuredData is where opari's own data begins in a sharingTrace.
const measuredData = 1 << 40

// TestSharing checks which accesses are false sharing.
func TestSharing(t *testing.T) {
	for _, c := range []struct {
		name    string
		samples int
		what    func(thread, i int) dataAccess
		shared  bool
	}{
		{"neighbours", 100, func(thread, _ int) dataAccess {
			return dataAccess{4096 + 8*uint64(thread), true}
		}, true},
		{"one writes", 100, func(thread, _ int) dataAccess {
			return dataAccess{4096 + 8*uint64(thread), thread == 1}
		}, true},
		{"both only read", 100, func(thread, _ int) dataAccess {
			return dataAccess{4096 + 8*uint64(thread), false}
		}, false},
		{"the same address", 100, func(int, int) dataAccess {
			return dataAccess{4096, true}
		}, false},
		{"both use both", 100, func(_, i int) dataAccess {
			return dataAccess{4096 + 8*uint64(i%2), true}
		}, false},
		{"padded", 100, func(thread, _ int) dataAccess {
			return dataAccess{4096 + 64*uint64(thread), true}
		}, false},
		{"too few samples", 19, func(thread, _ int) dataAccess {
			return dataAccess{4096 + 8*uint64(thread), true}
		}, false},
		{"one after the other", 200, func(thread, i int) dataAccess {
			if i/100 == thread {
				return dataAccess{4096 + 8*uint64(thread), true}
			}
			return dataAccess{8192 + 64*uint64(thread), true}
		}, false},
		{"beside opari's data", 100, func(thread, _ int) dataAccess {
			return dataAccess{measuredData + 8*uint64(thread), true}
		}, false},
		{"among many lines", 3000, func(thread, i int) dataAccess {
			if i%10 == 0 {
				return dataAccess{4096 + 8*uint64(thread), true}
			}
			return dataAccess{uint64(1<<20 + 64*(2*i+thread)), true}
		}, true},
	} {
		r, err := FromTrace(sharingTrace(t, c.samples, c.what), Options{EventCost: -1})
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, q := range r.Paths {
			s := r.Sharing(q)
			if s == nil {
				continue
			}
			found++
			if q.Line != 7 || s.Apart != 8 || s.Lines != 1 || len(s.Codes) != 1 ||
				s.Codes[0].Line != 8 || !slices.Equal(s.Threads, []int{0, 1}) {
				t.Errorf("%s: %s: %+v", c.name, q, s)
			}
		}
		if (found == 1) != c.shared || found > 1 {
			t.Errorf("%s: false sharing in %d paths", c.name, found)
		}
	}
}

// TestSharingRuns runs a program whose threads count in neighbouring longs. Its variants with
// padding, and with one long for all, have no false sharing.
func TestSharingRuns(t *testing.T) {
	expensive.Compilers(t)
	switch {
	case runtime.GOARCH != "amd64":
		t.Skipf("samples have no addresses on %s", runtime.GOARCH)
	case runtime.NumCPU() == 1:
		t.Skip("one processor: threads do not use a line of the cache at a time")
	}
	const source = "testdata/sharing/counts.c"
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := strings.Cut(string(text), "/* here */")
	here := 1 + strings.Count(before, "\n")
	for _, variant := range []string{"NEIGHBOURS", "PADDED", "ATOMIC"} {
		t.Run(variant, func(t *testing.T) {
			program := filepath.Join(t.TempDir(), "program")
			if out, err := exec.Command(opari(t), "cc", "gcc", "-O2", "-g", "-fopenmp",
				"-D"+variant, source, "-o", program).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if variant != "NEIGHBOURS" {
				r, _ := sampled(t, program)
				for _, q := range r.Paths {
					if s := r.Sharing(q); s != nil {
						t.Errorf("false sharing where there is none: %s", s.Describe(r))
					}
				}
				return
			}
			tries(t, func() string {
				r, _ := sampled(t, program)
				for _, q := range r.Paths {
					s := r.Sharing(q)
					if s == nil {
						continue
					}
					if q.Region.Name != "parallel" || s.Apart != 8 || len(s.Codes) == 0 ||
						s.Codes[0].Line != here {
						return q.String() + ": " + s.Describe(r)
					}
					return ""
				}
				return "no false sharing"
			})
		})
	}
}
