package graph

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"opari/internal/expensive"
)

// world is a run of several processes of two threads each. It plays everything twice: in one graph
// of all threads, and in a graph of each process whose logs are joined.
type world struct {
	random  *rand.Rand
	now     int64
	whole   *Graph
	parts   []*Graph
	logs    []*bytes.Buffer
	late    [][][2]int64 // by process: how often threads had gone on, when the receiver was ready
	gone    []int64
	pending []sent
	points  [][]both
	n       uint32
	causes  map[Spent]int64
	changed bool
}

// both is a point in both graphs.
type both struct{ whole, part Point }

// sent is a message that is not received yet.
type sent struct {
	Channel
	point Point
}

const placeOfMPI = 7

func newWorld(seed uint64, processes int) *world {
	w := &world{
		random: rand.New(rand.NewPCG(seed, 3)), now: 50, whole: New(2*processes, 50),
		causes: map[Spent]int64{},
	}
	for range processes {
		g, b := New(2, 50), &bytes.Buffer{}
		g.Link(func(text []byte) error { b.Write(text); return nil })
		w.parts, w.logs = append(w.parts, g), append(w.logs, b)
	}
	w.late, w.gone = make([][][2]int64, processes), make([]int64, processes)
	w.points = make([][]both, processes)
	return w
}

// change makes all graphs those of a changed run.
func (w *world) change(c *Change) {
	w.changed = true
	for _, g := range append([]*Graph{w.whole}, w.parts...) {
		g.Change(c)
	}
}

// pass lets time pass. Without it the order of what happens would be open.
func (w *world) pass() { w.now += 1 + w.random.Int64N(40) }

func (w *world) spend(p, t int, place int32) {
	w.whole.Spend(2*p+t, place, w.now)
	w.parts[p].Spend(t, place, w.now)
}

// local lets a thread do something that concerns its own process.
func (w *world) local() {
	p, t := w.random.IntN(len(w.parts)), w.random.IntN(2)
	w.pass()
	switch own := &w.points[p]; {
	case w.random.IntN(3) == 0:
		*own = append(*own, both{w.whole.Mark(2*p + t), w.parts[p].Mark(t)})
	case len(*own) > 0 && w.random.IntN(2) == 0:
		last := len(*own) - 1
		on := (*own)[last]
		w.whole.Wait(2*p+t, w.now, on.whole, 3)
		w.parts[p].Wait(t, w.now, on.part, 3)
		w.whole.Release(on.whole)
		w.parts[p].Release(on.part)
		*own = (*own)[:last]
	default:
		w.spend(p, t, w.random.Int32N(3))
	}
}

// enter lets a thread enter a routine.
func (w *world) enter(p, t int, receives bool) (whole, part Point) {
	w.pass()
	w.spend(p, t, w.random.Int32N(3))
	return w.whole.Mark(2*p + t), w.parts[p].Enter(t, receives)
}

// leave lets a thread leave a routine, in which it may have waited for a point.
func (w *world) leave(p, t int, entry, part, on Point, link Link) {
	w.pass()
	thread := 2*p + t
	w.whole.Causes(thread, w.now, on, func(e Spent) {
		w.causes[Spent{Place: e.Place, Thread: e.Thread}] += e.Time
	})
	w.whole.Wait(thread, w.now, on, placeOfMPI)
	w.gone[p]++
	w.parts[p].Leave(t, &part, placeOfMPI, w.now, link)
	w.whole.Release(entry)
	w.parts[p].Release(part)
}

// send sends a message that somebody may receive later.
func (w *world) send(p int) {
	t := w.random.IntN(2)
	to := uint32(w.random.IntN(len(w.parts)))
	entry, part := w.enter(p, t, false)
	w.pass()
	w.spend(p, t, placeOfMPI)
	c := Channel{uint32(p), to, 1, w.random.Uint32N(2)}
	w.parts[p].Send(t, &part, c)
	w.pending = append(w.pending, sent{c, w.whole.Mark(2*p + t)})
	w.leave(p, t, entry, part, Point{}, Link{})
}

