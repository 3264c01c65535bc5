package sarif

import (
	"bytes"
	"strings"
	"testing"

	"opari/internal/sarif/sariftest"
)

// TestSchema checks logs against the schema of SARIF 2.1.0.
func TestSchema(t *testing.T) {
	here := &Location{File: "my file.c", Line: 3, Message: "read"}
	full := Log{
		Tool: "opari test", Version: "1.2", Mark: "opari_test",
		Rules: []Rule{{"a-rule", "What is wrong.", "warning"}, {"another", "Else.", "error"}},
		Runs: []Run{
			{Name: "first", Results: []Result{
				{
					Rule: 1, Level: "error", Message: "a <b> & c", Location: here, Related: here,
					Kind: "k/v1", Print: Fingerprint("x"), Rank: 12.5,
					Properties: map[string]any{"time_ns": int64(7)},
				},
				{Rule: 0, Level: "note", Message: "nowhere", Kind: "k/v1", Print: Fingerprint("y")},
				{
					Level: "warning", Message: "line 0", Kind: "k/v1", Print: Fingerprint("z"),
					Location: &Location{File: "/usr/src/a%b.c"},
				},
			}},
			{Name: "second"},
		},
	}
	for _, l := range []*Log{{Tool: "t", Version: "1", Mark: "m", Runs: []Run{{}}}, &full} {
		text := written(t, l)
		if wrong := sariftest.Mistakes(t, text); wrong != nil {
			t.Errorf("%q:\n%s", wrong, text)
		}
	}
	text := string(written(t, &full))
	for _, part := range []string{
		`"uri": "my%20file.c"`, `"uriBaseId": "%SRCROOT%"`, `"uri": "file:///usr/src/a%25b.c"`,
		`"startLine": 1`, `"text": "a <b> & c"`, `"rank": 12.5`,
	} {
		if !strings.Contains(text, part) {
			t.Errorf("no %s in\n%s", part, text)
		}
	}
	if !strings.HasPrefix(text, `{
  "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
  "properties": {
    "opari_test": 1
`) {
		t.Errorf("opari would not know its file: %.200s", text)
	}
	full.Runs[0].Results[0].Level = "terrible"
	if wrong := sariftest.Mistakes(t, written(t, &full)); len(wrong) != 1 {
		t.Errorf("a level that SARIF does not have: %q", wrong)
	}
}

func written(t *testing.T, l *Log) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := l.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
