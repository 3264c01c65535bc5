package conversion

import (
	"strings"
	"sync"

	"opari/otf"
	"opari/otf2"
)

// mpiRole returns the role of a routine of MPI.
func mpiRole(name string) otf2.RegionRole {
	name, _, _ = strings.Cut(name, " ")
	name = strings.ToUpper(strings.TrimPrefix(name, "MPI_"))
	if op, is := collectives()[strings.TrimPrefix(name, "I")]; is {
		return op.role
	} else if op, is := collectives()[name]; is {
		return op.role
	}
	for _, part := range []string{"SEND", "RECV", "PROBE", "WAIT", "TEST", "START"} {
		if strings.Contains(name, part) {
			return otf2.RegionRolePoint2point
		}
	}
	switch {
	case strings.HasPrefix(name, "FILE_"):
		return otf2.RegionRoleFileIo
	case strings.HasPrefix(name, "WIN_"), strings.Contains(name, "PUT"),
		strings.Contains(name, "GET_ACCUMULATE"), name == "GET", strings.Contains(name, "FETCH"):
		return otf2.RegionRoleRma
	}
	return otf2.RegionRoleFunction
}

// collective is a collective operation of MPI in both formats.
type collective struct {
	op   otf2.CollectiveOp
	role otf2.RegionRole
}

var collectives = sync.OnceValue(func() map[string]collective {
	out := map[string]collective{}
	for r, names := range map[otf2.RegionRole]string{
		otf2.RegionRoleBarrier:     "BARRIER",
		otf2.RegionRoleCollOne2all: "BCAST SCATTER SCATTERV",
		otf2.RegionRoleCollAll2one: "GATHER GATHERV REDUCE",
		otf2.RegionRoleCollAll2all: "ALLGATHER ALLGATHERV ALLTOALL ALLTOALLV ALLTOALLW ALLREDUCE " +
			"REDUCE_SCATTER REDUCE_SCATTER_BLOCK",
		otf2.RegionRoleCollOther: "SCAN EXSCAN",
	} {
		for name := range strings.FieldsSeq(names) {
			for _, e := range otf2.Enumerations() {
				if e.Name != "CollectiveOp" {
					continue
				}
				for i, n := range e.Names {
					if n == name {
						out[name] = collective{otf2.CollectiveOp(e.Values[i]), r}
					}
				}
			}
		}
	}
	return out
})

// operationOf returns the operation of OTF2 for one of OTF. Another writer's name may be any, so
// its kind decides then.
func operationOf(name string, kind uint32) otf2.CollectiveOp {
	name, _, _ = strings.Cut(name, " ")
	name = strings.ToUpper(strings.TrimPrefix(name, "MPI_"))
	for _, n := range []string{name, strings.TrimPrefix(name, "I")} {
		if c, is := collectives()[n]; is {
			return c.op
		}
	}
	switch kind {
	case otf.CollectiveTypeBarrier:
		return otf2.CollectiveOpBarrier
	case otf.CollectiveTypeOne2All:
		return otf2.CollectiveOpBcast
	case otf.CollectiveTypeAll2One:
		return otf2.CollectiveOpReduce
	}
	return otf2.CollectiveOpAlltoall
}

// kindOf returns the kind of a collective operation in OTF.
func kindOf(op otf2.CollectiveOp) uint32 {
	c := collectives()[op.String()]
	switch c.role {
	case otf2.RegionRoleBarrier:
		return otf.CollectiveTypeBarrier
	case otf2.RegionRoleCollOne2all:
		return otf.CollectiveTypeOne2All
	case otf2.RegionRoleCollAll2one:
		return otf.CollectiveTypeAll2One
	case otf2.RegionRoleCollAll2all, otf2.RegionRoleCollOther:
		return otf.CollectiveTypeAll2All
	}
	return otf.CollectiveTypeUnknown
}
