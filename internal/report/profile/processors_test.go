package profile

import (
	"bytes"
	"strings"
	"testing"
)

// TestProcessors checks that a profile which knows how long its threads waited for processors says
// so above its table, and with the reason in the findings of a report.
func TestProcessors(t *testing.T) {
	text := []byte(`{"opari_profile":2,"program":"p","pid":7,"wall_ns":1000000000,"threads":4,` +
		`"lost":0,"clock":"tsc"}
{"region":1,"name":"","sub_name":"","directive":"parallel for","file":"a.c","begin":[3,3],` +
		`"end":[4,4],"outer":0,"kind":"for","num_sections":0}
`)
	const note = "threads waited 2.00s for a processor (more threads than cores: 4 threads on 2\n" +
		"  cores) and were 1.00s on one: times contain that; opari run --sample says\n" +
		"  where\n"
	for _, c := range []struct {
		name string
		o    Processors
		want bool
	}{
		{"crowded", Processors{Allowed: 2, Used: 1e9, Waited: 2e9}, true},
		{"enough", Processors{Allowed: 2, Used: 1e9, Waited: 1e6}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			with := WithProcessors(text, c.o)
			if again := WithProcessors(with, Processors{}); !bytes.Equal(with, again) {
				t.Errorf("written twice:\n%s", again)
			}
			p, err := Read("p", bytes.NewReader(with))
			if err != nil {
				t.Fatal(err)
			}
			if *p.Processors != c.o {
				t.Errorf("read %+v, want %+v", *p.Processors, c.o)
			}
			var out bytes.Buffer
			if err := p.Table(&out, Layout{Width: 80}); err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(out.String(), note); got != c.want {
				t.Errorf("the note is there: %v, want %v\n%s", got, c.want, out.String())
			}
		})
	}
	bad := WithProcessors(text, Processors{Waited: -1})
	if _, err := Read("p", bytes.NewReader(bad)); err == nil {
		t.Error("a negative time is taken")
	}
}
