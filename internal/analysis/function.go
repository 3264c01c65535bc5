package analysis

import (
	"slices"
	"strings"

	"opari/internal/omp"
)

// role is what a function of a trace is to the thread in it.
type role uint8

const (
	working    role = iota // a region with the program's code in it
	forking                // fork to join of a parallel region, on the encountering thread
	implicit               // an implicit task
	tasking                // an explicit task
	atBarrier              // waiting at a barrier, implicit or explicit
	forMutex               // waiting to enter a critical or ordered region
	forLock                // waiting for a lock
	forTasks               // in taskwait, at the end of taskgroup
	allWaiting             // atomic: there is nothing else to it
	creating               // a task is being created
)

// function is a function of the trace: a region, or a part of one.
type function struct {
	role   role
	region *Region
	block  bool // the executed block of a single: no region of its own

	// a routine of MPI that waits for a message, or may wait until its own is taken
	receives, sends bool
}

// isPart says whether f is a part of its region, not a visit of it.
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

// unknown is what a function without a definition is.
var unknown = &function{region: &Region{Word: wordUnknown, Name: "unknown function"}}

// group is what a group of a trace's functions says of them. A trace tells nothing else of what a
// region is: here, and nowhere else, a name becomes a kind.
type group struct {
	kind omp.Kind
	role role
	// ending is of the names of functions that are a part of a region, which has a function of its
	// own; "" for others.
	ending string
}

// groups are those of package recording that are not named after a kind.
var groups = map[string]group{
	"implicit task":    {role: implicit, ending: ": implicit task"},
	"implicit barrier": {role: atBarrier, ending: ": implicit barrier"},
	"waiting":          {role: forMutex, ending: ": wait"},
	wordCreation:       {role: creating},
}

// kindRoles are the roles of the functions in the groups of kinds. Those of others are working.
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

// function finds out what a function is.
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
		directive, _, _ := strings.Cut(r.Name, "(") // without the name that the user gave it
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
	}
	out.region = d.region(r)
	return out
}

// region is the one region of its name and place. Its kind is what the first function says, which
// is not a part.
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
