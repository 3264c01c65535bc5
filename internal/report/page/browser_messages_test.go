package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/browser"
	"opari/internal/report/fixture"
)

// ringTimeline returns a run whose ranks send each other messages, and its timeline.
func ringTimeline(rounds int) (*analysis.Result, *Timeline) {
	r, intervals, messages := fixture.Ring(rounds)
	t := NewTimeline(TimelineLimit)
	for _, i := range intervals {
		t.Add(i)
	}
	for _, m := range messages {
		t.AddMessage(m)
	}
	return r, t
}

// drawnLines returns the number of messages that the page draws.
func drawnLines(t *testing.T, p *browser.Page) int {
	t.Helper()
	settle(t, p)
	return eval[int](t, p, `Number(document.querySelector("#canvas").dataset.lines)`)
}

// TestMessageLines checks that a line goes from the sender's row to the receiver's, and that
// pointing at it describes the message. A check box shows and hides the lines. The page draws a
// part of many messages, and all messages of a narrow view.
func TestMessageLines(t *testing.T) {
	r, tl := ringTimeline(2)
	p := open(t, r, tl)
	eval[any](t, p, `document.querySelector("#timeline-panel").scrollIntoView()`)
	if n := drawnLines(t, p); n != 8 {
		t.Errorf("%d lines", n)
	}
	c := rectangle(t, p, "#canvas")
	width := c.W - 132
	x := func(ns float64) float64 { return c.X + 132 + width*ns/2000 }
	y := func(row float64) float64 { return c.Y + 24 + 34*row + 17 }
	// The pointer is on the second round's message from rank 1 to rank 2, a quarter along the
	// line. No other line is near.
	do(t, p.Mouse("mouseMoved", x(1200), y(2.5), 0))
	settle(t, p)
	tip := eval[string](t, p, `document.querySelector("#tip").innerText`)
	for _, want := range []string{
		"rank 1 thread 0 → rank 2 thread 0", "tag 42",
		"12\u202f345 bytes", "sent at 1.10 µs", "400 ns later",
	} {
		if !strings.Contains(tip, want) {
			t.Errorf("the tip lacks %q: %q", want, tip)
		}
	}
	do(t, p.Mouse("mouseMoved", x(800), y(2.5), 0)) // between the rounds
	settle(t, p)
	if tip := eval[string](t, p, `document.querySelector("#tip").innerText`); !strings.Contains(tip,
		"MPI_Sendrecv") {
		t.Errorf("beside the lines: %q", tip)
	}
	shown := picture(t, p)
	eval[any](t, p, `document.querySelector("#messages").click()`)
	if n := drawnLines(t, p); n != 0 {
		t.Errorf("%d lines although they are not wanted", n)
	}
	hidden := picture(t, p)
	same := func(ns, row float64) bool {
		px, py := int(x(ns)-c.X), int(y(row)-c.Y)
		return shown.At(px, py) == hidden.At(px, py)
	}
	if same(500, 4) || same(1500, 4) {
		t.Error("nothing is drawn where rank 2 receives")
	}
	if !same(800, 2) {
		t.Error("something is drawn where there is no message")
	}
}

func TestManyMessages(t *testing.T) {
	r, tl := ringTimeline(40_000)
	if len(tl.messages.list) > MessageLimit || len(tl.messages.list) < MessageLimit/4 {
		t.Fatalf("%d of 160000 messages are kept", len(tl.messages.list))
	}
	for rank := range 4 { // the choice of messages does not depend on the sender
		n := 0
		for _, m := range tl.messages.list {
			if m.From == 2*rank {
				n++
			}
		}
		if share := float64(n) / float64(len(tl.messages.list)); share < 0.24 || share > 0.26 {
			t.Errorf("%.3f of what is kept are of rank %d", share, rank)
		}
	}
	p := open(t, r, tl)
	if n := drawnLines(t, p); n < 1000 || n > 4000 {
		t.Errorf("%d lines of all", n)
	}
	if note := eval[string](t, p,
		`document.querySelector("#timeline-note").textContent`); !strings.Contains(note,
		"of 160\u202f000 messages") {
		t.Errorf("the note is %q", note)
	}
	const from, to = 1_000_000, 1_100_000
	var c box
	at := func(ns float64) float64 { return c.X + 132 + (c.W-132)*ns/40e6 }
	eval[any](t, p, `document.querySelector("#timeline-panel").scrollIntoView()`)
	c = rectangle(t, p, "#canvas")
	do(t, p.Mouse("mouseMoved", at(from), c.Y+100, 0))
	do(t, p.Mouse("mousePressed", at(from), c.Y+100, 0))
	do(t, p.Mouse("mouseMoved", at(to)+2, c.Y+100, 1))
	do(t, p.Mouse("mouseMoved", at(to)+8, c.Y+100, 1))
	do(t, p.Mouse("mouseReleased", at(to)+8, c.Y+100, 0))
	n := drawnLines(t, p)
	left, right := view(t, p)
	want := 0
	for _, m := range tl.messages.list {
		if float64(m.Received) >= left && float64(m.Sent) < right {
			want++
		}
	}
	if right-left > 1e6 || n < want*9/10 || n > want*11/10+3 {
		t.Errorf("%d lines from %v to %v, where %d messages are", n, left, right, want)
	}
}

