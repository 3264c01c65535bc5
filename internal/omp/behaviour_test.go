package omp

import (
	"strings"
	"testing"
)

// What follows from the rows of ABI 1's kinds. That of newer ones follows from theirs.
func TestBehaviour(t *testing.T) {
	for _, c := range []struct {
		what string
		is   func(Kind) bool
		want string
	}{
		{"shares iterations", Kind.SharesIterations, "for loop distribute"},
		{"ends together", Kind.EndsTogether, "parallel for sections single workshare loop scope"},
		{"has a barrier of its own", Kind.OwnBarrier, "for sections single workshare scope"},
		{"is one thread's", Kind.OneThread, "section single master masked"},
		{"only waits", Kind.OnlyWaits, "lock nest_lock barrier taskwait atomic"},
		{"excludes", Kind.Excludes, "lock nest_lock critical atomic ordered"},
	} {
		var got []string
		for _, k := range Kinds() {
			if k <= KindMPI && c.is(k) {
				got = append(got, k.String())
			}
			if KindNamed(k.String()) != k {
				t.Errorf("kind %d is called %q, which is kind %d", k, k, KindNamed(k.String()))
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %s, want %s", c.what, strings.Join(got, " "), c.want)
		}
	}
	if KindNamed("do") != KindFor || KindNamed("nothing of the kind") != KindNone {
		t.Error("names")
	}
}
