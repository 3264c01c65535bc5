package otf2

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"opari/internal/expensive"
)

// coherentTrace writes a trace as a program makes one: two processes of three threads, whose
// regions nest, with teams, tasks, locks, messages, metrics and a marker.
func coherentTrace(t testing.TB, stub string, seed uint64) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 7))
	w := NewWriter(stub)
	var errs []error
	do := func(err error) { errs = append(errs, err) }
	texts := map[string]uint32{}
	text := func(s string) uint32 {
		id, known := texts[s]
		if !known {
			id = uint32(len(texts))
			texts[s] = id
			do(w.WriteString(id, s))
		}
		return id
	}
	do(w.WriteClockProperties(1_000_000_000, 100, 200_000, Undefined))
	do(w.WriteParadigm(ParadigmOpenmp, text("OpenMP"), ParadigmClassThreadForkJoin))
	do(w.WriteSystemTreeNode(0, text("host"), text("machine"), Undefined32))
	do(w.WriteAttribute(0, text("stolen"), text("tasks stolen"), TypeUint32))
	for r := range uint32(6) {
		do(w.WriteRegion(r, text(fmt.Sprint("r", r)), text(fmt.Sprint("r", r)), text(""),
			[]RegionRole{1, 5, 15, 20, 12, 28}[r], ParadigmOpenmp, 0, text("a.c"), 10*r, 10*r+5))
	}
	do(w.WriteMetricMember(0, text("wait"), text(""), MetricTypeUser, MetricModeAbsolutePoint,
		TypeUint64, BaseDecimal, -9, text("s")))
	do(w.WriteMetricClass(0, []uint64{0}, MetricOccurrenceSynchronous, RecorderKindCpu))
	for p := range uint32(2) {
		do(w.WriteLocationGroup(p, text(fmt.Sprint("rank ", p)), LocationGroupTypeProcess, 0,
			Undefined32))
	}
	for l := range uint64(6) {
		at, time, stack := w.Location(l), uint64(100), []uint32(nil)
		for range 300 {
			time += rnd.Uint64N(1000)
			switch rnd.IntN(9) {
			case 0, 1, 2:
				if rnd.IntN(9) == 0 {
					at.Attach(AttributeValue{0, TypeUint32, rnd.Uint64N(1000)})
				}
				stack = append(stack, uint32(rnd.IntN(6)))
				do(at.WriteEnter(time, stack[len(stack)-1]))
			case 3, 4, 5:
				if n := len(stack); n > 0 {
					do(at.WriteLeave(time, stack[n-1]))
					stack = stack[:n-1]
				}
			case 6:
				do(at.WriteMetric(time, 0, []uint64{uint64(TypeUint64)}, []uint64{rnd.Uint64()}))
			case 7:
				do(at.WriteThreadTaskSwitch(time, uint32(l/3), uint32(l%3), rnd.Uint32N(20)))
			case 8:
				if l%3 == 0 {
					do(at.WriteMpiSend(time, uint32(1-l/3), 2, rnd.Uint32N(9), rnd.Uint64N(1<<20)))
				}
			}
		}
		for n := len(stack); n > 0; n-- {
			time++
			do(at.WriteLeave(time, stack[n-1]))
		}
		at.Define()
		do(w.WriteLocation(l, text(fmt.Sprint("thread ", l)), LocationTypeCpuThread, at.Events(),
			uint32(l/3)))
	}
	do(w.WriteGroup(0, text(""), GroupTypeCommLocations, ParadigmOpenmp, 0,
		[]uint64{0, 1, 2, 3, 4, 5}))
	do(w.WriteGroup(1, text(""), GroupTypeCommLocations, ParadigmMpi, 0, []uint64{0, 3}))
	do(w.WriteGroup(2, text(""), GroupTypeCommGroup, ParadigmOpenmp, 0, []uint64{0, 1, 2}))
	do(w.WriteGroup(3, text(""), GroupTypeCommGroup, ParadigmOpenmp, 0, []uint64{3, 4, 5}))
	do(w.WriteGroup(4, text(""), GroupTypeCommGroup, ParadigmMpi, 0, []uint64{0, 1}))
	do(w.WriteComm(0, text("team"), 2, Undefined32, 0))
	do(w.WriteComm(1, text("team"), 3, Undefined32, 0))
	do(w.WriteComm(2, text("world"), 4, Undefined32, 0))
	do(w.WriteDefMarker(0, "opari", "finding", SeverityHigh))
	do(w.WriteMarker(500, 100, 0, MarkerScopeLocation, 1, "a barrier waits"))
	do(w.Close())
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// silent runs a tool that must succeed with an empty standard error, and returns its output.
func silent(t *testing.T, tool string, args ...string) string {
	t.Helper()
	expensive.Need(t, tool)
	return run(t, "", tool, args...)
}

