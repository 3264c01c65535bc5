package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"opari/internal/analysis"
	"opari/internal/report/fixture"
)

// TestFalseSharing checks the finding in each form, that it can be too small for one, and that
// threads with lines of their own have none.
func TestFalseSharing(t *testing.T) {
	const text = "false sharing, a heuristic from samples: thread 0 and thread 1 use data 8 " +
		"bytes apart in one line of the cache at a.c:8"
	near, far := fixture.Shared(t, 8), fixture.Shared(t, 64)
	for _, c := range []struct {
		r     *analysis.Result
		share float64
		named bool
	}{{near, 0.005, true}, {near, 0.99, false}, {far, 0.005, false}} {
		o := &Run{Tables: []string{"findings"}, Share: c.share}
		var plain, marked, separated bytes.Buffer
		if err := errors.Join(o.Text(&plain, c.r), o.Markdown(&marked, c.r),
			o.CSV(&separated, c.r)); err != nil {
			t.Fatal(err)
		}
		row := "  98.0ms  98.0 %  a.c:7 parallel: work seems slowed by " + text + "\n"
		for form, has := range map[string]bool{
			"text": strings.Contains(plain.String(), row) &&
				strings.Contains(plain.String(), "  advice: "+analysis.SharingAdvice+"\n"),
			"Markdown": strings.Contains(marked.String(), "slowed by "+text),
			"CSV": strings.Contains(separated.String(),
				`hint,false-sharing,"`+text+`",a.c,7,all,98,98000000,`),
		} {
			if has != c.named {
				t.Errorf("share %g: %s: %v\n%s%s%s", c.share, form, has, &plain, &marked,
					&separated)
			}
		}
	}
	var b bytes.Buffer
	if err := (&Run{}).JSON(&b, near); err != nil {
		t.Fatal(err)
	}
	var out runJSON
	if err := json.Unmarshal(b.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	var found []*sharingJSON
	for _, q := range out.Paths {
		if q.Sharing != nil {
			found = append(found, q.Sharing)
		}
	}
	if len(found) != 1 || found[0].Text != text || found[0].Apart != 8 || found[0].Lines != 1 ||
		found[0].Time != 98_000_000 || !slices.Equal(found[0].Threads, []int{0, 1}) ||
		!slices.Equal(found[0].Codes, []codeJSON{{"main", "a.c", 8, 98}}) {
		t.Errorf("JSON: %+v", found)
	}
}