// TestLocations checks that the thread tree has nodes and ranks around the threads. A closed
// one shows the sum of its threads, and a selected one stays selected.
func TestLocations(t *testing.T) {
	r, tl := ringTimeline(2)
	p := open(t, r, tl)
	var texts []string
	for _, v := range rows(t, p, "threads") {
		texts = append(texts, fmt.Sprint(v.Level, eval[string](t, p,
			`document.querySelector('#threads [data-id="%d"] .label').textContent`, v.ID)))
	}
	want := []string{
		"1all threads", "2node east", "3rank 0", "4rank 0 thread 0", "4rank 0 thread 1", "3rank 1",
		"4rank 1 thread 0", "4rank 1 thread 1",
		"2node west", "3rank 2", "4rank 2 thread 0", "4rank 2 thread 1", "3rank 3",
		"4rank 3 thread 0", "4rank 3 thread 1",
	}
	if !slices.Equal(texts, want) {
		t.Fatalf("%q", texts)
	}
	eval[any](t, p, `document.querySelector('#properties [data-id="%d"] .label').click()`, 0)
	eval[any](t, p, `document.querySelector('#paths [data-id="0"] .label').click()`)
	if all := rows(t, p, "paths"); all[0].Expanded == "true" {
		click(t, p, "paths", 0, "twisty")
	}
	id := rows(t, p, "threads")[8].ID // node west
	click(t, p, "threads", id, "twisty")
	all := rows(t, p, "threads")
	if len(all) != 9 || all[8].Expanded != "false" || all[8].Value != 4*2000 {
		t.Errorf("node west, closed: %+v", all[len(all)-1])
	}
	click(t, p, "threads", id, "label")
	if all = rows(t, p, "threads"); !all[8].Selected {
		t.Error("node west is not selected")
	}
	var sum float64
	for _, v := range all {
		sum += v.Value
	}
	if sum != float64(r.Total()) {
		t.Errorf("all rows have %v together, not %d", sum, r.Total())
	}
}

// TestNoMessages checks that without messages there is no check box for them.
func TestNoMessages(t *testing.T) {
	r, _ := fixture.Heat()
	p := open(t, r, heatTimeline(r, 3, TimelineLimit))
	if c := rectangle(t, p, "#messages-shown"); c.W != 0 {
		t.Errorf("the check box is %.0f pixels wide", c.W)
	}
}

// TestMessageDensity checks that many messages are a shade through which the states are seen, and
// that a few are dark lines.
func TestMessageDensity(t *testing.T) {
	r, tl := ringTimeline(40_000)
	p := open(t, r, tl)
	// darkened returns the mean and the largest part by which lines darken the rows.
	darkened := func() (mean, most float64) {
		t.Helper()
		lines := drawnLines(t, p)
		with := picture(t, p)
		eval[any](t, p, `document.querySelector("#messages").click()`)
		settle(t, p)
		without := picture(t, p)
		eval[any](t, p, `document.querySelector("#messages").click()`)
		settle(t, p)
		if lines == 0 {
			t.Fatal("no lines")
		}
		pixels := 0.0
		for y := 24; y < 24+8*34; y++ {
			for x := 140; x < with.Bounds().Dx(); x++ {
				_, is, _, _ := with.At(x, y).RGBA()
				_, was, _, _ := without.At(x, y).RGBA()
				part := 1 - float64(is)/float64(max(1, was))
				mean += part
				most = max(most, part)
				pixels++
			}
		}
		return mean / pixels, most
	}
	mean, most := darkened()
	if mean < 0.03 || mean > 0.2 || most > 0.7 {
		t.Errorf("all messages darken by %.2f, at most by %.2f", mean, most)
	}
	faded := `Number(document.querySelector("#canvas").dataset.faded)`
	if f := eval[float64](t, p, "%s", faded); f > 0.5 {
		t.Errorf("a line of many has %.2f of its darkness", f)
	}
	if text := eval[string](t, p,
		`document.querySelector("#messages-part").textContent`); !strings.HasPrefix(text,
		" (1 in ") {
		t.Errorf("how many are drawn: %q", text)
	}
	eval[any](t, p, `(() => { for (let i = 0; i < 14; i++) document.querySelector("#zoom-in").click(); })()`)
	if _, most = darkened(); most < 0.5 {
		t.Errorf("few messages darken by %.2f at most", most)
	}
	if f := eval[float64](t, p, "%s", faded); f != 1 {
		t.Errorf("a line of few has %.2f of its darkness", f)
	}
	if text := eval[string](t, p,
		`document.querySelector("#messages-part").textContent`); text != "" {
		t.Errorf("how many are drawn: %q", text)
	}
}
