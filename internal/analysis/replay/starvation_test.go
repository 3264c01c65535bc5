package replay

import (
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/analysis/finding"
)

// TestHeldBack checks what holds back the tasks for which threads starve: their dependences while
// tasks wait, and else a taskwait after which its thread creates more of them.
func TestHeldBack(t *testing.T) {
	f := everyRole()
	fork, implicit, end, task, wait, create := f[0], f[1], f[2], f[14], f[15], f[20]
	r := replayed(2, []act{
		{0, 0, fork, 0, 0},
		{0, 0, implicit, 0, 0},
		{1, 0, implicit, 0, 0},
		{1, 0, end, 0, 0},
		{0, 100, create, 0, 0},
		{0, 100, nil, 0, 0},
		{0, 100, create, 0, 0},
		{0, 100, nil, 0, 0},
		{0, 100, wait, 0, 0},
		{0, 100, task, 0, 0},
		{0, 400, nil, 0, 0}, // for 300 the second task waits for the first
		{0, 400, task, 0, 0},
		{0, 1000, nil, 0, 0}, // for 600 there is no other task
		{0, 1000, nil, 0, 0},
		{0, 1000, create, 0, 0}, // because it is created here
		{0, 1000, nil, 0, 0},
		{1, 1000, task, 0, 0},
		{1, 1200, nil, 0, 0},
		{0, 1200, wait, 0, 0},
		{0, 1300, nil, 0, 0}, // it holds back nothing
		{0, 1300, end, 0, 0},
		{0, 1300, nil, 0, 0},
		{1, 1300, nil, 0, 0},
		{0, 1300, nil, 0, 0},
		{1, 1300, nil, 0, 0},
		{0, 1300, nil, 0, 0},
	})
	got := map[string]int64{}
	for _, s := range r.Starved {
		got[s.By.String()] += s.Time
	}
	if len(got) != 2 || got["f.c:7 taskwait"] != 600 || got["f.c:6 creation of task"] != 300 {
		t.Errorf("%v", got)
	}
	for _, f := range finding.Of(r, 0) {
		if f.Property == analysis.TaskStarvation {
			const want = "f.c:7 taskwait holds back the creation of tasks for 55 % of it"
			if !strings.HasSuffix(f.Why, want) {
				t.Errorf("%s", f.String(r))
			}
			return
		}
	}
	t.Error("no finding")
}

// TestHeldBackElsewhere checks the same where a thread waits for tasks at no barrier.
func TestHeldBackElsewhere(t *testing.T) {
	f := everyRole()
	fork, implicit, end, task, wait, create := f[0], f[1], f[2], f[14], f[15], f[20]
	r := replayed(2, []act{
		{0, 0, fork, 0, 0},
		{0, 0, implicit, 0, 0},
		{1, 0, implicit, 0, 0},
		{1, 0, end, 0, 0},
		{0, 100, create, 0, 0},
		{0, 100, nil, 0, 0},
		{0, 100, create, 0, 0},
		{0, 100, nil, 0, 0},
		{1, 100, task, 0, 0},
		{0, 200, wait, 0, 0}, // for 300 the second task waits for the first
		{1, 500, nil, 0, 0},
		{0, 500, task, 0, 0}, // the thread itself executes that
		{0, 900, nil, 0, 0},
		{0, 900, nil, 0, 0},
		{0, 900, end, 0, 0},
		{0, 900, nil, 0, 0},
		{1, 900, nil, 0, 0},
		{0, 900, nil, 0, 0},
		{1, 900, nil, 0, 0},
		{0, 900, nil, 0, 0},
	})
	if len(r.Starved) != 1 || r.Starved[0].Time != 300 ||
		r.Starved[0].Waiter.String() != "f.c:7 taskwait" || !r.Starved[0].By.Creation {
		t.Errorf("%+v", r.Starved)
	}
	for _, f := range finding.Of(r, 0) {
		if f.Property == analysis.TaskWait {
			const want = "tasks of f.c:6 wait for each other for 100 % of it, as depend says"
			if f.Time != 300 || !strings.HasSuffix(f.Why, want) {
				t.Error(f.String(r))
			}
			return
		}
	}
	t.Error("no finding")
}