// receive receives the oldest message of a channel, which may be sent only during the call.
func (w *world) receive() {
	if len(w.pending) == 0 {
		return
	}
	to, t := int(w.pending[0].To), w.random.IntN(2)
	entry, part := w.enter(to, t, true)
	for range w.random.IntN(4) { // what others do meanwhile
		if p := w.random.IntN(len(w.parts)); p != to {
			w.send(p)
		}
	}
	link, on := Link{}, Point{}
	for i := 0; i < len(w.pending); i++ {
		if m := w.pending[i]; int(m.To) == to {
			link.Received = append(link.Received, m.Channel)
			on = w.whole.Latest(on, m.point)
			w.pending = append(w.pending[:i], w.pending[i+1:]...)
			i--
		}
	}
	w.leave(to, t, entry, part, on, link)
	w.whole.Release(on)
}

// rendezvous sends a message to a process that becomes ready during the call.
func (w *world) rendezvous() {
	p := w.random.IntN(len(w.parts))
	to := (p + 1) % len(w.parts)
	if p == to {
		return
	}
	c := Channel{uint32(p), uint32(to), 2, 0}
	entry, part := w.enter(p, 0, false)
	w.parts[p].Send(0, &part, c)
	message := w.whole.Mark(2 * p)
	other, otherPart := w.enter(to, 1, true)
	if other.Time() > message.Time() {
		w.late[p] = append(w.late[p], [2]int64{w.gone[p] + 1, other.Time()})
	}
	w.leave(p, 0, entry, part, other, Link{Waits: true})
	w.leave(to, 1, other, otherPart, message, Link{Received: []Channel{c}})
	w.whole.Release(message)
}

// meet lets all processes meet.
func (w *world) meet() {
	m := Meeting{Group: 5, Number: w.n, Need: Need(w.random.IntN(4))}
	w.n++
	root := w.random.IntN(len(w.parts))
	var entries, parts, marks []Point
	var last Point
	order := w.random.Perm(len(w.parts))
	for _, p := range order {
		entry, part := w.enter(p, 0, false)
		m.Root = p == root
		w.parts[p].Meet(0, &part, m)
		entries, parts = append(entries, entry), append(parts, part)
		marks = append(marks, w.whole.Mark(2*p))
		last = w.whole.Latest(last, w.whole.Mark(2*p))
	}
	for i, p := range order {
		own := m
		own.Root = p == root
		on := Point{}
		switch {
		case m.Need == NeedAll, m.Need == NeedOthers && own.Root:
			on = last
		case m.Need == NeedRoot && !own.Root:
			for k, q := range order {
				if q == root {
					on = marks[k]
				}
			}
		}
		w.leave(p, 0, entries[i], parts[i], on, Link{Met: &own})
	}
	w.whole.Release(last)
	for _, p := range marks {
		w.whole.Release(p)
	}
}

// play lets so much happen at random, and ends the processes. Threads of a process wait for each
// other, and senders for receivers, only if they may.
func (w *world) play(n int, waits bool) {
	for range w.random.IntN(n) {
		switch k := w.random.IntN(8); {
		case k == 0:
			w.send(w.random.IntN(len(w.parts)))
		case k == 1:
			w.receive()
		case k == 2 && waits:
			w.rendezvous()
		case k == 3:
			w.meet()
		case waits:
			w.local()
		default:
			w.pass()
			w.spend(w.random.IntN(len(w.parts)), w.random.IntN(2), w.random.Int32N(3))
		}
	}
	w.pass()
	for p := range w.parts {
		w.spend(p, 0, 2)
	}
}

// joined is the run with its critical path and the causes of its waits.
type joined struct {
	*Run
	critical []Spent
	causes   map[Spent]int64
	waits    int64
}

