package trace

import (
	"testing"

	"opari/internal/omp"
)

// TestFunctionOfGroup checks that the role of a function follows from its group alone. A region
// in another writer's group keeps its kind and name.
func TestFunctionOfGroup(t *testing.T) {
	for _, c := range []struct {
		group, name string
		role        Role
		kind        omp.Kind
		kindName    string
		region      string
		creation    bool
	}{
		{"for", "for", Working, omp.KindFor, "for", "for", false},
		{"do", "do", Working, omp.KindFor, "do", "do", false},
		{"parallel", "parallel", Forking, omp.KindParallel, "parallel", "parallel", false},
		{
			"implicit task", "parallel: implicit task", Implicit, omp.KindParallel, "parallel",
			"parallel", false,
		},
		{"implicit barrier", "do: implicit barrier", AtBarrier, omp.KindFor, "do", "do", false},
		{"barrier", "barrier", AtBarrier, omp.KindBarrier, "barrier", "barrier", false},
		{
			"waiting", "critical(gate): wait", ForMutex, omp.KindCritical, "critical",
			"critical(gate)", false,
		},
		{
			"waiting", "taskgroup: wait", ForTasks, omp.KindTaskgroup, "taskgroup",
			"taskgroup", false,
		},
		{"waiting", "for the doctor", ForMutex, omp.KindNone, "waiting", "for the doctor", false},
		{"lock", "omp_set_lock", ForLock, omp.KindLock, "lock", "omp_set_lock", false},
		{
			"nest_lock", "omp_set_nest_lock", Working, omp.KindNestLock, "nest_lock",
			"omp_set_nest_lock", false,
		},
		{"taskwait", "taskwait", ForTasks, omp.KindTaskwait, "taskwait", "taskwait", false},
		{"atomic", "atomic", AllWaiting, omp.KindAtomic, "atomic", "atomic", false},
		{"task", "task", Tasking, omp.KindTask, "task", "task", false},
		{
			"task creation", "task: creation", Creating, omp.KindNone, "task creation",
			"creation of task", true,
		},
		{"mpi", "MPI_Recv", Working, omp.KindMPI, "mpi", "MPI_Recv", false},
		{"none", "none", Working, omp.KindNone, "none", "none", false},
		{"USER", "solve", Working, omp.KindNone, "USER", "solve", false},
		{"", "", Working, omp.KindNone, "", "", false},
	} {
		d := New()
		d.groups[1] = c.group
		f := d.function(rawFunction{name: c.name, group: 1})
		r := f.Region
		if f.Role != c.role || r.Name != c.region || r.Creation != c.creation {
			t.Errorf("%s in group %s: role %d, %+v", c.name, c.group, f.Role, r)
		}
		if r.Kind != c.kind || r.KindName() != c.kindName {
			t.Errorf("%s in group %s: kind %v, called %q", c.name, c.group, r.Kind, r.KindName())
		}
	}
}

// TestThreadTypes checks that only the end of a thread's name makes it a worker.
func TestThreadTypes(t *testing.T) {
	d := New()
	define := d.Handlers().DefProcess
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
		if one := d.Threads[i]; one.Type != c.want || one.Name != c.name {
			t.Errorf("%s: %+v", c.name, one)
		}
	}
}
