package conversion

import (
	"opari/otf"
	"opari/otf2"
)

// thread writes the events of a process of OTF, which is a location of OTF2.
type thread struct {
	archive *archive
	process *process
	w       *otf2.WLocation
	stack   []open
	tasks   []taskID // explicit tasks that it executes
	numbers uint32   // tasks that it has created
	next    uint64   // number of the team that it enters next
	task    uint64   // number of the task that it creates or begins next; 0: unknown
	request *uint64  // of the message that comes next
	inTeam  []uint32 // teams that it is in
	pending []ending // collective operations that have begun
	begun   bool
}

// open is a function that the thread is in.
type open struct {
	function *function
	number   uint32 // of OTF
	lock     uint32 // that it holds; 0: none
}

// ending is the end of a collective operation.
type ending struct {
	time           uint64
	op             otf2.CollectiveOp
	comm, root     uint32
	sent, received uint32
}

// handlers returns the handlers that convert the events.
func (a *archive) handlers() *otf.HandlerArray {
	return &otf.HandlerArray{
		Enter: func(time uint64, f, process, _ uint32) error {
			a.threads[process].enter(time, f)
			return a.errs
		},
		Leave: func(time uint64, f, process, _ uint32) error {
			a.threads[process].leave(time, f)
			return a.errs
		},
		Counter: func(time uint64, process, counter uint32, value uint64) error {
			a.threads[process].counter(time, counter, value)
			return a.errs
		},
		SendMsg: func(time uint64, from, to, group, tag, length, _ uint32) error {
			a.threads[from].message(time, true, to, group, tag, uint64(length))
			return a.errs
		},
		RecvMsg: func(time uint64, to, from, group, tag, length, _ uint32) error {
			a.threads[to].message(time, false, from, group, tag, uint64(length))
			return a.errs
		},
		CollectiveOperation: func(time uint64, process, id, group, root, sent, received uint32,
			duration uint64, _ uint32,
		) error {
			o := a.source.operations[id]
			e := ending{
				time: time + duration, op: operationOf(o.name, o.kind), comm: a.comms[group].id,
				root: otf2.Undefined32, sent: sent, received: received,
			}
			if rank, is := a.comms[group].ranks[root]; is {
				e.root = rank
			}
			t := a.threads[process]
			a.do(t.at(time).WriteMpiCollectiveBegin(time))
			t.pending = append(t.pending, e)
			return a.errs
		},
		EventComment: func(uint64, uint32, string) error {
			a.losses.add("comments among events: OTF2 has none", 1)
			return nil
		},
		BeginProcess: func(time uint64, process uint32) error {
			a.threads[process].begin(time)
			return a.errs
		},
		EndProcess: func(time uint64, process uint32) error {
			a.threads[process].end(time)
			return a.errs
		},
	}
}

// message writes an end of a message; with a number of its request, that of a non-blocking one.
func (t *thread) message(time uint64, sent bool, other, group, tag uint32, length uint64) {
	request := t.request
	t.request = nil
	comm, rank, is := t.archive.partner(group, other)
	if !is {
		return
	}
	w, do := t.at(time), t.archive.do
	switch {
	case sent && request != nil:
		do(w.WriteMpiIsend(time, rank, comm, tag, length, *request))
	case sent:
		do(w.WriteMpiSend(time, rank, comm, tag, length))
	case request != nil:
		do(w.WriteMpiIrecv(time, rank, comm, tag, length, *request))
	default:
		do(w.WriteMpiRecv(time, rank, comm, tag, length))
	}
}

// partner returns the communicator of a message, and the rank of its other end.
func (a *archive) partner(group, process uint32) (comm, rank uint32, is bool) {
	c := a.comms[group]
	if rank, is = c.ranks[process]; !is {
		a.losses.add("ends of messages between processes of which one is not in the "+
			"communicator", 1)
	}
	return c.id, rank, is
}

// at returns the writer for an event at a time, after what must come before it.
func (t *thread) at(time uint64) *otf2.WLocation {
	if len(t.pending) > 0 {
		t.complete(time)
	}
	return t.w
}