// joined ends the logs and joins them. A process ends last.
func (w *world) joined(t *testing.T, last int) *joined {
	t.Helper()
	all := &joined{causes: map[Spent]int64{}}
	r := &Run{
		Start: 50, Last: last, Members: func(uint32) int { return len(w.parts) },
		Changed: w.changed,
		Blame: func(x *Wait, e Spent) {
			all.causes[Spent{Place: e.Place, Thread: e.Thread}] += e.Time
			all.waits += e.Time
		},
	}
	all.Run = r
	for i := range w.parts {
		if err := w.parts[i].End(0); err != nil {
			t.Fatal(err)
		}
		late := w.late[i]
		r.Processes = append(r.Processes, Process{
			Number: uint32(i), Threads: []int32{int32(2 * i), int32(2*i + 1)},
			Next: func() ([]byte, error) { // pieces of one step are rare in a short log
				text := w.logs[i].Next(1 << 30)
				return text, nil
			},
			Place: func(place int32, time int64, do func(int32, int64)) { do(place, time) },
			Ready: func(n uint64) int64 {
				for len(late) > 0 && uint64(late[0][0]) < n {
					late = late[1:]
				}
				if len(late) > 0 && uint64(late[0][0]) == n {
					return late[0][1]
				}
				return 0
			},
		})
	}
	r.Transfers = func(int32) bool { return false }
	var err error
	if all.critical, err = r.Join(); err != nil {
		t.Fatal(err)
	}
	if !w.changed && r.Ideal != w.now {
		t.Errorf("the run ends at %d, and at %d if nothing changes", w.now, r.Ideal)
	}
	return all
}

// TestIdeal checks when a run would have ended on a network that takes no time.
func TestIdeal(t *testing.T) {
	w := newWorld(1, 2)
	w.whole = New(4, 50)
	c := Channel{From: 0, To: 1}
	at := func(p int, place int32, now int64) { w.parts[p].Spend(0, place, now) }
	at(0, 1, 150)
	sender := w.parts[0].Enter(0, false)
	w.parts[0].Send(0, &sender, c)
	w.parts[0].Leave(0, &sender, placeOfMPI, 160, Link{})
	at(1, 1, 100)
	receiver := w.parts[1].Enter(0, true)
	w.parts[1].Leave(0, &receiver, placeOfMPI, 190, Link{Received: []Channel{c}})
	at(1, 2, 210)
	r := &Run{
		Start: 50, Blame: func(*Wait, Spent) {}, Members: func(uint32) int { return 2 },
		Transfers: func(place int32) bool { return place == placeOfMPI },
	}
	for i := range w.parts {
		if err := w.parts[i].End(0); err != nil {
			t.Fatal(err)
		}
		r.Processes = append(r.Processes, Process{
			Number: uint32(i), Threads: []int32{int32(2 * i), int32(2*i + 1)},
			Next:  func() ([]byte, error) { return w.logs[i].Next(1 << 20), nil },
			Place: func(place int32, time int64, do func(int32, int64)) { do(place, time) },
			Ready: func(uint64) int64 { return 0 },
		})
	}
	if _, err := r.Join(); err != nil {
		t.Fatal(err)
	}
	// The message arrives at 150, when it is sent, and 20 ns of work follow.
	if r.Ideal != 170 {
		t.Errorf("the run would have ended at %d, want 170", r.Ideal)
	}
}

// TestJoin compares the critical path and the causes of random runs of several processes with
// those in one graph of all threads.
func TestJoin(t *testing.T) {
	var waits int64
	for seed := range expensive.Tries(uint64(300)) {
		w := newWorld(seed, 1+int(seed%4))
		w.play(120, true)
		last := w.random.IntN(len(w.parts))
		all := w.joined(t, last)
		waits += all.waits
		got, want := map[Spent]int64{}, map[Spent]int64{}
		for _, e := range all.critical {
			got[Spent{Place: e.Place, Thread: e.Thread}] += e.Time
		}
		w.whole.Chain(2*last, func(e Spent) {
			want[Spent{Place: e.Place, Thread: e.Thread}] += e.Time
		})
		same(t, seed, "the critical path", got, want, 0)
		same(t, seed, "causes", all.causes, w.causes, 200)
	}
	if waits == 0 {
		t.Error("no run had a wait")
	}
}

// same compares times up to roundings.
func same(t *testing.T, seed uint64, what string, got, want map[Spent]int64, off int64) {
	t.Helper()
	for k, time := range want {
		if d := got[k] - time; max(d, -d) > off {
			t.Fatalf("seed %d: %s has %d ns at %v, want %d", seed, what, got[k], k, time)
		}
	}
	for k, time := range got {
		if want[k] == 0 && time > off {
			t.Fatalf("seed %d: %s has %d ns at %v, want none", seed, what, time, k)
		}
	}
}
