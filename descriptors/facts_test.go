package descriptors

import (
	"testing"

	"opari/internal/omp"
	"opari/internal/source"
	"opari/parse"
	"opari/parse/verify"
)

// TestFactsOfClauses requires that each clause sets the facts of the regions that take it, and of
// no others.
func TestFactsOfClauses(t *testing.T) {
	const loop = "\nfor (int i = 0; i < 4; i++) ;"
	tests := []struct {
		text     string
		region   int // index from 0
		schedule omp.Schedule
		hint     int
		trips    int
		facts    omp.Facts
	}{
		{"critical(a) hint(2)\n;", 0, omp.ScheduleNone, 2, 0, omp.HasHint},
		{"parallel copyin(x)\n;", 0, omp.ScheduleNone, 0, 0, omp.HasCopy},
		{"single copyprivate(x)\n;", 0, omp.ScheduleNone, 0, 0, omp.HasCopy | omp.HasBarrier},
		{"for schedule(guided)" + loop, 0, omp.ScheduleGuided, 0, 1, omp.HasSchedule},
		{"for schedule(static, 4)" + loop, 0, omp.ScheduleStaticChunk, 0, 1, omp.HasSchedule},
		{"parallel for schedule(static)" + loop, 0, omp.ScheduleNone, 0, 0, 0},
		{"parallel for schedule(static)" + loop, 1, omp.ScheduleStatic, 0, 1, omp.HasSchedule},
		{"taskloop" + loop, 0, omp.ScheduleNone, 0, 1, 0},
		{"loop" + loop, 0, omp.ScheduleNone, 0, 1, omp.HasBarrier},
		{"loop bind( parallel )" + loop, 0, omp.ScheduleNone, 0, 1, omp.HasBarrier},
		{"loop bind(thread)" + loop, 0, omp.ScheduleNone, 0, 1, 0},
		{"parallel loop" + loop, 1, omp.ScheduleNone, 0, 1, 0},
	}
	for _, test := range tests {
		tree, _ := parse.File(source.New("f.c",
			[]byte("void f(void) {\n#pragma omp "+test.text+"\n}\n")),
			parse.Options{Lang: omp.C, Verify: verify.Never})
		table, _ := Lower(tree, Options{})
		r := table.Regions[test.region]
		if r.Schedule != test.schedule || r.Hint != test.hint || len(r.Trips) != test.trips ||
			r.Facts != test.facts {
			t.Errorf("%s: region %d has schedule %v, hint %d, %d loops, facts %#x", test.text,
				test.region, r.Schedule, r.Hint, len(r.Trips), r.Facts)
		}
	}
}
