package trace

import (
	"slices"
	"strings"

	"opari/internal/analysis"
	"opari/internal/omp"
)

// Role is what a thread does in a function of the trace.
type Role uint8

const (
	Working    Role = iota // in a region with the program's code
	Forking                // from fork to join of a parallel region, on the encountering thread
	Implicit               // in an implicit task
	Tasking                // in an explicit task
	AtBarrier              // waiting at a barrier, implicit or explicit
	ForMutex               // waiting to enter a critical or ordered region
	ForLock                // waiting for a lock
	ForTasks               // in taskwait or at the end of taskgroup
	AllWaiting             // in an atomic construct, all of which counts as waiting
	Creating               // creating a task
)

// Function is a function of the trace: a region or a part of one.
type Function struct {
	Role   Role
	Region *analysis.Region
	Block  bool // the executed block of a single construct, not a region of its own

	// Receives marks an MPI routine that waits for a message. sends marks one that may wait until
	// its message is received.
	Receives, Sends bool
	Setup           bool // a routine that begins or ends MPI

	Polls  bool // a visit looks whether something has happened
	Alone  bool // it does for the thread that visits, and many visits in a row are waiting
	Writes bool // a visit may be what threads that poll wait for
}

// IsPart reports whether f is a part of its region rather than a visit of it.
func (f *Function) IsPart() bool {
	switch f.Role {
	case AtBarrier:
		return f.Region.Kind != omp.KindBarrier
	case ForTasks:
		return f.Region.Kind == omp.KindTaskgroup
	case ForMutex:
		return true
	}
	return f.Block
}

// unknown stands for any function without a definition.
var unknown = &Function{Region: &analysis.Region{
	Word: analysis.WordUnknown,
	Name: "unknown function",
}}

// group is what a trace's function group implies for its functions. A trace says nothing else
// about the kind of a region, so only here does a name become a kind.
type group struct {
	kind omp.Kind
	role Role
	// ending is the end of the names of functions that are part of a region which has its own
	// function; "" for other groups.
	ending string
}

// groups are the groups of package recording that are not named after a kind.
var groups = map[string]group{
	"implicit task":       {role: Implicit, ending: ": implicit task"},
	"implicit barrier":    {role: AtBarrier, ending: ": implicit barrier"},
	"waiting":             {role: ForMutex, ending: ": wait"},
	analysis.WordCreation: {role: Creating},
}

// kindRoles are the roles of the functions in groups named after a kind; all other kinds are
// working.
var kindRoles = map[omp.Kind]Role{
	omp.KindParallel: Forking, omp.KindBarrier: AtBarrier, omp.KindLock: ForLock,
	omp.KindTaskwait: ForTasks, omp.KindAtomic: AllWaiting, omp.KindTask: Tasking,
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
func (d *Definitions) function(f rawFunction) *Function {
	word := d.groups[f.group]
	g := groupNamed(word)
	place := d.places[f.source]
	r := analysis.Region{Name: f.name, File: d.files[place.file], Line: int(place.line)}
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
	out := &Function{Role: g.role}
	if name, block := strings.CutSuffix(r.Name, ": block"); block {
		r.Name, out.Block = name, true
	}
	switch {
	case g.role == ForMutex && r.Kind == omp.KindTaskgroup:
		out.Role = ForTasks
	case g.role == Creating:
		r.Creation, r.Name = true, analysis.CreationOf+strings.TrimSuffix(r.Name, ": creation")
	case g.kind == omp.KindMPI:
		out.Receives = slices.Contains(blocking.receives, r.Name)
		out.Sends = slices.Contains(blocking.sends, r.Name)
		out.Setup = r.SetsUpMPI()
		out.Polls = slices.Contains(polling, r.Name)
		out.Alone = out.Polls
	case r.Kind == omp.KindLock && omp.TestsLock(r.Name):
		out.Role, out.Polls, out.Alone = Working, true, true
	case r.Kind == omp.KindAtomic:
		out.Polls = d.reads[line{r.File, r.Line}]
		out.Writes = !out.Polls
	case r.Kind == omp.KindFlush:
		out.Polls, out.Writes = true, true
	}
	out.Region = d.TheRegion(r)
	return out
}

// TheRegion returns the one region with that name and place. Its kind comes from the first function
// that is not a part of the region.
func (d *Definitions) TheRegion(r analysis.Region) *analysis.Region {
	d.lock.Lock()
	defer d.lock.Unlock()
	key := r
	key.Kind, key.Word, key.Creation, key.End = omp.KindNone, "", false, 0
	if d.regions[key] == nil {
		d.regions[key] = &r
	}
	return d.regions[key]
}

// blocking lists the routines that return when they have received a message, and those that may
// return only when their own message is being received.
var blocking = struct{ receives, sends []string }{
	receives: []string{"MPI_Recv", "MPI_Mrecv", "MPI_Sendrecv", "MPI_Sendrecv_replace"},
	sends: []string{
		"MPI_Send", "MPI_Ssend", "MPI_Rsend", "MPI_Sendrecv",
		"MPI_Sendrecv_replace",
	},
}

// polling are the routines of MPI by which a program looks whether something has arrived.
var polling = []string{
	"MPI_Test", "MPI_Testall", "MPI_Testany", "MPI_Testsome", "MPI_Iprobe", "MPI_Improbe",
}