// complete ends the collective operations that end up to a time.
func (t *thread) complete(time uint64) {
	for len(t.pending) > 0 && t.pending[0].time <= time {
		e := t.pending[0]
		t.pending = t.pending[1:]
		t.archive.do(t.w.WriteMpiCollectiveEnd(e.time, e.op, e.comm, e.root, uint64(e.sent),
			uint64(e.received)))
	}
}

// first reports whether this is the first thread of its process.
func (t *thread) first() bool { return t.archive.source.owners[t.process.group] == t.process }

// begin begins a thread. The program begins with the first one, which has a name for it.
func (t *thread) begin(time uint64) {
	w := t.at(time)
	if t.first() && !t.begun {
		t.begun = true
		t.archive.do(w.WriteProgramBegin(time, t.archive.text(t.archive.source.program()), nil))
		return
	}
	t.archive.do(w.WriteMeasurementOnOff(time, otf2.MeasurementModeOn))
}

func (t *thread) end(time uint64) {
	w := t.at(time)
	if t.first() && t.begun {
		t.begun = false
		t.archive.do(w.WriteProgramEnd(time, -1<<63)) // with an unknown status
		return
	}
	t.archive.do(w.WriteMeasurementOnOff(time, otf2.MeasurementModeOff))
}

// team returns the team that a number means to the thread.
func (t *thread) team(number uint64) uint32 {
	return uint32(t.archive.team[teamKey{t.process.group, number}])
}

// current returns the team that the thread is in.
func (t *thread) current() uint32 {
	if n := len(t.inTeam); n > 0 {
		return t.inTeam[n-1]
	}
	return t.team(0)
}

func (t *thread) enter(time uint64, number uint32) {
	a, w := t.archive, t.at(time)
	f := a.source.byNumber[number]
	if f == nil {
		f = a.unknown(number)
	}
	t.stack = append(t.stack, open{function: f, number: number})
	if f.kind == teamWork {
		t.inTeam = append(t.inTeam, t.team(t.next))
		t.next = 0
		a.do(w.WriteThreadTeamBegin(time, t.current()))
	}
	a.do(w.WriteEnter(time, f.id))
	switch f.kind {
	case forks:
		a.do(w.WriteThreadFork(time, otf2.ParadigmOpenmp, t.requested()))
	case creates:
		id := t.created(f)
		a.do(w.WriteThreadTaskCreate(time, t.current(), id.creator, id.number))
	case taskRun:
		id := t.begins(f)
		t.tasks = append(t.tasks, id)
		a.do(w.WriteThreadTaskSwitch(time, t.current(), id.creator, id.number))
	}
}

// requested returns the number of threads of the parallel region that the thread enters.
func (t *thread) requested() uint32 {
	a, g := t.archive, t.process.group
	number := t.next
	t.next = 0
	if number != 0 {
		return uint32(len(a.survey.teams[teamKey{g, number}]))
	}
	if at := a.forked[g]; at < len(a.survey.forks[g]) {
		a.forked[g]++
		return a.survey.forks[g][at]
	}
	return 0
}

// rank returns the thread's number in its team.
func (t *thread) rank() uint32 { return t.rankOf(t.process.id) }

// rankOf returns a process's number in the thread's team.
func (t *thread) rankOf(process uint32) uint32 {
	if teams := t.archive.teams; int(t.current()) < len(teams) {
		return teams[t.current()].ranks[process]
	}
	return 0
}

// numbered returns which task it is whose number the trace says. The number has that of the
// creating thread in its high half.
func (t *thread) numbered() (id taskID, is bool) {
	number := t.task
	t.task = 0
	creator, known := t.archive.source.threads[threadKey{t.process.group, number >> 32}]
	if number == 0 || !known {
		return taskID{}, false
	}
	return taskID{t.rankOf(creator), uint32(number)}, true
}

// created returns which task the thread creates.
func (t *thread) created(f *function) taskID {
	if id, is := t.numbered(); is {
		return id
	}
	t.numbers++
	id, key := taskID{t.rank(), t.numbers}, taskKey{t.process.group, f.source}
	t.archive.made[key] = append(t.archive.made[key], id)
	return id
}

