// Package conversion makes archives of OTF2 from traces of OTF, and the other way round.
//
// A trace that opari recorded becomes what Score-P would write: regions with roles and paradigms,
// teams, tasks and locks of OpenMP, messages and collective operations of MPI with communicators
// (docs/reference/otf2.md says which record stands for what). All counters stay, as metrics, and
// names, so the way back gives the trace that it came from.
//
// What the other format has no record for is counted, by what it is: see Losses.
package conversion

import (
	"fmt"
	"maps"
	"slices"

	"opari/internal/omp"
	"opari/otf2"
)

// Losses counts what a conversion could not say in the other format.
type Losses map[string]uint64

// add counts n of something.
func (l Losses) add(what string, n uint64) {
	if n > 0 {
		l[what] += n
	}
}

// Lines returns a line for each kind of loss, in the order of their names.
func (l Losses) Lines() []string {
	var lines []string
	for _, what := range slices.Sorted(maps.Keys(l)) {
		lines = append(lines, fmt.Sprintf("%d %s", l[what], what))
	}
	return lines
}

// comment is how the names of the properties of a machine begin that are comments of a trace.
const comment = "comment "

// Groups of functions that are parts of constructs, as package recording names them.
const (
	implicitTask    = "implicit task"
	implicitBarrier = "implicit barrier"
	waiting         = "waiting"
	taskCreation    = "task creation"
	sampledCode     = "sampled code"
)

// Counters of package recording whose values are numbers of something.
const (
	lockAcquired = "lock acquired"
	lockReleased = "lock released"
	teamNumber   = "team"
	taskNumber   = "task number"
)

// Counters whose values are numbers of requests. OTF2 has events for them.
const (
	requestNumber    = "request" // of the message that comes next
	requestBegun     = "receive request"
	requestComplete  = "send complete"
	requestCancelled = "request cancelled"
)

var requestCounters = []string{requestNumber, requestBegun, requestComplete, requestCancelled}

// role is what a function is in Score-P's words.
type role struct {
	role     otf2.RegionRole
	paradigm otf2.Paradigm
}

// partRoles has the roles of parts of constructs.
var partRoles = map[string]role{
	implicitTask:    {otf2.RegionRoleParallel, otf2.ParadigmOpenmp},
	implicitBarrier: {otf2.RegionRoleImplicitBarrier, otf2.ParadigmOpenmp},
	waiting:         {otf2.RegionRoleArtificial, otf2.ParadigmOpenmp},
	taskCreation:    {otf2.RegionRoleTaskCreate, otf2.ParadigmOpenmp},
	sampledCode:     {otf2.RegionRoleFunction, otf2.ParadigmSampling},
}

// kindRoles has the roles of constructs. The others are code.
var kindRoles = map[omp.Kind]otf2.RegionRole{
	omp.KindParallel:  otf2.RegionRoleParallel,
	omp.KindFor:       otf2.RegionRoleLoop,
	omp.KindLoop:      otf2.RegionRoleLoop,
	omp.KindSections:  otf2.RegionRoleSections,
	omp.KindSection:   otf2.RegionRoleSection,
	omp.KindSingle:    otf2.RegionRoleSingle,
	omp.KindWorkshare: otf2.RegionRoleWorkshare,
	omp.KindMaster:    otf2.RegionRoleMaster,
	omp.KindMasked:    otf2.RegionRoleMaster,
	omp.KindCritical:  otf2.RegionRoleCritical,
	omp.KindBarrier:   otf2.RegionRoleBarrier,
	omp.KindTaskwait:  otf2.RegionRoleTaskWait,
	omp.KindTaskgroup: otf2.RegionRoleTaskWait,
	omp.KindAtomic:    otf2.RegionRoleAtomic,
	omp.KindFlush:     otf2.RegionRoleFlush,
	omp.KindOrdered:   otf2.RegionRoleOrdered,
	omp.KindTask:      otf2.RegionRoleTask,
	omp.KindLock:      otf2.RegionRoleWrapper,
	omp.KindNestLock:  otf2.RegionRoleWrapper,
}

// roleOf returns the role of a function of a group. block says that it is the block of a construct.
func roleOf(group, name string, block bool) role {
	if r, is := partRoles[group]; is {
		return r
	}
	switch k := omp.KindNamed(group); {
	case k == omp.KindRegion:
		return role{otf2.RegionRoleFunction, otf2.ParadigmUser}
	case k == omp.KindMPI:
		return role{mpiRole(name), otf2.ParadigmMpi}
	case k == omp.KindNone:
		return role{otf2.RegionRoleFunction, otf2.ParadigmCompiler}
	case k == omp.KindSingle && block:
		return role{otf2.RegionRoleSingleSblock, otf2.ParadigmOpenmp}
	default:
		r, is := kindRoles[k]
		if !is {
			r = otf2.RegionRoleCode
		}
		return role{r, otf2.ParadigmOpenmp}
	}
}

// groupOf returns the group of functions that a region of another writer belongs to.
func groupOf(r role) string {
	for group, p := range partRoles {
		if p == r && group != implicitTask && group != waiting {
			return group
		}
	}
	switch r.paradigm {
	case otf2.ParadigmMpi:
		return omp.KindMPI.String()
	case otf2.ParadigmUser:
		return omp.KindRegion.String()
	case otf2.ParadigmOpenmp:
		for _, k := range omp.Kinds() { // the first of equal ones
			if kindRoles[k] == r.role && r.role != 0 {
				return k.String()
			}
		}
	}
	return r.paradigm.String()
}
