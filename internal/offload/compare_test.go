package offload

import "testing"

func TestCompare(t *testing.T) {
	const done = "alloc 0 0x1000 64\nto 0 0x1000 0x9000 48\nrun 0 0x5\nran 0 0x5\nfrom 0 0x7000 " +
		"0x1010 16\n"
	for _, c := range []struct {
		reported string
		mistakes int
	}{
		{"reported in alloc 0 0x1010 16\nreported in to 0 0x1010 0x7000 16\nreported in submit " +
			"0\nreported " +
			"in from 0 0x1010 0x7000 16\nreported in delete 0 0x1010 16\n", 0},
		{"", 2},                       // the copy back and the kernel
		{"reported in submit 0\n", 1}, // the copy back
		// another length
		{"reported in submit 0\nreported in from 0 0x1010 0x7000 8\n", 1},
		// beyond what was copied
		{
			"reported in submit 0\nreported in from 0 0x1010 0x7000 16\nreported in to 0 0x1020 " +
				"0x7000 " +
				"32\n",
			1,
		},
		// on another device
		{"reported in submit 0\nreported in from 0 0x1010 0x7000 16\nreported in alloc 1 0x1010 " +
			"16\n", 1},
		// no address
		{"reported in submit 0\nreported in from 0 0x1010 0x7000 16\nreported in alloc 0 0x0 " +
			"16\n", 1},
		// twice
		{"reported in submit 0\nreported in from 0 0x1010 0x7000 16\nreported in from 0 0x1010 " +
			"0x7000 " +
			"16\n", 1},
		// a kernel too many
		{"reported in submit 0\nreported in submit 0\nreported in from 0 0x1010 0x7000 16\n", 1},
		// already freed
		{"reported in submit 0\nreported in from 0 0x1010 0x7000 16\nfree 0 0x1000 64\nreported " +
			"in alloc " +
			"0 0x1010 16\n", 1},
	} {
		if o := Compare(done + c.reported); len(o.Mistakes) != c.mistakes {
			t.Errorf("%q: %d mistakes, want %d: %q", c.reported, len(o.Mistakes),
				c.mistakes, o.Mistakes)
		}
	}
}
