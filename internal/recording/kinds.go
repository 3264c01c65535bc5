package recording

// what is the kind of a record: what it enters or leaves. ompt_bridge/src/trace/trace.h has the
// same list in the same order.
type what uint8

const (
	pause     what = iota // only a time
	thread                // with ompt_thread_t instead of a region
	parallel              // on the encountering thread, from fork to join
	implicit              // implicit task
	task                  // explicit task
	work                  // a worksharing construct without its implicit barrier
	body                  // the block of a single
	region                // any other region
	wait                  // a region that consists of waiting
	barrier               // a barrier, also the implicit one of a construct
	taskwait              // a wait for tasks
	group                 // a taskgroup
	groupWait             // the wait at the end of a taskgroup
	mutex                 // critical or ordered, from acquire to release
	held                  // the mutex is acquired; never left
	lock                  // from the request for a lock until its acquisition
	create                // the creation of a task
	own                   // with a lock's number instead of a region: acquired, released
	// with a team's number: that of the implicit task that comes next; never left
	team
	// a loop's chunks have been handed out, at a cost that the data words before say; never left
	dealt
	try // a lock is tested; never left
)

// Messages have the number of a communicator instead of a region, and are never left. The first
// three are about a request, which a data word names.
const (
	requested what = 23 + iota // a receive
	complete                   // of a send
	cancelled
	gotFrom
	putInto
	collective // until the thread leaves its innermost region
	received
	sent
	data // a word of the next record of these kinds, of thread, dealt, create or task
)

// allKinds is the number of possible kinds. An operation has one bit more, for enter or leave.
const allKinds = 1 << (opBits - 1)

// kind is what the conversion needs to know of a kind of record.
type kind struct {
	name string // as in trace.h, in lower case without TRC_
	// The name of this part of a region, and its group of functions. If group is empty, the group
	// is the region's kind.
	of, group string
	waits     bool // its time, without that of inner functions, counts as waiting
	point     bool // it enters nothing: no function stands for it
}

// kinds is indexed by what. A kind without a name is one of a later version or garbage; the
// conversion skips its records.
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
	dealt:     {name: "dealt", point: true},
	try:       {name: "try"},

	requested:  {name: "requested", point: true},
	complete:   {name: "complete", point: true},
	cancelled:  {name: "cancelled", point: true},
	gotFrom:    {name: "got", point: true},
	putInto:    {name: "put", point: true},
	collective: {name: "collective", point: true},
	received:   {name: "received", point: true},
	sent:       {name: "sent", point: true},
	data:       {name: "data", point: true},
}