// TestTools runs the tools of libotf2 on our archive.
func TestTools(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "t.otf2")
	coherentTrace(t, path, 1)
	if err := Check(path, func(p Problem) { t.Error(p.Error.Error()) }, nil); err != nil {
		t.Fatal(err)
	}
	printed := silent(t, "otf2-print", "-A", "-Werror", path)
	for _, want := range []string{
		"THREAD_TASK_SWITCH", "rank 1", "Role: BARRIER", "Tag: ", "(\"stolen\" <0>; UINT32",
	} {
		if !strings.Contains(printed, want) {
			t.Errorf("otf2-print does not print %s", want)
		}
	}
	if out := silent(t, "otf2-marker", path); !strings.Contains(out, "a barrier waits") {
		t.Errorf("otf2-marker prints %s", out)
	}
	silent(t, "otf2-snapshots", "-n", "5", path)
	r, err := OpenReader(path, 10)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	starts := 0
	n, err := r.ReadSnapshots(&HandlerArray{
		SnapshotStart: func(uint64, uint64, uint64) error { starts++; return nil },
	})
	if most := 6 * int(r.Anchor.Snapshots); err != nil || starts != most || n < 60 {
		t.Errorf("%d of %d snapshots, %d records, %v", starts, most, n, err)
	}
}

// TestEstimator compares the sizes on which our chunks depend with those of otf2-estimator.
func TestEstimator(t *testing.T) {
	expensive.Need(t, "otf2-estimator")
	var in, want strings.Builder
	for i := range Records {
		k := &Records[i]
		if !k.In(Events) || k.Fields != nil && k.Fields[len(k.Fields)-1].Wire == List {
			continue // these it wants to know the length of
		}
		n := 1 + mostBytes(k, &Record{Type: k.Type})
		if !k.Single {
			n++
		}
		fmt.Fprintf(&in, "get %s\n", k.Name)
		fmt.Fprintf(&want, "%s %d\n", k.Name, n)
	}
	got := run(t, in.String()+"exit\n", "otf2-estimator")
	for line := range strings.Lines(want.String()) {
		if !strings.Contains(got, line) {
			t.Errorf("we say %sthey say %.2000s", line, got)
			break
		}
	}
}

// TestPython reads our archive with Debian's python3-otf2, and compares every event.
func TestPython(t *testing.T) {
	expensive.Need(t, "/usr/bin/python3")
	if err := exec.Command("/usr/bin/python3", "-c", "import otf2").Run(); err != nil {
		t.Skip("python3-otf2 is not there: make test installs it")
	}
	path := filepath.Join(t.TempDir(), "t.otf2")
	coherentTrace(t, path, 2)
	got := run(t, "", "/usr/bin/python3", "testdata/print.py", path)
	r, err := OpenReader(path, 10)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var want strings.Builder
	names := map[uint32]string{}
	if _, err := r.ReadGlobalDefinitions(&HandlerArray{
		String: func(_ uint64, self uint32, s string) error { names[self] = s; return nil },
	}); err != nil {
		t.Fatal(err)
	}
	region := func(id uint32) string { return fmt.Sprint("r", id) }
	h := &HandlerArray{
		Enter: func(l, time uint64, r uint32) error {
			fmt.Fprintf(&want, "%d %d Enter %s\n", l, time, region(r))
			return nil
		},
		Leave: func(l, time uint64, r uint32) error {
			fmt.Fprintf(&want, "%d %d Leave %s\n", l, time, region(r))
			return nil
		},
		MpiSend: func(l, time uint64, to, _, tag uint32, length uint64) error {
			fmt.Fprintf(&want, "%d %d MpiSend %d %d %d\n", l, time, to, tag, length)
			return nil
		},
		Metric: func(l, time uint64, _ uint32, _, values []uint64) error {
			fmt.Fprintf(&want, "%d %d Metric %d\n", l, time, values[0])
			return nil
		},
		ThreadTaskSwitch: func(l, time uint64, _, creator, generation uint32) error {
			fmt.Fprintf(&want, "%d %d ThreadTaskSwitch %d %d\n", l, time, creator, generation)
			return nil
		},
	}
	if _, err := r.ReadEvents(h); err != nil {
		t.Fatal(err)
	}
	sameLines(t, want.String(), got)
	if len(got) < 1000 {
		t.Errorf("only %s", got)
	}
}

