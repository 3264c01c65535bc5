package trace

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"opari/internal/analysis"
)

// TestLeftOutComments writes what is left out as the comments of a trace and reads it back, also
// from two merged traces. Other comments become notes, or nothing if a reader need not know them.
func TestLeftOutComments(t *testing.T) {
	one := analysis.LeftOut{
		Filter:   &analysis.Filter{Rules: 3, Minimum: 2000, Regions: 2, ID: "00ab"},
		Disabled: []string{"--disable-file=a b*.h", "--disable=atomic"}, Off: 2, OffTime: 5_000_000,
		Functions: []analysis.OffFunction{
			{Name: "A::operator [] in b", File: "a b*.h", Line: 7, Calls: 9000},
			{Name: "f", File: "a.c", Line: 3, Calls: 1000},
		},
	}
	if got := leftOutOf(one.Comments()); !reflect.DeepEqual(got, one) {
		t.Errorf("%+v, not %+v", got, one)
	}
	other := analysis.LeftOut{
		Filter: &analysis.Filter{Rules: 1, Regions: 7, ID: "00cd"}, Off: 1, OffTime: 9_000_000,
		Functions: []analysis.OffFunction{
			{Name: "f", File: "a.c", Line: 3, Calls: 2000},
			{Name: "f", File: "b.c", Line: 3, Calls: 9000},
		},
	}
	both := one
	both.Join(&other)
	want := analysis.LeftOut{
		Filter:   &analysis.Filter{Rules: 3, Minimum: 2000, Regions: 7, ID: "00ab+00cd"},
		Disabled: one.Disabled, Off: 2, OffTime: 9_000_000, Several: true,
		Functions: []analysis.OffFunction{
			one.Functions[0], other.Functions[1],
			{Name: "f", File: "a.c", Line: 3, Calls: 2000},
		},
	}
	if !reflect.DeepEqual(both, want) {
		t.Errorf("joined: %+v", both)
	}
	if got := leftOutOf(both.Comments()); !reflect.DeepEqual(got, want) {
		t.Errorf("joined, through comments: %+v", got)
	}
	if got := leftOutOf(slices.Concat(one.Comments(), other.Comments())); !reflect.DeepEqual(got,
		want) {
		t.Errorf("of two traces: %+v", got)
	}
	if none := (&analysis.LeftOut{}); len(none.Comments()) != 0 || len(none.Lines()) != 0 ||
		none.Any() ||
		!none.IsZero() {
		t.Error("there is something left out of nothing")
	}
	notes := Notes([]string{
		"process: 5", "lines 1-2 a.c", "lost: 89408 events (file too large)",
		"lost: 7 events", "lost: all of it", "made by hand", "disabled: --disable=single",
	})
	if want := []string{
		"instrumented with --disable=single: the time of what that leaves out counts for " +
			"the enclosing regions",
		"records lost: 89408 (file too large): times are incomplete",
		"records lost: 7: times are incomplete", "lost: all of it", "made by hand",
	}; !slices.Equal(notes, want) {
		t.Errorf("notes: %q", notes)
	}
}

func leftOutOf(comments []string) analysis.LeftOut {
	d := New()
	for _, c := range comments {
		d.note(c)
	}
	return d.LeftOut
}

func TestLeftOutLines(t *testing.T) {
	for _, c := range []struct {
		left analysis.LeftOut
		want string
		any  bool
	}{
		{
			analysis.LeftOut{Filter: &analysis.Filter{Rules: 3, Regions: 2}},
			"filter: 3 rules, 2 regions left out: their time counts for the enclosing regions",
			true,
		},
		{
			analysis.LeftOut{Filter: &analysis.Filter{Rules: 1, Regions: 1}},
			"filter: 1 rule, 1 region left out: its time counts for the enclosing region", true,
		},
		{
			analysis.LeftOut{Filter: &analysis.Filter{Rules: 1}},
			"filter: 1 rule, nothing left out",
			false,
		},
		{analysis.LeftOut{Filter: &analysis.Filter{Minimum: 2000}}, "filter: visits of less than " +
			"2.00us left out: " +
			"their time counts for the enclosing regions", true},
		{analysis.LeftOut{Off: 1, OffTime: 1_000_000}, "measurement switched off once, for " +
			"1.00ms, on all " +
			"threads: that time counts for the enclosing regions", true},
		{
			analysis.LeftOut{Off: 3, OffTime: 1_000_000, Several: true},
			"measurement switched off 3 times, for 1.00ms at most in a process, on all threads: " +
				"that time counts for the enclosing regions", true,
		},
	} {
		if got := strings.Join(c.left.Lines(), "\n"); got != c.want || c.left.Any() != c.any {
			t.Errorf("%q, %v", got, c.left.Any())
		}
	}
	r := analysis.New("p", 100, make([]analysis.Thread, 1))
	if name := r.PropertyName(analysis.Work); name != "work" {
		t.Errorf("work is called %q", name)
	}
	r.LeftOut.Disabled = []string{"--disable=atomic"}
	if name, what := r.PropertyName(analysis.Work), r.PropertyWhat(analysis.Work); name !=
		"work, and what was left out" || !strings.Contains(what, "left out") {
		t.Errorf("work is called %q: %s", name, what)
	}
	if name := r.PropertyName(analysis.Idle); name != "idle threads" {
		t.Errorf("idle is called %q", name)
	}
	a, b := analysis.LeftOut{Filter: &analysis.Filter{ID: "1"}},
		analysis.LeftOut{Disabled: []string{"--disable=atomic"}, Off: 1}
	if what := a.Differs(&b); what != "under different filters, with different constructs "+
		"disabled, one of them with measurement switched off for a time" {
		t.Error(what)
	}
	if what := a.Differs(&a); what != "" {
		t.Error(what)
	}
}

// TestFunctionsOff requires that the head of a report counts the functions that were switched off,
// and names the most frequent ones, and that the filter has a pattern for each.
func TestFunctionsOff(t *testing.T) {
	var l analysis.LeftOut
	for i := range uint64(7) {
		l.Join(&analysis.LeftOut{Functions: []analysis.OffFunction{
			{Name: "f" + string('0'+rune(i)), File: "a.c", Line: 3, Calls: 1000 * (i + 1)},
		}})
	}
	if !l.Any() || l.IsZero() {
		t.Error("nothing is left out")
	}
	const want = "7 functions switched off while the program ran, with too many calls for what " +
		"they do: later time counts for the callers; calls until then: " +
		"f6 a.c:3 (7000), f5 a.c:3 (6000), f4 a.c:3 (5000), f3 a.c:3 (4000), f2 a.c:3 (3000), " +
		"and 2 more"
	if got := l.Lines(); !slices.Equal(got, []string{want}) {
		t.Errorf("%q", got)
	}
	fewer := analysis.LeftOut{Functions: l.Functions[1:]}
	if l.Differs(&l) != "" || l.Differs(&fewer) == "" {
		t.Errorf("differs: %q, %q", l.Differs(&l), l.Differs(&fewer))
	}
	var text strings.Builder
	special := analysis.LeftOut{Functions: []analysis.OffFunction{{
		Name: "A::operator[]",
		File: "a?*.c",
	}}}
	if err := special.WriteFilter(&text); err != nil {
		t.Fatal(err)
	}
	const pattern = `!a\?\*.c:A::operator\[]` + "\n"
	if _, got, _ := strings.Cut(text.String(), "\n"); got != pattern {
		t.Errorf("the filter is %q", got)
	}
}
