package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"opari/internal/analysis"
	"opari/internal/omp"
	"opari/internal/report"
	"opari/internal/report/fixture"
)

// heatTimeline returns the intervals of heat's threads: serial code, the loop with n criticals
// in it, and waiting.
func heatTimeline(r *analysis.Result, n, limit int) *Timeline {
	t := NewTimeline(limit)
	serial, loop, critical := r.Paths[1], r.Paths[3], r.Paths[4]
	for i := range r.Threads {
		now := int64(r.Start)
		end := now + r.Wall
		add := func(q *analysis.Path, s analysis.State, time int64) {
			t.Add(analysis.Interval{Thread: i, Path: q, State: s, From: now, To: now + time})
			now += time
		}
		if i == 0 {
			add(serial, analysis.StateSerial, 2_000_000)
		} else {
			add(r.Paths[0], analysis.StateIdle, 2_000_000)
		}
		each := (r.Wall - 4_000_000) / int64(n) / 2
		for k := range int64(n) {
			add(loop, analysis.StateWork, each+k%3)
			add(critical, analysis.StateMutex, each/2)
			add(critical, analysis.StateWork, each/2)
		}
		add(loop, analysis.StateBarrier, end-now)
	}
	return t
}

func page(t testing.TB, r *analysis.Result, tl *Timeline, find report.SourceFinder) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, r, tl, find); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPageAlone checks that the page names nothing outside itself. Its policy allows its own
// script and style by their hashes.
func TestPageAlone(t *testing.T) {
	r, _ := fixture.Heat()
	text := page(t, r, heatTimeline(r, 10, TimelineLimit), nil)
	outside := regexp.MustCompile(
		`(?i)(https?|ftp|wss?)://|\bsrc\s*=|\bhref\s*=|url\(|@import|\bimport\s*\(|\bimport\s|fetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|new Worker|<link|<iframe|<base`)
	script := between(t, text, "<script>", "</script>")
	style := between(t, text, "<style>", "</style>")
	markup := strings.Replace(strings.Replace(text, script, "", 1), style, "", 1)
	data := between(t, text, `id="data">`, "</script>")
	markup = strings.Replace(markup, data, "", 1)
	for name, part := range map[string]string{"script": script, "style": style, "markup": markup} {
		if found := outside.FindString(part); found != "" {
			t.Errorf("the %s has %q", name, found)
		}
	}
	policy := between(t, text, `http-equiv="Content-Security-Policy" content="`, `">`)
	if !strings.HasPrefix(policy, "default-src 'none';") || strings.Contains(policy, "unsafe") {
		t.Errorf("policy: %s", policy)
	}
	for _, part := range []string{script, style} {
		sum := sha256.Sum256([]byte(part))
		if want := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
			"'"; !strings.Contains(policy, want) {
			t.Errorf("policy without %s: %s", want, policy)
		}
	}
	if strings.Contains(text, "</script><img") {
		t.Error("a name is written as markup")
	}
	if n := strings.Count(text, "</script>"); n != 3 {
		t.Errorf("%d scripts, not 3", n)
	}
}

func between(t *testing.T, text, from, to string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, from)
	inner, _, ends := strings.Cut(rest, to)
	if !found || !ends {
		t.Fatalf("no %s…%s", from, to)
	}
	return inner
}

// TestScripts checks that a page contains each of the files, and that each is short enough to
// read in one go.
func TestScripts(t *testing.T) {
	found, err := filepath.Glob("browser/*.js")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range found {
		if !slices.Contains(slices.Concat(scripts, scaleScripts), filepath.Base(file)) {
			t.Errorf("%s is in no page", file)
		}
	}
	all, err := filepath.Glob("browser/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range all {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(text, []byte("\n")); n > 400 {
			t.Errorf("%s: %d lines", file, n)
		}
	}
}

func TestSources(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	for i := range 100 {
		fmt.Fprintf(&text, "line %d\r\n", i+1)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.c"), []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	run := time.Now().Add(time.Hour)
	lines, err := report.Sources(run, "/nowhere", dir)("a.c")
	if err != nil || len(lines) != 100 || lines[99] != "line 100" {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	if lines, err = report.Sources(run)(filepath.Join(dir, "a.c")); err != nil || len(lines) !=
		100 {
		t.Errorf("by its whole path: %d lines, %v", len(lines), err)
	}
	for name, c := range map[string]struct {
		find report.SourceFinder
		want string
	}{
		"changed": {
			report.Sources(time.Now().Add(-time.Hour), dir),
			"a.c was changed after the run",
		},
		"missing": {report.Sources(run, "/nowhere"), "a.c was not found"},
		"folder":  {report.Sources(run, filepath.Dir(dir)), "a.c was not found"},
	} {
		if _, err := c.find("a.c"); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestExcerpts checks that excerpts contain the lines around regions once each, with adjacent
// ones joined.
func TestExcerpts(t *testing.T) {
	r := analysis.New("p", 1, make([]analysis.Thread, 1))
	for _, line := range []int{12, 3, 90, 3} {
		r.Child(r.Paths[0],
			&analysis.Region{Kind: omp.KindFor, Name: "for", File: "a.c", Line: line})
	}
	r.Child(r.Paths[0], &analysis.Region{Kind: omp.KindFor, Name: "for", File: "b.c", Line: 1})
	r.Child(r.Paths[0], &analysis.Region{Kind: omp.KindFor, Name: "for", File: "short.c", Line: 70})
	find := func(file string) ([]string, error) {
		switch file {
		case "a.c":
			return strings.Split(strings.Repeat("x\n", 99)+strings.Repeat("y", 1000)+"\n\xe4\n",
				"\n")[:101], nil
		case "short.c":
			return []string{"one"}, nil
		}
		return nil, fmt.Errorf("%s is away", file)
	}
	got := report.Excerpts(r.Paths, find)
	parts := got["a.c"].Parts
	if len(parts) != 2 || parts[0].From != 1 || len(parts[0].Lines) != 26 || parts[1].From != 85 ||
		len(parts[1].Lines) != 17 {
		t.Fatalf("%+v", parts)
	}
	if last := parts[1].Lines; len(last[15]) > report.LongestLine+10 || last[16] != "ä" {
		t.Errorf("%q", last[15:])
	}
	if got["b.c"].Note != "b.c is away" || got["short.c"].Note == "" {
		t.Errorf("%+v %+v", got["b.c"], got["short.c"])
	}
}
