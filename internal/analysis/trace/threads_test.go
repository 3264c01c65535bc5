package trace

import (
	"slices"
	"testing"

	"opari/internal/analysis"
)

// TestMachine checks what is read of the comments on machines and threads, and that other
// comments stay notes.
func TestMachine(t *testing.T) {
	d := New()
	d.Threads, d.ByProcess[7] = make([]analysis.Thread, 1), 0
	for _, text := range []string{
		"machine: at=start cores=2 allowed=0,1 quota=1.5 throttled=20ms stolen=300ms load=1.2",
		"machine: at=end cores=2 allowed=0 quota=none throttled=50ms stolen=1300ms",
		"machine: at=start cores=many allowed=1-3 quota=-1 throttled=5 stolen=99999999999999ms",
		"machine:", "machine: =", "thread 7: allowed=5,1 ran=1,1 migrations=12", "thread 8: ran=1",
		"thread x: is no comment of ours", "samples: 1000 a second", "stack 1: 0 5",
		"samples lost: 3",
	} {
		d.note(text)
	}
	d.Resolve()
	want := []string{"machine:", "thread x: is no comment of ours", "samples lost: 3"}
	if !slices.Equal(d.Notes, want) {
		t.Errorf("notes %q, want %q", d.Notes, want)
	}
	if len(d.Machines) != 3 {
		t.Fatalf("machines: %+v", d.Machines)
	}
	m := d.Machines[0]
	if m.Cores != 2 || !slices.Equal(m.Allowed, []int{0, 1}) || m.Quota != 1.5 ||
		m.Throttled != 30_000_000 || m.Stolen != 1_000_000_000 {
		t.Errorf("%+v", m)
	}
	if m = d.Machines[1]; m.Cores != 0 || m.Allowed != nil || m.Quota != 0 || m.Throttled != 0 ||
		m.Stolen != 0 {
		t.Errorf("%+v", m)
	}
	one := d.Threads[0]
	if !slices.Equal(one.Allowed, []int{1, 5}) || !slices.Equal(one.Ran, []int{1}) ||
		one.Migrations != 12 {
		t.Errorf("%+v", one)
	}
}
