package analysis

import (
	"slices"
	"strings"

	"opari/internal/omp"
)

// role is what a thread does in a function of the trace.
type role uint8

const (
	working    role = iota // in a region with the program's code
	forking                // from fork to join of a parallel region, on the encountering thread
	implicit               // in an implicit task
	tasking                // in an explicit task
	atBarrier              // waiting at a barrier, implicit or explicit
	forMutex               // waiting to enter a critical or ordered region
	forLock                // waiting for a lock
	forTasks               // in taskwait or at the end of taskgroup
	allWaiting             // in an atomic construct, all of which counts as waiting
	creating               // creating a task
)

// function is a function of the trace: a region or a part of one.
type function struct {
	role   role
	region *Region
	block  bool // the executed block of a single construct, not a region of its own

	// receives marks an MPI routine that waits for a message. sends marks one that may wait until
	// its message is received.
	receives, sends bool
	setup           bool // a routine that begins or ends MPI

	polls  bool // a visit looks whether something has happened
	alone  bool // it does for the thread that visits, and many visits in a row are waiting
	writes bool // a visit may be what threads that poll wait for
}

// isPart reports whether f is a part of its region rather than a visit of it.
func (f *function) isPart() bool {
	switch f.role {
	case atBarrier:
		return f.region.Kind != omp.KindBarrier
	case forTasks:
		return f.region.Kind == omp.KindTaskgroup
	case forMutex:
		return true
	}
	return f.block
}

// unknown stands for any function without a definition.
var unknown = &function{region: &Region{Word: wordUnknown, Name: "unknown function"}}

// group is what a trace's function group implies for its functions. A trace says nothing else
// about the kind of a region, so only here does a name become a kind.
type group struct {
	kind omp.Kind
	role role
	// ending is the end of the names of functions that are part of a region which has its own
	// function; "" for other groups.
	ending string
}

// groups are the groups of package recording that are not named after a kind.
var groups = map[string]group{
	"implicit task":    {role: implicit, ending: ": implicit task"},
	"implicit barrier": {role: atBarrier, ending: ": implicit barrier"},
	"waiting":          {role: forMutex, ending: ": wait"},
	wordCreation:       {role: creating},
}

// kindRoles are the roles of the functions in groups named after a kind; all other kinds are
// working.
var kindRoles = map[omp.Kind]role{
	omp.KindParallel: forking, omp.KindBarrier: atBarrier, omp.KindLock: forLock,
	omp.KindTaskwait: forTasks, omp.KindAtomic: allWaiting, omp.KindTask: tasking,
}

func groupNamed(name string) group {
	g, is := groups[name]
	if !is {
		g.kind = omp.KindNamed(name)
		g.role = kindRoles[g.kind]
	}
	return g
}

// function returns the role and region of a function.
func (d *definitions) function(f rawFunction) *function {
	word := d.groups[f.group]
	g := groupNamed(word)
	place := d.places[f.source]
	r := Region{Name: f.name, File: d.files[place.file], Line: int(place.line)}
	r.SetKind(word)
	r.End = d.ends[line{r.File, r.Line}]
	if r.File != "" {
		if i := strings.LastIndexByte(r.Name, ' '); i > 0 {
			r.Name = r.Name[:i]
		}
	}
	if i := strings.LastIndex(r.Name, g.ending); g.ending != "" && i >= 0 {
		r.Name = r.Name[:i]
		directive, _, _ := strings.Cut(r.Name, "(") // without the user's name for it
		r.SetKind(directive)
	}
	out := &function{role: g.role}
	if name, block := strings.CutSuffix(r.Name, ": block"); block {
		r.Name, out.block = name, true
	}
	switch {
	case g.role == forMutex && r.Kind == omp.KindTaskgroup:
		out.role = forTasks
	case g.role == creating:
		r.Creation, r.Name = true, creationOf+strings.TrimSuffix(r.Name, ": creation")
	case g.kind == omp.KindMPI:
		out.receives = slices.Contains(blocking.receives, r.Name)
		out.sends = slices.Contains(blocking.sends, r.Name)
		out.setup = r.SetsUpMPI()
		out.polls = slices.Contains(polling, r.Name)
		out.alone = out.polls
	case r.Kind == omp.KindLock && omp.TestsLock(r.Name):
		out.role, out.polls, out.alone = working, true, true
	case r.Kind == omp.KindAtomic:
		out.polls = d.reads[line{r.File, r.Line}]
		out.writes = !out.polls
	case r.Kind == omp.KindFlush:
		out.polls, out.writes = true, true
	}
	out.region = d.region(r)
	return out
}

// region returns the one region with that name and place. Its kind comes from the first function
// that is not a part of the region.
func (d *definitions) region(r Region) *Region {
	d.lock.Lock()
	defer d.lock.Unlock()
	key := r
	key.Kind, key.Word, key.Creation, key.End = omp.KindNone, "", false, 0
	if d.regions[key] == nil {
		d.regions[key] = &r
	}
	return d.regions[key]
}
