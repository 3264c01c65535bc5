package analysis

import (
	"testing"

	"opari/internal/omp"
)

// TestFunctionOfGroup checks that the role of a function follows from its group alone. A region
// in another writer's group keeps its kind and name.
func TestFunctionOfGroup(t *testing.T) {
	for _, c := range []struct {
		group, name string
		role        role
		kind        omp.Kind
		kindName    string
		region      string
		creation    bool
	}{
		{"for", "for", working, omp.KindFor, "for", "for", false},
		{"do", "do", working, omp.KindFor, "do", "do", false},
		{"parallel", "parallel", forking, omp.KindParallel, "parallel", "parallel", false},
		{
			"implicit task", "parallel: implicit task", implicit, omp.KindParallel, "parallel",
			"parallel", false,
		},
		{"implicit barrier", "do: implicit barrier", atBarrier, omp.KindFor, "do", "do", false},
		{"barrier", "barrier", atBarrier, omp.KindBarrier, "barrier", "barrier", false},
		{
			"waiting", "critical(gate): wait", forMutex, omp.KindCritical, "critical",
			"critical(gate)", false,
		},
		{
			"waiting", "taskgroup: wait", forTasks, omp.KindTaskgroup, "taskgroup",
			"taskgroup", false,
		},
		{"waiting", "for the doctor", forMutex, omp.KindNone, "waiting", "for the doctor", false},
		{"lock", "omp_set_lock", forLock, omp.KindLock, "lock", "omp_set_lock", false},
		{
			"nest_lock", "omp_set_nest_lock", working, omp.KindNestLock, "nest_lock",
			"omp_set_nest_lock", false,
		},
		{"taskwait", "taskwait", forTasks, omp.KindTaskwait, "taskwait", "taskwait", false},
		{"atomic", "atomic", allWaiting, omp.KindAtomic, "atomic", "atomic", false},
		{"task", "task", tasking, omp.KindTask, "task", "task", false},
		{
			"task creation", "task: creation", creating, omp.KindNone, "task creation",
			"creation of task", true,
		},
		{"mpi", "MPI_Recv", working, omp.KindMPI, "mpi", "MPI_Recv", false},
		{"none", "none", working, omp.KindNone, "none", "none", false},
		{"USER", "solve", working, omp.KindNone, "USER", "solve", false},
		{"", "", working, omp.KindNone, "", "", false},
	} {
		d := newDefinitions()
		d.groups[1] = c.group
		f := d.function(rawFunction{name: c.name, group: 1})
		r := f.region
		if f.role != c.role || r.Name != c.region || r.Creation != c.creation {
			t.Errorf("%s in group %s: role %d, %+v", c.name, c.group, f.role, r)
		}
		if r.Kind != c.kind || r.KindName() != c.kindName {
			t.Errorf("%s in group %s: kind %v, called %q", c.name, c.group, r.Kind, r.KindName())
		}
	}
}

// TestThreadTypes checks that only the end of a thread's name makes it a worker.
func TestThreadTypes(t *testing.T) {
	d := newDefinitions()
	define := d.handlers().DefProcess
	for i, c := range []struct {
		name string
		want omp.ThreadType
	}{
		{"thread 0 (initial)", omp.ThreadInitial},
		{"rank 2 thread 1 (worker)", omp.ThreadWorker},
		{"thread 0 (forked)", omp.ThreadForked},
		{"Master thread", omp.ThreadUnknown},
	} {
		if err := define(0, uint32(i+1), c.name, 0); err != nil {
			t.Fatal(err)
		}
		if one := d.threads[i]; one.Type != c.want || one.Name != c.name {
			t.Errorf("%s: %+v", c.name, one)
		}
	}
}
