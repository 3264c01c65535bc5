package eventlog

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// raw builds a log: a head, and chunks of records.
type raw struct{ bytes.Buffer }

func newRaw() *raw {
	head := make([]byte, headSize)
	copy(head, magic)
	order.PutUint64(head[8:], 1000) // start of the tool
	order.PutUint32(head[24:], 42)
	order.PutUint32(head[28:], 201811)
	order.PutUint32(head[32:], 1)
	copy(head[40:], "some runtime")
	copy(head[168:], "/no/such/prog")
	r := &raw{}
	r.Write(head)
	return r
}

// chunk appends a chunk of one thread.
func (r *raw) chunk(thread int, records ...record) {
	b := make([]byte, step)
	order.PutUint32(b, step)
	order.PutUint32(b[8:], uint32(thread))
	at := chunkHead
	for _, e := range records {
		for i, v := range []uint64{e.time, 0, e.parallel, e.task, e.other, e.value, e.code} {
			order.PutUint64(b[at+8*i:], v)
		}
		order.PutUint16(b[at+8:], uint16(e.event))
		order.PutUint16(b[at+10:], uint16(e.endpoint))
		order.PutUint32(b[at+12:], uint32(e.kind))
		order.PutUint32(b[at+56:], e.flags)
		order.PutUint32(b[at+60:], e.extra)
		if e.event == textEvent {
			copy(b[at+16:at+recordSize], e.text)
		}
		at += recordSize
	}
	order.PutUint32(b[4:], uint32(at))
	r.Write(b)
}

func (r *raw) open(t *testing.T) *Log {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log.42")
	if err := os.WriteFile(path, r.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := Open(path, "/")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func example() *raw {
	r := newRaw()
	r.chunk(0,
		record{time: 900, event: threadBegin, kind: 1},
		record{
			time: 2000, event: parallelBegin, task: 1 << 40, parallel: 7<<40 | 9, value: 2,
			flags: 1<<31 | 2, code: 0x1234,
		})
	r.chunk(1, record{
		time: 2500, event: work, endpoint: 1, kind: 10, parallel: 7<<40 | 9, task: 5,
		value: 100,
	})
	r.Write(make([]byte, step)) // a hole
	r.chunk(0,
		record{time: 3000, event: mutexAcquire, kind: 99, value: 0xabc, flags: 4},
		record{time: 3001, event: errorEvent, kind: 1},
		record{event: textEvent, text: strings.Repeat("x", textBytes-1) + "y"},
		record{event: textEvent, text: " z"},
		record{
			time: 3500, event: targetEMI, endpoint: 1, kind: 9, task: 5, other: 77,
			value: 6, extra: 1,
		},
		record{
			time: 3600, event: targetDataOpEMI, endpoint: 2, kind: 18, other: 77,
			value: 400, flags: 1,
		},
		record{event: moreEvent, parallel: 55, task: 0x10, other: 0x20},
		record{time: 3700, event: targetMapEMI, other: 77, value: 8, flags: 2, extra: 1},
		record{event: moreEvent, parallel: 33, task: 0x10, other: 0x20},
		record{time: 3800, event: targetSubmitEMI, endpoint: 1, other: 77, value: 3},
		record{event: moreEvent, parallel: 56},
		record{time: 3900, event: deviceLoad, other: 2, value: 4096},
		record{event: textEvent, text: "prog"},
		record{time: 4000, event: 63, endpoint: 2})
	return r
}

func TestText(t *testing.T) {
	var b strings.Builder
	if err := example().open(t).Text(&b); err != nil {
		t.Fatal(err)
	}
	const want = `# prog, process 42: 2 threads, OpenMP 201811, some runtime
   0.000000  0 thread_begin initial
   0.000001  0 parallel_begin p1 t1 requested=2 flags=invoker_runtime|team 0x1234
   0.000002  1 work begin loop_static p1 t2 count=100
   0.000002  0 mutex_acquire 99 wait=w1 hint=4 impl=0
   0.000002  0 error warning message="xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxy z"
   0.000003  0 target_emi begin target_nowait t2 g1 device=1 target_task=t3
   0.000003  0 target_data_op_emi end transfer_to_device_async g1 op=o1 from=1 source=0x10 to=0 destination=0x20 bytes=400
   0.000003  0 target_map_emi g1 number=2/2 host=0x10 device_address=0x20 bytes=8 flags=to|implicit
   0.000003  0 target_submit_emi begin g1 op=o2 teams=3
   0.000003  0 device_load device=0 module=2 bytes=4096 file=prog
   0.000003  0 event_63 end
`
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
}

func TestJSON(t *testing.T) {
	var b strings.Builder
	if err := example().open(t).JSON(&b); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.String(), "\n")
	want := map[int]string{
		0: `{"pid":42,"program":"/no/such/prog","runtime":"some runtime","openmp":201811,"threads":2,"finalized":true,"lost":0}`,
		2: `{"pid":42,"time_ns":1000,"thread":0,"event":"parallel_begin","parallel":"p1","task":"t1","requested":2,"flags":"invoker_runtime|team","place":"0x1234","code":"0x1234"}`,
		3: `{"pid":42,"time_ns":1500,"thread":1,"event":"work","endpoint":"begin","kind":"loop_static","parallel":"p1","task":"t2","count":100}`,
	}
	for i, w := range want {
		if lines[i] != w {
			t.Errorf("line %d: got\n%s\nwant\n%s", i, lines[i], w)
		}
	}
}

func TestSummary(t *testing.T) {
	var b strings.Builder
	r := example()
	r.chunk(3, record{time: 9000, event: work, endpoint: 1, kind: 10})
	if err := r.open(t).Summary(&b, false); err != nil {
		t.Fatal(err)
	}
	if want := "        2  work               begin    loop_static\n"; !strings.Contains(b.String(),
		want) {
		t.Errorf("got\n%s", b.String())
	}
}

func TestDamaged(t *testing.T) {
	wrong := newRaw()
	wrong.chunk(0)
	order.PutUint32(wrong.Bytes()[headSize+4:], 5) // used is smaller than the chunk's head
	for name, text := range map[string][]byte{
		"empty": nil, "short": []byte(magic), "other": make([]byte, headSize),
		"chunk": wrong.Bytes(),
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path, "/"); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestSelect(t *testing.T) {
	got, err := Select([]string{"thread", "task_create"})
	if err != nil || got != "1,2,5" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := Select([]string{"tasks"}); err == nil ||
		!strings.Contains(err.Error(), "mutex, parallel") {
		t.Errorf("%v", err)
	}
}
