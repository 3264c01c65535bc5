package recording

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// These tests make recordings by hand, as a library leaves them at bad moments.

// word returns a record some time after the previous one; chunkOf turns that into times.
func word(after uint64, number int, w what, leave bool) uint64 {
	return after<<timeShift | uint64(number)<<opBits | operation(w, leave)
}

// handmade is the files of a process with one thread.
type handmade struct {
	chunks []byte // the appended chunks
	cost   uint64 // ticks of costEvents events
}

func chunkOf(sequence, first uint64, words ...uint64) []byte {
	b := make([]byte, chunkBytes)
	for i, v := range []uint64{magic, sequence, first, 0, 0, uint64(len(words)), first} {
		binary.LittleEndian.PutUint64(b[8*i:], v)
	}
	time := first
	for i, v := range words {
		if v&(1<<opBits-1) == operation(pause, true) {
			time += v >> opBits
			v = time<<opBits | operation(pause, true)
		} else if v>>1&(allKinds-1) != uint64(data) {
			time += v >> timeShift
			v = time<<timeShift | v&(1<<timeShift-1)
		}
		binary.LittleEndian.PutUint64(b[headerBytes+8*i:], v)
	}
	return b
}

// write writes the recording of a process with one thread; front is the newest chunk.
func (h *handmade) write(t testing.TB, folder string, front []byte) {
	t.Helper()
	meta := make([]byte, metaBytes)
	for i, v := range []uint64{magic, 1, 0, 1000, 1000, 0, 9000, 0, 0, 1, 1, h.cost} {
		binary.LittleEndian.PutUint64(meta[8*i:], v)
	}
	rows := ""
	for i, name := range []string{"for", "region", "critical"} {
		rows += fmt.Sprintf(
			`{"region":%d,"name":%q,"sub_name":"","directive":"","file":"a.c","begin":[%d,1],"end":[9,9],"outer":0,"kind":%q,"num_sections":0,"facts":0}`+"\n", i+1, name, i+1, name)
	}
	put(t, filepath.Join(folder, "1.meta"), append(meta, rows+`{"region":4,"na`...))
	put(t, filepath.Join(folder, "1.0"), append(front, h.chunks...))
}

