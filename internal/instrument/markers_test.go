package instrument

import (
	"strings"
	"testing"
)

func TestBehindMarkers(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{
			"# 0 \"f.c\"\n# 1 \"/d//\"\n# 0 \"<built-in>\"\nx\n",
			"# 0 \"f.c\"\n# 1 \"/d//\"\n# 1 \"<opari>\" 3\nPRO\n# 0 \"<built-in>\"\nx\n",
		},
		{
			"# 1 \"f.c\"\n# 1 \"<built-in>\" 1\nx\n",
			"# 1 \"f.c\"\n# 1 \"<opari>\" 3\nPRO\n# 1 \"<built-in>\" 1\nx\n",
		},
		{"# 1 \"f.c\"\nx\n", "# 1 \"f.c\"\n# 1 \"<opari>\" 3\nPRO\n# 1 \"f.c\"\nx\n"},
		{"x\n", "# 1 \"<opari>\" 3\nPRO\n# 1 \"g.i\"\nx\n"},
		{"\xef\xbb\xbfx\n", "PRO\n\xef\xbb\xbfx\n"},
	} {
		for _, head := range []string{"P", ""} {
			d, want := Draft{head: []byte(head)}, c.want
			if head == "" {
				want = c.text // nothing precedes it
			} else {
				_ = d.rows.write([]byte("R"))
				d.neck = []byte("O\n")
			}
			_ = d.body.write([]byte(c.text))
			var got strings.Builder
			if err := d.behindMarkers(&got, "g.i", []byte(c.text)); err != nil ||
				got.String() != want {
				t.Errorf("%q: %q, want %q; %v", c.text, got.String(), want, err)
			}
		}
	}
}
