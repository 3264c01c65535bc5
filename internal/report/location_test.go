package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/report/fixture"
)

// TestLocationTable checks that the table of threads has the machine, its nodes and ranks
// around the threads. Each has the sums of its threads, and JSON has them, too.
func TestLocationTable(t *testing.T) {
	r, _, _ := fixture.Ring(2)
	var text bytes.Buffer
	if err := (&Run{Tables: []string{"threads"}}).Text(&text, r); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, line := range strings.Split(strings.TrimSpace(text.String()), "\n")[5:] {
		got = append(got, strings.TrimRight(line, " "))
	}
	if len(got) != 15 || !strings.HasSuffix(got[0], "  machine") ||
		!strings.HasSuffix(got[1], "    node east") || !strings.HasSuffix(got[2], "      rank 0") ||
		!strings.HasSuffix(got[3], "        rank 0 thread 0") ||
		!strings.HasSuffix(got[8], "    node west") {
		t.Errorf("%s", text.String())
	}
	// Threads 2 and 3, those of rank 1, work 1002 and 1003 ns. They wait in MPI for the rest of
	// their 2000 ns.
	if fields := strings.Fields(got[5]); strings.Join(fields,
		" ") != "0 2.00us 0 2.00us 2.00us 0 rank 1" {
		t.Errorf("%q", fields)
	}
	var out struct {
		Locations []struct {
			Name, Kind string
			Parent     int
			Threads    []int
			Severities map[string]int64 `json:"severities_ns"`
		}
	}
	var b bytes.Buffer
	if err := (&Run{}).JSON(&b, r); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	if len(out.Locations) != 7 || out.Locations[0].Kind != "machine" ||
		out.Locations[0].Parent != -1 {
		t.Fatalf("%+v", out.Locations)
	}
	sums := map[string]int64{}
	for _, l := range out.Locations {
		var all int64
		for _, time := range l.Severities {
			all += time
		}
		if want := r.Wall * int64(len(l.Threads)); all != want {
			t.Errorf("%s: %d ns, want %d", l.Name, all, want)
		}
		sums[l.Kind] += all
		if l.Name == "rank 3" && (out.Locations[l.Parent].Name != "node west" ||
			l.Severities[analysis.LateReceiver.Key()] != 2*1000-6-7) {
			t.Errorf("%+v", l)
		}
	}
	for _, kind := range []string{"machine", "node", "process"} {
		if sums[kind] != r.Total() {
			t.Errorf("all of kind %s have %d ns, not %d", kind, sums[kind], r.Total())
		}
	}
}