func put(t testing.TB, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

func converted(t *testing.T, folder string) *trace {
	t.Helper()
	made, running, err := ConvertAll(folder, folder, nil)
	if err != nil || len(made) != 1 || len(running) > 0 {
		t.Fatalf("made %v, running %v: %v", made, running, err)
	}
	return read(t, made[0].Path)
}

var begins = word(0, 1, thread, false)

// Events precede the process's own start, and several have the time 0.
func TestTimeZero(t *testing.T) {
	folder := t.TempDir()
	var h handmade
	h.write(t, folder, chunkOf(0, 100, begins, word(1, 1, work, false), word(0, 2, region, false),
		word(0, 2, region, true), word(1000, 1, work, true)))
	tr := converted(t, folder)
	tr.expect(t, map[string]int{"for": 1, "region": 1})
	if got := tr.threads[1].first; got != 0 {
		t.Errorf("begins at %d", got)
	}
}

// Two records may be farther apart than a record has room for.
func TestPause(t *testing.T) {
	folder := t.TempDir()
	var h handmade
	const long = 1 << 45
	h.write(t, folder, chunkOf(0, 1000, begins, word(0, 1, work, false),
		long<<opBits|operation(pause, true), word(7, 1, work, true)))
	tr := converted(t, folder)
	if got := tr.threads[1].longest["for"]; got != long+7 {
		t.Errorf("it took %d", got)
	}
}

// After a kill between the writing of a chunk and its emptying, the file has the chunk twice.
func TestChunkTwice(t *testing.T) {
	folder := t.TempDir()
	words := []uint64{begins, word(1, 1, work, false), word(1, 1, work, true)}
	h := handmade{chunks: chunkOf(0, 1000, words...)}
	h.write(t, folder, chunkOf(0, 1000, words...))
	converted(t, folder).expect(t, map[string]int{"for": 1})
}

// If chunks are missing, for stays open over the gap, critical ends in it, and region has begun
// in it. A wait to enter that lies in the records is complete.
func TestGap(t *testing.T) {
	folder := t.TempDir()
	h := handmade{chunks: chunkOf(0, 1000, begins, word(10, 1, work, false),
		word(10, 3, mutex, false), word(10, 3, held, false))}
	h.write(t, folder, chunkOf(5, 2000, word(10, 2, region, true), word(10, 1, work, true),
		word(10, 3, mutex, false), word(5, 3, held, false), word(5, 3, mutex, true)))
	tr := converted(t, folder)
	tr.expect(t, map[string]int{"for": 1, "critical": 2, "critical: wait": 2, "region": 1})
	th := tr.threads[1]
	for function, want := range map[string]uint64{
		"for": 1010, "critical": 980, "region": 10,
		"critical: wait": 10,
	} {
		if got := th.longest[function]; got != want {
			t.Errorf("%s took %d, want %d", function, got, want)
		}
	}
	if th.waited != 15 {
		t.Errorf("waited %d", th.waited)
	}
}

// A task that the thread executes while it waits is not waiting.
func TestTaskInBarrier(t *testing.T) {
	folder := t.TempDir()
	var h handmade
	h.write(t, folder, chunkOf(0, 1000, begins, word(1, 1, barrier, false),
		word(10, 2, task, false), word(100, 2, task, true), word(10, 1, barrier, true)))
	if got := converted(t, folder).threads[1].waited; got != 20 {
		t.Errorf("waited %d, want 20", got)
	}
}

// TestEventCost: the trace has the cost of an event if it is known.
func TestEventCost(t *testing.T) {
	for cost, want := range map[uint64]string{
		0: "", 1: "event cost: 1 ns", 7 * costEvents: "event cost: 7 ns",
		7*costEvents + costEvents/2: "event cost: 8 ns",
	} {
		folder := t.TempDir()
		h := handmade{cost: cost}
		h.write(t, folder,
			chunkOf(0, 1000, begins, word(1, 1, work, false), word(1, 1, work, true)))
		got := ""
		for _, comment := range converted(t, folder).comments {
			if strings.HasPrefix(comment, "event cost: ") {
				got = comment
			}
		}
		if got != want {
			t.Errorf("%d ticks of %d events: %q, want %q", cost, costEvents, got, want)
		}
	}
	of := func(costs ...uint64) *world {
		w := &world{}
		for _, cost := range costs {
			w.processes = append(w.processes, &Process{cost: cost * costEvents})
		}
		return w
	}
	if got := of(0, 9, 7, 0, 8).eventCost(); got != 7 {
		t.Errorf("an event costs %d ns in a world", got)
	}
	source, err := os.ReadFile("../../ompt_bridge/src/recording/clock.c")
	if err != nil ||
		!strings.Contains(string(source), fmt.Sprintf(" REC_BATCH = %d,", costEvents)) {
		t.Errorf("clock.c has another number of events: %v", err)
	}
	source, err = os.ReadFile("../../ompt_bridge/src/recording/dealt.h")
	if err != nil || !strings.Contains(string(source), fmt.Sprintf(" REC_DEALT_OWN = %d }",
		dealtOwn)) {
		t.Errorf("dealt.h has another number of chunks: %v", err)
	}
}

// The list of kinds equals the library's.
func TestKinds(t *testing.T) {
	header, err := os.ReadFile("../../ompt_bridge/src/trace/trace.h")
	if err != nil {
		t.Fatal(err)
	}
	_, list, found := strings.Cut(string(header), "enum trc_what {")
	list, _, closed := strings.Cut(list, "};")
	if !found || !closed {
		t.Fatal("trace.h has no enum trc_what")
	}
	names := regexp.MustCompile(`(?m)^ *TRC_([A-Z_]+)( = ([0-9]+))?`).FindAllStringSubmatch(list,
		-1)
	if len(names) < 16 {
		t.Fatalf("%d kinds in trace.h", len(names))
	}
	at := -1
	for _, n := range names {
		at++
		if n[3] != "" {
			at, _ = strconv.Atoi(n[3])
		}
		if at >= allKinds {
			t.Fatalf("%s is number %d of %d", n[1], at, allKinds)
		}
		if want := strings.ToLower(n[1]); kinds[at].name != want {
			t.Errorf("kind %d: %q in recording, %q in the library", at, kinds[at].name, want)
		}
	}
	for i := range kinds[at+1:] {
		if name := kinds[at+1+i].name; name != "" {
			t.Errorf("the library has no kind %q", name)
		}
	}
}

// Recordings of another version of opari, and files that are no recording, are refused.
func TestOtherVersion(t *testing.T) {
	for text, want := range map[string]string{
		"OPATRC1\x00":     "a recording of format 1; this opari reads format 2",
		"OPATRC3\x00":     "a recording of format 3; this opari reads format 2",
		"OPATRCX\x00":     "not a recording",
		"\x7fELF\x02\x01": "not a recording",
	} {
		folder := t.TempDir()
		put(t, filepath.Join(folder, "1.meta"), append([]byte(text), make([]byte, metaBytes)...))
		if _, _, err := Read(folder); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A running process keeps its recording.
func TestRunning(t *testing.T) {
	folder := t.TempDir()
	var h handmade
	h.write(t, folder, chunkOf(0, 1000, begins))
	meta, err := os.ReadFile(filepath.Join(folder, "1.meta"))
	if err != nil {
		t.Fatal(err)
	}
	binary.LittleEndian.PutUint64(meta[8:], uint64(os.Getpid()))
	binary.LittleEndian.PutUint64(meta[48:], 0)
	put(t, filepath.Join(folder, "1.meta"), meta)
	made, running, err := ConvertAll(folder, folder, nil)
	if err != nil || len(made) > 0 || len(running) != 1 || running[0].PID != os.Getpid() {
		t.Errorf("made %v, running %v: %v", made, running, err)
	}
	if _, err := os.Stat(filepath.Join(folder, "1.0")); err != nil {
		t.Error(err)
	}
}

// The memory does not depend on the number of a record's region: damaged recordings used to take
// a gigabyte.
func TestRegionNumbers(t *testing.T) {
	folder := t.TempDir()
	var h handmade
	const far = 1<<idBits - 1
	h.write(t, folder, chunkOf(0, 100, begins, word(1, far, work, false),
		word(1, far-1, mutex, false), word(1, far-1, held, false),
		word(1, far-1, mutex, true), word(1, far, work, true)))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	tr := converted(t, folder)
	runtime.ReadMemStats(&after)
	tr.expect(t, map[string]int{"region of unknown source": 2, "region of unknown source: wait": 1})
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 32<<20 {
		t.Errorf("%d bytes were allocated", grown)
	}
}

func TestReadFilter(t *testing.T) {
	f, err := ReadFilter("f", strings.NewReader("# all\n\nexclude kind task*\n  include   name  "+
		"my region \nexclude file /usr/*\nminimum 1.5us\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := f.Text(), "1500\n-ktask*\n+nmy region\n-f/usr/*\n"; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	for _, c := range []struct {
		kind, name, sub, file string
		want                  bool
	}{
		{"for", "for", "", "a.c", true},
		{"taskwait", "taskwait", "", "a.c", false},
		{"task", "task", "my region", "a.c", true},
		{"for", "for", "", "/usr/include/x/y.h", false},
		{"for", "for", "", "/home/usr/y.h", true},
	} {
		if got := f.Wants(c.kind, c.name, c.sub, c.file); got != c.want {
			t.Errorf("%v: %v", c, got)
		}
	}
	for text, want := range map[string]string{
		"omit kind for":    `f:1: error: a rule begins with exclude, include or minimum, not "omit"`,
		"\nexclude for":    `f:2: error: exclude what? (kind, name or file, and a pattern)`,
		"exclude kind":     `f:1: error: exclude kind needs a pattern`,
		"exclude kind [":   `f:1: error: "[" is no pattern: syntax error in pattern`,
		"minimum 5":        `f:1: error: "5" is no duration; write it as 500ns, 2us or 1.5ms`,
		"minimum -1s":      `f:1: error: "-1s" is no duration; write it as 500ns, 2us or 1.5ms`,
		"exclude lines 10": `f:1: error: exclude what? (kind, name or file, and a pattern)`,
	} {
		if _, err := ReadFilter("f", strings.NewReader(text)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