// begins returns which task the thread begins. Where the trace does not say, it is the first one
// that was created for the construct and that no thread has begun.
func (t *thread) begins(f *function) taskID {
	if id, is := t.numbered(); is {
		return id
	}
	key := taskKey{t.process.group, f.source}
	if made := t.archive.made[key]; len(made) > 0 {
		t.archive.made[key] = made[1:]
		return made[0]
	}
	t.numbers++
	return taskID{t.rank(), t.numbers}
}

func (t *thread) leave(time uint64, number uint32) {
	a, w := t.archive, t.at(time)
	n := len(t.stack) - 1
	if n < 0 {
		a.losses.add("functions that are left and were not entered", 1)
		return
	}
	top := t.stack[n]
	if number != 0 && number != top.number {
		a.losses.add("functions that are left inside others", 1)
		return
	}
	t.stack = t.stack[:n]
	f := top.function
	switch f.kind {
	case forks:
		a.do(w.WriteThreadJoin(time, otf2.ParadigmOpenmp))
	case taskRun:
		id := t.tasks[len(t.tasks)-1]
		t.tasks = t.tasks[:len(t.tasks)-1]
		a.do(w.WriteThreadTaskComplete(time, t.current(), id.creator, id.number))
	case excludes:
		if top.lock != 0 {
			a.do(w.WriteThreadReleaseLock(time, otf2.ParadigmOpenmp, top.lock,
				a.locks[lockKey{t.process.group, top.lock}]))
		}
	}
	a.do(w.WriteLeave(time, f.id))
	switch f.kind {
	case teamWork:
		a.do(w.WriteThreadTeamEnd(time, t.current()))
		t.inTeam = t.inTeam[:len(t.inTeam)-1]
	case taskRun:
		id := taskID{t.rank(), 0}
		if n := len(t.tasks); n > 0 {
			id = t.tasks[n-1]
		}
		a.do(w.WriteThreadTaskSwitch(time, t.current(), id.creator, id.number))
	case wantsIn:
		if n > 0 && t.stack[n-1].function.kind == excludes {
			t.stack[n-1].lock = t.acquire(time, a.critical(t.stack[n-1].function))
		}
	}
}

// critical returns the number of the lock of a critical region. It is one for each name, and none
// of a lock's, which have 20 bits.
func (a *archive) critical(f *function) uint32 {
	name := f.name
	for i := range name {
		if name[i] == ' ' {
			name = name[:i]
			break
		}
	}
	if a.held[name] == 0 {
		a.held[name] = uint32(1<<20 + len(a.held))
	}
	return a.held[name]
}

// acquire writes that the thread has acquired a lock.
func (t *thread) acquire(time uint64, lock uint32) uint32 {
	key := lockKey{t.process.group, lock}
	t.archive.locks[key]++
	t.archive.do(t.w.WriteThreadAcquireLock(time, otf2.ParadigmOpenmp, lock, t.archive.locks[key]))
	return lock
}

func (t *thread) counter(time uint64, counter uint32, value uint64) {
	a, w := t.archive, t.at(time)
	id, is := a.metrics[counter]
	if !is {
		a.losses.add("values of counters that no definition has", 1)
		return
	}
	switch a.meaning[counter] {
	case requestNumber:
		t.request = &value
		return
	case requestBegun:
		a.do(w.WriteMpiIrecvRequest(time, value))
		return
	case requestComplete:
		a.do(w.WriteMpiIsendComplete(time, value))
		return
	case requestCancelled:
		a.do(w.WriteMpiRequestCancelled(time, value))
		return
	}
	a.do(w.WriteMetric(time, id, []uint64{uint64(otf2.TypeUint64)}, []uint64{value}))
	switch lock := uint32(value); a.meaning[counter] {
	case teamNumber:
		t.next = value
	case taskNumber:
		t.task = value
	case lockAcquired:
		t.acquire(time, lock)
	case lockReleased:
		a.do(w.WriteThreadReleaseLock(time, otf2.ParadigmOpenmp, lock,
			a.locks[lockKey{t.process.group, lock}]))
	}
}

// unknown defines a function that the trace does not define.
func (a *archive) unknown(number uint32) *function {
	f := &function{name: "undefined function", source: 0}
	a.source.byNumber[number] = f
	a.losses.add("functions without a definition", 1)
	a.region(uint32(len(a.source.functions)), f)
	a.source.functions = append(a.source.functions, f)
	return f
}
