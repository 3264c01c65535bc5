package run

import (
	"testing"

	"opari/internal/analysis"
)

// windowsOfRanks checks the sums of windows of a job, and that it does not matter whether the
// ranks are read once or twice.
func windowsOfRanks(t *testing.T, trace string, whole *analysis.Result) {
	t.Helper()
	var wall, setup int64
	half, _ := analysis.ParseEdge("50%")
	for _, w := range []*analysis.Window{{To: half}, {From: half}} {
		r, err := FromTrace(trace, Options{Window: w})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := r.Sum(analysis.Time, -1), r.Total(); got != want {
			t.Errorf("%+v: %d ns of %d", w, got, want)
		}
		wall += r.Wall
		setup += r.Sum(analysis.StartEnd, -1)
		twice, err := FromTrace(trace, Options{Window: w, Message: func(m analysis.Message) {
			if from, to := int64(r.Start), int64(r.Start)+r.Wall; m.Sent < from || m.Received > to {
				t.Errorf("a message from %d to %d in %d to %d", m.Sent, m.Received, from, to)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		sameResults(t, r, twice)
	}
	if wall != whole.Wall || setup != whole.Sum(analysis.StartEnd, -1) {
		t.Errorf("windows of %d ns, %d of start and end; the run has %d and %d", wall, setup,
			whole.Wall, whole.Sum(analysis.StartEnd, -1))
	}
}
