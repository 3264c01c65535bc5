package recording

// what says what a record enters or leaves. ompt_bridge/src/trace/trace.h has the same list, in the
// same order.
type what uint8

const (
	pause     what = iota // time alone
	thread                // with ompt_thread_t instead of a region
	parallel              // encountering thread, fork to join
	implicit              // implicit task
	task                  // explicit task
	work                  // a worksharing construct, without its own barrier
	body                  // the block of a single
	region                // any other region
	wait                  // a region that is all waiting
	barrier               // a barrier, the construct's own too
	taskwait              // waiting for tasks
	group                 // a taskgroup
	groupWait             // the wait at its end
	mutex                 // critical, ordered: from acquire to release
	held                  // it is acquired; never left
	lock                  // from asking for a lock to having it
	create                // a task is created
	own                   // with the number of a lock instead of a region: acquired, and released
	// with the number of a team: that of the implicit task that is entered next; never left
	team
)

// Messages: with the number of a communicator instead of a region; never left.
const (
	gotFrom what = 26 + iota
	putInto
	collective // until what the thread is in is left
	received
	sent
	data // a word that belongs to the next of these
)

// allKinds is how many kinds of record there can be: an operation has one bit more, for enter and
// leave.
const allKinds = 1 << (opBits - 1)

// kind is what the conversion has to know of a kind of record.
type kind struct {
	name string // as in trace.h, without TRC_ and in lower case
	// how a part of a region is called, and the group of functions that it is in; an empty group is
	// the region's kind
	of, group string
	waits     bool // its time, less what is entered inside, is the counter's
	point     bool // nothing is entered: no function stands for it
}

// kinds is by what. A kind without a name is one of a later version, or garbage: its records are
// passed over.
var kinds = [allKinds]kind{
	pause:     {name: "pause", point: true},
	thread:    {name: "thread", point: true},
	parallel:  {name: "parallel"},
	implicit:  {name: "implicit", of: "implicit task", group: "implicit task"},
	task:      {name: "task"},
	work:      {name: "work"},
	body:      {name: "body", of: "block"},
	region:    {name: "region"},
	wait:      {name: "wait", waits: true},
	barrier:   {name: "barrier", of: "implicit barrier", group: "implicit barrier", waits: true},
	taskwait:  {name: "taskwait", waits: true},
	group:     {name: "group"},
	groupWait: {name: "group_wait", of: "wait", group: "waiting", waits: true},
	mutex:     {name: "mutex"},
	held:      {name: "held", point: true},
	lock:      {name: "lock", waits: true},
	create:    {name: "create", of: "creation", group: "task creation"},
	own:       {name: "own", point: true},
	team:      {name: "team", point: true},

	gotFrom:    {name: "got", point: true},
	putInto:    {name: "put", point: true},
	collective: {name: "collective", point: true},
	received:   {name: "received", point: true},
	sent:       {name: "sent", point: true},
	data:       {name: "data", point: true},
}
