package reports

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"

	"opari/internal/analysis"
	"opari/internal/analysis/finding"
	"opari/internal/analysis/run"
	"opari/internal/sarif/sariftest"
)

// TestSARIF checks the findings of a run against the schema and the analysis.
func TestSARIF(t *testing.T) {
	r, err := run.FromTrace("../traces/testdata/recorded/trace", run.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var o reportFlags
	var b bytes.Buffer
	if err := o.writeSARIF(&b, []string{"x", "y"}, []*analysis.Result{r, r}); err != nil {
		t.Fatal(err)
	}
	if wrong := sariftest.Mistakes(t, b.Bytes()); wrong != nil {
		t.Fatalf("%q: %s", wrong, &b)
	}
	var log struct {
		Runs []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID              string
				RuleIndex           int
				PartialFingerprints map[string]string
				Locations           []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(b.Bytes(), &log); err != nil || len(log.Runs) != 2 {
		t.Fatalf("%v: %s", err, &b)
	}
	findings, prints := finding.Of(r, 0), map[string]bool{}
	if len(findings) < 3 || len(log.Runs[0].Results) != len(findings) {
		t.Fatalf("%d results of %d findings", len(log.Runs[0].Results), len(findings))
	}
	for i, f := range findings {
		got := log.Runs[1].Results[i]
		if rule := log.Runs[1].Tool.Driver.Rules[got.RuleIndex]; rule.ID != f.Property.Key() ||
			got.RuleID != rule.ID {
			t.Errorf("%s: rule %s", f.String(r), rule.ID)
		}
		if print := got.PartialFingerprints["lostTime/v1"]; prints[print] {
			t.Errorf("%s: its fingerprint is that of another", f.String(r))
		} else {
			prints[print] = true
		}
		if f.Region.File == "" {
			if len(got.Locations) != 0 {
				t.Errorf("%s has a location", f.String(r))
			}
			continue
		}
		at := got.Locations[0].PhysicalLocation
		if at.Region.StartLine != f.Region.Line ||
			filepath.Base(at.ArtifactLocation.URI) != filepath.Base(f.Region.File) {
			t.Errorf("%s is at %s", f.String(r), at.ArtifactLocation.URI)
		}
	}
}

// TestRelative checks the names that code hosts get.
func TestRelative(t *testing.T) {
	for _, c := range []struct{ file, folder, want string }{
		{"a.c", "/src", "a.c"},
		{"./src/a.c", "/src", "src/a.c"},
		{"/src/b/a.c", "/src", "b/a.c"},
		{"/other/a.c", "/src", "/other/a.c"},
		{"/src/a.c", "", "/src/a.c"},
		{"/srcs/a.c", "/src", "/srcs/a.c"},
	} {
		if got := relative(c.file, c.folder); got != c.want {
			t.Errorf("%s in %s: %s, want %s", c.file, c.folder, got, c.want)
		}
	}
}