// TestBreak checks that a handler stops the reader, which then goes on, and that intervals and
// locations select events.
func TestBreak(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.otf2")
	coherentTrace(t, path, 3)
	count := func(set func(*Reader), h *HandlerArray) (n uint64) {
		r, err := OpenReader(path, 10)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		set(r)
		for {
			k, err := r.ReadEvents(h)
			if err != nil {
				t.Fatal(err)
			}
			if n += k; k == 0 {
				return n
			}
		}
	}
	var times []uint64
	whole := count(func(*Reader) {}, &HandlerArray{Any: func(r *Record) error {
		times = append(times, r.Time)
		return nil
	}})
	broken := count(func(*Reader) {}, &HandlerArray{
		Any: func(*Record) error { return ErrBreak },
	})
	if whole != broken || whole < 1000 {
		t.Errorf("%d events, with breaks %d", whole, broken)
	}
	inside := uint64(0)
	for i, at := range times {
		if i > 0 && at < times[i-1] {
			t.Fatalf("event %d at %d is after %d", i, at, times[i-1])
		}
		if at >= 5000 && at < 50000 {
			inside++
		}
	}
	some := count(func(r *Reader) { r.SetTimeInterval(5000, 50000) }, &HandlerArray{})
	if some != inside || some == 0 {
		t.Errorf("%d events in the interval, not %d", some, inside)
	}
	one := count(func(r *Reader) { r.SelectLocations([]uint64{4}) }, &HandlerArray{
		Any: func(r *Record) error {
			if r.Location != 4 {
				t.Error(r.Location)
			}
			return nil
		},
	})
	if one == 0 || one > whole/4 {
		t.Errorf("location 4 has %d of %d events", one, whole)
	}
	own := errors.New("mine")
	r, err := OpenReader(path, 10)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.ReadEvents(&HandlerArray{
		Enter: func(uint64, uint64, uint32) error { return own },
	}); !errors.Is(err, own) {
		t.Error(err)
	}
	if err := os.Remove(filepath.Join(strings.TrimSuffix(path, ".otf2"), "2.evt")); err != nil {
		t.Fatal(err)
	}
	problems := ""
	if err := Check(path, func(p Problem) { problems += p.Error.Error() + "\n" },
		nil); err != nil || !strings.Contains(problems, "2.evt: file does not exist; location 2") {
		t.Error(err, problems)
	}
}

// TestMerge copies random archives. The copy has the same records, without local definitions.
func TestMerge(t *testing.T) {
	for seed := range uint64(4) {
		dir := t.TempDir()
		rnd := rand.New(rand.NewPCG(seed, 9))
		writeOurs(t, dir, smallestChunk, randomTrace(rnd, 3, 1500, 1000, func(k *RecordKind) bool {
			return k.Type != ClockOffsetRecord || seed%2 == 0
		}))
		from, to := filepath.Join(dir, "t.otf2"), filepath.Join(dir, "new")
		moved, err := Merge(from, to)
		if err != nil {
			t.Fatal(err)
		}
		if seed%2 == 1 && moved > 0 {
			t.Errorf("%d times moved without clock offsets", moved)
		}
		var want []string
		for line := range strings.Lines(dumpOurs(t, from)) {
			fields := strings.Fields(line)
			if k := kindNamed(fields[0]); k.In(Events) || fields[1] == "-1" {
				want = append(want, line)
			}
		}
		got := dumpOurs(t, to)
		if moved == 0 {
			sameLines(t, got, strings.Join(want, ""))
		} else if n := strings.Count(got, "\n"); n != len(want) {
			t.Errorf("%d records, not %d", n, len(want))
		}
	}
}

func kindNamed(name string) *RecordKind {
	for i := range Records {
		if Records[i].Name == name {
			return &Records[i]
		}
	}
	panic(name)
}
