package profile

import (
	"strings"
	"testing"
)

const (
	targetRegion = `{"region":1,"name":"target","sub_name":"","directive":"target teams","file":"f.c","begin":[3,3],"end":[4,4],"outer":0,"kind":"target","num_sections":0,"facts":0}` + "\n"
	targetSample = `{"path":1,"thread":0,"count":2,"incl":5000,"excl":5000,"min":1,"max":1,"body":1,"barrier":0,"wait":0,"hold":0}` + "\n"
	targetMoved  = `{"path":1,"thread":0,"kernels":2,"kernel":3000,"to":1500,"from":500,"in_place":0,"moving":1000}` + "\n"
	targetShared = `{"path":1,"thread":1,"kernels":1,"kernel":0,"to":4000000,"from":0,"in_place":4000000,"moving":0}` + "\n"
)

// TestTargets checks that the data of target regions is summed over threads. The rate counts
// only copied bytes.
func TestTargets(t *testing.T) {
	p, err := Read("p",
		strings.NewReader(header+targetRegion+path+targetSample+targetMoved+targetShared))
	if err != nil {
		t.Fatal(err)
	}
	want := Target{Kernels: 3, Kernel: 3000, To: 4001500, From: 500, InPlace: 4000000, Moving: 1000}
	if got := p.Regions[0].Target; got == nil || *got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	var b strings.Builder
	if err := p.Table(&b, Layout{Width: 100}); err != nil {
		t.Fatal(err)
	}
	const lines = `
target regions: kernels and transfers
  time kernels kernel moving   rest  to from in place  rate place
5.00us       3 3.00us 1.00us 1.00us 4MB  500      4MB 2GB/s f.c:3
`
	if !strings.HasSuffix(b.String(), lines) {
		t.Errorf("the table is:\n%s\nwant at its end:%s", b.String(), lines)
	}
}

func TestTargetErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{targetMoved, "p:2: error: path 1 has kernels before it is described"},
		{targetRegion + path + strings.Replace(targetMoved, ":500", ":-1", 1), "a negative number"},
		{targetRegion + path + strings.Replace(targetMoved, "moving", "moved", 1), "unknown field"},
	} {
		if _, err := Read("p", strings.NewReader(header+c.text)); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}
