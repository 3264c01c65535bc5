package report

import (
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/report/profile"
)

// TestStartEndOfProfile checks that a profile's MPI_Init is apart from communication, with the
// idling of the other threads of the rank.
func TestStartEndOfProfile(t *testing.T) {
	const text = `{"opari_profile":2,"program":"./a","pid":1,"wall_ns":1000,"threads":2,"lost":0,"clock":"tsc"}
{"region":1,"name":"MPI_Init","sub_name":"","directive":"a+0x1","file":"","begin":[0,0],"end":[0,0],"outer":0,"kind":"mpi","num_sections":0,"facts":0}
{"path":1,"parent":0,"region":1}
{"path":1,"thread":0,"count":1,"incl":300,"excl":300,"min":300,"max":300,"body":300,"barrier":0,"wait":0,"hold":0}
{"region":2,"name":"MPI_Barrier","sub_name":"","directive":"a+0x2","file":"","begin":[0,0],"end":[0,0],"outer":0,"kind":"mpi","num_sections":0,"facts":0}
{"path":2,"parent":0,"region":2}
{"path":2,"thread":0,"count":1,"incl":100,"excl":100,"min":100,"max":100,"body":100,"barrier":0,"wait":0,"hold":0}
`
	p, err := profile.Read("a.profile", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	r := p.Result()
	for property, want := range map[analysis.Property]int64{
		analysis.SetupMPI: 600, analysis.MPICall: 100, analysis.IdleSerial: 700,
		analysis.Work: 600, analysis.Time: r.Total(),
	} {
		if got := r.Sum(property, -1); got != want {
			t.Errorf("%s: %d ns, not %d", property, got, want)
		}
	}
}
